/** The points of grids: scenarios/study/designs/grid.ts. */
import { describe, expect, it } from 'vitest';
import { gridPoints, gridSize } from '../../../../scenarios/study/designs/grid.ts';

describe('a grid', () => {
  it('has every level with every other, the last parameter fastest', () => {
    expect(gridPoints([2, 3])).toEqual([
      [0, 0],
      [0, 1],
      [0, 2],
      [1, 0],
      [1, 1],
      [1, 2],
    ]);
  });

  it('has as many points as the levels multiply to, all different', () => {
    const levels = [3, 1, 4, 2];
    const points = gridPoints(levels);
    expect(points).toHaveLength(gridSize(levels));
    expect(new Set(points.map(String)).size).toBe(24);
    for (const [at, count] of levels.entries()) {
      const seen = new Set(points.map((point) => point[at]));
      expect([...seen].sort()).toEqual(Array.from({ length: count }, (_, level) => level));
    }
  });

  it('of no parameter is one point', () => {
    expect([gridPoints([]), gridSize([])]).toEqual([[[]], 1]);
  });

  it('has a level of each parameter', () => {
    expect(() => gridPoints([2, 0])).toThrow('level');
    expect(() => gridPoints([1.5])).toThrow('level');
  });
});
