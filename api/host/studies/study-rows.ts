/** Landed rows of a study to what it came to, and to the digest of all of them. */
import { createHash } from 'node:crypto';
import type { DesignedStudy } from '../../../core/result/designed-study.ts';
import type { SeedRow } from '../../../core/result/study.ts';
import { FIGURES } from '../../../reports/figures/figures.ts';
import { designedStudyOf } from '../../../reports/study/points.ts';
import type { Needed } from '../../../reports/study/study.ts';
import {
  type Expectation,
  judgeBy,
  readExpectation,
} from '../../../scenarios/expectations/expectations.ts';
import type { StudyPlan } from '../../../scenarios/study/plan.ts';
import { type Asked, Rounds, type Run } from '../../../scenarios/study/rounds.ts';
import { isReplicateOf } from '../../../scenarios/study/seeds.ts';
import { shellWord } from '../../../scenarios/study/setting.ts';
import { assert } from '../../../sim/base/assert.ts';
import { keyOf, planId } from './keys.ts';
import type { LandedRow } from './study-folder.ts';

/** The rows of a study that have landed, as the study sees them. */
export class StudyRows {
  readonly plan: StudyPlan;
  readonly #build: string;
  readonly #landed: Map<string, LandedRow>;
  readonly #names: readonly string[];
  readonly #asked: ReadonlySet<string>;
  readonly #rounds: Rounds;
  /** By row: each is asked for many times. */
  readonly #keys: string[] = [];
  readonly #keysBySeed = new Map<string, ReadonlySet<string>>();

  constructor(plan: StudyPlan, build: string, landed: Map<string, LandedRow>) {
    this.plan = plan;
    this.#build = build;
    this.#landed = landed;
    const stored = plan.kept.map(({ name }) => name);
    this.#names = [...new Set([...FIGURES.map(({ name }) => name), ...stored])];
    this.#asked = new Set(stored);
    this.#rounds = new Rounds(plan);
  }

  keyOf(run: Run): string {
    const known = this.#keys[run.row];
    if (known !== undefined) return known;
    const key = keyOf(this.#build, this.plan, run);
    this.#keys[run.row] = key;
    return key;
  }

  /** What the files of its chunks begin with: another build's are other chunks. */
  get chunkName(): string {
    const named = `${planId(this.plan)} ${this.#build}`;
    return createHash('sha256').update(named).digest('hex').slice(0, 16);
  }

  /** All that have landed, for whichever study. */
  get landed(): number {
    return this.#landed.size;
  }

  /** Whether some of them are of worlds of this study, whatever figures they keep. */
  hasOwn(): boolean {
    for (const _ of this.#ownKeys()) return true;
    return false;
  }

  /** Rows that are of no world of this study: of another scenario, seed or build. */
  get foreign(): number {
    // Most folders have none, and then every row is one that is asked for.
    if (this.counts().there === this.#landed.size) return 0;
    return this.#landed.size - [...this.#ownKeys()].length;
  }

  /** Whether a row is of a world of this study. */
  isOwn({ key, seed }: LandedRow): boolean {
    return isReplicateOf(this.plan.manifest.seed, seed) && this.#keysOf(seed).has(key);
  }

  /** Keys of rows that are there, each once. */
  *#ownKeys(): Generator<string> {
    const seeds = new Set([...this.#landed.values()].map(({ seed }) => seed));
    for (const seed of seeds) {
      if (!isReplicateOf(this.plan.manifest.seed, seed)) continue;
      for (const key of this.#keysOf(seed)) if (this.#landed.has(key)) yield key;
    }
  }

  /** Of the worlds of all points with a seed; two points may be one world. */
  #keysOf(seed: string): ReadonlySet<string> {
    const known = this.#keysBySeed.get(seed);
    if (known !== undefined) return known;
    const { points } = this.plan;
    const keys = new Set(points.map((_, point) => keyOf(this.#build, this.plan, { point, seed })));
    this.#keysBySeed.set(seed, keys);
    return keys;
  }

  add(row: LandedRow): void {
    this.#landed.set(row.key, row);
  }

  /** Undefined: it has to be run; a row that lacks a figure that is asked for is none. */
  of(run: Run): LandedRow | undefined {
    const row = this.#landed.get(this.keyOf(run));
    if (row?.figures === undefined) return row;
    const { figures } = row;
    return this.plan.kept.every(({ name }) => Object.hasOwn(figures, name)) ? row : undefined;
  }

  asked(): Asked {
    return this.#rounds.asked((run) => {
      const row = this.of(run);
      return row === undefined ? undefined : (row.figures ?? 'broken');
    });
  }

  /** How many runs and chunks are there, of those that are asked for so far. */
  counts({ chunks } = this.asked()) {
    const runs = chunks.flatMap((chunk) => chunk.runs);
    return {
      there: runs.filter((run) => this.of(run) !== undefined).length,
      asked: runs.length,
      whole: chunks.filter((chunk) => chunk.runs.every((run) => this.of(run))).length,
      chunks: chunks.length,
    };
  }

  /** All that the study asks for and that are there, by replicates, then by points. */
  *all(asked = this.asked()): Generator<RunRow> {
    const runs = asked.chunks.flatMap((chunk) => chunk.runs);
    for (const run of runs.sort((a, b) => a.row - b.row)) {
      const row = this.rowOf(run);
      if (row !== undefined) yield { run, row };
    }
  }

  /** As it lands: the same text of one plan and build, whatever others keep of the same world. */
  landing(run: Run): LandedRow | undefined {
    const row = this.of(run);
    if (row?.figures === undefined) return row;
    const { key, seed, digest, figures, unfinished } = row;
    const own = this.#names.filter(
      (name) => this.#asked.has(name) || (figures[name] ?? null) !== null,
    );
    const stored = own.map((name) => [name, figures[name] ?? null] as const);
    return { key, seed, digest, figures: Object.fromEntries(stored), unfinished };
  }

  /** As this study has it, whatever others keep of the same world. */
  rowOf(run: Run): SeedRow | undefined {
    const row = this.of(run);
    if (row === undefined) return undefined;
    const { seed, digest = '', figures, unfinished = [], error } = row;
    if (figures === undefined) return { seed, error: error ?? '' };
    const own = this.#names.map((name) => [name, figures[name] ?? null] as const);
    return { seed, digest, figures: Object.fromEntries(own), expectations: [], unfinished };
  }
}

/** A run that has landed. */
export interface RunRow {
  readonly run: Run;
  readonly row: SeedRow;
}

/** `warnings` are those of before the runs. */
export function foldedStudy(rows: StudyRows, warnings: readonly string[] = []): DesignedStudy {
  const { plan } = rows;
  const asked = rows.asked();
  const { chunks, settled, complete } = asked;
  const expected = [...plan.expectations, ...plan.constraints].map(expectationOf);
  const ofPoints: SeedRow[][] = plan.points.map(() => []);
  const digest = createHash('sha256');
  for (const { run, row } of rows.all(asked)) {
    digest.update(`${run.row} ${JSON.stringify(row)}\n`);
    ofPoints[run.point]!.push(judged(row, expected));
  }
  const units = new Map(plan.kept.map(({ name, unit }) => [name, unit]));
  const { study, description, scenario, design, parameters, constraints, figures } = plan;
  return designedStudyOf({
    study,
    description,
    scenario,
    plan: planId(plan),
    digest: digest.digest('hex').slice(0, 16),
    complete,
    runsAsked: chunks.reduce((sum, { runs }) => sum + runs.length, 0),
    design,
    parameters,
    points: plan.points.map(({ levels, set }, at) => {
      const command = commandOf(plan, set);
      return { levels, set, settled: settled[at] ?? null, command, rows: ofPoints[at]! };
    }),
    stored: plan.kept,
    needed: expected.map((each): Needed => {
      const { text: expectation, seedsPpm = ALL_PPM, figure, over } = each;
      const unit = over === undefined ? (units.get(figure) ?? null) : null;
      return { expectation, seedsPpm, unit };
    }),
    constraints,
    objectives: plan.objectives.map((each) => {
      return { ...each, unit: units.get(each.figure) ?? null };
    }),
    figures,
    warnings,
    manifest: plan.manifest,
  });
}

const ALL_PPM = 1_000_000;

function expectationOf(text: string): Expectation {
  const reading = readExpectation(text);
  assert(reading.ok, 'what a plan expects was read before');
  return reading.value;
}

function judged(row: SeedRow, expected: readonly Expectation[]): SeedRow {
  if (!('figures' in row)) return row;
  const verdicts = judgeBy(expected, (name) => row.figures[name] ?? Number.NaN);
  const expectations = verdicts.map((each) => {
    return { ...each, actual: Number.isFinite(each.actual) ? each.actual : null };
  });
  return { ...row, expectations };
}

/** Runs the first seed of a point alone, from the folder of the study file. */
export function commandOf({ manifest, scenarioFile }: StudyPlan, set: readonly string[]): string {
  const { variant, seed } = manifest;
  const chosen = variant === undefined ? [] : ['--variant', variant];
  const settings = [...manifest.set, ...set].flatMap((each) => ['--set', each]);
  const words = ['fleetwave', 'run', scenarioFile, ...chosen, ...settings, '--seed', seed];
  return words.map(shellWord).join(' ');
}
