/**
 * Slices of time that a series counts by. A world without end doubles their length whenever there
 * would be too many, so that a series stays as small as it is.
 */
import { assert } from './assert.ts';

export interface Slicing {
  /** Length of the first slices, whole µs ≥ 1. */
  readonly firstUs: number;
  /** There are no more of them; Infinity: as many as there are. */
  readonly most: number;
}

/** Length of the slices at an instant, µs. */
export function sliceAt({ firstUs, most }: Slicing, nowUs: number): number {
  let us = firstUs;
  while (nowUs > us * most) us *= 2;
  return us;
}

/** Merges counts into slices that are several times as long. */
export function coarser(counts: readonly number[], times: number): number[] {
  assert(Number.isInteger(times) && times >= 1, 'slices grow by whole factors');
  if (times === 1) return [...counts];
  const sums: number[] = [];
  counts.forEach((count, slice) => {
    const at = Math.floor(slice / times);
    sums[at] = (sums[at] ?? 0) + count;
  });
  return sums;
}

/** The same of what was seen at the end of each slice. */
export const coarserEnds = (seen: readonly number[], times: number): number[] =>
  seen.filter((_, slice) => (slice + 1) % times === 0);
