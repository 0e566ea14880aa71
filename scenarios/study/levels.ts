/** Values of parameters: what a study file lists, names or computes, each with its label. */

import { exp, log } from '../../sim/base/math.ts';
import { type Complaint, quote } from '../language/complaint.ts';
import type { Expressions } from './expressions.ts';
import { numberIn, type ParameterEntry, type Range } from './study-schema.ts';

/** A value that a parameter has at a point. */
export interface Level {
  /** As tables call it. */
  readonly label: string;
  /** As it is written into the scenario. */
  readonly value: unknown;
  /** Without its unit; null: it is no number. */
  readonly number: number | null;
}

export type Levels =
  | { readonly ok: true; readonly levels: readonly Level[] }
  | { readonly ok: false; readonly complaint: Complaint | string };

const wrong = (what: string, allowed: string): Levels => ({
  ok: false,
  complaint: { what, allowed },
});

/** Of a parameter that has values. */
export function levelsOf({ values, unit }: ParameterEntry, expressions: Expressions): Levels {
  if (values === undefined) return wrong('has no values', 'values for this design');
  if (values.by === 'list') return { ok: true, levels: values.values.map(levelOf) };
  if (values.by === 'names') {
    const named = Object.entries(values.values);
    return { ok: true, levels: named.map(([label, value]) => ({ ...levelOf(value), label })) };
  }
  const evaluated = expressions.evaluate(values.text, {});
  if (!evaluated.ok) return { ok: false, complaint: evaluated.what };
  const numbers = typeof evaluated.value === 'number' ? [evaluated.value] : evaluated.value;
  if (numbers.length === 0) return wrong('evaluates to no value', 'at least one');
  return { ok: true, levels: numbers.map((number) => levelOfNumber(number, unit)) };
}

export function levelOf(value: unknown): Level {
  const label = typeof value === 'string' ? value : JSON.stringify(value);
  return { label, value, number: numberIn(value)?.number ?? null };
}

const levelOfNumber = (number: number, unit: string): Level =>
  levelOf(unit === '' ? number : `${number} ${unit}`);

interface Spread {
  readonly whole: boolean;
  readonly isLog: boolean;
}

/** A place in a range, from 0 at its low end to 1 at its high one. */
export function levelWithin(
  { low, high, unit }: Range,
  share: number,
  { whole, isLog }: Spread,
): Level {
  // Of whole numbers each has the same part of the range.
  const [from, to] = whole ? [low - 0.5, high + 0.5] : [low, high];
  const number = isLog ? low * exp(share * log(high / low)) : from + share * (to - from);
  return levelOfNumber(
    whole ? Math.min(high, Math.max(low, Math.round(number))) : Number(number.toPrecision(DIGITS)),
    unit,
  );
}

/** Of drawn values: enough to tell them apart, and short enough to be read. */
const DIGITS = 6;

/** The unit that all levels have; null: some are no numbers, or have another one. */
export function unitOf(levels: readonly Level[]): string | null {
  const units = new Set(levels.map(({ value }) => numberIn(value)?.unit));
  const [unit] = units;
  return units.size === 1 && unit !== undefined ? unit : null;
}

/** What is wrong with a value that an expression needs as a number. */
export const noNumber = ({ value }: Level): string => `${quote(value)} is no number`;
