/** Percentiles of a result. */
import { assert } from '../../sim/base/assert.ts';
import type { Percentiles } from '../result/percentiles.ts';

/** By nearest rank: each is one of the values, which are finite; null of no values. */
export function percentiles(values: readonly number[]): Percentiles | null {
  if (values.length === 0) return null;
  assert(values.every(Number.isFinite), 'percentiles are taken of finite values');
  const ascending = Float64Array.from(values).sort();
  const at = (share: number) =>
    ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)] as number;
  return { p10: at(0.1), p50: at(0.5), p90: at(0.9), max: at(1) };
}
