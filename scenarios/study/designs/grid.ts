/** The full grid: every level of every parameter with every level of all others. */
import { assert } from '../../../sim/base/assert.ts';

/** How many points that is: 1 of no parameter. */
export const gridSize = (levels: readonly number[]): number =>
  levels.reduce((size, count) => size * count, 1);

/**
 * Points of the grid of parameters that have that many levels each (whole, ≥ 1). Rows = points,
 * columns = parameters; each value is the index of a level, 0…levels − 1. The last parameter moves
 * fastest.
 */
export function gridPoints(levels: readonly number[]): number[][] {
  assert(
    levels.every((count) => Number.isSafeInteger(count) && count >= 1),
    'a parameter has at least one level',
  );
  return levels.reduce<number[][]>(
    (rows, count) =>
      rows.flatMap((row) => Array.from({ length: count }, (_, level) => [...row, level])),
    [[]],
  );
}
