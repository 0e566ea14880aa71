/** Whole numbers in bytes, against what the language reads and writes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOfNumber, numberAt } from '../../core/codecs/numbers.ts';

/** The numbers that that many bytes hold, most significant first: without a sign and with one. */
function read(bytes: Uint8Array): readonly [number, number] {
  const bits = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const width = 8 * bytes.length;
  return [Number(BigInt.asUintN(width, bits)), Number(BigInt.asIntN(width, bits))];
}

const numbers = fc.uint8Array({ minLength: 1, maxLength: 4 });

describe('a number in bytes', () => {
  it('is read with and without a sign, wherever it stands', () => {
    fc.assert(
      fc.property(numbers, fc.nat(5), (bytes, at) => {
        const among = Uint8Array.of(...new Uint8Array(at).fill(0xff), ...bytes, 0xff);
        const [unsigned, signed] = read(bytes);
        expect(numberAt(among, at, bytes.length, false)).toBe(unsigned);
        expect(numberAt(among, at, bytes.length, true)).toBe(signed);
      }),
    );
  });

  it.each([1, 2, 3, 4])('of %i bytes has its least and greatest values', (size) => {
    const half = 2 ** (8 * size - 1);
    for (const value of [-half, -half + 1, -1, 0, 1, half - 1]) {
      const bytes = Uint8Array.from(bytesOfNumber(value, size));
      expect(bytes).toHaveLength(size);
      expect(numberAt(bytes, 0, size, true)).toBe(value);
    }
    for (const value of [half, 2 * half - 1]) {
      const bytes = Uint8Array.from(bytesOfNumber(value, size));
      expect(numberAt(bytes, 0, size, false)).toBe(value);
    }
  });

  it('is written as it was read', () => {
    fc.assert(
      fc.property(numbers, (bytes) => {
        const [unsigned, signed] = read(bytes);
        expect(bytesOfNumber(unsigned, bytes.length)).toEqual([...bytes]);
        expect(bytesOfNumber(signed, bytes.length)).toEqual([...bytes]);
      }),
    );
  });
});
