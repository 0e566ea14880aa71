/** Members by the time they are due, and by their place where that is the same. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addDue, type DueEntry, type DueList, takeDue } from '../../../core/base/due-list.ts';

const entries = fc.record({ atUs: fc.nat(9), member: fc.nat(9) });
const inOrder = (list: readonly DueEntry[]) =>
  [...list].sort((a, b) => a.atUs - b.atUs || a.member - b.member);

it('a list of who is due gives its first entry, as often as one is taken between others', () => {
  const step = fc.option(entries, { freq: 2, nil: undefined });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const list: DueList = [];
      let naive: DueEntry[] = [];
      for (const entry of steps) {
        if (entry === undefined) {
          const [first, ...rest] = naive;
          expect(takeDue(list)).toEqual(first);
          naive = rest;
        } else {
          addDue(list, entry);
          naive = inOrder([...naive, entry]);
        }
        expect(list).toHaveLength(naive.length);
        expect(list[0]).toEqual(naive[0]);
      }
      expect(naive.map(() => takeDue(list))).toEqual(naive);
      expect(takeDue(list)).toBeUndefined();
    }),
  );
});
