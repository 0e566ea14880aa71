/** Bytes that are compared, few and many, wherever they stand. */
import { describe, expect, it } from 'vitest';
import { equalBytes } from '../../sim/base/bytes.ts';

/** `length` bytes that begin at this offset of a buffer of their own. */
const bytesAt = (offset: number, length: number): Uint8Array =>
  new Uint8Array(offset + length).map((_, i) => 7 * (i - offset)).subarray(offset);

describe('two arrays of bytes', () => {
  const LENGTHS = [0, 1, 16, 255, 256, 257, 258, 259, 1_000];
  const OFFSETS = [0, 1, 4];

  it('are equal when they have the same bytes, whatever stands before them', () => {
    for (const length of LENGTHS) {
      for (const one of OFFSETS) {
        for (const other of OFFSETS) {
          expect(equalBytes(bytesAt(one, length), bytesAt(other, length))).toBe(true);
        }
      }
    }
  });

  it('differ when any one byte does, or their length', () => {
    for (const length of LENGTHS) {
      for (let at = 0; at < length; at++) {
        const other = bytesAt(0, length);
        other[at] = other[at]! ^ 0x80;
        expect(equalBytes(bytesAt(0, length), other)).toBe(false);
      }
      expect(equalBytes(bytesAt(0, length), bytesAt(0, length + 1))).toBe(false);
    }
  });
});
