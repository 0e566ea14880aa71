/** How values spread: the smallest that that many percent do not exceed. */
export interface Percentiles {
  readonly p10: number;
  readonly p50: number;
  readonly p90: number;
  readonly max: number;
}
