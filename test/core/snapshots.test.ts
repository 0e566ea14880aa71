/** Snapshots as bytes: a whole one comes back, any other is refused with its reason. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WorldPlan } from '../../core/world/plan.ts';
import { type Snapshot, World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { worlds } from '../../scenarios/testing/generators/arbitraries.ts';
import { SHORTEST, scenarioOf } from '../scenarios/scenario.ts';
import { someRuns } from '../support/long.ts';
import { carryOut, outcomeOf } from '../support/worlds.ts';

const HOUR_US = 3_600_000_000;
const HEADER_BYTES = 82;
const plan = populate(scenarioOf(`${SHORTEST}duration: 3 h\n`));
const seed = 'a seed';
const world = World.create(plan, seed);
world.runUntil(HOUR_US);
const bytes = world.toBytes();

/** The failure's code, or `taken`. */
function codeOf(given: Uint8Array, ofPlan: WorldPlan = plan, ofSeed = seed): string {
  const answer = World.fromBytes(ofPlan, ofSeed, given);
  return answer.ok ? 'taken' : answer.failure.code;
}

function flipped(bit: number): Uint8Array {
  const copy = bytes.slice();
  copy[bit >> 3]! ^= 1 << (bit & 7);
  return copy;
}

describe('a snapshot as bytes', () => {
  it('goes on as the world that it was taken of', () => {
    const answer = World.fromBytes(plan, seed, bytes);
    if (!answer.ok) throw new Error(answer.failure.message);
    expect(answer.value.toBytes()).toEqual(bytes);
    answer.value.runUntil(answer.value.endUs);
    const straight = World.create(plan, seed);
    straight.runUntil(straight.endUs);
    expect(outcomeOf(answer.value)).toEqual(outcomeOf(straight));
  });

  it('is taken by an equal plan, whatever the order of its keys', () => {
    const turned = Object.fromEntries(Object.entries(plan).reverse()) as unknown as WorldPlan;
    expect(codeOf(bytes, turned)).toBe('taken');
  });

  it('is refused with any bit of its header changed', () => {
    const codes = Array.from({ length: 8 * HEADER_BYTES }, (_, bit) => codeOf(flipped(bit)));
    const runs = codes.filter((code, bit) => code !== codes[bit - 1]);
    const reasons = ['format', 'version', 'length', 'checksum'];
    expect(runs).toEqual(reasons.map((reason) => `snapshot.${reason}`));
  });

  it('is refused with any bit of its body or checksum changed', () => {
    const bit = fc.integer({ min: 8 * HEADER_BYTES, max: 8 * bytes.length - 1 });
    fc.assert(
      fc.property(bit, (one) => {
        expect(codeOf(flipped(one))).toBe('snapshot.checksum');
      }),
      { numRuns: someRuns(3_000) },
    );
  });

  it('is refused when something is cut off or added', () => {
    const { length } = bytes;
    for (const most of [0, 1, 7]) expect(codeOf(bytes.slice(0, most))).toBe('snapshot.format');
    for (const most of [8, 81, 82, 113, 114, length - 32, length - 1]) {
      expect(codeOf(bytes.slice(0, most))).toBe('snapshot.length');
    }
    expect(codeOf(Uint8Array.of(...bytes, 0))).toBe('snapshot.length');
    expect(codeOf(new Uint8Array(1024 * 1024))).toBe('snapshot.format');
  });

  it('is refused by another plan and another seed', () => {
    expect(codeOf(bytes, { ...plan, durationUs: plan.durationUs + 1 })).toBe('snapshot.plan');
    expect(codeOf(bytes, plan, 'another seed')).toBe('snapshot.seed');
    const answer = World.fromBytes(plan, 'another seed', bytes);
    expect(answer.ok || answer.failure.message).toBe(
      'The snapshot was taken of a world with another seed.',
    );
  });

  it('is refused by a plan that has one device otherwise, in any of its fields', () => {
    const text = 'scenario: twelve\nduration: 3 h\ndevices: [{ name: m, count: 12 }]\n';
    const own = populate(scenarioOf(text));
    const taken = World.create(own, seed).toBytes();
    const { devices } = own.network;
    const [a, b] = [devices[10]!, devices[11]!];
    const others = [
      { ...b, name: `${b.name}0` },
      { ...b, devEui: a.devEui.replace('02', '03') },
      { ...b, xMeters: b.xMeters + 1 },
      { ...b, yMeters: -b.yMeters },
      { ...b, type: b.type + 1 },
      { ...b, appKey: '00112233445566778899AABBCCDDEEFF' },
      { ...b, credentials: { activation: 'otaa', joinEui: b.devEui } } as const,
    ];
    const withLast = (...last: typeof devices) => ({
      ...own,
      network: { ...own.network, devices: [...devices.slice(0, 10), ...last] },
    });
    expect(codeOf(taken, withLast({ ...a }, { ...b }))).toBe('taken');
    for (const other of others) expect(codeOf(taken, withLast(a, other))).toBe('snapshot.plan');
    // The texts of two rows together are the same.
    const [first, second] = [`${a.name}${b.name[0]}`, b.name.slice(1)];
    const moved = withLast({ ...a, name: first }, { ...b, name: second });
    expect(codeOf(taken, moved)).toBe('snapshot.plan');
    expect(codeOf(taken, withLast(b, a))).toBe('snapshot.plan');
    expect(codeOf(taken, withLast(a))).toBe('snapshot.plan');
  });

  it('says what is wrong with the numbers in it', () => {
    const report = (given: Uint8Array): string => {
      const answer = World.fromBytes(plan, seed, given);
      return answer.ok ? '' : answer.failure.message;
    };
    expect(report(flipped(64))).toBe(
      'The snapshot is of version 20; this program reads version 21.',
    );
    const { length } = bytes;
    expect(report(bytes.slice(1))).toMatch(/do not begin with FLEETSNP/);
    expect(report(bytes.slice(0, -1))).toBe(
      `The snapshot has ${length - 1} bytes; its header says ${length}.`,
    );
  });
});

it('a snapshot as plain data is restored with its plan and seed only', () => {
  const snapshot = world.snapshot();
  const other = { ...plan, durationUs: plan.durationUs + 1 };
  expect(() => World.restore(plan, 'another seed', snapshot)).toThrow('with its seed');
  expect(() => World.restore(other, seed, snapshot)).toThrow('with its plan');
  expect(World.restore(plan, seed, snapshot).digest()).toEqual(world.digest());
});

describe('a snapshot as plain data, and a result,', () => {
  /** Every record, list and typed array in a value. */
  function within(value: unknown, found = new Set<unknown>()): Set<unknown> {
    if (typeof value !== 'object' || value === null || found.has(value)) return found;
    found.add(value);
    if (!ArrayBuffer.isView(value)) for (const each of Object.values(value)) within(each, found);
    return found;
  }

  /** A snapshot, but for what is shared on purpose. */
  const withoutBytes = ({ contents, ...snapshot }: Snapshot) => ({
    ...snapshot,
    contents: contents.map(({ sha256 }) => ({ sha256 })),
  });

  const both = (one: Set<unknown>, other: Set<unknown>) =>
    new Set([...one].filter((each) => other.has(each)));

  it('share nothing but bytes of contents with the world, its plan, or a restored one', () => {
    const text = `
      scenario: shared
      duration: 8 h
      gateways: [{ name: g, count: 2, gps: true }]
      devices: [{ name: m, count: 3, class: C, joinWithin: 1 min, traffic: { every: 5 min } }]
      images: [{ name: fw-1.1.0.bin, bytes: 500 B }]
      groups: [{ name: all, devices: all }]
      campaigns: [{ name: c, image: fw-1.1.0.bin, group: all, at: 1 h, multicast_setup_time: 1 h }]
      timeline:
        - { at: 7 h, downlink: { to: m-1, fPort: 2, payload: "0a10", confirmed: true } }
        - { at: 7 h, macRequest: { to: m-1, commands: "06" } }
    `;
    const shared = populate(scenarioOf(text), seed);
    const there = World.create(shared, seed);
    for (const hours of [1.5, 4, 7]) {
      there.runUntil(hours * HOUR_US);
      const snapshot = there.snapshot();
      const restored = World.restore(shared, seed, snapshot);
      const snapshots = [snapshot, there.snapshot(), restored.snapshot()].map(withoutBytes);
      const [one, ...others] = [...snapshots, shared].map((each) => within(each));
      for (const other of others) expect(both(one!, other)).toEqual(new Set());
      expect(both(within(there.result()), within(there.result()))).toEqual(new Set());
    }
    expect(there.result().campaigns[0]?.verified.rebuilt).toBe(3);
  });
});

describe('what bytes keep of a snapshot', () => {
  /** Places of undefined entries of lists, which bytes do not tell from null. */
  function lost(value: unknown, path: string): string[] {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
    return Object.entries(value).flatMap(([key, each]) =>
      each === undefined && Array.isArray(value)
        ? [`${path}/${key}`]
        : lost(each, `${path}/${key}`),
    );
  }

  it('is all of it, after any commands', () => {
    fc.assert(
      fc.property(worlds({ minutes: 20 }), (generated) => {
        expect(lost(carryOut(generated).snapshot(), '')).toEqual([]);
      }),
      { numRuns: someRuns(60) },
    );
  });

  it('is a channel that the network took away, too (NewChannelReq with frequency 0)', () => {
    const text = `
      scenario: fewer
      duration: 2 h
      channels: [868.1 MHz, 868.3 MHz, 868.5 MHz, 867.1 MHz, 867.3 MHz]
      devices: [{ name: m, activation: abp, joinWithin: 0 s, traffic: { every: 1 min } }]
      timeline: [{ at: 10 min, macRequest: { to: m, commands: "070300000050" } }]
    `;
    const fewer = populate(scenarioOf(text), seed);
    const there = World.create(fewer, seed);
    there.runUntil(3_600_000_000);
    const again = World.fromBytes(fewer, seed, there.toBytes());
    if (!again.ok) throw new Error(again.failure.message);
    for (const one of [there, again.value]) one.runUntil(one.endUs);
    expect(outcomeOf(again.value)).toEqual(outcomeOf(there));
    expect(lost(there.snapshot(), '')).toEqual([]);
  });
});
