/** What a journal reports of its world: lives, names, and marks of each (decision 0066). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../../api/host/journal/entries-msgpack.ts';
import { History } from '../../../api/host/journal/history.ts';

const command = (atUs: number, id: number) =>
  ({ kind: 'command', atUs, command: { kind: 'noise', id } }) as unknown as JournalEntry;
const mark = (atUs: number, life: number): JournalEntry => ({ kind: 'clockReached', atUs, life });

function report(...entries: readonly JournalEntry[]) {
  const history = new History();
  for (const entry of entries) history.add(entry);
  const { commands, standsAtUs, life } = history.state();
  const ids = commands.map(({ command: each }) => (each as unknown as { id: number }).id);
  return { ids, standsAtUs, life, names: [...history.named.keys()] };
}

describe('the history of a world', () => {
  it('stands at its last mark, or behind its last command', () => {
    expect(report()).toMatchObject({ ids: [], standsAtUs: 0, life: 0 });
    expect(report(command(5, 1), mark(90, 0), mark(40, 0)).standsAtUs).toBe(40);
    expect(report(mark(40, 0), command(70, 1)).standsAtUs).toBe(70);
  });

  it('goes back to what was named, and forgets what came between', () => {
    const named: JournalEntry = { kind: 'named', atUs: 9, name: 'one' };
    const restored: JournalEntry = { kind: 'restored', atUs: 9, name: 'one' };
    const entries = [command(5, 1), named, command(20, 2), mark(60, 0), restored];
    expect(report(...entries)).toMatchObject({ ids: [1], standsAtUs: 9, life: 1, names: ['one'] });
    expect(report(...entries, mark(80, 0)).standsAtUs).toBe(9);
    expect(report(...entries, mark(80, 1)).standsAtUs).toBe(80);
    expect(report(...entries, command(10, 3)).ids).toEqual([1, 3]);
  });

  it('begins anew where it is restored to no name', () => {
    const entries = [command(5, 1), mark(60, 0), { kind: 'restored', atUs: 0 } as JournalEntry];
    expect(report(...entries)).toMatchObject({ ids: [], standsAtUs: 0, life: 1 });
  });

  it('reports what a list of states would, whatever is named, restored and forgotten', () => {
    const step = fc.record({
      kind: fc.constantFrom('command', 'mark', 'named', 'restored', 'forgotten', 'reset'),
      name: fc.constantFrom('a', 'b', 'c'),
      us: fc.nat(9),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const history = new History();
        let now = { ids: [] as number[], atUs: 0 };
        let life = 0;
        const names = new Map<string, typeof now>();
        steps.forEach(({ kind, name, us }, id) => {
          const atUs = now.atUs + us;
          if (kind === 'command') {
            history.add(command(atUs, id));
            now = { ids: [...now.ids, id], atUs };
          } else if (kind === 'mark') {
            history.add(mark(atUs, life));
            now = { ...now, atUs };
          } else if (kind === 'named') {
            history.add({ kind, atUs: now.atUs, name });
            names.set(name, now);
          } else if (kind === 'forgotten') {
            history.add({ kind, atUs: now.atUs, name });
            names.delete(name);
          } else {
            const to = kind === 'reset' ? { ids: [], atUs: 0 } : names.get(name);
            if (to === undefined) return;
            history.add({ kind: 'restored', atUs: to.atUs, ...(kind === 'reset' ? {} : { name }) });
            now = to;
            life++;
          }
        });
        const { commands, standsAtUs, life: lived } = history.state();
        const ids = commands.map(({ command: each }) => (each as unknown as { id: number }).id);
        expect({ ids, atUs: standsAtUs, lived }).toEqual({ ...now, lived: life });
        expect([...history.named.keys()].sort()).toEqual([...names.keys()].sort());
      }),
    );
  });
});
