/** Bits of 32-bit words. */

/** The number of bits that are set. */
export function bitCount(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The lowest bit of a word alone; 0 when none is set. */
export const lowestOf = (word: number): number => word & -word;

/** Place of the lowest bit that is set: 0 to 31; −1 when none is. */
export const lowestPlace = (word: number): number => 31 - Math.clz32(lowestOf(word));
