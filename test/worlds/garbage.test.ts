/** Commands cannot poison a log: whatever is submitted, the log leads to the same world. */
import { decode, encode } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../core/command.ts';
import type { Query } from '../../core/query.ts';
import type { LogEntry } from '../../core/world/log.ts';
import { World } from '../../core/world/world.ts';
import type { Result } from '../../sim/base/result.ts';
import { Garbage } from '../support/garbage.ts';
import { eui, HOUR_US, networkOf, SECOND_US } from '../support/small-network.ts';

const PLAN = {
  name: 'garbage',
  description: '',
  durationUs: 24 * HOUR_US,
  network: {
    ...networkOf({ devices: 6, gatewaysAt: [100, 200] }),
    startUnixMs: Date.UTC(2026, 0),
  },
  timeline: [],
};

/** `FLEETWAVE_COMMANDS=100000` submits more. */
const COUNT = Number(process.env.FLEETWAVE_COMMANDS ?? 10_000);

/** Submits so many commands over some hours; the world, its log and what was answered. */
function submitted(count: number, seed: string, isAsked: boolean) {
  const log: LogEntry[] = [];
  const world = World.create(PLAN, seed, { log: (entry) => log.push(entry) });
  const words = new Map<string, string[]>();
  const devices = [1, 2, 3, 4, 5, 6].map((n) => eui('02', n));
  const known = { devices, gateways: [eui('06', 1), eui('06', 2)], words };
  const commands = new Garbage(`${seed} commands`, known);
  const queries = new Garbage(`${seed} queries`, known);
  const counts = new Map<string, number>();
  for (let i = 0; i < count; i++) {
    const command = commands.command() as Command;
    const isAdmitted = world.admit(command).ok;
    const logged = log.length;
    const answer = world.submit(command) as Result<unknown>;
    expect(log.length - logged).toBe(isAdmitted ? 1 : 0);
    const said = answer.ok ? command.kind : answer.failure.code;
    counts.set(said, (counts.get(said) ?? 0) + 1);
    if (answer.ok)
      words.set(
        command.by ?? '',
        [...(words.get(command.by ?? '') ?? []), ...wordsIn(answer.value)].slice(-50),
      );
    if (isAsked) world.ask(queries.query() as Query);
    if (commands.below(50) === 0) world.runUntil(world.nowUs + commands.below(600) * SECOND_US);
  }
  return { world, log, counts };
}

/** Ids and names in an answer. */
const wordsIn = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(wordsIn)
      : [];

describe('a log of what anybody submits', () => {
  it('leads to the same world after it was bytes, whatever was asked', { timeout: 120_000 }, () => {
    const { world, log, counts } = submitted(COUNT, 'garbage', true);
    expect(counts.size).toBeGreaterThan(40);
    const again = World.replay(PLAN, 'garbage', decode(encode(log)) as LogEntry[]);
    again.runUntil(world.nowUs);
    expect(again.digest()).toEqual(world.digest());
  });
});
