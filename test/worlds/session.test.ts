/**
 * A session of a served world is a scenario file, and a run of it produces the same world; a file
 * with commands amounts to what a served world amounts to that is given them at their instants.
 */
import { createHash } from 'node:crypto';
import { encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TimedCommand } from '../../core/command.ts';
import type { Admitted } from '../../core/world/log.ts';
import { World } from '../../core/world/world.ts';
import { populate, populateServed, seedOf } from '../../scenarios/filling/populate.ts';
import { readQuantity } from '../../scenarios/language/quantity.ts';
import { parseYaml } from '../../scenarios/language/yaml-source.ts';
import { type Session, sessionText, stampOf } from '../../scenarios/session.ts';
import { scenarioTexts } from '../../scenarios/testing/generators/generated-scenarios.ts';
import { costMs, overgrown } from '../support/cost.ts';
import { libraryText } from '../support/library.ts';
import { IS_LONG, sampled, someRuns } from '../support/long.ts';
import { repeatSession } from '../support/repeated-sessions.ts';
import { loadOrThrow, runText, type Served, serve, textOf } from '../support/sessions.ts';

const START = Date.UTC(2026, 0, 1, 0, 0, 0, 123);

/** Bytes as they are, keys in the order of the alphabet. */
const sha256 = (value: unknown): string =>
  createHash('sha256')
    .update(encode(value, { sortKeys: true }))
    .digest('hex');

describe('a session that is run', () => {
  it('produces the same digests, events, figures and answers: generated scenarios', () => {
    fc.assert(
      fc.property(scenarioTexts, fc.string({ maxLength: 5 }), (text, random) => {
        repeatSession(text, random, IS_LONG ? 240 : 200);
      }),
      { numRuns: someRuns(8, 3) },
    );
  });

  it('produces the same, whatever was asked: a scenario of the library', () => {
    const settings = ['devices.0.count=20'];
    repeatSession(libraryText('regions/us915.yaml'), 'us915', 200, settings);
  });
});

const TOWN = `
scenario: town
duration: 1 h
subscribers: [ann, bob]
area: { radius: 500 m }
gateways: [{ name: roof }, { name: mast, subscriber: bob }]
devices:
  - { name: meter, count: 4, activation: abp, traffic: { every: 5 min } }
  - { name: valve, count: 4, subscriber: bob, class: C, activation: abp, traffic: { every: 9 min } }
images: [{ name: old-1.0.0.bin, bytes: 300 B }]
groups: [{ name: meters, devices: [meter] }]
campaigns:
  - { name: spring, image: old-1.0.0.bin, group: meters, at: 10 min, scheduled_start_at: 15 min }
  - { name: autumn, image: old-1.0.0.bin, group: meters, at: 50 min }
timeline:
  - { at: 20 min, downlink: { to: meter-1, payload: '01' } }
  - { at: 40 min, downlink: { to: meter-2, payload: '02' } }
expectations: [joined >= 1 %]
`;
const MINUTE_US = 60_000_000;

/** Commands that were refused, and so left no trace (docs/decisions/0103). */
const refused = new Set<Admitted>();

/** Ann and Bob ask for a few things in half an hour, some at one instant with the timeline. */
function inTown(): Served {
  const served = serve(TOWN, 'town', START);
  const { world } = served;
  const [, meter, , , valve] = world.plan.network.devices.map(({ devEui }) => devEui);
  const at = (atUs: number, ...commands: readonly TimedCommand['command'][]): void => {
    world.runUntil(atUs);
    for (const command of commands) {
      if (!world.submit(command).ok) refused.add(served.commands.at(-1)!);
    }
  };
  const downlink = { kind: 'downlink.enqueue', fPort: 9, payloadHex: 'AB' } as const;
  at(
    12_345_678,
    { kind: 'image.create', by: 'bob', name: 'new-1.0.0.bin', bytes: new Uint8Array(250).fill(9) },
    { kind: 'deviceGroup.create', by: 'bob', group: { name: '12', devices: [valve!] } },
    { kind: 'device.remove', by: 'bob', devEui: meter! },
    { kind: 'device.create', by: 'carol', device: { devEui: '00000000000000AA' } },
  );
  at(20 * MINUTE_US, { ...downlink, by: 'ann', devEui: meter! });
  at(20 * MINUTE_US + 1, { ...downlink, by: 'bob', devEui: valve!, confirmed: true });
  world.runUntil(30 * MINUTE_US);
  return served;
}

describe('a run of a session', () => {
  const served = inTown();
  const outcome = served.world.digest();
  const digestOf = (commands: Admitted[]) => runText(textOf(served, commands)).digest();
  const { commands } = served;
  const changed = (i: number, change: (entry: Admitted) => Admitted): Admitted[] =>
    commands.map((entry, at) => (at === i ? change(entry) : entry));

  const carriedOut = commands.flatMap((entry, i) => (refused.has(entry) ? [] : [i]));

  it('reports its world from every other: no command is missing', () => {
    expect(digestOf(commands)).toEqual(outcome);
    expect(commands).toHaveLength(6);
    expect(carriedOut.length).toBeGreaterThan(3);
    for (const i of carriedOut) {
      expect(digestOf(commands.toSpliced(i, 1)).outcome).not.toBe(outcome.outcome);
    }
    expect(digestOf(commands.filter((entry) => !refused.has(entry)))).toEqual(outcome);
  });

  it('reports its world from every other: no command is 1 µs late', () => {
    for (const i of carriedOut) {
      const late = changed(i, (entry) => ({ ...entry, atUs: entry.atUs + 1 }));
      expect(digestOf(late).outcome).not.toBe(outcome.outcome);
    }
  });

  it('reports its world from every other: none is another subscriber’s', () => {
    for (const i of carriedOut) {
      const other = changed(i, (entry) => ({ ...entry, command: { ...entry.command, by: 'eve' } }));
      expect(digestOf(other).outcome).not.toBe(outcome.outcome);
    }
  });

  it('reports its world from every other: none comes before the one it followed', () => {
    const [first, second, ...rest] = commands as [Admitted, Admitted, ...Admitted[]];
    expect(digestOf([second, first, ...rest]).outcome).not.toBe(outcome.outcome);
  });
});

describe('a file with commands', () => {
  /** A timeline of a session, its commands taken out and submitted at their instants. */
  it('amounts to what a served world amounts to that is given them at their instants', () => {
    const text = textOf(inTown());
    const { scenario, document } = loadOrThrow(text);
    const entries = (document as { timeline: object[] }).timeline;
    const without = { ...(document as object), timeline: entries.filter((e) => !('command' in e)) };
    const bare = loadOrThrow(JSON.stringify(without)).scenario;
    const world = World.create(populateServed(bare), seedOf(bare));
    const given = populate(scenario).timeline.filter(({ command }) => {
      const own = populate(bare).timeline.map((each) => JSON.stringify(each.command));
      return !own.includes(JSON.stringify(command));
    });
    expect(given).toHaveLength(6);
    for (const { atUs, command } of given) {
      world.runUntil(atUs);
      world.submit(command);
    }
    world.runUntil(scenario.duration);
    const run = runText(text);
    expect(world.digest()).toEqual(run.digest());
    expect(world.events).toBe(run.events);
  });
});

describe('the text of a session', () => {
  const served = inTown();
  const text = textOf(served);
  const { scenario, document } = loadOrThrow(text);
  const written = (session: Partial<Session>) =>
    loadOrThrow(sessionText({ ...served, nowUs: served.world.nowUs, ...session }));

  it('is the same whenever it is written, and changes nothing', () => {
    const before = structuredClone({ ...served, world: undefined });
    expect(textOf(served)).toBe(text);
    expect({ ...served, world: undefined }).toEqual(before);
    expect(textOf(inTown())).toBe(text);
  });

  it('begins with what somebody has to know who keeps it', () => {
    expect(text).toMatch(
      /^# A session of `fleetwave serve`: .*\n# The commands hold keys in clear/,
    );
  });

  it('has the start, the seed and the time so far in their places', () => {
    expect(scenario).toMatchObject({
      start: START,
      seed: 'town',
      duration: 30 * MINUTE_US,
    });
  });

  it('has neither expectations nor what would have come later', () => {
    expect(scenario.expectations).toEqual([]);
    expect(scenario.campaigns.map(({ name }) => name)).toEqual(['spring']);
    expect(scenario.timeline.map(({ verb }) => verb)).toEqual([
      'downlink',
      ...Array.from({ length: 6 }, () => 'command'),
    ]);
  });

  it('has entries of the scenario before commands of their instant', () => {
    const at = populate(scenario).timeline.filter(({ atUs }) => atUs === 20 * MINUTE_US);
    expect(at.map(({ command }) => 'payloadHex' in command && command.payloadHex)).toEqual([
      '01',
      'AB',
    ]);
  });

  it('has the subscribers of the scenario, and of every command who asked', () => {
    expect(scenario.subscribers).toEqual(['ann', 'bob']);
    const asked = populate(scenario).timeline.map(({ command }) => command.by);
    expect(new Set(asked)).toEqual(new Set(['ann', 'bob', 'carol']));
  });

  it('names nobody where all is the default subscriber’s', () => {
    const alone = serve('scenario: a\ndevices: [{ name: m }]', 'a', START);
    alone.world.submit({ kind: 'image.delete', by: 'default', name: 'a' });
    expect(textOf(alone)).not.toMatch(/subscribers|by:/);
    alone.world.submit({ kind: 'image.delete', by: '0b5e-1', name: 'a' });
    const asked = populate(loadOrThrow(textOf(alone)).scenario).timeline;
    expect(asked.map(({ command }) => command.by)).toEqual(['default', '0b5e-1']);
  });

  it('has bytes as base64, and fields in the order and the words of the command', () => {
    const commands = (document as { timeline: { at: string; command?: unknown }[] }).timeline;
    expect(commands[1]).toEqual({
      at: '12.345678 s',
      command: {
        kind: 'image.create',
        by: 'bob',
        name: 'new-1.0.0.bin',
        bytes: Buffer.alloc(250, 9).toString('base64'),
      },
    });
  });

  it('has numbers of 16 digits as numbers, though EUIs are as long', () => {
    const devEui = '1000000000000000';
    const policy = { name: 'a', config: { level: 2 ** 53, levels: [1e15, devEui] } };
    const commands = [
      { atUs: 1, command: { kind: 'deviceConfiguration.addPolicy', by: 'ann', policy } },
      { atUs: 1, command: { kind: 'device.remove', by: 'ann', devEui } },
    ] as unknown as Admitted[];
    const given = populate(written({ nowUs: 1, commands }).scenario).timeline.slice(-2);
    expect(given).toEqual(commands);
  });

  it('has 1 µs at least', () => {
    expect(written({ nowUs: 0, commands: [] }).scenario.duration).toBe(1);
  });

  it('has overrides that the document does not have yet', () => {
    expect(written({ settings: ['devices.meter.count=7'] }).scenario.devices[0]?.count).toBe(7);
  });

  it('leaves out what was stepped over, and says so', () => {
    const [first, ...rest] = served.commands;
    const marked = [{ ...first!, steppedOver: true as const }, ...rest];
    expect(textOf(served, marked)).toContain('stepped over, and are left out: 1.\n');
    expect(written({ commands: marked }).scenario.timeline).toHaveLength(6);
  });

  it('repeats values that stood at several places by aliases', () => {
    const { value } = parseYaml(
      'a',
      'scenario: a\ndevices: [{ name: m, traffic: &t { every: 1 h } }, { name: n, traffic: *t }]',
    );
    const { scenario: read } = written({ document: value, commands: [] });
    expect(read.devices.map(({ traffic }) => traffic.every)).toEqual([3_600e6, 3_600e6]);
  });

  it('keeps any text and any number of a document as it is', () => {
    const odd = fc.constantFrom(
      '1e5',
      '0x1F',
      '007',
      'null',
      '~',
      'true',
      '2026-01-01',
      '- a',
      '#',
    );
    const texts = fc.oneof(odd, fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
    const value = fc.oneof(
      texts,
      fc.double({ noNaN: true }).map((n) => n + 0),
      fc.constantFrom(999_999_999_999_999, 1e15, -1e15, 2 ** 53, 9_999_999_999_999_998, 1e16),
      fc.boolean(),
    );
    const values = fc.array(fc.oneof(value, fc.array(value)), { maxLength: 8 });
    fc.assert(
      fc.property(values, (given) => {
        const session = { ...served, nowUs: 1, commands: [] };
        const { value: read, problems } = parseYaml(
          'a',
          sessionText({ ...session, document: { description: given } }),
        );
        expect(problems).toEqual([]);
        expect((read as { description: unknown }).description).toEqual(given);
      }),
    );
  });
});

describe('a stamp', () => {
  const TEN_YEARS_US = 10 * 31_557_600_000_000;
  const readBack = (text: string) =>
    readQuantity(text, 'duration', { least: 0, most: Number.MAX_SAFE_INTEGER });

  it('is read as the µs that it was, up to ten years', () => {
    const near = fc.tuple(fc.nat(52), fc.integer({ min: -3, max: 3 }));
    const edges = near.map(([power, more]) => Math.max(0, 2 ** power + more));
    const stamps = fc.oneof(
      fc.maxSafeNat().map((us) => us % TEN_YEARS_US),
      edges,
    );
    fc.assert(
      fc.property(stamps, (us) => {
        fc.pre(us <= TEN_YEARS_US);
        expect(readBack(stampOf(us))).toEqual({ ok: true, value: us });
      }),
      { numRuns: 20_000 },
    );
  });

  it.each([
    [0, '0 s'],
    [1, '0.000001 s'],
    [12_345_678, '12.345678 s'],
    [60_000_000, '60 s'],
    [3_600_100_000, '3600.1 s'],
    [TEN_YEARS_US - 1, '315575999.999999 s'],
  ])('of %d µs reads %s', (us, text) => {
    expect(stampOf(us)).toBe(text);
  });
});

describe('a served plan', () => {
  const { scenario } = loadOrThrow(TOWN);

  it('is the scenario’s, without an end', () => {
    const { durationUs, ...plan } = populate(scenario, 'x');
    expect(durationUs).toBe(3_600_000_000);
    expect(populateServed(scenario, 'x')).toEqual(plan);
    expect(populateServed(scenario)).toEqual(populateServed(scenario, seedOf(scenario)));
  });

  it('may start at another instant, and what is scheduled follows', () => {
    const plan = populateServed(scenario, 'x', { startUnixMs: START });
    expect(plan.network.startUnixMs).toBe(START);
    const created = plan.timeline.find(({ command }) => command.kind === 'campaign.create');
    expect(created?.command).toMatchObject({
      campaign: { scheduled_start_at: new Date(START + 15 * 60_000).toISOString() },
    });
  });
});

describe('a long session', () => {
  const base = {
    document: { scenario: 'a', devices: [{ name: 'm' }] },
    seed: 'a',
    startUnixMs: START,
  };
  const by = 'default';
  const euis = (count: number) =>
    Array.from({ length: count }, (_, i) => i.toString(16).toUpperCase().padStart(16, '0'));
  const bytes = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 31) ^ (i >> 9));
  const enqueue = { kind: 'downlink.enqueue', by, fPort: 9, payloadHex: '0102', confirmed: true };
  const group = (devices: readonly string[]) => ({ name: 'g', devices });
  const LONG: readonly (readonly [
    what: string,
    small: number,
    commands: (size: number) => readonly { atUs: number; command: object }[],
  ])[] = [
    [
      'ten thousand commands',
      1_250,
      (count) =>
        euis(count).map((devEui, i) => ({ atUs: i * 1_234_567, command: { ...enqueue, devEui } })),
    ],
    [
      'a group of ten thousand',
      1_250,
      (count) => [
        { atUs: 0, command: { kind: 'deviceGroup.create', by, group: group(euis(count)) } },
      ],
    ],
    [
      'the largest image',
      512 * 1024,
      (size) => [
        { atUs: 0, command: { kind: 'image.create', by, name: 'a.bin', bytes: bytes(size) } },
      ],
    ],
  ];

  it.each(sampled(LONG, ([what]) => what === 'a group of ten thousand'))(
    'is written and read in a time that its length takes: %s',
    async (_, small, create) => {
      const costsOf = (size: number) => {
        const commands = create(size) as Session['commands'];
        let text = '';
        const session = { ...base, nowUs: 20_000_000_000, commands };
        const written = costMs(() => (text = sessionText(session)));
        let timeline: readonly TimedCommand[] = [];
        const read = costMs(() => ({ timeline } = populate(loadOrThrow(text).scenario)));
        expect(timeline.length).toBe(commands.length);
        expect(sha256(timeline.at(-1))).toBe(sha256(commands.at(-1)));
        return { written, read };
      };
      expect(await overgrown(costsOf, small)).toEqual({});
    },
  );
});
