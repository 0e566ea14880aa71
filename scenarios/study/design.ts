/** A study file's design: the levels of each point, or what is wrong with it. */

import type { StudyParameter } from '../../core/result/designed-study.ts';
import type { Complaint } from '../language/complaint.ts';
import type { Fault, Path } from '../language/problem.ts';
import type { PlaceTable } from '../places/place-table.ts';
import { gridPoints } from './designs/grid.ts';
import { latinHypercube } from './designs/latin-hypercube.ts';
import { oneAtATimePoints } from './designs/one-at-a-time.ts';
import { saltelliPoints } from './designs/saltelli.ts';
import type { Expressions } from './expressions.ts';
import { type Level, levelOf, levelsOf, levelWithin, unitOf } from './levels.ts';
import { type ParameterEntry, POINTS_MAX, type StudyFile } from './study-schema.ts';

/** What a design is made with. */
export interface Making {
  readonly expressions: Expressions;
  /** Of `{points: file}`. */
  readonly table: PlaceTable | undefined;
  /** What draws begin with. */
  readonly seed: string;
}

export interface Designed {
  readonly parameters: readonly StudyParameter[];
  /** Of each point a level for each parameter. */
  readonly points: readonly (readonly Level[])[];
  readonly faults: readonly Fault[];
}

export function designed(file: StudyFile, making: Making): Designed {
  const { design } = file;
  const entries = Object.entries(file.parameters);
  const faults: Fault[] = [];
  const report = (path: Path, complaint: Complaint | string, ofKey = false) =>
    faults.push({ path, complaint, ofKey });
  const points = (): readonly (readonly Level[])[] => {
    switch (design.kind) {
      case 'grid':
      case 'list':
      case 'oneAtATime':
        return ofValues(file, making, report);
      case 'latinHypercube':
      case 'sobol':
        return ofRanges(file, making, report);
      case 'points':
        return ofTable(file, making, report);
    }
  };
  const created = points();
  const parameters = entries.map(([name, { set: paths, scale }], at): StudyParameter => {
    const unit = unitOf(
      created.map((levels) => levels[at]!).filter((level) => level !== undefined),
    );
    return { name, paths, unit, logarithmic: scale === 'log' };
  });
  // Numbers of several units (30 min, 1 h) are in no order, and nothing can be computed of them.
  const right = (level: Level, at: number): Level =>
    parameters[at]!.unit === null ? { ...level, number: null } : level;
  const all = faults.length === 0 ? created.map((levels) => levels.map(right)) : [];
  return { parameters, points: all, faults };
}

type Report = (path: Path, complaint: Complaint | string, ofKey?: boolean) => void;
type Points = readonly (readonly Level[])[];

function ofValues(file: StudyFile, { expressions }: Making, report: Report): Points {
  const entries = Object.entries(file.parameters);
  const all = entries.map(([name, entry]): readonly Level[] => {
    const unused = entry.between === undefined ? [] : ['between'];
    refuseUnused(name, unused, 'values for this design', report);
    const read = levelsOf(entry, expressions);
    if (read.ok) {
      if (file.design.kind !== 'list') refuseTwice(name, read.levels, report);
      return read.levels;
    }
    const at = entry.values === undefined ? [] : ['values'];
    report(['parameters', name, ...at], read.complaint);
    return [];
  });
  if (all.some(({ length }) => length === 0)) return [];
  const counts = all.map(({ length }) => length);
  const indices = indicesOf(file, all, counts, report);
  return indices.map((point) => point.map((at, i) => all[i]![at]!));
}

/** Two levels that are equal are points with the same worlds. */
function refuseTwice(name: string, levels: readonly Level[], report: Report): void {
  const labels = levels.map(({ label }) => label);
  const twice = labels.find((label, at) => labels.indexOf(label) < at);
  if (twice === undefined) return;
  report(['parameters', name, 'values'], {
    what: `has ${twice} twice`,
    allowed: 'each value once',
  });
}

function indicesOf(
  { design, parameters }: StudyFile,
  all: readonly (readonly Level[])[],
  counts: readonly number[],
  report: Report,
): readonly (readonly number[])[] {
  const names = Object.keys(parameters);
  if (design.kind === 'list') {
    const [first = 0] = counts;
    const other = counts.findIndex((count) => count !== first);
    if (other < 0) return Array.from({ length: first }, (_, at) => counts.map(() => at));
    const what = `has ${counts[other]} values`;
    report(['parameters', names[other]!, 'values'], {
      what,
      allowed: `${first}, as ${names[0]} has, in a design that is a list`,
    });
    return [];
  }
  if (design.kind === 'oneAtATime') {
    const base = names.map((name, i) => baseOf(name, parameters[name]!, all[i]!, report));
    return oneAtATimePoints(base, counts);
  }
  const points = counts.reduce((product, count) => product * count, 1);
  if (points <= POINTS_MAX) return gridPoints(counts);
  const what = `a grid of ${counts.join(' × ')} values has ${points} points`;
  report(['parameters'], { what, allowed: `at most ${POINTS_MAX}` });
  return [];
}

/** Where the base value is among the levels. */
function baseOf(
  name: string,
  { base }: ParameterEntry,
  levels: readonly Level[],
  report: Report,
): number {
  if (base === undefined) return 0;
  const wanted = levelOf(base).label;
  const at = levels.findIndex(({ label }) => label === wanted);
  if (at >= 0) return at;
  const allowed = levels.map(({ label }) => label).join(', ');
  report(['parameters', name, 'base'], { what: `${wanted} is none of the values`, allowed });
  return 0;
}

function ofRanges({ design, parameters }: StudyFile, { seed }: Making, report: Report): Points {
  const entries = Object.entries(parameters);
  let isRight = true;
  for (const [name, { values, between, scale, unit }] of entries) {
    refuseUnused(name, values === undefined ? [] : ['values'], 'between for this design', report);
    if (unit !== '') refuseUnused(name, ['unit'], 'units at the ends of between', report);
    if (between === undefined) {
      isRight = false;
      report(['parameters', name], { what: 'has no range', allowed: 'between for this design' });
    } else if (scale === 'log' && between.low <= 0) {
      isRight = false;
      const what = `${between.low} is no end of a logarithmic range`;
      report(['parameters', name, 'between'], { what, allowed: 'ends above 0' });
    }
  }
  if (!isRight || (design.kind !== 'latinHypercube' && design.kind !== 'sobol')) return [];
  const shares =
    design.kind === 'sobol'
      ? saltelliPoints(design.points, entries.length, seed)
      : latinHypercube(design.points, entries.length, seed);
  if (shares.length > POINTS_MAX) {
    const size = `${design.points} × (${entries.length} + 2)`;
    const what = `a design of ${size} has ${shares.length} points`;
    report(['design'], { what, allowed: `at most ${POINTS_MAX}` });
    return [];
  }
  return shares.map((row) =>
    row.map((share, i) => {
      const [, { between, whole, scale }] = entries[i]!;
      return levelWithin(between!, share, { whole, isLog: scale === 'log' });
    }),
  );
}

/** Columns are parameters, cells their values. */
function ofTable(file: StudyFile, { table }: Making, report: Report): Points {
  const { parameters } = file;
  if (table === undefined) return [];
  const columns = Object.keys(parameters).map((name) => {
    const { values, between } = parameters[name]!;
    const unused = [...(values ? ['values'] : []), ...(between ? ['between'] : [])];
    refuseUnused(name, unused, 'set alone: its values stand in the table', report);
    const at = table.columns.indexOf(name);
    if (at < 0) {
      const allowed = table.columns.join(', ');
      report(['parameters', name], { what: `is no column of ${table.file}`, allowed }, true);
    }
    return at;
  });
  for (const column of table.columns) {
    if (Object.hasOwn(parameters, column)) continue;
    const allowed = Object.keys(parameters).join(', ');
    const what = `${table.file} has a column "${column}" that is no parameter`;
    report(['design'], { what, allowed });
  }
  if (table.rows.length === 0 || table.rows.length > POINTS_MAX) {
    const what = `${table.file} has ${table.rows.length} rows`;
    report(['design'], { what, allowed: `1 to ${POINTS_MAX}` });
    return [];
  }
  return table.rows.map((row) => columns.map((at) => levelOf(cellOf(row[at]))));
}

/** A number where it is one: as YAML has it. */
function cellOf(cell: unknown): unknown {
  const text = String(cell ?? '').trim();
  if (text === 'true' || text === 'false') return text === 'true';
  return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : text;
}

function refuseUnused(
  name: string,
  unused: readonly string[],
  allowed: string,
  report: Report,
): void {
  for (const key of unused) {
    report(['parameters', name, key], { what: 'is not used by this design', allowed }, true);
  }
}
