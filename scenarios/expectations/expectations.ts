/**
 * Expectations of a result: `figure [/ figure] comparison bound [in share of seeds]`.
 *
 *     joined >= 99 %                          a named figure (reports/figures/figures.ts)
 *     radio.lost.noPath = 0                   a count by its path in the result
 *     radio.received / radio.uplinks within 0.8331 ± 0.015
 *     joinSeconds.p90 <= 10 min
 *     joined >= 99 % in 95 % of seeds         of a study; a single run is judged as it is
 */
import type { ExpectationResult, RunResult } from '../../core/result/result.ts';
import { ratio } from '../../reports/figures/figure.ts';
import { FIGURES } from '../../reports/figures/figures.ts';
import {
  type Complaint,
  nearest,
  quote,
  type Reading,
  read,
  refuse,
} from '../language/complaint.ts';
import { leaf } from '../language/knob.ts';
import { readQuantity } from '../language/quantity.ts';
import { type Figure, type Figures, figuresOf } from './figures.ts';

type Comparison = '>=' | '<=' | '>' | '<' | '=' | 'within';

export interface Expectation {
  /** As the user wrote it. */
  readonly text: string;
  readonly figure: string;
  readonly over?: string;
  readonly comparison: Comparison;
  readonly bound: Bound;
  /** Only beside `within`. */
  readonly tolerance?: Bound;
  /** In which share of the seeds of a study it has to hold, ppm; in all of them when absent. */
  readonly seedsPpm?: number;
}

/** A bound in plain numbers, shares of 1, seconds or J. */
interface Bound {
  readonly value: number;
  readonly kind: 'plain' | 'share' | 'seconds' | 'joules';
}

const ALLOWED =
  'figure [/ figure], then one of >= <= > < = and a number, percentage, duration or energy, ' +
  'or "within 0.9 ± 0.01"; then, if need be, "in 95 % of seeds"';
const FORM =
  /^\s*([A-Za-z][\w.-]*)(?:\s*\/\s*([A-Za-z][\w.-]*))?\s*(>=|<=|≥|≤|>|<|=|\bwithin\b)\s*(.+?)\s*$/;
/** What stands behind an expectation that need not hold in all seeds. */
const OF_SEEDS = /^(.*?)\s+in\s+(\S.*?)\s+of\s+seeds\s*$/s;
const ASCII: Readonly<Record<string, Comparison>> = { '≥': '>=', '≤': '<=' };

export const expectation = leaf(readExpectation, {
  type: 'string',
  examples: [
    'joined >= 99 %',
    'received / uplinks within 0.8331 ± 0.015',
    'joined >= 99 % in 95 % of seeds',
  ],
});

export function readExpectation(input: unknown): Reading<Expectation> {
  if (typeof input !== 'string') return refuse(`${quote(input)} is not an expectation`, ALLOWED);
  const text = input.length > 500 ? '' : input;
  const [, judged = text, share] = OF_SEEDS.exec(text) ?? [];
  const match = FORM.exec(judged);
  if (match === null) return refuse(`${quote(input)} is not an expectation`, ALLOWED);
  const [, figure = '', over, sign = '', rest = ''] = match;
  const comparison = ASCII[sign] ?? (sign as Comparison);
  const ofSeeds = share === undefined ? read({}) : readShareOfSeeds(share);
  if (!ofSeeds.ok) return ofSeeds;
  const named = { text: input.trim(), figure, ...(over === undefined ? {} : { over }) };
  const head = { ...named, comparison, ...ofSeeds.value };
  const [first = '', second, more] = comparison === 'within' ? rest.split(/±|\+-|\+\/-/) : [rest];
  const bound = readBound(first);
  if (!bound.ok) return bound;
  if (comparison !== 'within') return read({ ...head, bound: bound.value });
  if (second === undefined || more !== undefined) {
    return refuse(`${quote(input)} has no tolerance`, 'within, a number, ± and a number');
  }
  const tolerance = readBound(second);
  return tolerance.ok
    ? read({ ...head, bound: bound.value, tolerance: tolerance.value })
    : tolerance;
}

function readShareOfSeeds(text: string): Reading<Pick<Expectation, 'seedsPpm'>> {
  const share = readQuantity(text, 'share', { least: 0, most: 1e6 });
  if (share.ok && text.endsWith('%')) return read({ seedsPpm: Math.round(share.value) });
  return refuse(`${quote(text)} is not a share of seeds`, '0 % to 100 %, as in "in 95 % of seeds"');
}

/** A bound as expectations write it, in plain numbers. */
export function readBound(input: string): Reading<Bound> {
  const text = input.trim();
  const plain = text === '' ? Number.NaN : Number(text);
  if (Number.isFinite(plain)) return read({ value: plain, kind: 'plain' });
  const any = { least: -Infinity, most: Infinity };
  const share = readQuantity(text, 'share', any);
  if (share.ok) return read({ value: share.value / 1e6, kind: 'share' });
  const duration = readQuantity(text, 'duration', any);
  if (duration.ok) return read({ value: duration.value / 1e6, kind: 'seconds' });
  const energy = readQuantity(text, 'energy', any);
  if (energy.ok) return read({ value: energy.value, kind: 'joules' });
  return refuse(`${quote(text)} is not a number, percentage, duration or energy`, ALLOWED);
}

/** What is wrong with an expectation in a scenario that has these figures. */
export function complaintAbout(expected: Expectation, figures: Figures): Complaint | undefined {
  const figure = figures.get(expected.figure);
  if (figure === undefined) return unknownFigure(expected.figure, figures);
  const over = expected.over === undefined ? undefined : figures.get(expected.over);
  if (expected.over !== undefined && over === undefined)
    return unknownFigure(expected.over, figures);
  if (over !== undefined && (figure.unit === 'share' || over.unit === 'share')) {
    const name = figure.unit === 'share' ? expected.figure : expected.over;
    return {
      what: `"${name}" is a share already`,
      allowed: 'a ratio of counts, such as radio.received / radio.uplinks',
    };
  }
  const unit = over === undefined ? figure.unit : 'ratio';
  const bounds =
    expected.tolerance === undefined ? [expected.bound] : [expected.bound, expected.tolerance];
  return bounds
    .map((bound) => mismatch(expected, unit, bound))
    .find((wrong) => wrong !== undefined);
}

function unknownFigure(name: string, figures: Figures): Complaint {
  const meant = nearest(name, figures.keys());
  const named = FIGURES.map((figure) => figure.name).join(', ');
  return {
    what: `"${name}" is not a figure of the result`,
    allowed: `${named}, or a path in result.json such as radio.lost.noPath`,
    ...(meant === undefined ? {} : { meant }),
  };
}

function mismatch(
  { figure }: Expectation,
  unit: Figure['unit'] | 'ratio',
  { kind, value }: Bound,
): Complaint | undefined {
  if (kind === 'share' && unit !== 'share' && unit !== 'ratio') {
    const allowed = `a number, or a ratio such as "${figure} / radio.uplinks"`;
    return { what: `"${figure}" is not a share that a percentage could be compared with`, allowed };
  }
  if (kind === 'seconds' && unit !== 'seconds') {
    return { what: `"${figure}" is not a time`, allowed: 'a number or a percentage' };
  }
  if (kind === 'joules' && unit !== 'joules') {
    return { what: `"${figure}" is not an energy`, allowed: 'a number, percentage or duration' };
  }
  if (unit === 'share' && Math.abs(value) > 1) {
    const what = `"${figure}" is a share, and ${value} is more than the whole`;
    return { what, allowed: '0 % to 100 %, or 0 to 1' };
  }
  return undefined;
}

/** Figures of a result by their names; NaN: not measured. */
export function measured(
  result: RunResult,
  names: readonly string[],
): (readonly [name: string, value: number])[] {
  if (names.length === 0) return [];
  const figures = figuresIn(result);
  return names.map((name) => [name, figures.get(name)?.of(result) ?? Number.NaN]);
}

/** Judges every expectation; a figure that was not measured in this result (NaN) holds nothing. */
export function judge(
  expectations: readonly Expectation[],
  result: RunResult,
): ExpectationResult[] {
  if (expectations.length === 0) return [];
  const figures = figuresIn(result);
  return judgeBy(expectations, (name) => figures.get(name)?.of(result) ?? Number.NaN);
}

/** The same of figures that are known by their names. */
export function judgeBy(
  expectations: readonly Expectation[],
  measure: (name: string) => number,
): ExpectationResult[] {
  return expectations.map((expected) => {
    const value = measure(expected.figure);
    const actual = expected.over === undefined ? value : ratio(value, measure(expected.over));
    return { expectation: expected.text, actual, holds: holds(expected, actual) };
  });
}

/** Units of what each was judged on; null: of a ratio. */
export function unitsJudged(
  expectations: readonly Expectation[],
  result: RunResult,
): (Figure['unit'] | null)[] {
  if (expectations.length === 0) return [];
  const figures = figuresIn(result);
  return expectations.map(({ figure, over }) =>
    over === undefined ? (figures.get(figure)?.unit ?? null) : null,
  );
}

const figuresIn = (result: RunResult): Figures =>
  figuresOf({
    populations: result.devices.populations.map(({ name }) => name),
    gateways: result.gateways.map(({ name }) => name),
    campaigns: result.campaigns.map(({ name }) => name),
    followUps: (result.followUps ?? []).map(({ name }) => name),
    jobs: (result.reliableDownlinks ?? []).map(({ name }) => name),
    managedCampaigns: (result.managedCampaigns ?? []).map(({ name }) => name),
    receivers: (result.deliveries?.receivers ?? []).map(({ name }) => name),
  });

function holds({ comparison, bound, tolerance }: Expectation, actual: number): boolean {
  switch (comparison) {
    case '>=':
      return actual >= bound.value;
    case '<=':
      return actual <= bound.value;
    case '>':
      return actual > bound.value;
    case '<':
      return actual < bound.value;
    case '=':
      return actual === bound.value;
    case 'within':
      return Math.abs(actual - bound.value) <= (tolerance?.value ?? 0);
  }
}
