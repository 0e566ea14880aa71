/** Notation for tests of whole worlds: a generated one carried out in one of several ways. */
import { createHash } from 'node:crypto';
import { serialize } from 'node:v8';
import type { Content } from '../../core/base/contents.ts';
import type { RunResult } from '../../core/result/result.ts';
import type { WorldOptions } from '../../core/world/options.ts';
import { packSnapshot, unpackSnapshot } from '../../core/world/snapshot.ts';
import { type Run, type Snapshot, World } from '../../core/world/world.ts';
import type { ArbitraryWorld } from '../../scenarios/testing/generators/arbitraries.ts';
import { asReported } from './answers.ts';

/** All that is compared of a world. */
export interface Outcome {
  readonly outcome: string;
  readonly full: string;
  readonly result: RunResult;
}

export const outcomeOf = (world: Run): Outcome => ({ ...world.digest(), result: world.result() });

/** A way to bring a world to an instant: itself, or another that goes on in its place. */
export type Way = (world: Run, untilUs: number) => Run;

export const straight: Way = (world, untilUs) => {
  world.runUntil(untilUs);
  return world;
};

/** The commands at their stamps, each answered as its row says, then on to the end. */
export function carryOut(
  { plan, seed, commands }: ArbitraryWorld,
  way: Way = straight,
  options: WorldOptions = {},
): Run {
  let world = World.create(plan, seed, options);
  for (const { atUs, command } of commands) {
    world = way(world, atUs);
    asReported(command.kind, world.submit(command));
  }
  return way(world, world.endUs);
}

/** The outcome of a run without interruption. */
export const straightOn = (world: ArbitraryWorld): Outcome => outcomeOf(carryOut(world));

const outcomes = new Map<string, Outcome>();

/**
 * The same, of the first such run of an equal world. Laws with one seed are tried on the same
 * worlds, so each of them is run without interruption once, and not once a law.
 */
export function knownOutcome(world: ArbitraryWorld): Outcome {
  const key = createHash('sha256').update(serialize(world)).digest('base64');
  const outcome = outcomes.get(key) ?? straightOn(world);
  outcomes.set(key, outcome);
  return outcome;
}

/** Stops again and again, by the pattern `steps`; `act` may put another world in its place. */
export function stopping(steps: readonly number[], act: (world: Run) => Run): Way {
  let next = 0;
  return (world, untilUs) => {
    let present = world;
    while (!present.runUntil(untilUs, steps[next++ % steps.length])) present = act(present);
    return present;
  };
}

/** Through bytes and back: only plain data survives it unchanged. */
export function throughBytes(snapshot: Snapshot): Snapshot {
  const { origin } = snapshot;
  const bytes = packSnapshot(snapshot, origin);
  const unpacked = unpackSnapshot(bytes, origin, beside(snapshot.contents).contents);
  if (!unpacked.ok) throw new Error(unpacked.failure.message);
  return unpacked.value as Snapshot;
}

/** Contents, stored beside a snapshot as bytes. */
export function beside(contents: readonly Content[]) {
  const stored = new Map(contents.map(({ sha256, bytes }) => [sha256, bytes]));
  return { contents: (sha256: string) => stored.get(sha256) };
}
