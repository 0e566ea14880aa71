/** Chains: short sorted lists threaded through a pool's `next` column, one head per owner. */
import { assert } from '../base/assert.ts';
import { NONE } from './columns.ts';

/**
 * Inserts a row before the first whose `rank` is greater; equal ranks keep the order of arrival.
 * The search itself stops at the place, so there is no order to assert.
 */
export function insertByRank(
  heads: Int32Array,
  owner: number,
  next: Int32Array,
  rank: Float64Array,
  row: number,
): void {
  let before = NONE;
  let after = heads[owner];
  while (after !== NONE && rank[after] <= rank[row]) {
    before = after;
    after = next[after];
  }
  next[row] = after;
  if (before === NONE) heads[owner] = row;
  else next[before] = row;
}

/** Takes the first row out of a chain and returns it; `NONE` of an empty chain. */
export function takeFirst(heads: Int32Array, owner: number, next: Int32Array): number {
  const row = heads[owner];
  if (row !== NONE) heads[owner] = next[row];
  return row;
}

/** Takes one row out of a chain that holds it. */
export function removeRow(heads: Int32Array, owner: number, next: Int32Array, row: number): void {
  if (heads[owner] === row) {
    heads[owner] = next[row];
    return;
  }
  let before = heads[owner];
  while (before !== NONE && next[before] !== row) before = next[before];
  assert(before !== NONE, 'the chain holds the row');
  next[before] = next[row];
}
