/** Base64 (RFC 4648 §4), against the one of Node.js. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromBase64, toBase64 } from '../../sim/base/bytes.ts';
import { costMs, growsTooMuch } from '../support/cost.ts';

describe('base64', () => {
  it('is one text, however long', () => {
    // 4 096 characters are 3 072 bytes.
    for (const length of [3_070, 3_071, 3_072, 3_073, 6_144, 6_145, 10_000]) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 31) ^ (i >> 9));
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
    }
  });

  it('has the test vectors of RFC 4648 §10', () => {
    const vectors = ['', 'Zg==', 'Zm8=', 'Zm9v', 'Zm9vYg==', 'Zm9vYmE=', 'Zm9vYmFy'];
    vectors.forEach((text, length) => {
      const bytes = Uint8Array.from(Buffer.from('foobar'.slice(0, length)));
      expect(toBase64(bytes)).toBe(text);
      expect(fromBase64(text)).toEqual(bytes);
    });
  });

  it('writes and reads any bytes as Node.js does, in lines, too', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const text = Buffer.from(bytes).toString('base64');
        expect(toBase64(bytes)).toBe(text);
        expect(fromBase64(text)).toEqual(new Uint8Array(bytes));
        expect(fromBase64(text.replace(/.{76}/g, '$&\r\n'))).toEqual(new Uint8Array(bytes));
      }),
    );
  });

  it('is one text a value: what Node.js would write otherwise is none', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'AQgwZz+/=-_é \u0000'), maxLength: 9 }),
        (text) => {
          const bytes = fromBase64(text);
          const right = Buffer.from(text, 'base64').toString('base64') === text.replace(/\s/g, '');
          expect(bytes !== undefined).toBe(right);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('has four MiB in eight times what half a MiB takes', async () => {
    const costOf = (length: number) => {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 31) ^ (i >> 9));
      let again: Uint8Array | undefined;
      const cost = costMs(() => (again = fromBase64(toBase64(bytes))));
      expect(Buffer.compare(again!, bytes)).toBe(0);
      return cost;
    };
    expect(await growsTooMuch(costOf, 512 * 1024)).toBe(false);
  });
});
