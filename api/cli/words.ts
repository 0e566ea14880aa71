/** Words of the command line as numbers. */

import { assert } from '../../sim/base/assert.ts';
import { isWithin } from '../../sim/base/rows/range.ts';

/** A whole number in these bounds; the lower one and a fault when the word is none. */
export function whole(
  option: string,
  word: string,
  least: number,
  most: number,
  faults: string[],
): number {
  assert(least <= most, 'the bounds of a number leave one');
  const value = /^\d{1,8}$/.test(word) ? Number(word) : Number.NaN;
  if (isWithin(value, { least, most })) return value;
  faults.push(`${option} "${word}" is not right; allowed: a whole number from ${least} to ${most}`);
  return least;
}
