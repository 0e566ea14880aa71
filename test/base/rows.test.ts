/** Rows (sim/base/rows): tables that share names. */
import { describe, expect, it } from 'vitest';
import { AssertionFailed } from '../../sim/base/assert.ts';
import type { Kind } from '../../sim/base/rows/fields.ts';
import { joinTables, spanOf } from '../../sim/base/rows/tables.ts';

const level = (least: number, most: number): Kind => ({ type: 'number', unit: 'dB', least, most });

describe('tables of rows that are joined', () => {
  const row = { type: 'whole', least: 0, most: 9, is: 'A count.' } as const;

  it('have all rows of both, and may share one', () => {
    expect(joinTables({ a: row, b: row }, { b: row, c: row })).toEqual({ a: row, b: row, c: row });
  });

  it('have no two rows of one name, such as with another range', () => {
    const wider = { ...row, most: 10 };
    expect(() => joinTables({ a: row, b: row }, { b: wider })).toThrow('one row of the name b');
  });
});

describe('the row that spans those of one name', () => {
  it('takes the widest range', () => {
    expect(spanOf('sigma', [level(0, 10), level(5, 20)])).toEqual(level(0, 20));
    expect(spanOf('sigma', [level(5, 20), level(0, 10)])).toEqual(level(0, 20));
  });

  it('takes the words of all, each once', () => {
    const words = (...of: string[]): Kind => ({ type: 'choice', words: of });
    expect(spanOf('land', [words('city', 'hill'), words('hill', 'sea')])).toEqual(
      words('city', 'hill', 'sea'),
    );
  });

  it.each([
    ['another type', level(0, 1), { type: 'whole', unit: 'dB', least: 0, most: 1 }],
    ['another unit', level(0, 1), { type: 'number', unit: 'm', least: 0, most: 1 }],
    ['words beside numbers', level(0, 1), { type: 'choice', words: ['low'] }],
    ['texts that differ', { type: 'text', most: 5 }, { type: 'text', most: 6 }],
  ] as [string, Kind, Kind][])('refuses %s', (_, one, other) => {
    expect(() => spanOf('sigma', [one, other])).toThrow(AssertionFailed);
  });
});
