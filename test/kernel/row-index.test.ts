/** Rows by words against a list of pairs, with words that many rows share. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NONE } from '../../sim/kernel/columns.ts';
import { RowIndex, wordOf } from '../../sim/kernel/row-index.ts';

/** Few words, so that they meet, and some that are far apart. */
const word = fc.oneof(fc.nat(5), fc.constantFrom(2 ** 31, 2 ** 32 - 1, 0x2600_0001));
const steps = fc.array(
  fc.record({ does: fc.constantFrom('add', 'add', 'remove', 'reserve'), word, row: fc.nat(40) }),
  { maxLength: 120, size: 'max' },
);

it('an index of rows finds each row by its word, and no other, whatever came and went', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const index = new RowIndex();
      const words = new Map<number, number>();
      for (const step of all) {
        if (step.does === 'reserve') index.reserve(step.row);
        else if (step.does === 'remove') {
          index.remove(step.word, step.row);
          if (words.get(step.row) === step.word) words.delete(step.row);
        } else if (!words.has(step.row)) {
          index.add(step.word, step.row);
          words.set(step.row, step.word);
        }
        expect(index.size).toBe(words.size);
      }
      for (let row = 0; row <= 40; row++) {
        for (const one of [0, 1, 2, 3, 4, 5, 2 ** 31, 2 ** 32 - 1, 0x2600_0001]) {
          const isThere = words.get(row) === one;
          expect(index.find(one, (found) => found === row)).toBe(isThere ? row : NONE);
        }
      }
      index.clear();
      expect([index.size, index.find(3)]).toEqual([0, NONE]);
    }),
  );
});

it('the words of a hundred thousand EUIs are as many, but for some that chance makes equal', () => {
  const words = new Set<number>();
  for (let i = 0; i < 100_000; i++)
    words.add(wordOf(i.toString(16).toUpperCase().padStart(16, '0')));
  expect(words.size).toBeGreaterThan(99_950);
});
