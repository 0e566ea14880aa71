/** The nearest curve that only rises (pool adjacent violators; Barlow et al., 1972). */
import { assert } from '../../sim/base/assert.ts';

/** Neighbours that share a value. */
interface Pool {
  readonly sum: number;
  readonly weight: number;
  readonly count: number;
}

/**
 * Of all lists that nowhere fall the one whose weighted squares of differences to `values` add up
 * to least: as long as `values`. `weights` are positive, all equal when absent; of means those are
 * the numbers of values that each is of. For a curve that falls give the values with the other
 * sign.
 */
export function isotonicFit(values: readonly number[], weights?: readonly number[]): number[] {
  assert(weights === undefined || weights.length === values.length, 'each value has a weight');
  const pools: Pool[] = [];
  for (const [at, value] of values.entries()) {
    const weight = weights?.[at] ?? 1;
    assert(weight > 0, 'a weight is positive');
    let pool: Pool = { sum: value * weight, weight, count: 1 };
    for (let last = pools.at(-1); last && level(last) >= level(pool); last = pools.at(-1)) {
      pools.pop();
      pool = joined(last, pool);
    }
    pools.push(pool);
  }
  return pools.flatMap((pool) => new Array<number>(pool.count).fill(level(pool)));
}

const level = ({ sum, weight }: Pool): number => sum / weight;

const joined = (one: Pool, other: Pool): Pool => ({
  sum: one.sum + other.sum,
  weight: one.weight + other.weight,
  count: one.count + other.count,
});
