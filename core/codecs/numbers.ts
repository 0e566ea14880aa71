/** Whole numbers in bytes, the most significant first unless said otherwise. */

/** Number of values of 1 to 4 bytes. */
export const VALUES_OF = [1, 0x100, 0x1_0000, 0x100_0000, 0x1_0000_0000] as const;

/** Decodes a number from bytes. */
export function numberAt(bytes: Uint8Array, at: number, size: number, signed: boolean): number {
  let raw = 0;
  for (let i = 0; i < size; i++) raw = raw * 256 + bytes[at + i]!;
  const values = VALUES_OF[size]!;
  return signed && raw >= values / 2 ? raw - values : raw;
}

/** Encodes a number into bytes that hold it. */
export function bytesOfNumber(value: number, size: number): readonly number[] {
  const bits = value < 0 ? value + VALUES_OF[size]! : value;
  return Array.from({ length: size }, (_, i) => Math.floor(bits / VALUES_OF[size - 1 - i]!) % 256);
}
