/** Percentiles of a result. */
import type { Percentiles } from '../result.ts';

/** By nearest rank; null for nothing. */
export function percentiles(values: readonly number[]): Percentiles | null {
  if (values.length === 0) return null;
  const ascending = [...values].sort((a, b) => a - b);
  const at = (share: number) =>
    ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)] as number;
  return { p10: at(0.1), p50: at(0.5), p90: at(0.9), max: at(1) };
}
