/**
 * The plan of a study: all that its runs depend on, as plain data. Its digest names the study, its
 * chunks and shards, so that every holder of the plan runs the same worlds (docs/decisions/0086).
 */
import type { StudyParameter } from '../../core/result/designed-study.ts';
import type { Manifest } from '../../core/result/manifest.ts';
import type { FigureUnit } from '../../core/result/study.ts';
import { namesIn } from '../checks/cross-check.ts';
import { figuresOf } from '../expectations/figures.ts';
import type { Design } from './design-reader.ts';
import { figuresAsked } from './judged.ts';
import type { Study } from './load-study.ts';
import type { Objective } from './study-schema.ts';

export const PLAN_FORMAT = 1;

export interface PlannedPoint {
  readonly levels: readonly { readonly label: string; readonly number: number | null }[];
  /** Overrides over those of the manifest. */
  readonly set: readonly string[];
  /** Digest of the scenario that its runs have, so that one world has one key in all studies. */
  readonly scenario: string;
}

/** A figure that runs keep beside the table. */
export interface StoredFigure {
  readonly name: string;
  readonly unit: FigureUnit;
}

export interface StudyPlan {
  readonly format: typeof PLAN_FORMAT;
  readonly study: string;
  readonly description: string;
  readonly scenario: string;
  /** Its file, relative to that of the study. */
  readonly scenarioFile: string;
  readonly design: Design['kind'];
  readonly parameters: readonly StudyParameter[];
  readonly points: readonly PlannedPoint[];
  /** Seeds of a round. */
  readonly replicates: number;
  /** All points are the same before, µs; null: from the beginning on they are not. */
  readonly branchAtUs: number | null;
  /** Where runs begin that branch off: a simulation until then, or what it came to, stored. */
  readonly from: 'simulation' | 'snapshot';
  /** Most seeds of a point. */
  readonly atMost: number;
  /** Half intervals that end the rounds of a point, by figure. */
  readonly until: Readonly<Record<string, number>>;
  readonly figures: readonly string[];
  readonly kept: readonly StoredFigure[];
  /** Of the scenario. */
  readonly expectations: readonly string[];
  readonly constraints: readonly string[];
  readonly objectives: readonly Objective[];
  /** Runs that are handed out, and land, together. */
  readonly chunkRuns: number;
  /** What a run takes, as it is forecast: seconds of CPU time. */
  readonly secondsEach: number;
  /** Its seed is the root of all seeds. */
  readonly manifest: Manifest;
}

/** Handing out a chunk and landing it costs some ms; one that is lost costs what it took. */
const CHUNK_S = 5;
const CHUNK_RUNS_MAX = 500;
/** Making a world, telling of it, and its row: seconds of CPU time. */
const LEAST_S = 0.015;

export function planOf(study: Study, manifest: Manifest): StudyPlan {
  const { file, base, parameters, points } = study;
  const { scenario } = base;
  const expectations = scenario.expectations.map(({ text }) => text);
  const figures = figuresOf(namesIn(base.document));
  // Some of it is the same for each world, however small.
  const secondsEach = Number((LEAST_S + study.secondsEach).toPrecision(3));
  return {
    format: PLAN_FORMAT,
    study: file.study,
    description: file.description,
    scenario: scenario.scenario,
    scenarioFile: file.scenario,
    design: file.design.kind,
    parameters,
    points: points.map(({ levels, set, digest }) => ({
      levels: levels.map(({ label, number }) => ({ label, number })),
      set,
      scenario: digest,
    })),
    replicates: file.replicates,
    branchAtUs: file.branchAt ?? null,
    from: file.from,
    atMost: file.atMost ?? file.replicates,
    until: Object.fromEntries(
      Object.entries(file.until).map(([figure, { value }]) => [figure, value]),
    ),
    figures: file.figures,
    kept: figuresAsked(file, expectations).map((name) => {
      return { name, unit: figures.get(name)?.unit ?? 'count' };
    }),
    expectations,
    constraints: file.constraints.map(({ text }) => text),
    objectives: file.objective ?? [],
    chunkRuns: Math.min(CHUNK_RUNS_MAX, Math.max(1, Math.ceil(CHUNK_S / secondsEach))),
    secondsEach,
    manifest,
  };
}
