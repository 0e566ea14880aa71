/**
 * Sobol's sequence, scrambled: points that fill a cube evenly, however many are taken (Bratley and
 * Fox, ACM TOMS 14, 1988; scrambled as in Owen, 1995).
 */
import { namedDraws } from '../../../reports/statistics/draws.ts';
import { assert } from '../../../sim/base/assert.ts';
import { toUnit } from '../../../sim/base/random.ts';
import { DIRECTION_NUMBERS, type DirectionNumbers } from './direction-numbers.ts';

export const SOBOL_DIMENSIONS_MAX = DIRECTION_NUMBERS.length + 1;
const SOBOL_POINTS_MAX = 1 << 20;
const BITS = 32;

/**
 * The first points of the sequence itself. Rows = points (0…2^20), columns = dimensions (0…40);
 * values in [0, 1), the first point is the origin. They have the order of Antonov and Saleev: among
 * the first 2^m points each elementary interval of volume 2^−m of the first two dimensions has one.
 */
export function sobolPoints(points: number, dimensions: number): number[][] {
  return rowsOf(points, dimensions, (word) => word);
}

/**
 * The same points scrambled: each is uniform in the cube, and what each 2^m of them have in each
 * elementary interval stays. The seed decides, dimension by dimension; more points or dimensions
 * leave those that there are as they are.
 */
export function scrambledSobolPoints(points: number, dimensions: number, seed: string): number[][] {
  const scrambles = Array.from({ length: dimensions }, (_, at) =>
    namedDraws(seed, `sobol, dimension ${at}`),
  );
  return rowsOf(points, dimensions, (word, at) => scrambled(word, scrambles[at]!));
}

function rowsOf(
  points: number,
  dimensions: number,
  create: (word: number, dimension: number) => number,
): number[][] {
  assert(
    Number.isInteger(points) && points >= 0 && points <= SOBOL_POINTS_MAX,
    'a sequence has up to 2^20 points',
  );
  assert(
    Number.isInteger(dimensions) && dimensions >= 0 && dimensions <= SOBOL_DIMENSIONS_MAX,
    'a sequence has up to 40 dimensions',
  );
  const directions = Array.from({ length: dimensions }, (_, at) => directionsOf(at));
  const words = new Int32Array(dimensions);
  return Array.from({ length: points }, (_, point) => {
    // One point differs from the one before by the direction of its number's lowest 1.
    if (point > 0) {
      const bit = BITS - 1 - Math.clz32(point & -point);
      for (let at = 0; at < dimensions; at++) words[at]! ^= directions[at]![bit]!;
    }
    return Array.from(words, (word, at) => toUnit(create(word, at)));
  });
}

/** v_1…v_32 of a dimension, from 0, as fractions of 2^32. */
export function directionsOf(dimension: number): Int32Array {
  if (dimension === 0) return Int32Array.from({ length: BITS }, (_, at) => 1 << (BITS - 1 - at));
  const { a, m }: DirectionNumbers = DIRECTION_NUMBERS[dimension - 1]!;
  const degree = m.length;
  const directions = new Int32Array(BITS);
  for (let k = 0; k < BITS; k++) {
    if (k < degree) {
      directions[k] = m[k]! << (BITS - 1 - k);
      continue;
    }
    const oldest = directions[k - degree]!;
    let word = oldest ^ (oldest >>> degree);
    for (let i = 1; i < degree; i++) {
      if ((a >>> (degree - 1 - i)) & 1) word ^= directions[k - i]!;
    }
    directions[k] = word;
  }
  return directions;
}

/**
 * Each bit is turned or not by a draw of its own for all bits above it: what shares them stays
 * together. The draw's place is 1 and those bits, as the nodes of a binary tree are numbered.
 */
function scrambled(word: number, draws: (place: number) => number): number {
  let node = 1;
  let turned = 0;
  for (let at = BITS - 1; at >= 0; at--) {
    const bit = (word >>> at) & 1;
    turned = (turned << 1) | (bit ^ (draws(node) < 0 ? 1 : 0));
    node = node * 2 + bit;
  }
  return turned;
}
