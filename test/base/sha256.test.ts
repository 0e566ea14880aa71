/** FIPS 180-4: SHA-256. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toHex } from '../../sim/base/bytes.ts';
import { sha256 } from '../../sim/base/sha256.ts';

const ascii = (text: string): Uint8Array =>
  Uint8Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));

const reference = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('SHA-256', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
    [
      'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr' +
        'lmnopqrsmnopqrstnopqrstu',
      'cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1',
    ],
  ])('gives the published digest of “%s”', (text, digest) => {
    expect(toHex(sha256(ascii(text)))).toBe(digest);
  });

  it('gives the published digest of a million letters a', () => {
    expect(toHex(sha256(new Uint8Array(1_000_000).fill(97)))).toBe(
      'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0',
    );
  });

  it('agrees with another implementation for every length around the ends of blocks', () => {
    for (let length = 0; length <= 200; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 37 + length) & 255);
      expect(toHex(sha256(bytes))).toBe(reference(bytes));
    }
  });

  it('agrees with another implementation for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1_000 }), (bytes) => {
        expect(toHex(sha256(bytes))).toBe(reference(bytes));
      }),
    );
  });
});
