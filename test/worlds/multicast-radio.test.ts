/**
 * Who hears a message to a multicast group, by a second, small program: free of the simulator's
 * radio, it knows the propagation model, the sensitivities and the standard's formula of ping slots
 * alone (LoRaWAN 1.0.4 §11; propagation and sensitivities of ns-3's module lorawan).
 */
import { createCipheriv } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { classBNetwork } from '../support/class-b-world.ts';
import { mostRuns } from '../support/long.ts';
import { HOUR_US, MINUTE_US, networkOf, SECOND_US, watch } from '../support/small-network.ts';
import {
  at,
  copiesOf,
  fatesOf,
  GROUP_EUI,
  groupOf,
  messageTo,
} from '../support/standing-groups.ts';

// ── the second program ───────────────────────────────────────────────────────────────────────────

/** What a device needs of DR0 to DR5 in EU868, SF12 to SF7, dBm. */
const NEEDS_DBM = [-137, -135, -133, -130, -127, -124];

/** What a gateway needs of SF12, dBm. */
const GATEWAY_NEEDS_DBM = -142.5;

/** Radiated power that EU868 allows, dBm above an isotropic antenna. */
const eirpDbm = (frequencyHz: number): number =>
  Math.min(29.15, frequencyHz === 869_525_000 ? 27 + 2.15 : 14 + 2.15);

const lossDb = (meters: number): number => 7.7 + 37.6 * Math.log10(Math.max(1, meters));

interface Channel {
  readonly Frequency: number;
  readonly DataRate: number;
}

const marginDb = (meters: number, { Frequency, DataRate }: Channel): number =>
  eirpDbm(Frequency) - lossDb(meters) - NEEDS_DBM[DataRate]!;

/** Slot of an address's first ping in a beacon period. */
function pingOffset(beaconTimeS: number, address: number, periodicity: number): number {
  const block = Buffer.alloc(16);
  block.writeUInt32LE(beaconTimeS % 2 ** 32, 0);
  block.writeUInt32LE(address, 4);
  const cipher = createCipheriv('aes-128-ecb', Buffer.alloc(16), null).setAutoPadding(false);
  const random = cipher.update(block);
  return (random[0]! + 256 * random[1]!) % 2 ** (5 + periodicity);
}

/** All ping slots of a beacon period, GPS ms. */
function pingSlotsMs(beaconTimeS: number, address: number, periodicity: number): number[] {
  const first = beaconTimeS * 1000 + 2120 + 30 * pingOffset(beaconTimeS, address, periodicity);
  return Array.from(
    { length: 2 ** (7 - periodicity) },
    (_, k) => first + 30 * k * 2 ** (5 + periodicity),
  );
}

// ── networks ─────────────────────────────────────────────────────────────────────────────────────

/** The network's devices and gateways at other places, metres east of the middle. */
const placed = (
  network: NetworkPlan,
  devices: readonly number[],
  gateways: readonly number[],
): NetworkPlan => ({
  ...network,
  devices: network.devices.map((each, i) => ({ ...each, xMeters: devices[i]! })),
  gateways: network.gateways.map((each, i) => ({ ...each, xMeters: gateways[i]! })),
});

const CHANNELS: readonly Channel[] = [
  { Frequency: 869_525_000, DataRate: 0 },
  { Frequency: 869_525_000, DataRate: 3 },
  { Frequency: 868_300_000, DataRate: 5 },
  { Frequency: 868_100_000, DataRate: 2 },
];

const meters = fc.integer({ min: 0, max: 25_000 });
const some = (count: number) => fc.array(fc.boolean(), { minLength: count, maxLength: count });
const DEVICES = 8;
const GATEWAYS = 3;

const chosen = <Each>(all: readonly Each[], flags: readonly boolean[]): Each[] =>
  all.filter((_, i) => flags[i]);

describe('ping slots of the second program', () => {
  it('are those of the vectors', () => {
    interface Vector {
      readonly addr: string;
      readonly periodicity: number;
      readonly beaconTime: number;
      readonly pingOffset: number;
      readonly slotN: number;
      readonly slotStartMs: number;
    }
    const text = readFileSync(new URL('../vectors/classb.json', import.meta.url), 'utf8');
    const { nextPingSlot } = JSON.parse(text) as { readonly nextPingSlot: readonly Vector[] };
    expect(nextPingSlot.length).toBeGreaterThan(10);
    for (const { addr, periodicity, beaconTime, slotN, ...vector } of nextPingSlot) {
      const address = Number.parseInt(addr, 16);
      expect(pingOffset(beaconTime, address, periodicity)).toBe(vector.pingOffset);
      expect(pingSlotsMs(beaconTime, address, periodicity)[slotN]).toBe(vector.slotStartMs);
    }
  });
});

describe('a message to a class C group', () => {
  it('is heard by those members that a gateway of the group reaches, and by nobody else', () => {
    const seen = { heard: 0, missed: 0, far: 0 };
    const drawn = fc.record({
      devices: fc.array(meters, { minLength: DEVICES, maxLength: DEVICES }),
      gateways: fc.array(meters, { minLength: GATEWAYS, maxLength: GATEWAYS }),
      members: some(DEVICES),
      sends: some(GATEWAYS),
      channel: fc.constantFrom(...CHANNELS),
    });
    fc.assert(
      fc.property(drawn, ({ devices, gateways, members, sends, channel }) => {
        const plain = networkOf({
          devices: DEVICES,
          gatewaysAt: [0, 0, 0],
          type: { deviceClass: 'C' },
          traffic: { process: 'none' },
        });
        const network = placed(plain, devices, gateways);
        const group = groupOf(network, {
          ...channel,
          devices: chosen(network.devices, members).map(({ devEui }) => devEui),
          gateways: chosen(network.gateways, sends).map(({ eui }) => eui),
        });
        const trace = watch(network, 10 * MINUTE_US, [
          at(0, group),
          at(MINUTE_US, messageTo(GROUP_EUI, 'C0FFEE')),
        ]);
        expect(judge(trace.rows, network)).toEqual({});
        const senders = chosen(network.gateways, sends);
        const copies = copiesOf(trace);
        expect(copies.map(({ gateway }) => gateway)).toEqual(senders.map(({ name }) => name));
        trace.world.digest();
        const fates = fatesOf(trace);
        for (const [i, { name, xMeters }] of network.devices.entries()) {
          const margins = senders.map((each) =>
            marginDb(Math.abs(each.xMeters - xMeters), channel),
          );
          // What is within rounding of the sensitivity may be heard or not.
          if (margins.some((each) => Math.abs(each) < 0.05)) continue;
          const isReached = margins.some((each) => each > 0);
          const isHeard = fates[name]?.includes('heard') === true;
          expect([name, isHeard]).toEqual([name, members[i] === true && isReached]);
          if (isHeard) seen.heard++;
          else if (members[i] === true && senders.length > 0) seen.missed++;
          const nearest = Math.min(
            ...network.gateways.map((each) => Math.abs(each.xMeters - xMeters)),
          );
          const ofGroup = Math.min(...senders.map((each) => Math.abs(each.xMeters - xMeters)));
          if (isHeard && nearest < ofGroup) seen.far++;
        }
        for (const { startsAtUs } of copies) expect(startsAtUs).toBeGreaterThan(MINUTE_US);
      }),
      { numRuns: mostRuns(40) },
    );
    expect(Math.min(seen.heard, seen.missed)).toBeGreaterThan(20);
    // Also by devices that another gateway is nearer to.
    expect(seen.far).toBeGreaterThan(5);
  });
});

describe('a message to a class B group', () => {
  const drawn = fc.record({
    devices: fc.array(meters, { minLength: 6, maxLength: 6 }),
    members: some(6),
    periodicity: fc.integer({ min: 0, max: 7 }),
    address: fc.integer({ min: 0x0100_0000, max: 0x01ff_ffff }),
    seconds: fc.array(fc.integer({ min: 0, max: 1200 }), { minLength: 3, maxLength: 3 }),
  });

  it('goes out in the group’s next ping slot, and is heard by members within reach', () => {
    const seen = { heard: 0, missed: 0 };
    fc.assert(
      fc.property(drawn, ({ devices, members, periodicity, address, seconds }) => {
        const channel = { Frequency: 869_525_000, DataRate: 3 };
        const plain = classBNetwork({
          devices: 6,
          gatewaysAt: [0],
          type: { driftPpb: 2_000, dataRate: { from: 'fixed', dataRate: 0 } },
          traffic: { process: 'exponential' },
        });
        const network = placed(plain, devices, [0]);
        const group = groupOf(network, {
          ...channel,
          type: 'B',
          period: 2 ** periodicity,
          address,
          devices: chosen(network.devices, members).map(({ devEui }) => devEui),
        });
        const times = seconds.map((each) => HOUR_US + each * SECOND_US).sort((a, b) => a - b);
        const messages = times.map((atUs) => at(atUs, messageTo(GROUP_EUI, 'C0FFEE')));
        const trace = watch(network, 3 * HOUR_US, [at(0, group), ...messages]);
        expect(judge(trace.rows, network)).toEqual({});
        const copies = copiesOf(trace);
        expect(copies).toHaveLength(3);
        // GPS time is 18 leap seconds ahead of UTC, and counts from 1980-01-06.
        const gpsStartMs = network.startUnixMs - Date.UTC(1980, 0, 6) + 18_000;
        for (const [i, { startsAtUs }] of copies.entries()) {
          const gpsMs = gpsStartMs + startsAtUs / 1000;
          const beaconTimeS = Math.floor(gpsMs / 128_000) * 128;
          const slots = pingSlotsMs(beaconTimeS, address, periodicity);
          expect(slots).toContain(gpsMs);
          // No free slot of the group was left out, but those beside a beacon.
          const readyMs = gpsStartMs + times[i]! / 1000 + 2_000;
          if (i > 0 && copies[i - 1]!.startsAtUs + 2 * SECOND_US > times[i]!) continue;
          const free = [-128, 0]
            .flatMap((before) => pingSlotsMs(beaconTimeS + before, address, periodicity))
            .filter((each) => each > readyMs && each < gpsMs)
            .filter((each) => each % 128_000 > 2_300 && each % 128_000 < 124_500);
          expect(free.length).toBeLessThanOrEqual(periodicity === 0 ? 3 : 0);
        }
        trace.world.digest();
        const fates = fatesOf(trace, address);
        for (const [i, { name, xMeters }] of network.devices.entries()) {
          const margin = marginDb(xMeters, channel);
          if (Math.abs(margin) < 0.05) continue;
          if (members[i] !== true) {
            expect([name, fates[name]]).toEqual([name, undefined]);
            continue;
          }
          // A device asks for the time before it follows beacons, and is answered in RX1.
          const answered = marginDb(xMeters, { Frequency: 868_100_000, DataRate: 0 });
          const asks = Math.min(16 - lossDb(xMeters) - GATEWAY_NEEDS_DBM, answered);
          if (Math.abs(asks) < 0.05) continue;
          const isReached = margin > 0 && asks > 0;
          const expected = isReached
            ? ['heard', 'ownUplink']
            : ['noBeacon', 'notListening', 'outOfReach', 'ownUplink'];
          const lines = fates[name] ?? [];
          expect(lines).toHaveLength(3);
          expect([name, lines.filter((fate) => !expected.includes(fate))]).toEqual([name, []]);
          if (isReached) expect(lines).toContain('heard');
          seen[isReached ? 'heard' : 'missed']++;
        }
      }),
      { numRuns: mostRuns(12) },
    );
    expect(Math.min(seen.heard, seen.missed)).toBeGreaterThan(5);
  });
});
