/** Percentile: the smallest value that the given share does not exceed. */
export interface Percentiles {
  readonly p10: number;
  readonly p50: number;
  readonly p90: number;
  readonly max: number;
}
