/** Sobol's sequence and the points of indices: scenarios/study/designs. */
import { describe, expect, it } from 'vitest';
import { DIRECTION_NUMBERS } from '../../../../scenarios/study/designs/direction-numbers.ts';
import { saltelliPoints } from '../../../../scenarios/study/designs/saltelli.ts';
import {
  directionsOf,
  SOBOL_DIMENSIONS_MAX,
  scrambledSobolPoints,
  sobolPoints,
} from '../../../../scenarios/study/designs/sobol-sequence.ts';
import { sampled } from '../../../support/long.ts';

/** How many points lie in each of 2^k intervals by 2^(m − k), and so on, that tile the cube. */
function countsOf(points: readonly (readonly number[])[], bits: readonly number[]): number[] {
  const counts = Array<number>(2 ** bits.reduce((sum, each) => sum + each, 0)).fill(0);
  for (const point of points) {
    const cell = bits.reduce(
      (at, each, axis) => at * 2 ** each + Math.floor(point[axis]! * 2 ** each),
      0,
    );
    counts[cell]! += 1;
  }
  return counts;
}

const columnOf = (points: readonly number[][], ...columns: number[]) =>
  points.map((point) => columns.map((column) => point[column]!));

const ALL = Array.from({ length: SOBOL_DIMENSIONS_MAX }, (_, dimension) => dimension);

describe('the direction numbers', () => {
  it('have the primitive polynomials in order: all up to degree 7, and three of degree 8', () => {
    const degrees = DIRECTION_NUMBERS.map(({ m }) => m.length);
    const ofDegree = (degree: number) => degrees.filter((each) => each === degree).length;
    expect([1, 2, 3, 4, 5, 6, 7, 8].map(ofDegree)).toEqual([1, 1, 2, 2, 6, 6, 18, 3]);
    const polynomials = DIRECTION_NUMBERS.map(({ a, m }) => 2 ** m.length + 2 * a + 1);
    expect(polynomials).toEqual(polynomials.toSorted((a, b) => a - b));
    expect(new Set(polynomials).size).toBe(39);
    for (const [at, polynomial] of polynomials.entries()) {
      // Powers of x come back to 1 after 2^s − 1 steps, and not before.
      const size = 2 ** degrees[at]!;
      let power = 2 % polynomial;
      if (size === 2) power = 1;
      let order = 1;
      for (; power !== 1; order++) power = power * 2 >= size ? (power * 2) ^ polynomial : power * 2;
      expect(order).toBe(size - 1);
    }
  });

  it('are odd and within their bits', () => {
    for (const { m } of DIRECTION_NUMBERS) {
      for (const [at, value] of m.entries()) {
        expect(value % 2).toBe(1);
        expect(value).toBeLessThan(2 ** (at + 1));
      }
    }
  });

  it('have Sobol’s property A: the first 2^d points are in corners of their own', () => {
    // The upper bits of the first d directions of d dimensions are independent over {0, 1}.
    for (let d = 1; d <= 32; d++) {
      const rows = ALL.slice(0, d).map((dimension) =>
        Array.from(directionsOf(dimension).slice(0, d), (word) => (word < 0 ? 1 : 0)),
      );
      expect(rankOf(rows)).toBe(d);
    }
  });
});

/** Rank over {0, 1}. */
function rankOf(rows: number[][]): number {
  let rank = 0;
  for (let column = 0; column < rows[0]!.length; column++) {
    const pivot = rows.findIndex((row, at) => at >= rank && row[column] === 1);
    if (pivot < 0) continue;
    [rows[rank], rows[pivot]] = [rows[pivot]!, rows[rank]!];
    for (const [at, row] of rows.entries()) {
      if (at === rank || row[column] === 0) continue;
      for (const [place, bit] of rows[rank]!.entries()) row[place]! ^= bit;
    }
    rank++;
  }
  return rank;
}

describe('Sobol’s sequence', () => {
  // As printed by the program of Joe and Kuo for ten dimensions.
  it('begins as published', () => {
    expect(sobolPoints(8, 4)).toEqual([
      [0, 0, 0, 0],
      [0.5, 0.5, 0.5, 0.5],
      [0.75, 0.25, 0.25, 0.25],
      [0.25, 0.75, 0.75, 0.75],
      [0.375, 0.375, 0.625, 0.875],
      [0.875, 0.875, 0.125, 0.375],
      [0.625, 0.125, 0.875, 0.625],
      [0.125, 0.625, 0.375, 0.125],
    ]);
  });

  const scrambles = ['town', 'town/2', 'a'].map((seed) => ({
    kind: `scrambled by ${seed}`,
    make: (points: number, dimensions: number) => scrambledSobolPoints(points, dimensions, seed),
  }));
  describe.each([{ kind: 'plain', make: sobolPoints }, ...scrambles])('$kind', ({ kind, make }) => {
    it('has one point in each elementary interval of its first two dimensions', () => {
      for (const m of [1, 4, 7, 10]) {
        const points = make(2 ** m, 2);
        for (let k = 0; k <= m; k++) {
          expect(countsOf(points, [k, m - k]).every((count) => count === 1)).toBe(true);
        }
      }
    });

    it('has that of each later block of 2^m points, too', () => {
      const points = make(1024, 2);
      for (let block = 0; block < 16; block++) {
        const some = points.slice(64 * block, 64 * block + 64);
        expect(countsOf(some, [3, 3]).every((count) => count === 1)).toBe(true);
      }
    });

    it('has one point in each stratum of every dimension', () => {
      const points = make(4096, SOBOL_DIMENSIONS_MAX);
      for (const dimension of ALL) {
        const counts = countsOf(columnOf(points, dimension), [12]);
        expect(counts.every((count) => count === 1)).toBe(true);
      }
    });

    it('fills any two dimensions evenly', () => {
      const points = make(4096, SOBOL_DIMENSIONS_MAX);
      for (const one of ALL) {
        // In short runs a scramble has each beside the next: it keeps what the plain sequence has.
        const others = ALL.slice(one + 1);
        for (const other of sampled(others, (each) => kind === 'plain' || each === one + 1)) {
          const counts = countsOf(columnOf(points, one, other), [3, 3]);
          expect(counts.every((count) => count === 64)).toBe(true);
        }
      }
    });
  });

  it('has points that are uniform where it is scrambled, whatever the seed', () => {
    const values = Array.from({ length: 2000 }, (_, seed) =>
      scrambledSobolPoints(3, 2, `seed ${seed}`).map(([x = 0]) => x),
    );
    for (const point of [0, 1, 2]) {
      const counts = countsOf(
        values.map((three) => [three[point]!]),
        [3],
      );
      for (const count of counts) expect(Math.abs(count - 250)).toBeLessThan(60);
    }
  });

  it('keeps its points when more points or dimensions are asked for', () => {
    const few = scrambledSobolPoints(16, 3, 'town');
    const many = scrambledSobolPoints(64, 5, 'town');
    expect(many.slice(0, 16).map((point) => point.slice(0, 3))).toEqual(few);
  });

  it('is the same bits for the same seed, and others for another', () => {
    expect(scrambledSobolPoints(2, 3, 'town')).toMatchInlineSnapshot(`
      [
        [
          0.5569687630049884,
          0.7882133554667234,
          0.9761616648174822,
        ],
        [
          0.4977346546947956,
          0.3653989473823458,
          0.021876210113987327,
        ],
      ]
    `);
    expect(scrambledSobolPoints(2, 3, 'town/2')).not.toEqual(scrambledSobolPoints(2, 3, 'town'));
  });

  it('has up to 40 dimensions and 2^20 points', () => {
    expect(() => sobolPoints(1, 41)).toThrow('40 dimensions');
    expect(() => sobolPoints(2 ** 20 + 1, 1)).toThrow('points');
    expect(sobolPoints(0, 2)).toEqual([]);
  });
});

describe('the points of Sobol indices', () => {
  it('are A, B, and A with one column after the other from B', () => {
    const points = saltelliPoints(4, 3, 'town');
    expect(points).toHaveLength(4 * 5);
    const [a, b, ...mixed] = [0, 1, 2, 3, 4].map((block) => points.slice(4 * block, 4 * block + 4));
    for (const row of [0, 1, 2, 3]) {
      expect([...a![row]!, ...b![row]!]).toEqual(scrambledSobolPoints(4, 6, 'town')[row]);
      for (const [column, block] of mixed.entries()) {
        expect(block[row]).toEqual(a![row]!.with(column, b![row]![column]!));
      }
    }
  });

  it('have all points of a smaller base', () => {
    const many = new Set(saltelliPoints(32, 4, 'town').map(String));
    expect(saltelliPoints(8, 4, 'town').every((point) => many.has(String(point)))).toBe(true);
  });

  it('are of 1 to 20 parameters', () => {
    expect(saltelliPoints(2, 20, 'town')).toHaveLength(44);
    expect(() => saltelliPoints(2, 21, 'town')).toThrow('20 parameters');
    expect(() => saltelliPoints(0, 2, 'town')).toThrow('65 536');
  });
});
