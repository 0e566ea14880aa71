/** In which unit a chart has a figure, and how its axes and cells write it. */
import type { FigureUnit } from '../../../core/result/study.ts';
import { timeUnit } from '../../charts/charts.ts';
import { count, percent } from '../../text/format.ts';
import { spreadText } from '../spread-text.ts';

export interface Measure {
  /** What is measured. */
  readonly label: string;
  /** `%`, `hours`, `mJ`; empty: a count or a plain number. */
  readonly unit: string;
  /** One of its units. */
  readonly size: number;
}

const ENERGIES = [
  ['kJ', 1e3],
  ['J', 1],
  ['mJ', 1e-3],
  ['µJ', 1e-6],
] as const;

/** One that makes the greatest of the values a number of few digits. */
export function measureOf(
  label: string,
  unit: FigureUnit | null,
  values: readonly number[],
): Measure {
  const most = values.reduce((top, value) => Math.max(top, Math.abs(value)), 0);
  switch (unit) {
    case 'share':
      return { label, unit: '%', size: 0.01 };
    case 'seconds': {
      const { name, unitSeconds } = timeUnit(most);
      return { label, unit: name, size: unitSeconds };
    }
    case 'joules': {
      const [name, size] = ENERGIES.find(([, size]) => most >= size) ?? ENERGIES[3];
      return { label, unit: name, size };
    }
    default:
      if (most >= 1e7) return { label, unit: 'millions', size: 1e6 };
      return { label, unit: '', size: 1 };
  }
}

/** `Updates confirmed, %`. */
export const titleOf = ({ label, unit }: { readonly label: string; readonly unit: string }) =>
  unit === '' ? label : `${label}, ${unit}`;

/** A round number at an axis: `0.5`, `−20`, `12 000`. */
export function axisNumber(value: number): string {
  const round = Number(value.toPrecision(10));
  const size = Math.abs(round);
  const digits = size >= 10_000 && Number.isInteger(size) ? count(size) : String(size);
  return round < 0 ? `−${digits}` : digits;
}

/** How many decimals tell values apart that lie in so wide a range. */
export function decimalsFor(range: number): number {
  let decimals = 0;
  for (let finer = range; finer < 100 && decimals < 3; finer *= 10) decimals++;
  return decimals;
}

/** A value in a cell, in the measure's unit. */
export function cellNumber(value: number, { size, unit }: Measure, decimals: number): string {
  // Only all is 100, and only nothing is 0.
  if (unit === '%') return percent(value, decimals).slice(0, -2);
  const own = value / size;
  const rounded = Math.abs(own).toFixed(decimals);
  const [whole = '', fraction] = rounded.split('.');
  const digits =
    fraction === undefined ? count(Number(whole)) : `${count(Number(whole))}.${fraction}`;
  return own < 0 && Number(rounded) !== 0 ? `−${digits}` : digits;
}

/** A figure with its unit; a small share with three digits, since two decimals would hide it. */
export function figureWords(value: number | null, unit: FigureUnit | null): string {
  if (unit !== 'share' || value === null || value >= 0.01 || value < 1e-6) {
    return spreadText(value, unit);
  }
  return percent(value, value < 0.001 ? 4 : 3);
}

/** Of its size alone; shares differ in percentage points. */
export function differenceText(value: number, unit: FigureUnit | null): string {
  const size = Math.abs(value);
  if (unit !== 'share') return figureWords(size, unit);
  return `${Number((size * 100).toPrecision(3))} percentage points`;
}

/** Both ends of an interval of a difference. */
export function differenceEnds(ends: readonly [number, number], unit: FigureUnit | null): string {
  const signed = ends.map((end) => {
    const sign = end < 0 ? '−' : '';
    if (unit === 'share') return `${sign}${Number((Math.abs(end) * 100).toPrecision(3))}`;
    return sign + figureWords(Math.abs(end), unit);
  });
  return signed.join(' … ');
}
