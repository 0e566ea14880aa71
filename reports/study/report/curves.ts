/** A figure over a parameter of numbers, as lines of points: what a response chart draws. */
import type { StudyPoint } from '../../../core/result/designed-study.ts';
import type { FigureUnit } from '../../../core/result/study.ts';
import type { Extent, Range } from '../../charts/axes.ts';
import type { Bound } from './bounds.ts';
import { figureWords, type Measure } from './measure.ts';
import { type Dimension, figureAt, levelAt, type Standing } from './reading.ts';

/** A mean with its interval, over a value of the parameter. */
export interface CurvePoint {
  readonly x: number;
  readonly mean: number;
  /** null: of fewer than two seeds. */
  readonly interval: Range | null;
  readonly standing: Standing;
  /** Shown on pointing at it. */
  readonly hint: string;
}

export interface Curve {
  /** Empty: the only one. */
  readonly label: string;
  /** Which paint and mark, from 0: the same level has the same in every chart. */
  readonly series: number;
  /** From the least value of the parameter on; null: not measured there. */
  readonly points: readonly (CurvePoint | null)[];
}

export interface Response {
  /** Over several charts of one figure: what is the same in all of this one. */
  readonly panel: string;
  readonly across: Dimension;
  readonly measure: Measure;
  readonly curves: readonly Curve[];
  readonly bounds: readonly Bound[];
  /** Of the figure's axis, in its own unit: several panels have one. */
  readonly extent: Extent;
}

/** Along the parameter; those that were not measured leave a gap. */
export function curveOf(
  points: readonly StudyPoint[],
  { across, figure, label, series }: CurveInput,
  standing: (point: StudyPoint) => Standing,
): Curve {
  const sorted = points.toSorted((a, b) => numberAt(a, across) - numberAt(b, across));
  return {
    label,
    series,
    points: sorted.map((point): CurvePoint | null => {
      const spread = figureAt(point, figure);
      if (spread === undefined || spread.mean === null) return null;
      const at = `${across.parameter.name} ${levelAt(point, across).label}`;
      const value = figureWords(spread.mean, spread.unit);
      return {
        x: numberAt(point, across),
        mean: spread.mean,
        interval: spread.meanInterval,
        standing: standing(point),
        hint: `Point ${point.point}: ${label === '' ? '' : `${label}, `}${at}: ${value}`,
      };
    }),
  };
}

interface CurveInput {
  readonly across: Dimension;
  readonly figure: string;
  readonly label: string;
  readonly series: number;
}

const numberAt = (point: StudyPoint, dimension: Dimension): number =>
  levelAt(point, dimension).number ?? 0;

/**
 * The number of times as great is the greatest value as the least one where ratios are what one
 * sees.
 */
const RATIO = 25;

/** From what to what the axis of a figure goes, in its own unit. */
export function extentOf(values: readonly number[], unit: FigureUnit | null): Extent {
  const least = values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
  const most = values.reduce((high, value) => Math.max(high, value), Number.NEGATIVE_INFINITY);
  if (least > most) return { low: 0, high: 1, isLogarithmic: false };
  const isShare = unit === 'share';
  if (!isShare && least > 0 && most > least * RATIO) {
    return { low: least / 1.15, high: most * 1.15, isLogarithmic: true };
  }
  const pad = most > least ? (most - least) * 0.06 : isShare ? 0.02 : Math.abs(most) * 0.1 || 1;
  // What is not far from nothing is shown from there on, so that lengths can be compared.
  const isNearNothing = least >= 0 && least < 0.4 * most;
  const low = isNearNothing ? 0 : least >= 0 ? Math.max(0, least - pad) : least - pad;
  return { low, high: isShare ? Math.min(1, most + pad) : most + pad, isLogarithmic: false };
}

/** The same in the unit of a measure. */
export const measured = ({ low, high, isLogarithmic }: Extent, { size }: Measure): Extent => {
  return { low: low / size, high: high / size, isLogarithmic };
};
