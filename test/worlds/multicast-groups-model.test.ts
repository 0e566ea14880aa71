/**
 * Multicast groups of two subscribers in generated worlds, beside a model that is written from the
 * document alone: who belongs to which group, what is refused, what goes out, and that nothing of
 * it depends on how the world is carried out.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TimedCommand } from '../../core/command.ts';
import { type Run, World } from '../../core/world/world.ts';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { sumOf } from '../../sim/base/counts.ts';
import { someRuns } from '../support/long.ts';
import { eui, HOUR_US, MINUTE_US, networkOf, SECOND_US, Trace } from '../support/small-network.ts';
import { at, copiesOf, groupOf, messageTo } from '../support/standing-groups.ts';
import { stopping, throughBytes } from '../support/worlds.ts';

const WHO = ['ann', 'bob'] as const;
type Who = (typeof WHO)[number];

const GROUPS = ['0C00000000000001', '0C00000000000002', '0C00000000000003'];
const DEVICES = [1, 2, 3, 4, 5, 6].map((number) => eui('02', number));
const GATEWAYS = [1, 2, 3].map((number) => eui('06', number));
/** Ann has the first half, bob the others. */
const ownerOf = (place: number, of: readonly string[]): Who =>
  place < of.length / 2 ? 'ann' : 'bob';

const CHANNELS = [
  { Frequency: 869_525_000, DataRate: 0 },
  { Frequency: 868_300_000, DataRate: 5 },
];

const who = fc.constantFrom(...WHO);
const group = fc.nat(GROUPS.length - 1);
const members = (of: readonly string[]) =>
  fc.array(fc.nat(of.length - 1), { minLength: 0, maxLength: 4 });

const act = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), who, group, channel: fc.nat(1) }),
  fc.record({ kind: fc.constant('delete' as const), who, group }),
  fc.record({ kind: fc.constant('retune' as const), who, group, channel: fc.nat(1) }),
  fc.record({ kind: fc.constant('addDevices' as const), who, group, members: members(DEVICES) }),
  fc.record({ kind: fc.constant('removeDevices' as const), who, group, members: members(DEVICES) }),
  fc.record({ kind: fc.constant('addGateways' as const), who, group, members: members(GATEWAYS) }),
  fc.record({
    kind: fc.constant('removeGateways' as const),
    who,
    group,
    members: members(GATEWAYS),
  }),
  fc.record({ kind: fc.constant('message' as const), who, group, flush: fc.boolean() }),
  fc.record({ kind: fc.constant('message' as const), who, group, flush: fc.boolean() }),
  fc.record({
    kind: fc.constant('class' as const),
    device: fc.nat(DEVICES.length - 1),
    deviceClass: fc.constantFrom('A' as const, 'C' as const),
  }),
  fc.record({ kind: fc.constant('gone' as const), device: fc.nat(DEVICES.length - 1) }),
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

/** A group of each subscriber with all that is theirs, so that what follows has an effect. */
const BEFORE: readonly (readonly [number, Act])[] = WHO.flatMap((who, number) => {
  const mine = (of: readonly string[]) =>
    of.flatMap((_, place) => (ownerOf(place, of) === who ? [place] : []));
  const about = { who, group: number };
  return [
    [0, { kind: 'create', ...about, channel: number }],
    [0, { kind: 'addDevices', ...about, members: mine(DEVICES) }],
    [0, { kind: 'addGateways', ...about, members: mine(GATEWAYS) }],
  ] as const;
});

/** Acts, each that many seconds after the one before. */
const story = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 200 }), act), { minLength: 5, maxLength: 25 })
  .map((acts) => [...BEFORE, ...acts]);

function commandOf(one: Act): object {
  switch (one.kind) {
    case 'create': {
      const { who: by, group: number, channel } = one;
      const wanted = { by, eui: GROUPS[number]!, address: 0x100 + number, ...CHANNELS[channel]! };
      return groupOf({ devices: [], gateways: [] } as never, {
        ...wanted,
        devices: [],
        gateways: [],
      });
    }
    case 'delete':
      return { kind: 'multicastGroup.delete', by: one.who, MulticastDevEUI: GROUPS[one.group] };
    case 'retune': {
      const about = { by: one.who, MulticastDevEUI: GROUPS[one.group] };
      return { kind: 'multicastGroup.update', ...about, group: CHANNELS[one.channel] };
    }
    case 'message':
      return messageTo(GROUPS[one.group]!, 'C0FFEE', { by: one.who, FlushQueue: one.flush });
    case 'class': {
      const { device, deviceClass } = one;
      const by = ownerOf(device, DEVICES);
      return { kind: 'device.class', by, devEui: DEVICES[device], deviceClass };
    }
    case 'gone':
      return {
        kind: 'device.remove',
        by: ownerOf(one.device, DEVICES),
        devEui: DEVICES[one.device],
      };
    default: {
      const of = one.kind.endsWith('Devices') ? DEVICES : GATEWAYS;
      const key = of === DEVICES ? 'Devices' : 'Gateways';
      const named = one.members.map((member) => of[member]);
      const about = { by: one.who, MulticastDevEUI: GROUPS[one.group] };
      return { kind: `multicastGroup.${one.kind}`, ...about, [key]: named };
    }
  }
}

interface ModelGroup {
  readonly owner: Who;
  readonly devices: Set<number>;
  readonly gateways: Set<number>;
}

/** What the document says: answers by their codes, or what was added and left out. */
class Model {
  readonly groups = new Map<number, ModelGroup>();
  readonly gone = new Set<number>();

  report(one: Act): unknown {
    if (one.kind === 'gone' || one.kind === 'class') {
      if (this.gone.has(one.device)) return 'device.unknown';
      if (one.kind === 'gone') {
        this.gone.add(one.device);
        for (const { devices } of this.groups.values()) devices.delete(one.device);
      }
      return 'done';
    }
    const found = this.groups.get(one.group);
    if (one.kind === 'create') {
      if (found !== undefined) return 'multicastGroup.exists';
      const created = { owner: one.who, devices: new Set<number>(), gateways: new Set<number>() };
      this.groups.set(one.group, created);
      return 'done';
    }
    const unknown = one.kind === 'message' ? 'device.unknown' : 'multicastGroup.unknown';
    if (found?.owner !== one.who) return unknown;
    switch (one.kind) {
      case 'delete':
        this.groups.delete(one.group);
        return 'done';
      case 'retune':
        return 'done';
      case 'message':
        return found.gateways.size === 0 ? 'multicastGroup.no-gateway' : 'done';
      case 'addDevices':
      case 'removeDevices': {
        const isForeign = (member: number) =>
          ownerOf(member, DEVICES) !== one.who || this.gone.has(member);
        if (one.members.some(isForeign)) return 'multicastGroup.unknown-device';
        return change(found.devices, one.members, DEVICES, one.kind === 'addDevices');
      }
      default: {
        const isForeign = (member: number) => ownerOf(member, GATEWAYS) !== one.who;
        if (one.members.some(isForeign)) return 'multicastGroup.unknown-gateway';
        return change(found.gateways, one.members, GATEWAYS, one.kind === 'addGateways');
      }
    }
  }
}

/** Those that were changed, and those that were not. */
function change(set: Set<number>, given: readonly number[], of: readonly string[], adds: boolean) {
  const lists: [string[], string[]] = [[], []];
  for (const member of given) {
    const changes = set.has(member) !== adds;
    lists[changes ? 0 : 1].push(of[member]!);
    if (adds) set.add(member);
    else set.delete(member);
  }
  return lists;
}

const isDone = (value: unknown): boolean =>
  value === undefined || (value as { Response?: true }).Response === true;

const answered = (answer: {
  ok: boolean;
  value?: unknown;
  failure?: { code: string };
}): unknown => {
  if (!answer.ok) return answer.failure!.code;
  const { value } = answer;
  return isDone(value) ? 'done' : Object.values(value as object);
};

const network = networkOf({
  devices: DEVICES.length,
  gatewaysAt: [100, 200, 300],
  type: { deviceClass: 'C', frameLossPpm: 100_000 },
  traffic: { process: 'exponential', meanUs: MINUTE_US },
});
const PLAN = {
  name: 'groups',
  description: '',
  durationUs: 2 * HOUR_US,
  network,
  timeline: [],
  owners: {
    devices: DEVICES.map((each, place) => [each, ownerOf(place, DEVICES)] as const),
    gateways: GATEWAYS.map((each, place) => [each, ownerOf(place, GATEWAYS)] as const),
  },
  subscribers: WHO.map((id) => ({ id })),
};

/** Commands at their times. */
function timed(
  acts: readonly (readonly [number, Act])[],
): readonly (TimedCommand & { act: Act })[] {
  let atUs = 2 * MINUTE_US;
  return acts.map(([seconds, one]) => {
    atUs += seconds * SECOND_US;
    return { ...at(atUs, commandOf(one)), act: one };
  });
}

describe('groups of two subscribers', () => {
  it('are as the document says, whatever is done', () => {
    fc.assert(
      fc.property(story, (acts) => {
        const trace = new Trace();
        const world = World.create(PLAN, 'groups', { observer: trace });
        const model = new Model();
        for (const { atUs, command, act: one } of timed(acts)) {
          world.runUntil(atUs);
          const response = answered(world.submit(command as never) as never);
          expect([one.kind, response]).toEqual([one.kind, model.report(one)]);
          for (const by of WHO) expect(listOf(world, by)).toEqual(listIn(model, by));
        }
        world.runUntil(world.endUs);
        world.digest();
        expect(judge(trace.rows, network)).toEqual({});
        eachFrameHasOneFate(world, trace);
      }),
      { numRuns: someRuns(20, 8) },
    );
  });

  it('come to the same in pieces, saved and restored', () => {
    fc.assert(
      fc.property(
        story,
        fc.array(fc.integer({ min: 10, max: 400 }), { minLength: 1 }),
        (acts, steps) => {
          const commands = timed(acts);
          const straight = carried(commands, (world, untilUs) => {
            world.runUntil(untilUs);
            return world;
          });
          const restored = carried(
            commands,
            stopping(steps, (world) => {
              // Asking settles everybody, which changes nothing.
              world.digest();
              return World.restore(PLAN, 'groups', throughBytes(world.snapshot()));
            }),
          );
          expect(restored.digest()).toEqual(straight.digest());
          expect(restored.result()).toEqual(straight.result());
        },
      ),
      { numRuns: someRuns(8, 4) },
    );
  });
});

function carried(
  commands: readonly TimedCommand[],
  way: (world: Run, untilUs: number) => Run,
): Run {
  let world: Run = World.create(PLAN, 'groups');
  for (const { atUs, command } of commands) {
    world = way(world, atUs);
    world.submit(command as never);
  }
  return way(world, world.endUs);
}

const got = <Value>(answer: { readonly ok: boolean; readonly value?: Value }): Value =>
  answer.value!;

function listOf(world: Run, by: Who): unknown {
  const { MulticastGroups } = got(world.ask({ kind: 'multicastGroup.list', by }));
  return MulticastGroups.map(({ MulticastDevEUI }) => {
    const response = got(world.ask({ kind: 'multicastGroup.gateways', by, MulticastDevEUI }));
    return [MulticastDevEUI, response.Gateways];
  });
}

const listIn = ({ groups }: Model, by: Who): unknown =>
  [...groups]
    .filter(([, { owner }]) => owner === by)
    .sort(([a], [b]) => a - b)
    .map(([number, { gateways }]) => [
      GROUPS[number],
      [...gateways].map((member) => GATEWAYS[member]),
    ]);

/** What there was to hear is what was heard, missed by a cause, or out of reach. */
function eachFrameHasOneFate(world: Run, trace: Trace): void {
  const counted = new Map<string, number>();
  for (const { mcAddr, fate } of trace.of('multicastDecided')) {
    const key = `${mcAddr} ${fate}`;
    counted.set(key, (counted.get(key) ?? 0) + 1);
  }
  const { groupFrames } = world.snapshot().network.sides.tally;
  const { length } = copiesOf(trace);
  // Those of groups that are deleted are counted for nobody.
  const frames = groupFrames.reduce((sum, [, counts]) => sum + counts.frames, 0);
  expect(frames).toBeLessThanOrEqual(length);
  const reports = world.result().multicastGroups ?? [];
  expect(reports.reduce((sum, each) => sum + each.frames, 0)).toBe(frames);
  for (const { toHear, heard, missed, outOfReach } of reports) {
    expect(heard + sumOf(missed) + outOfReach).toBe(toHear);
  }
  for (const [mcAddr, { toHear, fates }] of groupFrames) {
    let sum = 0;
    for (const [fate, count] of Object.entries(fates)) {
      // A group that had this address before is counted no more.
      expect(count).toBeLessThanOrEqual(counted.get(`${mcAddr} ${fate}`) ?? 0);
      sum += count;
    }
    const outOfReach = counted.get(`${mcAddr} outOfReach`) ?? 0;
    expect(sum).toBeLessThanOrEqual(toHear);
    expect(sum + outOfReach).toBeGreaterThanOrEqual(toHear);
  }
}
