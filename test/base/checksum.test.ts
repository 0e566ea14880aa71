/** A checksum finds damage: another bit, bytes or words that changed places, a lost end. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toHex } from '../../sim/base/bytes.ts';
import { checksum } from '../../sim/base/checksum.ts';

const of = (bytes: Uint8Array) => toHex(checksum(bytes));
const some = fc.uint8Array({ minLength: 1, maxLength: 60 });

describe('a checksum', () => {
  it('is another one for every bit that flips', () => {
    const run = (bytes: Uint8Array) => {
      const seen = new Set([of(bytes)]);
      for (let bit = 0; bit < 8 * bytes.length; bit++) {
        const damaged = bytes.slice();
        damaged[bit >> 3]! ^= 1 << (bit & 7);
        seen.add(of(damaged));
      }
      expect(seen.size).toBe(8 * bytes.length + 1);
    };
    fc.assert(fc.property(some, run));
  });

  it('is another one for bytes that changed places, and for zeros that came or went', () => {
    const run = (bytes: Uint8Array, i: number, j: number) => {
      const swapped = bytes.slice();
      const [a, b] = [i % bytes.length, j % bytes.length];
      [swapped[a], swapped[b]] = [bytes[b]!, bytes[a]!];
      expect(of(swapped) === of(bytes)).toBe(bytes[a] === bytes[b]);
      expect(of(Uint8Array.from([...bytes, 0]))).not.toBe(of(bytes));
      expect(of(bytes.subarray(1))).not.toBe(of(bytes));
    };
    fc.assert(fc.property(some, fc.nat(100), fc.nat(100), run));
  });

  it('does not depend on where in its buffer the bytes lie', () => {
    const run = (bytes: Uint8Array, before: number) => {
      const shifted = Uint8Array.from([...new Uint8Array(before), ...bytes]).subarray(before);
      expect(of(shifted)).toBe(of(bytes));
    };
    fc.assert(fc.property(some, fc.nat(9), run));
  });
});
