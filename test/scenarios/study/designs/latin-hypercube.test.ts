/** Latin hypercubes: scenarios/study/designs/latin-hypercube.ts. */
import { describe, expect, it } from 'vitest';
import { latinHypercube } from '../../../../scenarios/study/designs/latin-hypercube.ts';
import { lehmer } from '../../../reports/lehmer.ts';

const columnsOf = (points: readonly number[][]): number[][] =>
  (points[0] ?? []).map((_, column) => points.map((point) => point[column]!));

const nearest = (points: readonly number[][]): number => {
  const distances = points.flatMap((one, at) =>
    points
      .slice(at + 1)
      .map((other) => Math.hypot(...one.map((value, column) => value - other[column]!))),
  );
  return Math.min(...distances);
};

describe('a Latin hypercube', () => {
  it.each([
    [1, 3],
    [2, 1],
    [7, 5],
    [100, 4],
    [501, 2],
    [100_000, 1],
  ])('of %d points in %d dimensions has one value in each stratum', (count, dimensions) => {
    const points = latinHypercube(count, dimensions, 'town');
    expect(points).toHaveLength(count);
    const columns = columnsOf(points);
    expect(columns).toHaveLength(dimensions);
    for (const column of columns) {
      const strata = column.map((value) => Math.floor(value * count)).sort((a, b) => a - b);
      expect(strata.every((stratum, at) => stratum === at)).toBe(true);
    }
  });

  it('is uniform within its strata, and its columns have nothing in common', () => {
    const columns = columnsOf(latinHypercube(2000, 3, 'town'));
    for (const [at, column] of columns.entries()) {
      const within = column.map((value) => (value * 2000) % 1);
      const mean = within.reduce((sum, value) => sum + value, 0) / 2000;
      expect(Math.abs(mean - 0.5)).toBeLessThan(0.02);
      for (const other of columns.slice(at + 1)) {
        const product = column.reduce((sum, x, row) => sum + (x - 0.5) * (other[row]! - 0.5), 0);
        expect(Math.abs((12 * product) / 2000)).toBeLessThan(0.07);
      }
    }
  });

  it('has neighbours that are farther apart than those of most draws', () => {
    const next = lehmer(29);
    const shuffled = (count: number) =>
      Array.from({ length: count }, (_, stratum) => ({ stratum, by: next() }))
        .sort((a, b) => a.by - b.by)
        .map(({ stratum }) => (stratum + next()) / count);
    const drawn = Array.from({ length: 200 }, () => {
      const [x, y] = [shuffled(20), shuffled(20)];
      return nearest(x.map((value, at) => [value, y[at]!]));
    });
    const chosen = nearest(latinHypercube(20, 2, 'town'));
    expect(drawn.filter((distance) => distance < chosen).length).toBeGreaterThan(160);
  });

  it('is the same bits for the same seed, and another for another', () => {
    expect(latinHypercube(3, 2, 'town')).toMatchInlineSnapshot(`
      [
        [
          0.04395723529160023,
          0.4330274570578088,
        ],
        [
          0.6115624187514186,
          0.19692845665849745,
        ],
        [
          0.9312865080622336,
          0.887681998933355,
        ],
      ]
    `);
    expect(latinHypercube(3, 2, 'town/2')).not.toEqual(latinHypercube(3, 2, 'town'));
  });

  it('has a point at least', () => {
    expect(() => latinHypercube(0, 2, 'town')).toThrow('1 to 100 000 points');
    expect(() => latinHypercube(2, 1.5, 'town')).toThrow('dimensions');
    expect(latinHypercube(2, 0, 'town')).toEqual([[], []]);
  });
});
