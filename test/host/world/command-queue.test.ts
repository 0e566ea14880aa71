/** Commands that wait to be durable take turns by what they cost (docs/decisions/0102). */
import { expect, it } from 'vitest';
import { CommandLine } from '../../../api/host/world/command-queue.ts';

const line = () => new CommandLine<string, string>();

/** All turns until nothing waits; each command costs so much, by the first letter of its name. */
function turnsOf(waiting: CommandLine<string, string>, costMs: Readonly<Record<string, number>>) {
  const turns: string[][] = [];
  while (!waiting.isEmpty) {
    const turn = waiting.take();
    for (const each of turn) waiting.cost(each[0]!, costMs[each[0]!] ?? 0);
    if (turn.length > 0) turns.push([...turn]);
    const act = waiting.takeBetween();
    if (act !== undefined) turns.push([act]);
  }
  return turns;
}

it('commands are taken in the order in which they came', () => {
  const waiting = line();
  for (const each of ['a1', 'b1', 'a2', 'b2']) waiting.add(each[0]!, each);
  expect(turnsOf(waiting, {})).toEqual([['a1', 'b1', 'a2', 'b2']]);
});

it('a subscriber whose commands cost much has few in a turn, and others go beside him', () => {
  const waiting = line();
  for (let i = 0; i < 200; i++) waiting.add('e', `e${i}`);
  for (let i = 0; i < 4; i++) waiting.add('a', `a${i}`);
  const turns = turnsOf(waiting, { e: 30 });
  expect(turns[0]!.slice(-4)).toEqual(['a0', 'a1', 'a2', 'a3']);
  expect(turns[0]!).toHaveLength(24);
  expect(turns.slice(5, -1).every((turn) => turn.length === 1)).toBe(true);
  expect(turns.flat().filter((each) => each.startsWith('e'))).toHaveLength(200);
});

it('cheap commands go a thousand at a time', () => {
  const waiting = line();
  for (let i = 0; i < 6_000; i++) waiting.add('a', `a${i}`);
  const turns = turnsOf(waiting, { a: 0.005 });
  expect(turns.at(-2)).toHaveLength(1_024);
  expect(turns.flat()).toEqual(Array.from({ length: 6_000 }, (_, i) => `a${i}`));
});

it('an act waits for what came before it, and holds what came after it', () => {
  const waiting = line();
  for (let i = 0; i < 30; i++) waiting.add('e', `e${i}`);
  waiting.addBetween('act');
  waiting.add('a', 'a0');
  waiting.addBetween('last');
  const all = turnsOf(waiting, { e: 30 }).flat();
  expect(all.indexOf('act')).toBe(30);
  expect(all.slice(-3)).toEqual(['act', 'a0', 'last']);
});
