import { describe, expect, it } from 'vitest';
import { Table, u8 } from '../../sim/kernel/columns.ts';
import { KeyColumn } from '../../sim/kernel/key-column.ts';

const keyOf = (byte: number) => new Uint8Array(16).fill(byte);

function columnOf(rows: number, capacity = 4) {
  const table = new Table({ any: u8 }, capacity);
  const keys = new KeyColumn(table, (row, out) => out.fill(row + 1));
  for (let row = 0; row < rows; row++) table.add();
  return { table, keys };
}

describe('a column of keys', () => {
  it('has no memory while all its keys are what is derived', () => {
    const { keys } = columnOf(3);
    keys.set(1, keyOf(2));
    expect(keys.save()).toHaveLength(0);
    expect([0, 1, 2].map((row) => keys.copyOf(row))).toEqual([keyOf(1), keyOf(2), keyOf(3)]);
  });

  it('keeps what the others derived when one is set', () => {
    const { keys } = columnOf(3);
    keys.set(1, keyOf(9));
    expect([0, 1, 2].map((row) => keys.copyOf(row))).toEqual([keyOf(1), keyOf(9), keyOf(3)]);
    expect(keys.save()).toHaveLength(48);
  });

  it('grows with its table, and a key is written in its place', () => {
    const { table, keys } = columnOf(2, 2);
    keys.set(0, keyOf(7));
    const row = table.add();
    const { keys: bytes, at } = keys.place(row);
    bytes.fill(8, at, at + 16);
    expect([0, 1, 2].map((each) => keys.copyOf(each))).toEqual([keyOf(7), keyOf(2), keyOf(8)]);
    expect(() => keys.place(3)).toThrow(/a key is that of a row/);
  });

  it('has what is derived where a row is left to that, with memory or without', () => {
    for (const set of [undefined, keyOf(9)]) {
      const { table, keys } = columnOf(2, 2);
      if (set !== undefined) keys.set(0, set);
      const row = table.add();
      keys.setDerived(row);
      expect(keys.copyOf(row)).toEqual(keyOf(3));
      expect(keys.save()).toHaveLength(set === undefined ? 0 : 48);
    }
    const { keys } = columnOf(2);
    keys.set(1, keyOf(9));
    keys.setDerived(1);
    expect(keys.copyOf(1)).toEqual(keyOf(2));
  });

  it('is the same after a snapshot, whether it was there or not', () => {
    for (const set of [undefined, keyOf(5)]) {
      const { keys } = columnOf(3);
      if (set !== undefined) keys.set(2, set);
      const { keys: copy } = columnOf(3);
      copy.set(0, keyOf(200));
      copy.load(keys.save());
      for (let row = 0; row < 3; row++) expect(copy.copyOf(row)).toEqual(keys.copyOf(row));
      expect(copy.save()).toEqual(keys.save());
    }
  });
});
