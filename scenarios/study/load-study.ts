/**
 * A bundle of files in, a study with all its points out, or everything that is wrong with it, or
 * what is still needed. The scenario of every point is read before one of them is run.
 */
import type { CodecEngine } from '../../core/codecs/engine.ts';
import type { StudyParameter } from '../../core/result/designed-study.ts';
import { mean } from '../../reports/statistics.ts';
import { scenarioInsteadOfStudy } from '../composing/other-kind.ts';
import { type Bundle, FILE_BYTES_MAX, pathFrom, textOf, yamlOf } from '../composing/texts.ts';
import { populate, seedOf } from '../filling/populate.ts';
import { forecast } from '../forecast/forecast.ts';
import { READ_ONCE } from '../language/knob.ts';
import {
  type Fault,
  faultsOf,
  type Problem,
  problemsOf,
  type Source,
} from '../language/problem.ts';
import { type Loaded, load, type Unread } from '../load.ts';
import { type PlaceTable, readTable } from '../places/place-table.ts';
import type { Scenario } from '../schema/schema.ts';
import { Branches } from './branching.ts';
import { designed } from './design.ts';
import { type Expressions, hasExpression } from './expressions.ts';
import { judgedTexts } from './judged.ts';
import { type Row, rowOf } from './point-settings.ts';
import { settingOf } from './setting.ts';
import { faultsOfIdle, faultsOfPaths, faultsOfTwice, pathUp } from './study-paths.ts';
import { inStudy, pointNamed } from './study-problems.ts';
import { complaintsOf, type StudyFile, StudySchema } from './study-schema.ts';

/** A row of the design whose scenario was read. */
export interface Point extends Row {
  /** Of its scenario. */
  readonly digest: string;
}

export interface Study {
  readonly file: StudyFile;
  /** Of the scenario's file, in the bundle. */
  readonly scenarioPath: string;
  /** Of the table of its points, where it has one. */
  readonly tablePath: string | undefined;
  /** The scenario of no point: what all have in common. */
  readonly base: Extract<Loaded, { outcome: 'scenario' }>;
  /** Overrides of all runs. */
  readonly set: readonly string[];
  /** Root of all seeds. */
  readonly root: string;
  readonly parameters: readonly StudyParameter[];
  readonly points: readonly Point[];
  /** CPU time of a world as it is forecast, the mean over points. */
  readonly secondsEach: number;
}

export type LoadedStudy =
  | { readonly outcome: 'study'; readonly study: Study; readonly warnings: readonly Problem[] }
  | { readonly outcome: 'problems'; readonly problems: readonly Problem[] }
  /** Add these files to the bundle, or fail to, and load again. */
  | { readonly outcome: 'needs'; readonly paths: readonly string[] }
  /** Load again with something that computes expressions. */
  | { readonly outcome: 'needsExpressions' };

export interface StudyReading {
  readonly codecs?: CodecEngine | undefined;
  readonly expressions?: Expressions | undefined;
  /** Files that cannot be had, and why. */
  readonly unread?: Unread;
  /** Names a scenario by what it is. */
  readonly digest: (scenario: Scenario) => string;
}

export function loadStudy(path: string, bundle: Bundle, reading: StudyReading): LoadedStudy {
  const bytes = bundle.get(path);
  if (bytes === undefined) return needs([path], reading.unread);
  const { value, source, problems } = yamlOf(path, bytes);
  if (problems.length > 0) return wrong(problems);
  const other = scenarioInsteadOfStudy(value);
  if (other !== undefined) return refused({ source, path }, [other]);
  const read = StudySchema.safeParse(value, READ_ONCE);
  const complaints = read.success ? complaintsOf(read.data) : [];
  const faults: Fault[] = [
    ...(read.success ? [] : faultsOf(read.error.issues)),
    ...complaints.map(([at, complaint]) => ({ path: at, complaint })),
  ];
  if (!read.success || faults.length > 0) return refused({ source, path }, faults);
  const file = read.data;
  const { expressions = needsExpressions(file) ? undefined : NO_EXPRESSIONS } = reading;
  if (expressions === undefined) return { outcome: 'needsExpressions' };
  return create({ ...reading, path, file, source, bundle, expressions });
}

const NO_EXPRESSIONS: Expressions = {
  evaluate: () => ({ ok: false, what: 'nothing computes expressions here' }),
};

function needsExpressions({ parameters, linked }: StudyFile): boolean {
  const isComputed = Object.values(parameters).some(({ values }) => values?.by === 'expression');
  return isComputed || Object.values(linked).some(hasExpression);
}

function needs(paths: readonly string[], unread: Unread = new Map()): LoadedStudy {
  const lost = paths.flatMap((where): readonly Problem[] => {
    const message = unread.get(where);
    return message === undefined ? [] : [{ where, line: 0, pointer: '', message }];
  });
  return lost.length > 0 ? { outcome: 'problems', problems: lost } : { outcome: 'needs', paths };
}

/** A file without a fault of its own, with what it is read with. */
interface Reading extends StudyReading {
  readonly path: string;
  readonly file: StudyFile;
  readonly source: Source;
  readonly bundle: Bundle;
  readonly expressions: Expressions;
}

function create(reading: Reading): LoadedStudy {
  const { path, file, bundle, expressions, unread } = reading;
  const wrongPaths = faultsOfPaths(file);
  if (wrongPaths.length > 0) return refused(reading, wrongPaths);
  const scenarioPath = pathUp(path, file.scenario);
  const lost = unread?.get(scenarioPath);
  if (lost !== undefined) return refused(reading, [{ path: ['scenario'], complaint: lost }]);
  const set = Object.entries(file.set).map(([at, value]) => settingOf(at, value));
  const base = load(scenarioPath, bundle, set, reading.codecs, file.variant, unread);
  if (base.outcome === 'needs') return base;
  if (base.outcome === 'problems') return wrong(inStudy(base.problems, { ...reading, set }));
  const twice = faultsOfTwice(file, base.document);
  if (twice.length > 0) return refused(reading, twice);
  const root = file.seed ?? seedOf(base.scenario);
  const table = tableOf(path, file, bundle);
  if (table?.outcome === 'needs') return needs(table.paths, unread);
  if (table?.outcome === 'problems') return table;
  const design = designed(file, { expressions, table: table?.table, seed: root });
  if (design.faults.length > 0) return refused(reading, design.faults);
  const idle = faultsOfIdle(file);
  if (idle.length > 0) return refused(reading, idle);
  const faults: Fault[] = [];
  const rows = design.points.map((levels) => rowOf(file, levels, expressions, faults));
  if (faults.length > 0) return refused(reading, faults);
  const read = pointsOf(rows, { ...reading, scenarioPath, set, root });
  if (read.outcome !== 'points') return read;
  const { parameters } = design;
  const { points, secondsEach } = read;
  const tablePath = table?.table.file;
  const study = { file, scenarioPath, tablePath, base, set, root, parameters, points, secondsEach };
  return { outcome: 'study', study, warnings: base.warnings };
}

const wrong = (problems: readonly Problem[]): LoadedStudy => ({ outcome: 'problems', problems });

const refused = (
  { source, path }: Pick<Reading, 'source' | 'path'>,
  faults: readonly Fault[],
): LoadedStudy => wrong(problemsOf(faults, source, path));

interface ReadingPoints extends Reading {
  readonly scenarioPath: string;
  readonly set: readonly string[];
  readonly root: string;
}

type PointsRead =
  | { readonly outcome: 'points'; readonly points: readonly Point[]; readonly secondsEach: number }
  | LoadedStudy;

/** The number of points tell what a run of any takes. */
const FORECAST_MAX = 20;

/** Reads the scenario of each point, up to the first that has a fault. */
function pointsOf(rows: readonly Row[], reading: ReadingPoints): PointsRead {
  const { file, scenarioPath, bundle, set, codecs, unread, root } = reading;
  const points: Point[] = [];
  const branches = file.branchAt === undefined ? undefined : new Branches(root, file.branchAt);
  const every = Math.ceil(rows.length / FORECAST_MAX);
  const seconds: number[] = [];
  for (const row of rows) {
    const number = points.length + 1;
    // All that the study asks of results is judged once, as if the scenario expected it.
    const judged = number === 1 ? judgedTexts(file) : [];
    const asked = judged.length === 0 ? [] : [settingOf('expectations', judged)];
    const settings = [...set, ...row.set, ...asked];
    const loaded = load(scenarioPath, bundle, settings, codecs, file.variant, unread);
    if (loaded.outcome === 'needs') return needs(loaded.paths, unread);
    if (loaded.outcome === 'problems') {
      return wrong(inStudy(loaded.problems, { ...reading, row, number }));
    }
    const { scenario } = loaded;
    points.push({ ...row, digest: reading.digest(scenario) });
    if ((number - 1) % every === 0) seconds.push(secondsOf(scenario, root));
    const differs = branches?.differenceOf(scenario);
    if (differs === undefined) continue;
    const what = `${pointNamed(file, row, number)} differs before: ${differs}`;
    return refused(reading, [{ path: ['branchAt'], complaint: { what, allowed: BRANCH_ALLOWED } }]);
  }
  return { outcome: 'points', points, secondsEach: mean(seconds) };
}

/** Without the start of a program, which a study has once. */
const secondsOf = (scenario: Scenario, root: string): number =>
  forecast(populate(scenario, root)).cost.worldSeconds;

const BRANCH_ALLOWED = 'an instant before which nothing is turned';

type TableRead =
  | { readonly outcome: 'table'; readonly table: PlaceTable }
  | Exclude<LoadedStudy, { outcome: 'study' | 'needsExpressions' }>;

function tableOf(
  path: string,
  { design, parameters }: StudyFile,
  bundle: Bundle,
): TableRead | undefined {
  if (design.kind !== 'points') return undefined;
  const file = pathFrom(path, design.file);
  const bytes = bundle.get(file);
  if (bytes === undefined) return { outcome: 'needs', paths: [file] };
  const text = textOf(file, bytes, FILE_BYTES_MAX);
  if (typeof text !== 'string') return { outcome: 'problems', problems: [text] };
  const read = readTable(file, text, Object.keys(parameters).join(','));
  if (read.ok) return { outcome: 'table', table: read.table };
  return { outcome: 'problems', problems: [read.problem] };
}
