/** Sets of numbers as bits, which are written in Base64. */

/** The bits of an array of flags. */
export function bitsOf(flags: Uint8Array): string {
  const bits = new Uint8Array(Math.ceil(flags.length / 8));
  for (const [at, flag] of flags.entries()) {
    if (flag === 1) bits[at >> 3]! |= 1 << (at & 7);
  }
  return Buffer.from(bits).toString('base64');
}

export const hasBit = (bits: Uint8Array, at: number): boolean =>
  ((bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0;

export function countOf(bits: Uint8Array): number {
  let count = 0;
  for (let byte of bits) for (; byte !== 0; byte &= byte - 1) count++;
  return count;
}
