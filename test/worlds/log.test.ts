/** The log leaves a world entry by entry; a world keeps none of it, nor do its snapshots. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command, TimedCommand } from '../../core/command.ts';
import type { LogEntry } from '../../core/world/log.ts';
import type { WorldOptions } from '../../core/world/options.ts';
import { type Run, World } from '../../core/world/world.ts';
import { worlds } from '../../scenarios/testing/generators/arbitraries.ts';
import { someRuns } from '../support/long.ts';
import { eui, HOUR_US, MINUTE_US, networkOf } from '../support/small-network.ts';
import { carryOut, outcomeOf, straight, throughBytes } from '../support/worlds.ts';

const SEED = 'logged';
const MIB = 1024 * 1024;

const small = (timeline: readonly TimedCommand[] = []) => ({
  name: 'small',
  description: '',
  durationUs: HOUR_US,
  network: networkOf({ devices: 2, gatewaysAt: [100, 200] }),
  timeline,
});

/** A log, and the options of a world that writes it. */
function logbook(): { readonly log: LogEntry[]; readonly options: WorldOptions } {
  const log: LogEntry[] = [];
  return { log, options: { log: (entry) => log.push(entry) } };
}

const removal = (number: number) =>
  ({ kind: 'device.remove', by: 'default', devEui: eui('02', number) }) as const;
const group = (name: string) =>
  ({
    kind: 'deviceGroup.create',
    by: 'default',
    group: { name, devices: [eui('02', 1)] },
  }) as const;

/** Changes every list and byte array in a value. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (value instanceof Uint8Array) value.fill(0xff);
  else for (const each of Object.values(value)) spoil(each);
  if (Array.isArray(value)) value.push('spoilt');
}

describe('the log of a world', () => {
  it('has submitted commands with their stamps and time marks, in the order of time', () => {
    const { log, options } = logbook();
    const world = World.create(small(), SEED, options);
    world.submit(group('early'));
    world.submit(removal(9));
    world.runUntil(MINUTE_US);
    world.markTime();
    world.submit(removal(2));
    expect(log).toEqual([
      { kind: 'command', atUs: 0, command: group('early') },
      { kind: 'command', atUs: 0, command: removal(9) },
      { kind: 'clockReached', atUs: MINUTE_US },
      { kind: 'command', atUs: MINUTE_US, command: removal(2) },
    ]);
  });

  it('has no entries of the timeline, which the plan has', () => {
    const { log, options } = logbook();
    const world = World.create(small([{ atUs: 0, command: group('early') }]), SEED, options);
    world.runUntil(MINUTE_US);
    expect(log).toEqual([]);
    expect(world.ask({ kind: 'deviceGroup.list', by: 'default' })).toMatchObject({
      value: [{ name: 'early' }],
    });
  });

  it('has a command before it is applied, and after the timeline’s entries of its instant', () => {
    const seen: unknown[] = [];
    const groups = () => {
      const answer = world.ask({ kind: 'deviceGroup.list', by: 'default' });
      return answer.ok ? answer.value.map(({ name }) => name).sort() : [];
    };
    const plan = small([{ atUs: 0, command: group('early') }]);
    const world = World.create(plan, SEED, { log: () => seen.push(groups()) });
    world.submit(group('late'));
    expect(seen).toEqual([['early']]);
    expect(groups()).toEqual(['early', 'late']);
  });

  it('leads to the same world, whether somebody reads it or not', () => {
    fc.assert(
      fc.property(worlds({ minutes: 20 }), (generated) => {
        const { log, options } = logbook();
        const read = carryOut(generated, straight, options);
        // What is malformed is answered, and stands in no log.
        const fresh = World.create(generated.plan, generated.seed);
        const admitted = generated.commands.filter(({ command }) => fresh.admit(command).ok);
        expect(log.map(({ atUs }) => atUs)).toEqual(admitted.map(({ atUs }) => atUs));
        expect(read.snapshot()).toEqual(carryOut(generated).snapshot());
      }),
      { numRuns: someRuns(20) },
    );
  });
});

describe('a host that keeps the log itself', () => {
  /** Admits all, then writes all, then applies all, as a host that writes several at once. */
  function inSteps(world: Run, commands: readonly Command[], log: LogEntry[]): unknown[] {
    const admissions = commands.map((command) => world.admit(command));
    log.push(...admissions.flatMap((each) => (each.ok ? [each.value] : [])));
    return admissions.map((each) => (each.ok ? world.apply(each.value) : each));
  }

  it('admits, writes and applies, and amounts to what submitting amounts to', () => {
    fc.assert(
      fc.property(worlds({ minutes: 20 }), ({ plan, seed, commands }) => {
        const submitted = logbook();
        const one = World.create(plan, seed, submitted.options);
        const own: LogEntry[] = [];
        const other = World.create(plan, seed, {
          log: () => expect.unreachable('what is applied is not written once more'),
        });
        for (const { atUs, command } of commands) {
          for (const world of [one, other]) world.runUntil(atUs);
          // Twice, so that a refusal is among them.
          const twice = [command, command];
          const answers = twice.map((each) => one.submit(each));
          expect(inSteps(other, twice, own)).toEqual(answers);
        }
        // Without a command they have not begun: what the plan has at once is not done yet.
        for (const world of [one, other]) world.runUntil(world.nowUs);
        expect(own).toEqual(submitted.log);
        expect(outcomeOf(other)).toEqual(outcomeOf(one));
        const replica = World.replay(plan, seed, own);
        // A command that was not admitted leaves no entry: the log ends before it.
        replica.runUntil(one.nowUs);
        expect(outcomeOf(replica)).toEqual(outcomeOf(one));
      }),
      { numRuns: someRuns(40) },
    );
  });

  it('belongs to who reads it: what becomes of its entries does not reach the world', () => {
    const by = 'default';
    const commands: readonly Command[] = [
      { by, kind: 'image.create', name: 'a-1.0.0.bin', bytes: new Uint8Array(9), tags: ['a'] },
      {
        by,
        kind: 'deviceGroup.create',
        group: { name: 'g', devices: [1, 2].map((n) => eui('02', n)) },
      },
    ];
    const worlds = [() => undefined, spoil].map((afterwards: (value: unknown) => void) => {
      const { log, options } = logbook();
      const world = World.create(small(), SEED, options);
      for (const command of commands) {
        expect(world.submit(command).ok).toBe(true);
        afterwards(log.at(-1)?.kind === 'command' ? log.at(-1) : undefined);
      }
      return world;
    });
    expect(worlds[1]!.toBytes()).toEqual(worlds[0]!.toBytes());
  });

  it('changes nothing by admitting alone', () => {
    const world = World.create(small(), SEED);
    world.runUntil(MINUTE_US);
    const before = world.snapshot();
    expect(world.admit(removal(1))).toEqual({
      ok: true,
      value: { kind: 'command', atUs: MINUTE_US, command: removal(1) },
    });
    expect(world.snapshot()).toEqual(before);
  });

  it('applies a command in the instant of its admission only', () => {
    const world = World.create(small(), SEED);
    const admitted = world.admit(removal(1));
    if (!admitted.ok) throw new Error(admitted.failure.message);
    world.runUntil(1);
    expect(() => world.apply(admitted.value)).toThrow('in the instant of its admission');
  });

  it('admits after the timeline’s entries of this instant', () => {
    const world = World.create(small([{ atUs: 0, command: removal(1) }]), SEED);
    expect(world.admit(removal(1))).toMatchObject({ ok: true });
    expect(world.digest()).toEqual(straight(World.create(world.plan, SEED), 0).digest());
  });
});

describe('a fork or a replica', () => {
  /** Does what is logged. */
  function goOn(world: Run): void {
    world.submit(group('late'));
    world.markTime();
  }
  const LATER: readonly LogEntry[] = [
    { kind: 'command', atUs: MINUTE_US, command: group('late') },
    { kind: 'clockReached', atUs: MINUTE_US },
  ];
  const { log, options } = logbook();
  const original = World.create(small(), SEED, options);
  original.submit(group('early'));
  original.runUntil(MINUTE_US);
  original.markTime();
  const logged = [...log];
  const { plan } = original;

  const WAYS: readonly (readonly [string, (options?: WorldOptions) => Run])[] = [
    ['a fork', (to) => original.fork(to)],
    ['a restored world', (to) => World.restore(plan, SEED, original.snapshot(), to)],
    ['a replica from a log', (to) => World.replay(plan, SEED, logged, to)],
    [
      'a world from bytes',
      (to) => {
        const answer = World.fromBytes(plan, SEED, original.toBytes(), to);
        if (!answer.ok) throw new Error(answer.failure.message);
        return answer.value;
      },
    ],
  ];

  it.each(WAYS)('writes nothing to the log of its original: %s', (_, create) => {
    const replica = create();
    expect(outcomeOf(replica)).toEqual(outcomeOf(original));
    goOn(replica);
    expect(log).toEqual(logged);
  });

  it.each(WAYS)('writes later entries only to a log of its own: %s', (_, create) => {
    const own = logbook();
    const replica = create(own.options);
    expect(own.log).toEqual([]);
    goOn(replica);
    expect(own.log).toEqual(LATER);
    const again = World.replay(plan, SEED, [...logged, ...own.log]);
    expect(outcomeOf(again)).toEqual(outcomeOf(replica));
  });

  it('is seen by the observer of its original, when it is a fork', () => {
    const rows: string[] = [];
    const observed = World.create(plan, SEED, {
      observer: { trace: ({ kind }) => rows.push(kind) },
    });
    observed.fork().runUntil(5 * MINUTE_US);
    expect(rows).toContain('uplinkBegins');
  });
});

describe('a snapshot', () => {
  it('names an image of 4 MiB by its hash: it has neither its bytes nor the command', () => {
    const world = World.create(small(), SEED);
    const sizeOf = (): number => world.toBytes().length;
    const before = sizeOf();
    const bytes = new Uint8Array(4 * MIB).fill(0x5a);
    const upload = { kind: 'image.create', by: 'default', name: 'a.bin', bytes, tags: [] } as const;
    expect(world.submit(upload)).toMatchObject({ ok: true });
    expect(sizeOf() - before).toBeLessThan(1024);
    const contents = world.contents();
    expect(contents).toHaveLength(1);
    // An assertion would look at each of the bytes by itself.
    expect(Buffer.compare(contents[0]!.bytes, bytes)).toBe(0);
  });

  it('does not grow with commands that leave no record, however many they were', () => {
    const world = World.create(small(), SEED);
    world.submit(removal(9));
    const before = world.toBytes().length;
    for (let i = 0; i < 10_000; i++) world.submit(removal(9));
    expect(world.toBytes().length).toBeLessThan(before + 64);
    expect(outcomeOf(World.restore(world.plan, SEED, throughBytes(world.snapshot())))).toEqual(
      outcomeOf(world),
    );
  });
});
