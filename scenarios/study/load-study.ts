/**
 * A bundle of files in, a study with all its points out, or everything that is wrong with it, or
 * what is still needed. The scenario of every point is read before one of them is run.
 */

import type { CodecEngine } from '../../core/codecs/engine.ts';
import type { StudyParameter } from '../../core/result/designed-study.ts';
import { pointerTo } from '../../sim/base/json-pointer.ts';
import { readSteps } from '../composing/override-path.ts';
import { type Bundle, FILE_BYTES_MAX, pathFrom, textOf, yamlOf } from '../composing/texts.ts';
import { seedOf } from '../filling/populate.ts';
import { READ_ONCE } from '../language/knob.ts';
import {
  type Fault,
  faultsOf,
  type Path,
  type Problem,
  problemsOf,
  type Source,
} from '../language/problem.ts';
import type { Scenario } from '../language/schema.ts';
import { type Loaded, load, type Unread } from '../load.ts';
import { type PlaceTable, readTable } from '../places/place-table.ts';
import { Branches } from './branching.ts';
import { designed } from './design.ts';
import { type Expressions, filled, hasExpression } from './expressions.ts';
import { judgedPaths, judgedTexts } from './judged.ts';
import { type Level, noNumber } from './levels.ts';
import { settingOf } from './setting.ts';
import { complaintsOf, type StudyFile, StudySchema } from './study-schema.ts';

/** A row of the design. */
export interface Point {
  readonly levels: readonly Level[];
  /** Overrides over those of the whole study. */
  readonly set: readonly string[];
  /** Of its scenario. */
  readonly digest: string;
}

type Row = Omit<Point, 'digest'>;

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
  if (problems.length > 0) return { outcome: 'problems', problems };
  const read = StudySchema.safeParse(value, READ_ONCE);
  const complaints = read.success ? complaintsOf(read.data) : [];
  const faults: Fault[] = [
    ...(read.success ? [] : faultsOf(read.error.issues)),
    ...complaints.map(([at, complaint]) => ({ path: at, complaint })),
  ];
  const refused = (found: readonly Fault[]): LoadedStudy => ({
    outcome: 'problems',
    problems: problemsOf(found, source, path),
  });
  if (!read.success || faults.length > 0) return refused(faults);
  const file = read.data;
  if (!needsExpressions(file)) return made(path, file, source, bundle, reading, NO_EXPRESSIONS);
  const { expressions } = reading;
  if (expressions === undefined) return { outcome: 'needsExpressions' };
  return made(path, file, source, bundle, reading, expressions);
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

function made(
  path: string,
  file: StudyFile,
  source: Source,
  bundle: Bundle,
  reading: StudyReading,
  expressions: Expressions,
): LoadedStudy {
  const refused = (faults: readonly Fault[]): LoadedStudy => ({
    outcome: 'problems',
    problems: problemsOf(faults, source, path),
  });
  const wrongPaths = faultsOfPaths(file);
  if (wrongPaths.length > 0) return refused(wrongPaths);
  const scenarioPath = pathUp(path, file.scenario);
  const set = Object.entries(file.set).map(([at, value]) => settingOf(at, value));
  const at = (settings: readonly string[]) => {
    const { codecs, unread } = reading;
    return load(scenarioPath, bundle, [...set, ...settings], codecs, file.variant, unread);
  };
  const base = at([]);
  if (base.outcome === 'needs') return base;
  if (base.outcome === 'problems') return inStudy(base.problems, { file, source, path, set });
  const root = file.seed ?? seedOf(base.scenario);
  const table = tableOf(path, file, bundle);
  if (table?.outcome === 'needs') return needs(table.paths, reading.unread);
  if (table?.outcome === 'problems') return table;
  const design = designed(file, { expressions, table: table?.table, seed: root });
  if (design.faults.length > 0) return refused(design.faults);
  const faults: Fault[] = [];
  const rows = design.points.map((levels) => rowOf(file, levels, expressions, faults));
  if (faults.length > 0) return refused(faults);
  const points: Point[] = [];
  const branches = file.branchAt === undefined ? undefined : new Branches(root, file.branchAt);
  for (const row of rows) {
    const judged = points.length === 0 ? judgedTexts(file) : [];
    const asked = judged.length === 0 ? [] : [settingOf('expectations', judged)];
    const loaded = at([...row.set, ...asked]);
    if (loaded.outcome === 'needs') return needs(loaded.paths, reading.unread);
    if (loaded.outcome === 'problems') {
      return inStudy(loaded.problems, { file, source, path, set, row, number: points.length + 1 });
    }
    points.push({ ...row, digest: reading.digest(loaded.scenario) });
    const differs = branches?.differenceOf(loaded.scenario);
    if (differs === undefined) continue;
    const which = row.levels.map((level, i) => called(Object.keys(file.parameters)[i]!, level));
    const what = `point ${points.length} (${which.join(', ')}) differs before: ${differs}`;
    return refused([{ path: ['branchAt'], complaint: { what, allowed: BRANCH_ALLOWED } }]);
  }
  const { parameters } = design;
  const tablePath = table?.table.file;
  const study = { file, scenarioPath, tablePath, base, set, root, parameters, points };
  return { outcome: 'study', study, warnings: base.warnings };
}

const BRANCH_ALLOWED = 'an instant before which nothing is turned';

/** A path that may lead up, since a study is never part of what it names. */
function pathUp(from: string, path: string): string {
  const steps = pathFrom(from, path).split('/');
  const whole: string[] = [];
  for (const step of steps) {
    if (step === '..' && whole.length > 0 && whole.at(-1) !== '..') whole.pop();
    else whole.push(step);
  }
  return whole.join('/');
}

function faultsOfPaths({ set, linked, parameters }: StudyFile): Fault[] {
  const isPath = (text: string) => readSteps(text) !== undefined;
  const keys = Object.entries({ set, linked }).flatMap(([key, map]) =>
    Object.keys(map).map((text) => ({ path: [key, text], text, ofKey: true })),
  );
  const values = Object.entries(parameters).flatMap(([name, entry]) =>
    entry.set.map((text) => ({ path: ['parameters', name, 'set'], text, ofKey: false })),
  );
  const allowed = 'a path such as devices.meter.count; a name with points stands in quotes';
  const wrong = [...keys, ...values]
    .filter(({ text }) => !isPath(text))
    .map(({ path, text, ofKey }) => ({
      path,
      ofKey,
      complaint: { what: `"${text}" is not a path`, allowed },
    }));
  return wrong.length > 0 ? wrong : faultsOfTwice({ linked, parameters });
}

/** Of two that write one place the first would do nothing, and its levels would say otherwise. */
function faultsOfTwice({ linked, parameters }: Pick<StudyFile, 'linked' | 'parameters'>): Fault[] {
  const writers = new Map<string, string>();
  const faults: Fault[] = [];
  const write = (text: string, writer: string, path: Path, ofKey: boolean) => {
    const other = writers.get(text);
    writers.set(text, writer);
    if (other === undefined) return;
    const what = `"${text}" is set by ${other} already`;
    faults.push({ path, ofKey, complaint: { what, allowed: 'one parameter, or linked, a path' } });
  };
  for (const [name, { set }] of Object.entries(parameters)) {
    for (const text of set) write(text, name, ['parameters', name, 'set'], false);
  }
  for (const text of Object.keys(linked)) write(text, 'linked', ['linked', text], true);
  return faults;
}

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

/** What a point sets; what its expressions lack is added to the faults. */
function rowOf(
  { parameters, linked }: StudyFile,
  levels: readonly Level[],
  expressions: Expressions,
  faults: Fault[],
): Row {
  const names = Object.keys(parameters);
  const own = Object.values(parameters).flatMap(({ set }, i) =>
    set.map((path) => settingOf(path, levels[i]!.value)),
  );
  const numbers = Object.fromEntries(
    names.flatMap((name, i) => {
      const { number } = levels[i]!;
      return number === null ? [] : [[name, number]];
    }),
  );
  const others = Object.entries(linked).map(([path, text]) => {
    const value = filled(text, numbers, expressions);
    if (value.ok) return settingOf(path, value.value);
    const unusable = names.find(
      (name, i) => levels[i]!.number === null && new RegExp(`\\b${name}\\b`).test(String(text)),
    );
    const why = unusable === undefined ? value.what : noNumber(levels[names.indexOf(unusable)]!);
    if (faults.length === 0) faults.push({ path: ['linked', path], complaint: why });
    return '';
  });
  return { levels, set: [...own, ...others] };
}

/** Where a scenario's problem stands in the study that made it. */
interface InStudy {
  readonly file: StudyFile;
  readonly source: Source;
  readonly path: string;
  readonly set: readonly string[];
  readonly row?: Row;
  /** Of the point, from 1. */
  readonly number?: number;
}

const WRITTEN = '--set ';

const called = (name: string, { label }: Level): string => `${name} ${label}`;

/** Problems of what the study wrote stand where it says so; all others where they are. */
function inStudy(problems: readonly Problem[], where: InStudy): LoadedStudy {
  const { source, number, row, file } = where;
  const names = Object.keys(file.parameters);
  const which =
    row === undefined
      ? ''
      : `at point ${number} (${names.map((name, i) => called(name, row.levels[i]!)).join(', ')}): `;
  return {
    outcome: 'problems',
    problems: problems.map((problem): Problem => {
      if (!problem.where.startsWith(WRITTEN)) {
        return { ...problem, message: `${which}${problem.message}` };
      }
      const path = pathOfSetting(problem, where);
      const place = source.locate(path);
      return { ...problem, where: place.where, line: place.line, pointer: pointerTo(path) };
    }),
  };
}

function pathOfSetting({ where, pointer }: Problem, { file, set, row }: InStudy) {
  const setting = where.slice(WRITTEN.length);
  const ofAll = set.indexOf(setting);
  if (ofAll >= 0) return ['set', Object.keys(file.set)[ofAll]!];
  if (setting.startsWith('expectations=[')) {
    const [, index = 0] = /^\/expectations\/(\d+)/.exec(pointer) ?? [];
    return judgedPaths(file)[Number(index)] ?? [];
  }
  const entries = Object.entries(file.parameters);
  for (const [i, [name, { set: paths, values, between }]] of entries.entries()) {
    const level = row?.levels[i];
    const isIt = paths.some((path) => level && settingOf(path, level.value) === setting);
    if (!isIt) continue;
    if (between !== undefined) return ['parameters', name, 'between'];
    if (values?.by !== 'list') return ['parameters', name, 'values'];
    return ['parameters', name, 'values', values.values.indexOf(level?.value)];
  }
  const linked = Object.keys(file.linked).find((path) => setting.startsWith(`${path}=`));
  return linked === undefined ? [] : ['linked', linked];
}
