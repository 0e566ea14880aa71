/**
 * Every knob of a study file, a row each: a scenario, the parameters that are turned, the design
 * that chooses points, seeds, and what is asked of the results (docs/studies.md).
 */
import * as z from 'zod';
import { expectation, readBound } from '../expectations/expectations.ts';
import { type Complaint, quote, type Reading, read, refuse } from '../language/complaint.ts';
import { choice, count, flag, measure, text } from '../language/kinds.ts';
import { knob, leaf, list, maybe, needed, record } from '../language/knob.ts';
import { name, readDescription, readSeed } from '../language/readers.ts';
import { readDesign } from './design-reader.ts';

const PARAMETERS_MAX = 20;
/** Most points of a design. */
export const POINTS_MAX = 10_000;
export const REPLICATES_MAX = 10_000;

/** What a parameter may be: values of a list, names of a map, or values of an expression. */
export type Values =
  | { readonly by: 'list'; readonly values: readonly unknown[] }
  | { readonly by: 'names'; readonly values: Readonly<Record<string, unknown>> }
  | { readonly by: 'expression'; readonly text: string };

const VALUES_ALLOWED =
  'a list such as [5 %, 10 %], a map of named values, or an expression such as range(0, 0.5, 0.05)';

function readValues(input: unknown): Reading<Values> {
  if (typeof input === 'string') return read({ by: 'expression', text: input });
  const amount = typeof input === 'object' && input !== null ? Object.keys(input).length : 0;
  if (amount === 0) {
    const isEmpty = typeof input === 'object' && input !== null;
    const what = isEmpty ? 'has no values' : `${quote(input)} is not a list of values`;
    return refuse(what, VALUES_ALLOWED);
  }
  if (amount > POINTS_MAX) {
    return refuse(`has ${amount} values`, `at most ${POINTS_MAX}`);
  }
  if (Array.isArray(input)) return read({ by: 'list', values: input as unknown[] });
  return read({ by: 'names', values: input as Record<string, unknown> });
}

function readPaths(input: unknown): Reading<readonly string[]> {
  const paths: readonly unknown[] = Array.isArray(input) ? input : [input];
  const isRight = paths.every((path) => typeof path === 'string');
  if (isRight) return read(paths as readonly string[]);
  const allowed = 'a path such as campaigns.update.redundancy, or a list of paths';
  return refuse(input === undefined ? 'is missing' : `${quote(input)} is not a path`, allowed);
}

/** Two ends with one unit. */
export interface Range {
  readonly low: number;
  readonly high: number;
  readonly unit: string;
}

const NUMBER = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([^\d\s.+-][^\d]*)?\s*$/;

/** A number and its unit, as `10 %` has them; undefined: the value is something else. */
export function numberIn(
  value: unknown,
): { readonly number: number; readonly unit: string } | undefined {
  if (typeof value === 'number')
    return Number.isFinite(value) ? { number: value, unit: '' } : undefined;
  const match = typeof value === 'string' ? NUMBER.exec(value) : null;
  return match === null ? undefined : { number: Number(match[1]), unit: (match[2] ?? '').trim() };
}

function readRange(input: unknown): Reading<Range> {
  const allowed = 'two ends with one unit, the lower first, such as [5 %, 50 %]';
  const ends: readonly unknown[] = Array.isArray(input) ? input : [];
  const [low, high] = ends.map(numberIn);
  if (ends.length !== 2 || low === undefined || high === undefined) {
    return refuse(`${quote(input)} is not a range`, allowed);
  }
  const isRight = low.unit === high.unit && low.number < high.number;
  if (!isRight) return refuse(`${quote(ends[0])} to ${quote(ends[1])} is not a range`, allowed);
  return read({ low: low.number, high: high.number, unit: low.unit });
}

const Parameter = record({
  set: knob(leaf(readPaths, { type: ['string', 'array'] }), [], {
    is: 'Paths of the scenario that get its value. None: only what is linked uses it.',
  }),
  values: maybe(leaf(readValues, { type: ['array', 'object', 'string'] }), {
    is: 'Its values: a list, a map of named values, or an expression (mathjs).',
  }),
  between: maybe(leaf(readRange, { type: 'array' }), {
    is: 'The ends of its range, for designs that draw values.',
  }),
  scale: knob(choice('linear', 'log'), 'linear', {
    is: 'How values are spread over the range, and drawn on an axis.',
  }),
  whole: knob(flag(), false, {
    is: 'Whether what is drawn of a range is rounded to whole numbers.',
  }),
  unit: knob(text(/^[^\d\s].{0,15}$|^$/, 'a unit such as % or min'), '', {
    is: 'Stands behind each number of an expression.',
  }),
  base: maybe(
    leaf((input) => read(input), {}),
    {
      is: 'Its value while others are moved (oneAtATime); its first one when absent.',
    },
  ),
});

export type ParameterEntry = z.output<typeof Parameter>;

/** A map with keys of the user's own. */
function mapOf<Schema extends z.ZodType>(value: Schema, allowed: string) {
  return z.record(z.string(), value, {
    error: ({ input }) =>
      `${input === undefined ? 'is missing' : `${quote(input)} is not a map`}; allowed: ${allowed}`,
  });
}

/** Half of a 95 % interval. */
export interface HalfWidth {
  /** Share of 1, seconds, J or a plain number. */
  readonly value: number;
  /** As it was written. */
  readonly text: string;
}

/** How narrowly a figure is to be known. */
const halfWidth = leaf(
  (input): Reading<HalfWidth> => {
    const text = String(input).replace(/^\s*±\s*/, '');
    const bound = readBound(text);
    if (!bound.ok || bound.value.value <= 0) {
      return refuse(`${quote(input)} is not right here`, 'half an interval, such as ± 1 % or 30 s');
    }
    return read({ value: bound.value.value, text });
  },
  { type: ['string', 'number'] },
);

export interface Objective {
  readonly goal: 'minimise' | 'maximise';
  readonly figure: string;
}

const OBJECTIVE = /^\s*(minimi[sz]e|maximi[sz]e)\s+([A-Za-z][\w.-]*)\s*$/;
const OBJECTIVES_MAX = 3;

function readObjectives(input: unknown): Reading<readonly Objective[]> {
  const allowed = 'minimise or maximise, and a figure; at most 3 of them in a list';
  const words: readonly unknown[] = Array.isArray(input) ? input : [input];
  const matches = words.map((word) => (typeof word === 'string' ? OBJECTIVE.exec(word) : null));
  if (words.length === 0 || words.length > OBJECTIVES_MAX || matches.includes(null)) {
    return refuse(`${quote(input)} is not an objective`, allowed);
  }
  return read(
    matches.map((match) => ({
      goal: match![1]!.startsWith('min') ? 'minimise' : 'maximise',
      figure: match![2]!,
    })),
  );
}

const FIGURE = /^[A-Za-z][\w.-]{0,199}$/;
const SCENARIO_PATH = /^(?!\/)[\w./ -]{1,200}\.ya?ml$/;

export const StudySchema = record({
  study: needed(name(), { is: 'What it is called; its results lie in out/ under that name.' }),
  description: knob(leaf(readDescription, { type: 'string' }), '', {
    is: 'The question that it answers.',
  }),
  scenario: needed(text(SCENARIO_PATH, 'a path, relative to this file, that ends in .yaml'), {
    is: 'The scenario that all runs begin with.',
  }),
  variant: maybe(text(/^[A-Za-z0-9][\w-]{0,63}$/, 'the name of a variant'), {
    is: 'One of the scenario’s variants.',
  }),
  set: knob(
    mapOf(z.unknown(), 'paths and values'),
    {},
    {
      is: 'Values that are written over the scenario’s in all runs, by their path.',
    },
  ),
  seed: maybe(leaf(readSeed, { type: ['string', 'number'] }), {
    is: 'Root of the seeds of all runs; the scenario’s own when absent.',
  }),
  parameters: needed(mapOf(Parameter, 'names, each with set and values'), {
    is: 'What is turned, by name.',
  }),
  linked: knob(
    mapOf(z.unknown(), 'paths and texts with {expressions}'),
    {},
    {
      is: 'Values that follow from parameters, by their path: `{3600 / rate} s`.',
    },
  ),
  design: knob(leaf(readDesign, { type: ['string', 'object'] }), 'grid', {
    is:
      'Which points are run. grid: all combinations; list: the first values together, the second' +
      ' ones, …; oneAtATime: each parameter by itself, others at their base; {latinHypercube: n}' +
      ' and {sobol: n}: points drawn from ranges; {points: file.csv}: the rows of a table.',
  }),
  replicates: knob(count(1, REPLICATES_MAX), 20, {
    is: 'Seeds of each point; with `until`, of each round.',
  }),
  until: knob(
    mapOf(halfWidth, 'figures and half intervals'),
    {},
    {
      is: 'Rounds go on at a point until the mean of each of these figures is known so narrowly.',
    },
  ),
  atMost: maybe(count(1, REPLICATES_MAX), { is: 'Most seeds of a point, beside `until`.' }),
  branchAt: maybe(measure('duration', '1 s', '3650 d'), {
    is:
      'Until then all points are the same, and each seed is simulated once: a day of warm-up' +
      ' before a campaign that is varied.',
  }),
  from: knob(choice('simulation', 'snapshot'), 'simulation', {
    is:
      'Of `branchAt`: simulate the warm-up of a seed again in each process, or branch off a saved' +
      ' world: a snapshot a seed, in warm-ups/ of the study’s folder, some 2 kB a device.',
  }),
  figures: knob(list(text(FIGURE, 'a figure'), 0, 100, 'figures'), [], {
    is: 'Figures drawn and reported first: any figure that expectations may name.',
  }),
  constraints: knob(list(expectation, 0, 100, 'constraints'), [], {
    is: 'What must hold at a point that may be chosen.',
  }),
  objective: maybe(leaf(readObjectives, { type: ['string', 'array'] }), {
    is: 'What chooses among allowed points, the first foremost: minimise campaign.sent.',
  }),
});

export type StudyFile = z.output<typeof StudySchema>;

/** What no single knob shows. */
export function complaintsOf(
  file: StudyFile,
): readonly (readonly [path: readonly string[], Complaint])[] {
  const names = Object.keys(file.parameters);
  const found: (readonly [readonly string[], Complaint])[] = [];
  if (names.length === 0 || names.length > PARAMETERS_MAX) {
    found.push([
      ['parameters'],
      { what: `has ${names.length}`, allowed: `1 to ${PARAMETERS_MAX}` },
    ]);
  }
  for (const each of names) {
    if (/^[A-Za-z]\w{0,30}$/.test(each)) continue;
    const allowed = 'up to 31 letters, digits and _, the first a letter';
    found.push([['parameters', each], { what: 'is not a name', allowed }]);
  }
  if (file.atMost !== undefined && file.atMost < file.replicates) {
    const what = `${file.atMost} is fewer than one round`;
    found.push([['atMost'], { what, allowed: `${file.replicates} or more` }]);
  }
  if (file.from === 'snapshot' && file.branchAt === undefined) {
    const what = 'snapshot has no instant';
    found.push([['from'], { what, allowed: 'snapshot beside branchAt, or simulation' }]);
  }
  const asks = Object.keys(file.until).length > 0;
  if (asks !== (file.atMost !== undefined)) {
    const what = asks ? 'has no end' : 'has no rule beside it';
    const allowed = 'until and atMost together';
    found.push([[asks ? 'until' : 'atMost'], { what, allowed }]);
  }
  return found;
}
