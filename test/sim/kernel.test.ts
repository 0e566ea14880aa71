/** The kernel's data structures: columns, pools, slots, chains, digest. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteSlots } from '../../sim/kernel/byte-slots.ts';
import { insertByRank, removeRow, takeFirst } from '../../sim/kernel/chain.ts';
import {
  f64,
  i32,
  NONE,
  opaque,
  Pool,
  type SavedTable,
  Table,
  u8,
  wide,
} from '../../sim/kernel/columns.ts';
import { Digest } from '../../sim/kernel/digest.ts';

const digestOf = (fold: (digest: Digest) => void): string => {
  const digest = new Digest();
  fold(digest);
  return digest.hex();
};

describe('a table', () => {
  const specs = { time: f64, count: i32, key: opaque(wide(u8, 4)) };
  const rows = fc.array(
    fc.record({
      time: fc.maxSafeInteger(),
      count: fc.integer(),
      key: fc.uint8Array({ size: 'max', minLength: 4, maxLength: 4 }),
    }),
    { maxLength: 80, size: 'max' },
  );
  const fill = (values: readonly { time: number; count: number; key: Uint8Array }[]) => {
    const table = new Table(specs, 1);
    for (const { time, count, key } of values) {
      const row = table.add();
      table.column.time[row] = time;
      table.column.count[row] = count;
      table.column.key.set(key, row * 4);
    }
    return table;
  };

  it('keeps its rows when its capacity grows', () => {
    fc.assert(
      fc.property(rows, (values) => {
        const { column } = fill(values);
        values.forEach(({ time, count, key }, row) => {
          expect(column.time[row]).toBe(time);
          expect(column.count[row]).toBe(count);
          expect([...column.key.subarray(row * 4, row * 4 + 4)]).toEqual([...key]);
        });
      }),
    );
  });

  it('is the same after a save and a load, and then goes its own way', () => {
    fc.assert(
      fc.property(rows, (values) => {
        const table = fill(values);
        const copy = new Table(specs);
        copy.load(table.save());
        expect(copy.save()).toEqual(table.save());
        const row = copy.add();
        copy.column.count[row] = 7;
        expect(table.rows).toBe(values.length);
      }),
    );
  });

  it('keeps one row of a column whose rows are alike, and all where a single byte differs', () => {
    const alike = { time: -0, count: 1_000_001, key: Uint8Array.of(1, 2, 3, 4) };
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 40 }), fc.nat(), fc.nat(3), (count, at, byte) => {
        const values = Array.from({ length: count }, () => alike);
        const lengths = ({ columns }: SavedTable) => Object.values(columns).map((c) => c.length);
        expect(lengths(fill(values).save())).toEqual([1, 1, 4]);
        const key = alike.key.slice();
        key[byte]! ^= 0x80;
        values[at % count] = { time: 0, count: alike.count + 1, key };
        const table = fill(values);
        expect(lengths(table.save())).toEqual([count, count, 4 * count]);
        for (const each of [table, fill(values.map(() => alike))]) {
          const copy = fill([{ time: 5, count: 5, key: new Uint8Array(4).fill(5) }]);
          copy.load(each.save());
          const until = { time: count, count, key: 4 * count } as const;
          for (const name of ['time', 'count', 'key'] as const) {
            const numbers = (one: typeof copy) => [...one.column[name].subarray(0, until[name])];
            expect(numbers(copy)).toEqual(numbers(each));
          }
        }
      }),
    );
  });

  it('keeps all of a column of bytes with one that differs, wherever it stands', () => {
    for (let count = 2; count < 12; count++) {
      for (let at = 0; at < count; at++) {
        const table = new Table({ byte: u8 }, 1);
        for (let row = 0; row < count; row++) table.add();
        table.column.byte[at] = 1;
        expect(table.save().columns.byte).toHaveLength(count);
      }
    }
  });

  it('begins new rows with zeros after a load', () => {
    const table = fill([{ time: 1, count: 2, key: Uint8Array.of(1, 2, 3, 4) }]);
    const copy = fill(
      Array.from({ length: 9 }, () => ({ time: 5, count: 5, key: new Uint8Array(4).fill(5) })),
    );
    copy.load(table.save());
    const row = copy.add();
    expect([row, copy.column.time[row], copy.column.key[4 * row]]).toEqual([1, 0, 0]);
  });

  it('folds what decides, and only that, into a digest', () => {
    const one = { time: 3, count: 4, key: Uint8Array.of(1, 2, 3, 4) };
    const fold = (row: typeof one) => digestOf((digest) => fill([row]).digestRow(0, digest));
    expect(fold({ ...one, key: new Uint8Array(4) })).toBe(fold(one));
    expect(fold({ ...one, count: 5 })).not.toBe(fold(one));
    expect(fold({ ...one, time: 2 ** 40 + 3 })).not.toBe(fold(one));
  });
});

describe('a pool', () => {
  const make = () => new Pool({ next: opaque(i32), value: i32 }, 1);

  it('never hands out a row that is in use', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(20)), { maxLength: 60, size: 'max' }), (steps) => {
        const pool = make();
        const used: number[] = [];
        for (const step of steps) {
          if (step === null || used.length === 0) {
            const row = pool.take();
            expect(used).not.toContain(row);
            used.push(row);
          } else pool.give(used.splice(step % used.length, 1)[0]);
          expect(pool.live).toBe(used.length);
        }
      }),
    );
  });

  it('hands out the same rows after a save and a load', () => {
    const pool = make();
    const rows = [pool.take(), pool.take(), pool.take()];
    for (const row of [rows[1], rows[0]]) pool.give(row);
    const copy = make();
    copy.load(pool.save());
    const next = (one: typeof pool) => [one.take(), one.take(), one.take(), one.live];
    expect(next(copy)).toEqual(next(pool));
  });

  it('refuses more than it handed out', () => {
    const pool = make();
    const row = pool.take();
    pool.give(row);
    expect(() => pool.give(row)).toThrow('a pool gets back only what it handed out');
  });
});

describe('byte slots', () => {
  it('give back the frame that was put in', () => {
    const frames = fc.array(fc.uint8Array({ maxLength: 255, size: 'max' }), { maxLength: 20 });
    fc.assert(
      fc.property(frames, (some) => {
        const slots = new ByteSlots();
        const held = some.map((frame) => {
          const slot = slots.take();
          slots.copyIn(slot, frame, frame.length);
          return slot;
        });
        const out = new Uint8Array(256);
        some.forEach((frame, i) => {
          expect(slots.length(held[i])).toBe(frame.length);
          expect(slots.copyOut(held[i], out)).toBe(frame.length);
          expect([...out.subarray(0, frame.length)]).toEqual([...frame]);
        });
        for (const slot of held) slots.give(slot);
        expect(slots.live).toBe(0);
      }),
    );
  });

  it('take no notice of a slot that was never taken', () => {
    const slots = new ByteSlots();
    slots.give(NONE);
    expect(slots.live).toBe(0);
  });
});

describe('a chain', () => {
  it('holds its rows by rank, equal ranks in the order of arrival', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(6), { maxLength: 20 }), fc.nat(19), (ranks, removed) => {
        const heads = Int32Array.of(NONE);
        const next = new Int32Array(ranks.length);
        const rank = Float64Array.from(ranks);
        for (const row of ranks.keys()) insertByRank(heads, 0, next, rank, row);
        const order = ranks.map((_, row) => row).sort((a, b) => ranks[a] - ranks[b] || a - b);
        if (removed < ranks.length) {
          removeRow(heads, 0, next, removed);
          order.splice(order.indexOf(removed), 1);
        }
        const taken: number[] = [];
        for (let row = takeFirst(heads, 0, next); row !== NONE; row = takeFirst(heads, 0, next)) {
          taken.push(row);
        }
        expect(taken).toEqual(order);
      }),
    );
  });
});

describe('a digest', () => {
  const folds = fc.array(fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -5, max: 5 })), {
    minLength: 1,
  });
  const of = (values: readonly number[]) =>
    digestOf((digest) => {
      for (const value of values) digest.addNumber(value);
    });

  it('differs when one number differs', () => {
    fc.assert(
      fc.property(folds, fc.nat(), fc.integer({ min: 1, max: 2 ** 32 }), (values, at, by) => {
        const place = at % values.length;
        const changed = values.with(
          place,
          values[place] > 0 ? values[place] - by : values[place] + by,
        );
        expect(of(changed)).not.toBe(of(values));
      }),
    );
  });

  it('differs when two numbers change places', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (a, b) => {
        fc.pre(a !== b);
        expect(of([a, b])).not.toBe(of([b, a]));
      }),
    );
  });

  it('goes on from its saved state as from itself', () => {
    fc.assert(
      fc.property(folds, folds, (before, after) => {
        const digest = new Digest();
        for (const value of before) digest.addNumber(value);
        const restored = new Digest();
        restored.load(digest.save());
        for (const value of after) restored.addNumber(value);
        expect(restored.hex()).toBe(of([...before, ...after]));
        expect(digest.hex()).toBe(of(before));
      }),
    );
  });

  it('distinguishes texts by their length too', () => {
    const ofTexts = (...texts: string[]) =>
      digestOf((digest) => {
        for (const text of texts) digest.addText(text);
      });
    expect(ofTexts('ab', 'c')).not.toBe(ofTexts('a', 'bc'));
    expect(ofTexts('')).not.toBe(ofTexts());
  });

  it('is the same on every machine', () => {
    expect(of([0, 1, -1, 2 ** 32, 2 ** 53 - 1])).toBe('896e3a758cbde2ef');
    expect(digestOf(() => undefined)).toBe('243f6a8885a308d3');
  });
});
