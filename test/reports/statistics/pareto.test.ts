/** Pareto fronts: reports/statistics/pareto.ts. */
import { describe, expect, it } from 'vitest';
import { type Goal, paretoFront } from '../../../reports/statistics/pareto.ts';
import { lehmer } from '../lehmer.ts';

/** Points that none dominates, by comparing all with all. */
function byComparing(points: readonly number[][], goals: readonly Goal[]): number[] {
  const isBetter = (one: number, other: number, at: number) =>
    goals[at] === 'minimise' ? one < other : one > other;
  const dominates = (one: number[], other: number[]) =>
    one.some((value, at) => isBetter(value, other[at]!, at)) &&
    !one.some((value, at) => isBetter(other[at]!, value, at));
  return points.flatMap((point, at) => (points.some((one) => dominates(one, point)) ? [] : [at]));
}

const random = (seed: number, count: number, objectives: number, levels: number) => {
  const next = lehmer(seed);
  return Array.from({ length: count }, () =>
    Array.from({ length: objectives }, () => Math.floor(next() * levels)),
  );
};

describe('a Pareto front', () => {
  it('has what nothing beats in one objective without losing in another', () => {
    const hoursAndJoules = [
      [10, 5],
      [12, 4],
      [12, 5],
      [9, 9],
      [20, 4.5],
    ];
    expect(paretoFront(hoursAndJoules, ['minimise', 'minimise'])).toEqual([0, 1, 3]);
    expect(paretoFront(hoursAndJoules, ['minimise', 'maximise'])).toEqual([3]);
    expect(paretoFront(hoursAndJoules, ['maximise', 'minimise'])).toEqual([1, 4]);
  });

  it('has all points that are equal, or none of them', () => {
    const twice = [
      [1, 2],
      [2, 2],
      [1, 2],
      [2, 2],
      [0, 3],
      [0, 3],
    ];
    expect(paretoFront(twice, ['minimise', 'minimise'])).toEqual([0, 2, 4, 5]);
    expect(paretoFront([[0], [-0], [1]], ['minimise'])).toEqual([0, 1]);
  });

  it('has the best of a single objective, one point alone, and nothing of nothing', () => {
    expect(paretoFront([[3], [1], [2], [1]], ['minimise'])).toEqual([1, 3]);
    expect(paretoFront([[3], [1], [2], [1]], ['maximise'])).toEqual([0]);
    expect(paretoFront([[7, 7, 7]], ['minimise', 'minimise', 'minimise'])).toEqual([0]);
    expect(paretoFront([], ['minimise'])).toEqual([]);
  });

  it.each([1, 2, 3, 4, 5])('of %d objectives is that of comparing all with all', (objectives) => {
    const goals = Array.from({ length: objectives }, (_, at): Goal => {
      return at % 2 === 0 ? 'minimise' : 'maximise';
    });
    // Few levels make ties, many make wide fronts.
    for (const [at, levels] of [2, 3, 5, 10, 1000].entries()) {
      for (let seed = 1; seed <= 20; seed++) {
        const points = random(100 * at + seed, 40, objectives, levels);
        expect(paretoFront(points, goals)).toEqual(byComparing(points, goals));
      }
    }
  });

  it('takes infinities, and nothing that is no number', () => {
    const never = Number.POSITIVE_INFINITY;
    const points = [
      [never, 1],
      [5, 2],
      [never, 2],
    ];
    expect(paretoFront(points, ['minimise', 'minimise'])).toEqual([0, 1]);
    expect(() => paretoFront([[Number.NaN]], ['minimise'])).toThrow('number');
    expect(() => paretoFront([[1, 2]], ['minimise'])).toThrow('each objective');
  });

  it.each([2, 3])('of 10 000 points in %d objectives takes well under a second', (objectives) => {
    // All of them on the front, which is the slowest there is.
    const points = random(1, 10_000, objectives, 1e9).map((point) => {
      const length = Math.sqrt(point.reduce((sum, value) => sum + value * value, 0));
      return point.map((value) => value / length);
    });
    const goals = Array<Goal>(objectives).fill('maximise');
    const startedMs = performance.now();
    expect(paretoFront(points, goals).length).toBeGreaterThan(9_990);
    expect(performance.now() - startedMs).toBeLessThan(1000);
  });
});
