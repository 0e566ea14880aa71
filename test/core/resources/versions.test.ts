/** Versions as people write them and as devices report them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  firmwareOf,
  inferVersion,
  matchesPattern,
  matching,
  parseVersion,
  versionHex,
} from '../../../core/base/firmware-versions.ts';
import { costMs, growsTooMuch } from '../../support/cost.ts';

describe('a version', () => {
  it.each([
    ['1.2.3', '01020300........'],
    ['1.2.3.4', '01020304........'],
    ['255.0.16', 'FF001000........'],
    ['01a2......0000ff', '01A2......0000FF'],
  ])('%s is the pattern %s', (text, pattern) => {
    expect(parseVersion(text)).toEqual({ ok: true, value: pattern });
  });

  it.each(['1', '1.2', '1.2.3.4.5', '1.2.256', '1.2.x', '', '0102030', '0102030400000000ff'])(
    '%s is none',
    (text) => {
      expect(parseVersion(text)).toMatchObject({
        ok: false,
        failure: { code: 'version.malformed' },
      });
    },
  );

  it.each([
    ['app-1.2.3.bin', '01020300........'],
    ['app_v10.20.30.40-rc1.hex', '0A141E28........'],
    ['2-1.2.bin', undefined],
    ['meter.bin', undefined],
    ['meter-300.1.1.bin', undefined],
  ])('is inferred from the first dotted numbers in %s', (name, pattern) => {
    const found = inferVersion(name);
    expect(found.ok ? found.value : undefined).toBe(pattern);
  });

  it('that is reported matches a pattern digit by digit', () => {
    const hex = versionHex(0x010203ff, 7);
    expect(hex).toBe('010203FF00000007');
    expect(matchesPattern('010203FF........', hex)).toBe(true);
    expect(matchesPattern('................', hex)).toBe(true);
    expect(matchesPattern('010203FF00000008', hex)).toBe(false);
    expect(matchesPattern('110203FF........', hex)).toBe(false);
  });

  it('matches the pattern of its own digits, with any of them left open', () => {
    const words = fc.integer({ min: 0, max: 0xffff_ffff });
    fc.assert(
      fc.property(words, words, fc.nat({ max: 0xffff }), (fw, hw, open) => {
        const hex = versionHex(fw, hw);
        const pattern = [...hex].map((digit, i) => ((open >> i) & 1 ? '.' : digit)).join('');
        expect(matchesPattern(pattern, hex)).toBe(true);
        const isOpen = (open & 0xff) !== 0;
        expect(firmwareOf(pattern)).toBe(isOpen ? undefined : hex.slice(0, 8));
      }),
    );
  });

  it('is of those among many patterns that match it, reported in any order', () => {
    const digit = fc.constantFrom('0', '1', '.');
    const digits = fc.constantFrom('0', '1');
    const three = (each: fc.Arbitrary<string>) =>
      fc.string({ unit: each, minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(
        fc.array(three(digit), { maxLength: 60, size: 'max' }),
        three(digits),
        (ends, hexEnd) => {
          const patterns = ends.map((end) => `D000000000000${end}`);
          const hex = `D000000000000${hexEnd}`;
          const found = matching(patterns.map((pattern, i) => [pattern, i] as const))(hex);
          const one = patterns.flatMap((pattern, i) => (matchesPattern(pattern, hex) ? [i] : []));
          expect([...found].sort((a, b) => a - b)).toEqual(one);
        },
      ),
    );
  });

  it('takes little more time where the dots of ten thousand are all at other places', async () => {
    // A dot for each bit of a number that is set.
    const patternOf = (i: number) =>
      Array.from({ length: 16 }, (_, at) =>
        (i >> at) & 1 ? '.' : ((i * 40_503 + at * 7) & 15).toString(16).toUpperCase(),
      ).join('');
    const hexOf = (i: number) => ((i * 2_654_435_761) >>> 0).toString(16).padStart(16, '0');
    const costOf = (count: number) => {
      const many = Array.from({ length: count }, (_, i) => [patternOf(i), i] as const);
      return costMs(() => {
        const find = matching(many);
        for (let i = 0; i < count; i++) find(hexOf(i).toUpperCase());
      });
    };
    expect(await growsTooMuch(costOf, 1_250)).toBe(false);
  });
});
