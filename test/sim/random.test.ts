/** Luck: a hash of seed, entity, purpose and counter, and nothing else. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DrawPurpose,
  draw,
  drawPair,
  entityKey,
  expandSeed,
  happens,
  mix,
  toBelow,
  toUnit,
} from '../../sim/base/random.ts';

const seed = expandSeed('luck');
const key = entityKey(seed, 'meter-1');

/** Draws 0 … count−1 of one stream. */
const stream = (purpose: DrawPurpose, count: number, of = key): number[] =>
  Array.from({ length: count }, (_, counter) => draw(of.key0, of.key1, purpose, counter));

describe('a seed', () => {
  it('expands to the same four words for ever', () => {
    expect([...expandSeed('quickstart')]).toEqual([
      -1042456406, 1076970620, -752822843, -555313716,
    ]);
  });

  it('may be any text, and another text is another seed', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        fc.pre(one !== other);
        expect([...expandSeed(one)]).not.toEqual([...expandSeed(other)]);
      }),
    );
  });
});

describe('draws, hashes of (seed, purpose, entity, counter),', () => {
  it('are uniform: each of 64 bins gets its share', () => {
    const bins = new Array<number>(64).fill(0);
    for (const word of stream(DrawPurpose.channel, 64_000)) bins[toBelow(word, 64)]++;
    const chiSquare = bins.reduce((sum, n) => sum + (n - 1000) ** 2 / 1000, 0);
    expect(chiSquare).toBeGreaterThan(31);
    expect(chiSquare).toBeLessThan(109);
  });

  it('have no correlation between neighbours, purposes or entities', () => {
    const units = (words: readonly number[]) => words.map((word) => toUnit(word) - 0.5);
    const correlation = (a: readonly number[], b: readonly number[]): number =>
      (12 * a.reduce((sum, value, i) => sum + value * b[i], 0)) / a.length;
    const count = 40_000;
    const one = units(stream(DrawPurpose.channel, count));
    const others = [
      units(stream(DrawPurpose.channel, count + 1)).slice(1),
      units(stream(DrawPurpose.trafficPause, count)),
      units(stream(DrawPurpose.channel, count, entityKey(seed, 'meter-2'))),
      units(stream(DrawPurpose.channel, count, entityKey(expandSeed('other'), 'meter-1'))),
    ];
    for (const other of others) expect(Math.abs(correlation(one, other))).toBeLessThan(0.02);
  });

  it('of a pair depend on both, and on who is who', () => {
    const other = entityKey(seed, 'gateway-1');
    const pair = (a: typeof key, b: typeof key) =>
      drawPair(a.key0, a.key1, b.key0, b.key1, DrawPurpose.shadowing, 0);
    const third = entityKey(seed, 'gateway-2');
    const draws = [pair(key, other), pair(other, key), pair(key, third), pair(third, other)];
    expect(new Set(draws).size).toBe(4);
  });

  it('happen as often as their probability says', () => {
    const words = stream(DrawPurpose.frameLossUp, 100_000);
    for (const ppm of [1_000, 30_000, 500_000]) {
      const share = words.filter((word) => happens(word, ppm)).length / words.length;
      const sigma = Math.sqrt(((ppm / 1e6) * (1 - ppm / 1e6)) / words.length);
      expect(Math.abs(share - ppm / 1e6)).toBeLessThan(4 * sigma);
    }
    expect(words.some((word) => happens(word, 0))).toBe(false);
    expect(words.every((word) => happens(word, 1_000_000))).toBe(true);
  });

  it('stay in their range', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 2 ** 21 }), (word, count) => {
        const below = toBelow(word, count);
        expect(Number.isInteger(below) && below >= 0 && below < count).toBe(true);
        expect(toUnit(word) >= 0 && toUnit(word) < 1).toBe(true);
      }),
    );
  });
});

describe('names', () => {
  it('have keys of their own: ten thousand without a collision', () => {
    const keys = new Set<string>();
    for (let i = 0; i < 10_000; i++) {
      const { key0, key1 } = entityKey(seed, `meter-${i}`);
      keys.add(`${key0} ${key1}`);
    }
    expect(keys.size).toBe(10_000);
  });

  it('are mixed by a bijection', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (a, b) => {
        expect(mix(a) === mix(b)).toBe(a === b);
      }),
    );
  });
});
