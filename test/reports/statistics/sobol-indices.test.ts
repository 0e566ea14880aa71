/** Sobol indices against closed forms, and their intervals: reports/statistics/sobol-indices.ts. */
import { describe, expect, it } from 'vitest';
import {
  type SaltelliOutputs,
  saltelliOutputs,
  sobolIndices,
} from '../../../reports/statistics/sobol-indices.ts';
import { saltelliPoints } from '../../../scenarios/study/designs/saltelli.ts';
import { sin } from '../../../sim/base/math.ts';
import { lehmer } from '../lehmer.ts';

type Model = (point: readonly number[]) => number;

const indicesOf = (model: Model, parameters: number, base: number, seed = 'a', resamples = 0) =>
  sobolIndices(saltelliOutputs(saltelliPoints(base, parameters, seed).map(model), parameters), {
    seed,
    resamples,
  });

/** Ishigami and Homma (1990), a = 7, b = 0.1, on −π…π. */
const ishigami: Model = (point) => {
  const [x = 0, y = 0, z = 0] = point.map((value) => (2 * value - 1) * Math.PI);
  return sin(x) + 7 * sin(y) * sin(y) + 0.1 * z * z * z * z * sin(x);
};

const OF_G = [0, 1, 4.5, 9, 99, 99];
/** Sobol's g function. */
const g: Model = (point) =>
  point.reduce(
    (product, x, at) => (product * (Math.abs(4 * x - 2) + OF_G[at]!)) / (1 + OF_G[at]!),
    1,
  );

const closeTo = (values: readonly number[], digits: number) =>
  values.map((value) => expect.closeTo(value, digits));

describe('the Sobol indices', () => {
  it('of Ishigami’s function are 0.3139, 0.4424, 0 and 0.5576, 0.4424, 0.2437', () => {
    const { variance, parameters } = indicesOf(ishigami, 3, 4096);
    expect(Math.abs(variance - 13.8446)).toBeLessThan(0.1);
    expect(parameters.map(({ first }) => first)).toEqual(closeTo([0.3139, 0.4424, 0], 2));
    expect(parameters.map(({ total }) => total)).toEqual(closeTo([0.5576, 0.4424, 0.2437], 2));
  });

  it('of the g function are those of its closed form', () => {
    const parts = OF_G.map((a) => 1 / (3 * (1 + a) * (1 + a)));
    const whole = parts.reduce((product, part) => product * (1 + part), 1) - 1;
    const { variance, parameters } = indicesOf(g, 6, 8192);
    expect(variance).toBeCloseTo(whole, 2);
    for (const [at, { first, total }] of parameters.entries()) {
      const part = parts[at]!;
      const others = (whole + 1) / (1 + part);
      expect(Math.abs(first - part / whole)).toBeLessThan(0.006);
      expect(Math.abs(total - (part * others) / whole)).toBeLessThan(0.006);
    }
  });

  it('of a sum are the shares of its terms, first and total alike, and add up to 1', () => {
    const { parameters } = indicesOf(([x = 0, y = 0, z = 0]) => 1000 + 3 * x - 2 * y + z, 3, 8192);
    for (const which of ['first', 'total'] as const) {
      expect(parameters.map((each) => each[which])).toEqual(closeTo([9 / 14, 4 / 14, 1 / 14], 3));
    }
  });

  it('of a product of two that are around 0 are all in what they do together', () => {
    const { parameters } = indicesOf(([x = 0, y = 0]) => (x - 0.5) * (y - 0.5), 2, 2048);
    expect(parameters.map(({ first }) => first)).toEqual(closeTo([0, 0], 2));
    expect(parameters.map(({ total }) => total)).toEqual(closeTo([1, 1], 2));
  });

  it('of a few rows are those of the formulas', () => {
    const outputs = {
      a: [1, 4, 2],
      b: [3, 0, 8],
      ab: [
        [2, 5, 5],
        [1, 4, 2],
      ],
    };
    const { rows, variance, parameters } = sobolIndices(outputs, { seed: 'a', resamples: 0 });
    // Mean 3, squares 4 1 1 and 0 9 25 of six values.
    expect([rows, variance]).toEqual([3, expect.closeTo(40 / 6, 12)]);
    // (0·1 − 3·1 + 5·3)/3 over the variance, and (1 + 1 + 9)/6 over it.
    expect(parameters[0]!.first).toBeCloseTo(4 / (40 / 6), 12);
    expect(parameters[0]!.total).toBeCloseTo(11 / 40, 12);
    expect(parameters[1]).toMatchObject({ first: 0, total: 0 });
  });

  it('do not change when the output is in another unit', () => {
    const plain = indicesOf(ishigami, 3, 256);
    const scaled = indicesOf((point) => 1e9 + 4 * ishigami(point), 3, 256);
    for (const [at, { first, total }] of plain.parameters.entries()) {
      expect(scaled.parameters[at]!.first).toBeCloseTo(first, 6);
      expect(scaled.parameters[at]!.total).toBeCloseTo(total, 6);
    }
  });

  it('are none where the output does not vary, or there is no row', () => {
    const never = indicesOf(() => 0.1, 2, 8, 'a', 10);
    const none = { first: Number.NaN, total: Number.NaN };
    const intervals = { firstInterval: undefined, totalInterval: undefined };
    expect(never).toEqual({
      rows: 8,
      variance: 0,
      parameters: [
        { ...none, ...intervals },
        { ...none, ...intervals },
      ],
    });
    expect(sobolIndices({ a: [], b: [], ab: [[]] }, { seed: 'a' }).parameters).toEqual([
      { ...none, ...intervals },
    ]);
  });

  it('are of blocks that have the same rows', () => {
    expect(() => sobolIndices({ a: [1], b: [1], ab: [[]] }, { seed: 'a' })).toThrow('same rows');
    expect(() => saltelliOutputs([1, 2, 3, 4, 5], 2)).toThrow('whole blocks');
  });
});

describe('the intervals of Sobol indices', () => {
  /** Rows drawn at random: what the intervals are made for. */
  const drawnOutputs = (next: () => number, model: Model, rows: number): SaltelliOutputs => {
    const points = () => Array.from({ length: rows }, () => [next(), next(), next()]);
    const [a, b] = [points(), points()];
    const ab = [0, 1, 2].map((column) =>
      a.map((row, at) => model(row.with(column, b[at]![column]!))),
    );
    return { a: a.map(model), b: b.map(model), ab };
  };

  it('have the true index in them about 19 times in 20', () => {
    const next = lehmer(23);
    const sum: Model = ([x = 0, y = 0, z = 0]) => 3 * x - 2 * y + z;
    const tries = 120;
    const held = { first: 0, total: 0 };
    for (let number = 0; number < tries; number++) {
      const outputs = drawnOutputs(next, sum, 200);
      const { parameters } = sobolIndices(outputs, { seed: `study ${number}`, resamples: 200 });
      for (const [at, share] of [9 / 14, 4 / 14, 1 / 14].entries()) {
        const { firstInterval: first, totalInterval: total } = parameters[at]!;
        if (first!.low <= share && share <= first!.high) held.first++;
        if (total!.low <= share && share <= total!.high) held.total++;
      }
    }
    expect(Math.abs(held.first / (3 * tries) - 0.95)).toBeLessThan(0.035);
    expect(Math.abs(held.total / (3 * tries) - 0.95)).toBeLessThan(0.035);
  });

  it('are the same bits for the same seed, and others for another', () => {
    const seen = (seed: string) => indicesOf(ishigami, 3, 64, seed, 100).parameters;
    expect(seen('a')).toEqual(seen('a'));
    expect(seen('b')).not.toEqual(seen('a'));
    const outputs = saltelliOutputs(saltelliPoints(64, 3, 'a').map(ishigami), 3);
    const [first] = sobolIndices(outputs, { seed: 'golden', resamples: 99 }).parameters;
    expect(first!.firstInterval).toMatchInlineSnapshot(`
      {
        "high": 0.5774892845156924,
        "low": 0.0029411994641620194,
      }
    `);
  });

  it('are wider at a greater confidence, and leave as many resamples on either side', () => {
    const outputs = saltelliOutputs(saltelliPoints(64, 3, 'a').map(ishigami), 3);
    const at = (confidence: number) =>
      sobolIndices(outputs, { seed: 'a', confidence }).parameters[0]!.totalInterval!;
    expect(at(0.5).low).toBeGreaterThan(at(0.95).low);
    expect(at(0.5).high).toBeLessThan(at(0.95).high);
    const { total } = sobolIndices(outputs, { seed: 'a' }).parameters[0]!;
    expect(at(0.01).high - at(0.01).low).toBeLessThan(0.02);
    expect(Math.abs(at(0.01).low - total)).toBeLessThan(0.03);
  });
});

describe('outputs in the order of the points', () => {
  it('are taken apart into the blocks of the design', () => {
    expect(saltelliOutputs([1, 2, 3, 4, 5, 6, 7, 8], 2)).toEqual({
      a: [1, 2],
      b: [3, 4],
      ab: [
        [5, 6],
        [7, 8],
      ],
    });
  });

  it('lose a row in all blocks where one of them was not measured', () => {
    expect(saltelliOutputs([1, 2, 3, 4, 5, 6, null, 8], 2)).toEqual({
      a: [2],
      b: [4],
      ab: [[6], [8]],
    });
  });
});
