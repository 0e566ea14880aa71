/** Copies that are made in steps (docs/decisions/0055). */
import { describe, expect, it } from 'vitest';
import { Copies } from '../../core/base/copies.ts';
import type { Steps } from '../../core/base/in-steps.ts';

/** Copies what the numbers are, one a step, into a list. */
function* copying(from: readonly number[], to: number[]): Steps<void> {
  for (const [i, each] of from.entries()) {
    if (i > 0) yield;
    to.push(each);
  }
}

describe('a copy', () => {
  it('is there at once if it is small, and else a step at a time', () => {
    const copies = new Copies();
    const [small, large]: [number[], number[]] = [[], []];
    expect(copies.begin(copying([7], small)).isDone).toBe(true);
    const copy = copies.begin(copying([1, 2, 3], large));
    expect([small, large, copy.isDone]).toEqual([[7], [1], false]);
    expect([copies.step(), large]).toEqual([true, [1, 2]]);
    expect([copies.step(), large]).toEqual([true, [1, 2, 3]]);
    copies.step();
    expect([copies.step(), copy.isDone]).toEqual([false, true]);
  });

  it('is finished before something changes, anyone who made how much of it', () => {
    const copies = new Copies();
    const created: number[][] = [[], [], []];
    const [one, other, done] = created.map((to) => copies.begin(copying([1, 2, 3, 4], to)));
    one!.ready().next();
    for (const _ of done!.ready());
    copies.finish();
    expect(created).toEqual([1, 2, 3].map(() => [1, 2, 3, 4]));
    expect([...other!.ready()]).toEqual([]);
  });

  it('does not gather where readers leave: of many the oldest is finished', () => {
    const copies = new Copies();
    const all = Array.from({ length: 40 }, () => copies.begin(copying([1, 2, 3], [])));
    expect(all.filter(({ isDone }) => !isDone)).toHaveLength(16);
    expect(all.findIndex(({ isDone }) => !isDone)).toBe(24);
  });
});
