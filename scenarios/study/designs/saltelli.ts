/**
 * Points that Sobol indices are estimated from (Saltelli et al., Computer Physics Communications
 * 181, 2010): two samples A and B, and A with each of its columns taken from B.
 */
import { assert } from '../../../sim/base/assert.ts';
import { SOBOL_DIMENSIONS_MAX, scrambledSobolPoints } from './sobol-sequence.ts';

const SALTELLI_DIMENSIONS_MAX = SOBOL_DIMENSIONS_MAX / 2;
const SALTELLI_BASE_MAX = 1 << 16;

/**
 * base × (dimensions + 2) rows in blocks of `base`: A, B, then AB_1, AB_2 and so on. Row j of AB_i
 * is row j of A but for column i, which is that of row j of B. Columns = dimensions (1…20), values
 * in [0, 1). A and B are the two halves of a scrambled Sobol sequence of twice the dimensions:
 * `base` (1…65 536) had better be a power of two, for which it is balanced. A larger base has all
 * points of a smaller one. `saltelliOutputs` of fleetwave/reports takes outputs in this order
 * apart.
 */
export function saltelliPoints(base: number, dimensions: number, seed: string): number[][] {
  assert(
    Number.isInteger(base) && base >= 1 && base <= SALTELLI_BASE_MAX,
    'a base has 1 to 65 536 points',
  );
  assert(
    Number.isInteger(dimensions) && dimensions >= 1 && dimensions <= SALTELLI_DIMENSIONS_MAX,
    'indices are of 1 to 20 parameters',
  );
  const points = scrambledSobolPoints(base, 2 * dimensions, seed);
  const a = points.map((point) => point.slice(0, dimensions));
  const b = points.map((point) => point.slice(dimensions));
  const mixed = Array.from({ length: dimensions }, (_, column) =>
    a.map((row, at) => row.with(column, b[at]![column]!)),
  );
  return [a, b, ...mixed].flat();
}
