/** Turns on the event loop (docs/decisions/0102). */
import { expect, it } from 'vitest';
import { Turns } from '../../../api/host/process/turns.ts';

/** A loop by hand: `pass` is one iteration; `done` has who had a turn, in order. */
function loop() {
  let nowMs = 0;
  let next: (() => void)[] = [];
  const done: string[] = [];
  const turns = new Turns(
    () => nowMs,
    (turn) => void next.push(turn),
  );
  const work = (name: string, ms: number) => () => {
    nowMs += ms;
    done.push(name);
  };
  const pass = () => {
    const turn = next;
    next = [];
    for (const each of turn) each();
  };
  const rest = () => {
    while (next.length > 0) pass();
  };
  /** The passes of one turn. */
  const turn = () => {
    const { length } = done;
    while (next.length > 0 && done.length === length) pass();
  };
  return { turns, work, turn, rest, done, now: () => nowMs };
}

it('work is done at once where nobody waits', () => {
  const { turns, work, done } = loop();
  for (let i = 0; i < 5; i++) turns.take('ann', work('ann', 1));
  expect(done).toHaveLength(5);
});

it('a turn ends once it has cost ten milliseconds, and the rest waits for the next one', () => {
  const { turns, work, turn, done } = loop();
  for (let i = 0; i < 30; i++) turns.take('ann', work('ann', 4));
  expect(done).toHaveLength(3);
  turn();
  expect(done).toHaveLength(6);
});

it('who comes behind a hundred costly requests of another waits for one of them', () => {
  const { turns, work, turn, done, now } = loop();
  for (let i = 0; i < 100; i++) turns.take('eve', work('eve', 30));
  turn();
  const cameMs = now();
  turns.take('ann', work('ann', 1));
  while (!done.includes('ann')) turn();
  expect(now() - cameMs).toBeLessThanOrEqual(31);
});

it('callers share the loop by what they cost, and none saves time up', () => {
  const { turns, work, turn, rest, done } = loop();
  turns.take('ann', work('ann', 1));
  for (let i = 0; i < 40; i++) turns.add('eve', work('eve', 10));
  for (let i = 0; i < 20; i++) turn();
  const before = done.length;
  for (let i = 0; i < 10; i++) turns.add('ann', work('ann', 10));
  for (let i = 0; i < 10; i++) turn();
  const ofEve = done.slice(before).filter((each) => each === 'eve').length;
  expect([4, 5, 6]).toContain(ofEve);
  rest();
  expect(done).toHaveLength(51);
});

it('work that throws has had its turn', () => {
  const { turns, work, rest, done } = loop();
  const fails = () => {
    throw new Error('it fails');
  };
  expect(() => turns.take('ann', fails)).toThrow('it fails');
  turns.add('ann', work('ann', 1));
  rest();
  expect(done).toEqual(['ann']);
});
