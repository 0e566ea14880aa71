/** Response curves: an output over one parameter, its band, and where it crosses a threshold. */
import { assert } from '../../sim/base/assert.ts';
import { mean } from '../statistics.ts';
import { CONFIDENCE, type Interval, meanInterval } from './intervals.ts';

export interface CurvePoint {
  readonly x: number;
  /** Values at x. */
  readonly count: number;
  readonly mean: number;
  /** Of the mean (Student's t), for this x alone; undefined of one value. */
  readonly band: Interval | undefined;
}

/**
 * `xs` ascend, all different; `values` has the outputs at each x, at least one: [x][seed]. A point
 * for each x, between which the curve is straight.
 */
export function responseCurve(
  xs: readonly number[],
  values: readonly (readonly number[])[],
  confidence = CONFIDENCE,
): CurvePoint[] {
  assert(xs.length === values.length, 'there are values at each x');
  assert(
    xs.every((x, at) => at === 0 || x > xs[at - 1]!),
    'the xs of a curve ascend',
  );
  return xs.map((x, at) => {
    const here = values[at]!;
    assert(here.length >= 1, 'a point of a curve has a value');
    return { x, count: here.length, mean: mean(here), band: meanInterval(here, confidence) };
  });
}

/**
 * The curve of second less first: [x][seed] each, with the same seeds at one x. Where it crosses 0,
 * the two curves cross; its band is that of pairs, so the luck of the seeds cancels.
 */
export function differenceCurve(
  xs: readonly number[],
  first: readonly (readonly number[])[],
  second: readonly (readonly number[])[],
  confidence = CONFIDENCE,
): CurvePoint[] {
  assert(first.length === second.length, 'both curves have the same xs');
  const differences = second.map((values, at) => {
    assert(values.length === first[at]!.length, 'each value of a pair has the other one');
    return values.map((value, seed) => value - first[at]![seed]!);
  });
  return responseCurve(xs, differences, confidence);
}

export interface Crossing {
  readonly x: number;
  /** Whether the curve reaches the threshold here, or is below it from here on. */
  readonly rises: boolean;
  /**
   * Around x, as far as the band has the threshold in it: where its edges cross. Undefined: not
   * before the first point, or not after the last one, or there is a point without a band.
   */
  readonly from: number | undefined;
  readonly until: number | undefined;
}

/** Where the curve begins to be at least the threshold, and where it ends to be, by ascending x. */
export function crossings(curve: readonly CurvePoint[], threshold: number): Crossing[] {
  return curve.slice(1).flatMap((right, segment) => {
    const left = curve[segment]!;
    const rises = right.mean >= threshold;
    if (left.mean >= threshold === rises) return [];
    const x = where(left.x, left.mean - threshold, right.x, right.mean - threshold);
    // Rounding puts no edge on the wrong side.
    const from = edge(curve.slice(0, segment + 1).reverse(), right, threshold);
    const until = edge(curve.slice(segment + 1), left, threshold);
    return {
      x,
      rises,
      from: from === undefined ? undefined : Math.min(from, x),
      until: until === undefined ? undefined : Math.max(until, x),
    };
  });
}

/**
 * Where the band, followed outwards from a segment, has the threshold in it no more. `outwards`
 * begins with the segment's end on this side, `behind` is its other end.
 */
function edge(
  outwards: readonly CurvePoint[],
  behind: CurvePoint,
  threshold: number,
): number | undefined {
  let inner = behind;
  for (const outer of outwards) {
    if (inner.band === undefined || outer.band === undefined) return undefined;
    const [side, value] = outer.band.low > threshold ? LOW : HIGH;
    if (side * (value(outer.band) - threshold) > 0) {
      const from = value(inner.band) - threshold;
      return where(inner.x, from, outer.x, value(outer.band) - threshold);
    }
    inner = outer;
  }
  return undefined;
}

/** An edge of a band, and by which sign it is away from a threshold that is outside of it. */
type Edge = readonly [sign: 1 | -1, value: (band: Interval) => number];
const LOW: Edge = [1, ({ low }) => low];
const HIGH: Edge = [-1, ({ high }) => high];

/** Where a straight line is 0, of whose two ends one is at or above 0 and the other at or below. */
function where(x1: number, y1: number, x2: number, y2: number): number {
  if (y1 === 0) return x1;
  if (y2 === 0) return x2;
  return x1 + (x2 - x1) * (y1 / (y1 - y2));
}

/**
 * Whether some curve that nowhere falls (or nowhere rises) stays inside of the band at every point;
 * a point without a band is its mean. Where there is none, the curve turns beyond what its bands
 * leave to chance.
 */
export function isMonotone(curve: readonly CurvePoint[], way: 'rising' | 'falling'): boolean {
  const points = way === 'rising' ? curve : curve.toReversed();
  let reached = Number.NEGATIVE_INFINITY;
  return points.every(({ band, mean: centre }) => {
    reached = Math.max(reached, band?.low ?? centre);
    return reached <= (band?.high ?? centre);
  });
}
