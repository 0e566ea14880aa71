/** Steps by which folds of words mix bits (MurmurHash3). */

const imul = Math.imul;

export const rotate = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

/** Every bit of the result depends on every bit of the word (fmix32). */
export function finish(word: number): number {
  const once = imul(word ^ (word >>> 16), 0x85ebca6b);
  const twice = imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}
