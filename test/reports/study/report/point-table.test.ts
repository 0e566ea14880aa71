/** Points of a study as rows of plain values: reports/study/report/point-table.ts. */
import { describe, expect, it } from 'vitest';
import { pointTable } from '../../../../reports/study/report/point-table.ts';
import {
  eightLevels,
  everyStudy,
  fiveByFour,
  halfDone,
  sampled,
} from '../../../support/designed-studies.ts';

/** Of one point, by the columns' names. */
function rowOf(study: ReturnType<typeof eightLevels>, point: number) {
  const { columns, rows } = pointTable(study);
  return Object.fromEntries(columns.map((name, at) => [name, rows[point - 1]![at]]));
}

describe('a row', () => {
  it('has the levels as numbers in the unit of their column, names as they are', () => {
    const row = rowOf(fiveByFour(), 16);
    expect(row).toMatchObject({ point: 16, 'redundancy [%]': 30, dataRate: 'DR5' });
  });

  it('has every figure with the ends of its interval, in its own unit', () => {
    const study = fiveByFour({ shown: ['campaign.sent'] });
    const row = rowOf(study, 16);
    for (const { name, mean, meanInterval, measured } of study.points[15]!.figures) {
      expect(row[name]).toBe(mean);
      expect([row[`${name} low`], row[`${name} high`]]).toEqual(meanInterval);
      expect(row[`${name} seeds`]).toBe(measured);
    }
  });

  it('has each verdict with its seeds and the share of all seeds', () => {
    const constraint = 'campaign.updated >= 99 % in 95 % of seeds';
    const row = rowOf(eightLevels(), 6);
    expect(row).toMatchObject({
      allowed: false,
      recommended: false,
      [constraint]: false,
      [`${constraint}: held`]: 17,
      [`${constraint}: of`]: 20,
    });
    expect(row[`${constraint}: low`]).toBeCloseTo(0.6396, 3);
    expect(rowOf(eightLevels(), 7)).toMatchObject({
      allowed: true,
      recommended: true,
      onFront: true,
    });
  });

  it('is empty where nothing was measured', () => {
    expect(rowOf(halfDone(), 8)).toMatchObject({
      runs: 12,
      faults: 12,
      settled: true,
      'campaign.updated': null,
      'campaign.updated low': null,
      'campaign.updated seeds': 0,
    });
  });
});

describe('the table', () => {
  it('has a row a point with a value for each column, and every column’s name once', () => {
    for (const study of [...everyStudy(), sampled(1000)]) {
      const { columns, rows } = pointTable(study);
      expect(rows).toHaveLength(study.points.length);
      expect(rows.every(({ length }) => length === columns.length)).toBe(true);
      expect(new Set(columns).size).toBe(columns.length);
    }
  });

  it('numbers a name that is taken', () => {
    const study = eightLevels({ knobs: [{ name: 'runs', levels: [1, 2] }] });
    expect(pointTable(study).columns.slice(0, 3)).toEqual(['point', 'runs', 'runs (2)']);
  });
});
