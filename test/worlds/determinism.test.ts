/**
 * The determinism contract: a world is a pure function of plan, seed and command log, whatever way
 * it is carried out.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../core/world/log.ts';
import { type Run, World } from '../../core/world/world.ts';
import {
  type ArbitraryWorld,
  seeds,
  worlds,
} from '../../scenarios/testing/generators/arbitraries.ts';
import { listeners } from '../../scenarios/testing/generators/arbitrary-listeners.ts';
import { Agenda } from '../../sim/kernel/agenda.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { PATH_LOSSES } from '../../sim/radio/tables.ts';
import { IS_LONG, itLong, someRuns } from '../support/long.ts';
import {
  carryOut,
  knownOutcome,
  type Outcome,
  outcomeOf,
  stopping,
  straight,
  straightOn,
  throughBytes,
  type Way,
} from '../support/worlds.ts';

/** Each law is tried on this many worlds. */
const RUNS = { numRuns: someRuns(24, 12) };

/** Numbers of events between two stops, a few of them large. */
const steps = fc.array(
  fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 900 })),
  {
    minLength: 1,
    maxLength: 8,
  },
);

/** Some stops in a run, few enough that each can be looked at. */
const rareSteps = fc.array(fc.integer({ min: 20, max: 700 }), { minLength: 1, maxLength: 4 });

const LARGE = { devices: 40, minutes: 200, commands: 40 };

type Ask = (one: Run, world: ArbitraryWorld) => Run;

const only =
  (asks: (one: Run) => unknown): Ask =>
  (one) => {
    asks(one);
    return one;
  };

/** Everything that may be done to a world on its way; none of it may change what it leads to. */
const WAYS_TO_ASK: readonly Ask[] = [
  only((one) => one.digest()),
  only((one) => one.result()),
  only((one) => one.snapshot()),
  only((one) => one.fork().runUntil(one.nowUs + 60_000_000)),
  only((one) => [one.ask({ kind: 'campaign.list', by: 'default' }), one.progress()]),
  only((one) => one.runUntil(one.nowUs)),
  (one) => one.fork(),
  (one, { plan, seed }) => World.restore(plan, seed, throughBytes(one.snapshot())),
];

const withNetwork = (world: ArbitraryWorld, change: Partial<NetworkPlan>): ArbitraryWorld => ({
  ...world,
  plan: { ...world.plan, network: { ...world.plan.network, ...change } },
});

describe('a world produces the same outcome', () => {
  it('when it is run twice', () => {
    fc.assert(
      fc.property(worlds(), (world) => {
        expect(straightOn(world)).toEqual(knownOutcome(world));
      }),
      RUNS,
    );
  });

  it('when it is run in slices of events', () => {
    fc.assert(
      fc.property(worlds(), steps, (world, slices) => {
        const inSlices = carryOut(
          world,
          stopping(slices, (one) => one),
        );
        expect(outcomeOf(inSlices)).toEqual(knownOutcome(world));
      }),
      RUNS,
    );
  });

  it('when it is run in slices of time', () => {
    const pauses = fc.array(fc.integer({ min: 1, max: 90_000_000 }), {
      minLength: 1,
      maxLength: 9,
    });
    fc.assert(
      fc.property(worlds({ minutes: 30 }), pauses, (world, slices) => {
        let next = 0;
        const inSlices = carryOut(world, (one, untilUs) => {
          while (one.nowUs < untilUs) {
            one.runUntil(Math.min(untilUs, one.nowUs + slices[next++ % slices.length]));
          }
          return straight(one, untilUs);
        });
        expect(outcomeOf(inSlices)).toEqual(knownOutcome(world));
      }),
      RUNS,
    );
  });

  it('when it goes on from snapshots that went through bytes', () => {
    fc.assert(
      fc.property(worlds({ minutes: 30 }), rareSteps, (world, slices) => {
        const restored = carryOut(
          world,
          stopping(slices, (one) =>
            World.restore(world.plan, world.seed, throughBytes(one.snapshot())),
          ),
        );
        expect(outcomeOf(restored)).toEqual(knownOutcome(world));
      }),
      RUNS,
    );
  });

  it('when it goes on from structured clones of snapshots', () => {
    fc.assert(
      fc.property(worlds({ minutes: 30 }), rareSteps, (world, slices) => {
        const restored = carryOut(
          world,
          stopping(slices, (one) =>
            World.restore(world.plan, world.seed, structuredClone(one.snapshot())),
          ),
        );
        expect(outcomeOf(restored)).toEqual(knownOutcome(world));
      }),
      RUNS,
    );
  });

  it('when it is restored after each of its first events', () => {
    fc.assert(
      fc.property(worlds({ devices: 4, minutes: 10 }), (world) => {
        let stops = 0;
        const way = stopping([1], (one) =>
          stops++ < (IS_LONG ? 150 : 80)
            ? World.restore(world.plan, world.seed, one.snapshot())
            : one,
        );
        expect(outcomeOf(carryOut(world, way))).toEqual(knownOutcome(world));
      }),
      { numRuns: someRuns(12) },
    );
  });

  it('when its log is replayed', () => {
    fc.assert(
      fc.property(worlds(), (world) => {
        const log: LogEntry[] = [];
        const first = carryOut(world, straight, { log: (entry) => log.push(entry) });
        first.markTime();
        const again = World.replay(world.plan, world.seed, log);
        expect(outcomeOf(again)).toEqual(outcomeOf(first));
      }),
      RUNS,
    );
  });

  it('when results and digests are asked for at any time: asking changes nothing', () => {
    fc.assert(
      fc.property(worlds(), rareSteps, (world, slices) => {
        const asked = carryOut(
          world,
          stopping(slices, (one) => {
            one.result();
            one.digest();
            return one;
          }),
        );
        expect(outcomeOf(asked)).toEqual(knownOutcome(world));
      }),
      RUNS,
    );
  });

  it('when it is asked, forked, restored and run on at random', () => {
    const times = fc.array(fc.tuple(fc.nat(WAYS_TO_ASK.length - 1), fc.nat(700)), {
      minLength: 1,
      maxLength: 8,
    });
    // The undisturbed world is asked at the end only: what asking settles by itself would show.
    fc.assert(
      fc.property(fc.oneof(listeners(), worlds(LARGE)), times, (world, asks) => {
        let next = 0;
        const ways = asks.map(([way]) => WAYS_TO_ASK[way]!);
        const steps = asks.map(([, events]) => 1 + events);
        const asked = carryOut(
          world,
          stopping(steps, (one) => ways[next++ % ways.length]!(one, world)),
        );
        expect(outcomeOf(asked)).toEqual(knownOutcome(world));
      }),
      { numRuns: someRuns(30) },
    );
  });

  it('when it was forked before a command, with batteries that run empty in class B', () => {
    const [world] = fc.sample(worlds(LARGE), { numRuns: 1, seed: 4767 }) as [ArbitraryWorld];
    const forking: Way = (one, untilUs) => straight(one.fork(), untilUs);
    expect(outcomeOf(carryOut(world, forking))).toEqual(knownOutcome(world));
  });

  it('when it is observed', () => {
    fc.assert(
      fc.property(worlds(), (world) => {
        const observed = carryOut(world, straight, { observer: { trace: () => undefined } });
        expect(outcomeOf(observed)).toEqual(knownOutcome(world));
      }),
      RUNS,
    );
  });

  itLong('in a thread of its own', async () => {
    const some = fc.sample(worlds({ minutes: 20 }), 20);
    expect(await inThread(some)).toEqual(some.map(knownOutcome));
  });
});

describe('the agenda', () => {
  /** Appointments of different (kind, target); equal times are frequent. */
  const appointments = fc.uniqueArray(
    fc.record({ kind: fc.nat(7), target: fc.nat(20), atUs: fc.integer({ min: 1, max: 40 }) }),
    { selector: ({ kind, target }) => `${kind} ${target}`, maxLength: 60, size: 'max' },
  );

  it('dispatches in one total order, whatever the order of the appointments', () => {
    const permuted = appointments.chain((some) =>
      fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length })),
    );
    fc.assert(
      fc.property(permuted, ([some, shuffled]) => {
        expect(dispatched(shuffled)).toEqual(dispatched(some));
      }),
    );
  });
});

describe('a fork', () => {
  it('goes on as its original does, and leaves it alone', () => {
    fc.assert(
      fc.property(worlds({ minutes: 30 }), rareSteps, (world, slices) => {
        const forks: Run[] = [];
        const original = carryOut(
          world,
          stopping(slices, (one) => {
            const fork = one.fork();
            if (forks.length < 3) forks.push(fork);
            fork.submit({
              kind: 'device.remove',
              by: 'default',
              devEui: world.plan.network.devices[0].devEui,
            });
            fork.runUntil(one.nowUs + 60_000_000);
            return one;
          }),
        );
        expect(outcomeOf(original)).toEqual(knownOutcome(world));
      }),
      RUNS,
    );
  });

  it('ends as its original when nothing is changed', () => {
    fc.assert(
      fc.property(worlds({ minutes: 30 }), rareSteps, (world, slices) => {
        const forked = carryOut(
          world,
          stopping(slices, (one) => {
            const fork = one.fork();
            one.runUntil(one.nowUs + 60_000_000);
            return fork;
          }),
        );
        expect(outcomeOf(forked)).toEqual(knownOutcome(world));
      }),
      RUNS,
    );
  });
});

describe('counted frames', () => {
  it('lead to the same outcome as real frames, with encryption and integrity codes', () => {
    fc.assert(
      fc.property(worlds(), (world) => {
        const counted = knownOutcome(withNetwork(world, { frames: 'counted' }));
        const real = knownOutcome(withNetwork(world, { frames: 'real' }));
        expect(counted.outcome).toBe(real.outcome);
        expect({ ...counted.result, frames: 'real' }).toEqual(real.result);
      }),
      RUNS,
    );
  });
});

describe('another seed', () => {
  it('leads to another world', () => {
    fc.assert(
      fc.property(worlds(), seeds, seeds, (world, one, other) => {
        fc.pre(one !== other);
        const plan = { ...world.plan, timeline: [] };
        const reports = [one, other].map((seed) => knownOutcome({ plan, seed, commands: [] }));
        expect(reports[0].full).not.toBe(reports[1].full);
      }),
      RUNS,
    );
  });
});

describe('no draw shifts another: a device that no one hears', () => {
  const FAR = { name: 'hermit', devEui: '03FFFFFFFFFFFFFF', xMeters: 1e8, yMeters: 0 };

  it('changes nothing that the others do, wherever it stands in the plan', () => {
    fc.assert(
      fc.property(worlds(), fc.nat(30), fc.nat(2), (world, place, type) => {
        const { network } = world.plan;
        const radio = { ...network.radio, pathLoss: PATH_LOSSES.ns3LogDistance };
        const hermit = { ...FAR, type: type % network.deviceTypes.length };
        const devices = network.devices.toSpliced(place % (network.devices.length + 1), 0, hermit);
        const without = traceOf(withNetwork(world, { radio }));
        const together = traceOf(withNetwork(world, { radio, devices }));
        const others = together.filter((row) => !('device' in row) || row.device !== hermit.name);
        expect(others).toEqual(without);
      }),
      RUNS,
    );
  });
});

interface Appointment {
  readonly kind: number;
  readonly target: number;
  readonly atUs: number;
}

/** What an agenda dispatches, some of it postponed as it comes, and its digest. */
function dispatched(appointments: readonly Appointment[]) {
  const agenda = new Agenda();
  for (const { kind, target, atUs } of appointments) agenda.schedule(kind, target, atUs);
  const order: Appointment[] = [];
  while (agenda.next(100)) {
    const { kind, target, nowUs: atUs } = agenda;
    order.push({ kind, target, atUs });
    if (target % 3 === 0) agenda.schedule(kind, target, atUs + 1 + kind);
    if (target % 5 === 0) agenda.cancel(kind, target + 1);
  }
  return { order, digest: agenda.digest.hex() };
}

function traceOf(world: ArbitraryWorld): TraceRow[] {
  const rows: TraceRow[] = [];
  carryOut(world, straight, { observer: { trace: (row) => rows.push(row) } });
  return rows;
}

/** What worlds tell that are carried out in another thread, from a bundle of today's sources. */
async function inThread(some: readonly ArbitraryWorld[]): Promise<Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwave-'));
  try {
    const input = fileURLToPath(new URL('../support/world-thread.ts', import.meta.url));
    const bundle = await rolldown({ input, platform: 'node' });
    await bundle.write({ file: join(folder, 'thread.mjs'), format: 'esm' });
    await bundle.close();
    const worker = new Worker(join(folder, 'thread.mjs'), { workerData: some });
    const [response] = await once(worker, 'message');
    return response;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
