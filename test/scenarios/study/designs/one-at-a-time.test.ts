/** One parameter at a time: scenarios/study/designs/one-at-a-time.ts. */
import { describe, expect, it } from 'vitest';
import { oneAtATimePoints } from '../../../../scenarios/study/designs/one-at-a-time.ts';

describe('one parameter at a time', () => {
  it('is the base, and each parameter at its other levels with all others as in the base', () => {
    expect(oneAtATimePoints([1, 0, 0], [3, 1, 2])).toEqual([
      [1, 0, 0],
      [0, 0, 0],
      [2, 0, 0],
      [1, 0, 1],
    ]);
  });

  it('has each point once', () => {
    const points = oneAtATimePoints([2, 0, 3, 1], [4, 5, 6, 2]);
    expect(points).toHaveLength(1 + 3 + 4 + 5 + 1);
    expect(new Set(points.map(String)).size).toBe(points.length);
  });

  it('leaves the base that was given as it is', () => {
    const base = [0];
    oneAtATimePoints(base, [2])[0]![0] = 7;
    expect(base).toEqual([0]);
  });

  it('has a base at levels that there are', () => {
    expect(() => oneAtATimePoints([3], [3])).toThrow('levels that there are');
    expect(() => oneAtATimePoints([0], [3, 2])).toThrow('each parameter');
  });
});
