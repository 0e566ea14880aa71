/** sim/base/math: close to the exact values everywhere, and the same bits on every engine. */
import { describe, expect, it } from 'vitest';
import * as math from '../../sim/base/math.ts';

const view = new DataView(new ArrayBuffer(8));

function bits(x: number): bigint {
  view.setFloat64(0, x);
  const raw = view.getBigInt64(0);
  return raw < 0n ? -(raw & 0x7fffffffffffffffn) : raw;
}

/** Distance in units in the last place. */
function ulps(a: number, b: number): number {
  if (Number.isNaN(a) && Number.isNaN(b)) return 0;
  const distance = bits(a) - bits(b);
  return Number(distance < 0n ? -distance : distance);
}

/** Uniform in 0…1 from a small generator, so that every run looks at the same inputs. */
function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const high = state;
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (high + state / 4294967296) / 4294967296;
  };
}

function worst(
  count: number,
  draw: (next: () => number) => number[],
  ours: (...x: number[]) => number,
  theirs: (...x: number[]) => number,
): number {
  const next = uniform(1);
  let most = 0;
  for (let i = 0; i < count; i++) {
    const x = draw(next);
    most = Math.max(most, ulps(ours(...x), theirs(...x)));
  }
  return most;
}

const anyPositive = (next: () => number): number[] => [2 ** (next() * 2148 - 1074)];
const nearOne = (next: () => number): number[] => [0.5 + next()];

describe('the elementary functions', () => {
  it('are within one unit in the last place of the engine’s', () => {
    expect(worst(50_000, (u) => [u() * 1450 - 742], math.exp, Math.exp)).toBeLessThanOrEqual(1);
    expect(worst(50_000, (u) => [u() * 2 - 1], math.exp, Math.exp)).toBeLessThanOrEqual(1);
    expect(worst(50_000, anyPositive, math.log, Math.log)).toBeLessThanOrEqual(1);
    expect(worst(50_000, nearOne, math.log, Math.log)).toBeLessThanOrEqual(1);
    expect(worst(50_000, anyPositive, math.log2, Math.log2)).toBeLessThanOrEqual(1);
    expect(worst(50_000, nearOne, math.log2, Math.log2)).toBeLessThanOrEqual(2);
    expect(worst(50_000, anyPositive, math.log10, Math.log10)).toBeLessThanOrEqual(1);
    expect(worst(50_000, nearOne, math.log10, Math.log10)).toBeLessThanOrEqual(2);
    expect(worst(50_000, (u) => [u() * 2e6 - 1e6], math.sin, Math.sin)).toBeLessThanOrEqual(1);
    expect(worst(50_000, (u) => [u() * 20 - 10], math.sin, Math.sin)).toBeLessThanOrEqual(1);
    expect(worst(50_000, (u) => [u() * 2e6 - 1e6], math.cos, Math.cos)).toBeLessThanOrEqual(1);
    expect(worst(50_000, (u) => [u() * 20 - 10], math.cos, Math.cos)).toBeLessThanOrEqual(1);
    const plane = (u: () => number): number[] => [u() * 2 - 1, (u() * 2 - 1) * 10 ** (u() * 8 - 4)];
    expect(worst(50_000, plane, math.atan2, Math.atan2)).toBeLessThanOrEqual(1);
  });

  it('raise to powers within two units in the last place', () => {
    const wide = (u: () => number): number[] => [2 ** (u() * 40 - 20), u() * 60 - 30];
    expect(worst(50_000, wide, math.pow, (x, y) => x! ** y!)).toBeLessThanOrEqual(2);
    const decibels = (u: () => number): number[] => [10, u() * 40 - 20];
    expect(worst(50_000, decibels, math.pow, (x, y) => x! ** y!)).toBeLessThanOrEqual(2);
    const two = (u: () => number): number[] => [u() * 2098 - 1074];
    expect(worst(50_000, two, math.exp2, (x) => 2 ** x!)).toBeLessThanOrEqual(2);
    expect(math.pow(3, 30)).toBe(205_891_132_094_649);
    expect(math.pow(1.1, 2)).toBe(1.2100000000000002);
    expect(math.pow(5e-324, 0.5)).toBe(Math.sqrt(5e-324));
  });

  it('are exact where the answer is', () => {
    for (let k = -1074; k <= 1023; k++) {
      expect(math.log2(2 ** k)).toBe(k);
      expect(math.exp2(k)).toBe(2 ** k);
    }
    for (let k = 0; k <= 22; k++) {
      expect(math.log10(10 ** k)).toBe(k);
      expect(math.pow(10, k)).toBe(Number(`1e${k}`));
    }
    expect([math.exp(0), math.log(1), math.sin(0), math.cos(0)]).toEqual([1, 0, 0, 1]);
    expect(math.log(10)).toBe(Math.LN10);
  });

  it('know the ends of their domains', () => {
    const { exp, log, log2, log10, pow, exp2, sin, cos } = math;
    expect([exp(710), exp(-746), exp(Infinity), exp(-Infinity)]).toEqual([
      Infinity,
      0,
      Infinity,
      0,
    ]);
    expect([exp2(1024), exp2(-1076), exp2(-1074)]).toEqual([Infinity, 0, 5e-324]);
    for (const f of [log, log2, log10]) {
      expect([f(0), f(-1), f(Infinity), f(Number.NaN)]).toEqual([
        -Infinity,
        Number.NaN,
        Infinity,
        Number.NaN,
      ]);
    }
    expect([pow(2, 1e300), pow(0.5, 1e300), pow(2, -1e300), pow(1, Infinity)]).toEqual([
      Infinity,
      0,
      0,
      1,
    ]);
    expect([pow(Infinity, 2), pow(Infinity, -2), pow(7, 0), pow(2, Number.NaN)]).toEqual([
      Infinity,
      0,
      1,
      Number.NaN,
    ]);
    const noPowers = [pow(Infinity, Number.NaN), pow(Number.NaN, Infinity), pow(Number.NaN, 2)];
    expect(noPowers).toEqual(Array(3).fill(Number.NaN));
    expect([exp(Number.NaN), exp2(Number.NaN), sin(Infinity), cos(Number.NaN)]).toEqual(
      Array(4).fill(Number.NaN),
    );
    expect(() => pow(0, 1)).toThrow('positive base');
    expect(() => sin(2e6)).toThrow('radians');
  });

  it('point to every quadrant and along every axis, signed zeros included', () => {
    const edges = [0, -0, 1, -1, 0.5, -2, Infinity, -Infinity, 1e-310, Number.NaN];
    for (const y of edges) for (const x of edges) expect(math.atan2(y, x)).toBe(Math.atan2(y, x));
  });
});

describe('the normal quantile', () => {
  it('has the published values', () => {
    // AS 241 check values, and the usual table.
    expect(math.normalQuantile(0.25)).toBeCloseTo(-0.6744897501960817, 15);
    expect(math.normalQuantile(0.001)).toBeCloseTo(-3.090232306167813, 14);
    expect(math.normalQuantile(1e-20)).toBeCloseTo(-9.262340089798409, 13);
    expect(math.normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 15);
    expect(math.normalQuantile(0.5)).toBe(0);
  });

  it('is odd about one half and grows', () => {
    let last = Number.NEGATIVE_INFINITY;
    for (let i = 1; i < 4096; i++) {
      const z = math.normalQuantile(i / 4096);
      expect(z).toBeGreaterThan(last);
      expect(math.normalQuantile(1 - i / 4096)).toBe(i === 2048 ? 0 : -z);
      last = z;
    }
  });

  it('has no value outside 0…1', () => {
    expect(math.normalQuantile(-0.1)).toBeNaN();
    expect(math.normalQuantile(1.1)).toBeNaN();
    expect([math.normalQuantile(0), math.normalQuantile(1)]).toEqual([-Infinity, Infinity]);
  });
});

describe('levels in 1/100 dB', () => {
  it('are powers of ten to 1 in 10^15', () => {
    for (let level = -20_000; level <= 20_000; level += 7) {
      const exact = 10 ** (level / 1000);
      // The engine's exponent is itself rounded: allow for |level/1000|·ln 10 of its last bit.
      const allowed = 1e-15 * (1 + Math.abs(level) / 1000);
      expect(Math.abs(math.centiDbToLinear(level) / exact - 1)).toBeLessThan(allowed);
    }
    expect(math.centiDbToLinear(3000)).toBe(1000);
    expect(math.centiDbToLinear(-3000)).toBe(0.001);
  });

  it('come back from linear', () => {
    for (let level = -60_000; level < 61_000; level += 11) {
      expect(math.linearToCentiDb(math.centiDbToLinear(level))).toBe(level);
    }
    expect(math.linearToCentiDb(0)).toBe(-Infinity);
    expect(() => math.centiDbToLinear(0.5)).toThrow('whole 1/100 dB');
  });
});

describe('every bit', () => {
  it('of a fixed grid is the same on every engine', () => {
    let hash = 0x811c9dc5;
    const add = (x: number): void => {
      view.setFloat64(0, x);
      for (let i = 0; i < 8; i++) hash = Math.imul(hash ^ view.getUint8(i), 0x01000193);
    };
    for (let i = 1; i <= 5000; i++) {
      const x = i / 64;
      add(math.exp(x - 40));
      add(math.exp2(x - 40));
      add(math.log(x));
      add(math.log2(x));
      add(math.log10(x));
      add(math.pow(x, 1.7 - i / 1000));
      add(math.sin(x));
      add(math.cos(x));
      add(math.atan2(x - 40, 20 - x / 3));
      add(math.normalQuantile(i / 5001));
      add(math.centiDbToLinear(i * 7 - 20_000));
    }
    expect(hash >>> 0).toBe(3843671782);
  });
});
