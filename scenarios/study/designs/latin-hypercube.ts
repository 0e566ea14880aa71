/**
 * Latin hypercubes: few points that show each parameter at as many values as there are points
 * (McKay, Beckman and Conover, Technometrics 21, 1979).
 */
import { namedDraws } from '../../../reports/statistics/draws.ts';
import { assert } from '../../../sim/base/assert.ts';
import { toUnit } from '../../../sim/base/random.ts';

/** As many points as a hypercube may have: their strata stay apart when divided. */
const HYPERCUBE_POINTS_MAX = 100_000;
/** Of that many hypercubes that are drawn, the one with the most distant neighbours is taken… */
const TRIES = 20;
/** …where looking at all pairs of points is cheap. */
const POINT_DISTANCES_MAX = 500;

/**
 * Rows = points (1…100 000), columns = dimensions; values in [0, 1). Each column has one value in
 * each of `points` strata of equal width. Of up to 500 points the two that are nearest to each
 * other are as far apart as in the best of twenty draws (maximin; Johnson, Moore and Ylvisaker,
 * 1990). Other numbers of points or dimensions, or another seed, make another hypercube.
 */
export function latinHypercube(points: number, dimensions: number, seed: string): number[][] {
  assert(
    Number.isInteger(points) && points >= 1 && points <= HYPERCUBE_POINTS_MAX,
    'a hypercube has 1 to 100 000 points',
  );
  assert(Number.isInteger(dimensions) && dimensions >= 0, 'dimensions are counted');
  let best = hypercube(points, dimensions, seed, 1);
  if (points > POINT_DISTANCES_MAX || points === 1) return best;
  let farthest = leastDistance(best);
  for (let number = 2; number <= TRIES; number++) {
    const other = hypercube(points, dimensions, seed, number);
    const distance = leastDistance(other);
    if (distance <= farthest) continue;
    best = other;
    farthest = distance;
  }
  return best;
}

function hypercube(points: number, dimensions: number, seed: string, number: number): number[][] {
  const columns = Array.from({ length: dimensions }, (_, dimension) =>
    column(points, seed, `latin hypercube ${number}, dimension ${dimension}`),
  );
  return Array.from({ length: points }, (_, row) => columns.map((values) => values[row]!));
}

/** A value in each stratum, shuffled (Fisher and Yates). */
function column(points: number, seed: string, name: string): number[] {
  const draws = namedDraws(seed, name);
  const values = Array.from({ length: points }, (_, stratum) => {
    return (stratum + toUnit(draws(stratum))) / points;
  });
  for (let last = points - 1; last > 0; last--) {
    const other = Math.floor(toUnit(draws(points + last)) * (last + 1));
    const value = values[last]!;
    values[last] = values[other]!;
    values[other] = value;
  }
  return values;
}

/** Square of the distance between the two points that are nearest to each other. */
function leastDistance(points: readonly (readonly number[])[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const [at, one] of points.entries()) {
    for (let next = at + 1; next < points.length; next++) {
      least = Math.min(least, squaredDistance(one, points[next]!));
    }
  }
  return least;
}

function squaredDistance(one: readonly number[], other: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at]! - other[at]!) * (one[at]! - other[at]!);
  return sum;
}
