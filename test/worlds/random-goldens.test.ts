/**
 * Outcomes of random worlds over all knobs, to the last bit: they reach rare branches that no
 * scenario of the library reaches. Each world is saved and restored on its way, so a field that a
 * snapshot forgets shows too. `random-goldens.json` has a row for each world; `npm run goldens`
 * writes it. Where `drawn` is another, the generators have changed; otherwise the product has.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { codecEngine } from '../../api/host/codecs/codec-engine.ts';
import type { WorldOptions } from '../../core/world/options.ts';
import { type Run, World } from '../../core/world/world.ts';
import type { ArbitraryWorld } from '../../scenarios/testing/generators/arbitraries.ts';
import { Recorder } from '../../scenarios/trace.ts';
import { anyWorld } from '../soak/any-world.ts';
import { wrongAnswers } from '../support/every-query.ts';
import { quickly } from '../support/long.ts';
import { throughBytes } from '../support/worlds.ts';

const TABLE = new URL('random-goldens.json', import.meta.url);
const SEED = 42;
/** After which a world is left: the worlds are small, and there are many. */
const EVENTS_MAX = 3_000;
/** Between two restores. */
const EVENTS_AT_ONCE = 1_000;

interface Golden {
  /** The plan, the seed and the commands. */
  readonly drawn: string;
  readonly events: number;
  /** Digests and the result, the state included. */
  readonly outcome: string;
  /** Answers of all commands and, in the end, of all queries. */
  readonly answers: string;
  /** Every event of the air. */
  readonly trace: string;
  /** Rows in use of each pool: one that is not given back shows nowhere else. */
  readonly rows: string;
}

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value, plain)).digest('hex').slice(0, 16);

/** Bytes and numbers as JSON has them: not a key for each byte, and no null for infinity. */
const plain = (_: string, value: unknown): unknown =>
  value instanceof Uint8Array
    ? Buffer.from(value).toString('base64')
    : typeof value === 'number' && !Number.isFinite(value)
      ? String(value)
      : value;

/** Stops after some events, and puts what `act` makes of the world in its place. */
type Act = (world: Run, options: WorldOptions) => Run;

const straight: Act = (world) => world;

const restored: Act = (world, options) =>
  World.restore(world.plan, world.seed, throughBytes(world.snapshot()), options);

function goldenOf({ plan, seed, commands }: ArbitraryWorld, act: Act): Golden {
  const observer = new Recorder();
  const options = { codecs: codecEngine(), observer };
  let world: Run = World.create(plan, seed, options);
  const answers: unknown[] = [];
  const runUntil = (untilUs: number): boolean => {
    while (world.events < EVENTS_MAX) {
      const left = EVENTS_MAX - world.events;
      if (world.runUntil(untilUs, Math.min(left, EVENTS_AT_ONCE))) return true;
      world = act(world, options);
    }
    return false;
  };
  for (const { atUs, command } of commands) {
    if (!runUntil(atUs)) break;
    answers.push(world.submit(command));
  }
  runUntil(world.endUs);
  wrongAnswers(world, new Set(), (query, answer) => answers.push(query, answer));
  return {
    drawn: hashOf([plan, seed, commands]),
    events: world.events,
    outcome: hashOf([world.digest(), world.result()]),
    answers: hashOf(answers),
    trace: hashOf(observer.rows),
    rows: hashOf(poolsIn(world.snapshot())),
  };
}

/** Names and rows in use of all pools in a saved state. */
function poolsIn(saved: unknown, name = ''): (readonly [name: string, rows: number])[] {
  if (typeof saved !== 'object' || saved === null || ArrayBuffer.isView(saved)) return [];
  const { live } = saved as { readonly live?: unknown };
  if ('free' in saved && typeof live === 'number') return [[name, live]];
  return Object.entries(saved).flatMap(([key, value]) => poolsIn(value, `${name}/${key}`));
}

const known = JSON.parse(readFileSync(TABLE, 'utf8')) as Record<string, Golden>;
const isWritten = process.env.FLEETWAVE_GOLDENS === 'write';
const numbers = Object.keys(known).map(Number);
const tried = isWritten ? numbers : quickly(numbers, (_, at) => at % 8 === 0);
const written: Record<string, Golden> = {};

describe('a random world that is restored has the same outcome, to the last bit', () => {
  it.each(tried)('%i', (number) => {
    const world = anyWorld(SEED, number);
    const golden = goldenOf(world, restored);
    if (!isWritten) return expect(golden).toEqual(known[number]);
    // A restore shows in nothing but when the trace has what is decided late.
    expect(golden).toEqual({ ...goldenOf(world, straight), trace: golden.trace });
    written[number] = golden;
  });
});

afterAll(() => {
  if (isWritten) writeFileSync(TABLE, `${JSON.stringify(written, null, 2)}\n`);
});
