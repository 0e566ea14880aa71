/**
 * Whatever application and server send a device, up to the ends of every field, the world goes on:
 * it never throws, and it stays a pure function of plan, seed and commands (LoRaWAN 1.0.3, 1.0.4
 * and 1.1 §5; TS003 to TS006).
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TimedCommand } from '../../core/command.ts';
import type { ArbitraryWorld } from '../../scenarios/testing/generators/arbitraries.ts';
import type { DeviceTypePlan, NetworkPlan } from '../../sim/plan/network-plan.ts';
import { USUAL_PACKAGES } from '../../sim/plan/packages-plan.ts';
import { IS_LONG } from '../support/long.ts';
import { eui, MINUTE_US, networkOf, SECOND_US } from '../support/small-network.ts';
import { straightOn } from '../support/worlds.ts';

const DURATION_US = 40 * MINUTE_US;
const START_UNIX_MS = 1_767_225_600_000;
const NOW_GPS_S = START_UNIX_MS / 1000 - 315_964_800 + 18;
const DEVICES = 2;

// ── bytes ────────────────────────────────────────────────────────────────────────────────────────

type Bytes = fc.Arbitrary<readonly number[]>;

/** A number of that many bytes, least significant first. */
const little =
  (count: number) =>
  (value: number): number[] =>
    Array.from({ length: count }, (_, i) => Math.floor(value / 256 ** i) % 256);

const row = (...parts: readonly Bytes[]): Bytes => fc.tuple(...parts).map((one) => one.flat());
const is = (...bytes: readonly number[]): Bytes => fc.constant(bytes);
const oneOf = (count: number, ...values: readonly number[]): Bytes =>
  fc.constantFrom(...values).map(little(count));
const some = (count: number): Bytes =>
  fc.array(fc.nat(255), { minLength: count, maxLength: count });
const byte: Bytes = fc.oneof(oneOf(1, 0, 255, 15, 240), some(1));
const anything: Bytes = fc.array(fc.nat(255), { maxLength: 50 });

/** 100 Hz: none, the highest, real ones, others. */
const frequency: Bytes = fc.oneof(
  oneOf(3, 0, 0xffffff, 1, 8_681_000, 8_695_250, 8_670_100, 9_023_000, 9_233_000, 8_630_000),
  some(3),
);

// ── MAC commands of the server ───────────────────────────────────────────────────────────────────

const macCommand: Bytes = fc.oneof(
  row(is(0x03), byte, oneOf(2, 0, 0xffff, 1, 0xff00), byte),
  row(is(0x04), byte),
  row(is(0x05), byte, frequency),
  is(0x06),
  row(is(0x07), oneOf(1, 0, 1, 2, 3, 7, 15, 16, 71, 255), frequency, byte),
  row(is(0x08), byte),
  row(is(0x09), byte),
  row(is(0x0a), oneOf(1, 0, 1, 3, 15, 255), frequency),
  row(is(0x0c), byte),
  row(is(0x0e), some(2)),
  row(is(0x0f), byte),
  row(is(0x11), frequency, byte),
  row(is(0x13), frequency),
  row(is(0x0b), byte),
  row(is(0x0d), some(5)),
  row(is(0x12), some(3)),
  anything,
);

/** Several of them at once, mostly few enough for one frame. */
const macCommands: Bytes = fc
  .array(macCommand, { minLength: 1, maxLength: 3 })
  .map((commands) => commands.flat());

// ── package commands ─────────────────────────────────────────────────────────────────────────────

/** GPS seconds: both ends, just now, soon, any; those of class B sessions are multiples of 128. */
const gpsTime: Bytes = fc.oneof(
  oneOf(4, 0, 0xffff_ffff, 0x7fff_ffff, 0x8000_0000, NOW_GPS_S, NOW_GPS_S - 3600),
  fc.integer({ min: 0, max: 2000 }).map((s) => little(4)(NOW_GPS_S + s)),
  fc.integer({ min: 0, max: 12 }).map((n) => little(4)((Math.ceil(NOW_GPS_S / 128) + n) * 128)),
);

const group = oneOf(1, 0, 0, 0, 1, 3, 255);

const multicastSetup: Bytes = fc.oneof(
  is(0x00),
  row(is(0x01), byte),
  row(is(0x02), group, some(4), some(16), oneOf(4, 0, 0xffff_ffff), oneOf(4, 0xffff_ffff, 0)),
  row(is(0x03), group),
  row(is(0x04), group, gpsTime, byte, frequency, byte),
  row(is(0x05), group, gpsTime, byte, frequency, byte),
);

const fragmentation = (version: 1 | 2): Bytes =>
  fc.oneof(
    is(0x00),
    row(is(0x01), oneOf(1, 0, 1, 255)),
    row(
      is(0x02),
      oneOf(1, 0, 15, 1, 255),
      oneOf(2, 1, 2, 3, 0, 16383, 16384, 65535),
      oneOf(1, 4, 1, 0, 255),
      oneOf(1, 0, 0x40, 7, 255),
      oneOf(1, 0, 1, 5, 255),
      some(4),
      ...(version === 2 ? [oneOf(2, 1, 0, 0xffff), some(4)] : []),
    ),
    row(is(0x03), byte),
    row(is(0x04), byte),
    row(is(0x08), oneOf(2, 1, 2, 3, 0, 16383, 5, 65535, 0x4001), anything),
    row(is(0x08), oneOf(2, 1, 2, 3, 5), some(4)),
  );

const clockSync: Bytes = fc.oneof(
  is(0x00),
  row(is(0x01), oneOf(4, 0, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, NOW_GPS_S), byte),
  row(is(0x02), byte),
  row(is(0x03), byte),
);

const firmware: Bytes = fc.oneof(
  ...[0x00, 0x01, 0x04].map((cid) => is(cid)),
  row(is(0x02), gpsTime),
  row(is(0x03), oneOf(3, 0, 0xffffff, 1, 60)),
  row(is(0x05), some(4)),
);

/** Commands of a package follow each other in a payload. */
const several = (one: Bytes): Bytes =>
  fc.array(one, { minLength: 1, maxLength: 2 }).map((commands) => commands.flat());

const downlinks = (version: 1 | 2): fc.Arbitrary<readonly [number, readonly number[]]> =>
  fc.oneof(
    fc.tuple(fc.constant(200), several(multicastSetup)),
    fc.tuple(fc.constant(201), several(fragmentation(version))),
    fc.tuple(fc.constant(202), several(clockSync)),
    fc.tuple(fc.constant(203), several(firmware)),
    fc.tuple(fc.integer({ min: 199, max: 204 }), anything),
  );

// ── worlds ───────────────────────────────────────────────────────────────────────────────────────

const hex = (bytes: readonly number[]): string => Buffer.from(bytes).toString('hex');

const command = (version: 1 | 2): fc.Arbitrary<TimedCommand> =>
  fc
    .record({
      atUs: fc.integer({ min: 0, max: DURATION_US }),
      device: fc.integer({ min: 1, max: DEVICES }),
      confirmed: fc.boolean(),
      said: fc.oneof(fc.record({ mac: macCommands }), fc.record({ downlink: downlinks(version) })),
    })
    .map(({ atUs, device, confirmed, said }) => {
      const devEui = eui('02', device);
      if ('mac' in said) {
        return {
          atUs,
          command: { kind: 'mac.request', by: 'default', devEui, commandsHex: hex(said.mac) },
        };
      }
      const [fPort, payload] = said.downlink;
      const payloadHex = hex(payload);
      return {
        atUs,
        command: { kind: 'downlink.enqueue', by: 'default', devEui, fPort, payloadHex, confirmed },
      };
    });

const kinds = fc.record({
  region: fc.constantFrom('EU868' as const, 'US915' as const),
  lorawan: fc.constantFrom('1.0.3' as const, '1.0.4' as const, '1.1' as const),
  deviceClass: fc.constantFrom('A' as const, 'B' as const, 'C' as const),
  activation: fc.constantFrom('otaa' as const, 'abp' as const),
  version: fc.constantFrom(1 as const, 2 as const),
  adr: fc.boolean(),
  dutyCycle: fc.boolean(),
  stack: fc.constantFrom('LoRaMac-node' as const, 'LBM' as const),
});
type Kind = typeof kinds extends fc.Arbitrary<infer K> ? K : never;

function typeOf(kind: Kind): Partial<Omit<DeviceTypePlan, 'traffic'>> {
  const { lorawan, deviceClass, activation, version, adr, dutyCycle, region } = kind;
  const { clockSync, multicastSetup, fragmentation } = USUAL_PACKAGES;
  return {
    lorawan,
    deviceClass,
    activation,
    adr,
    dutyCycle,
    dataRate: { from: 'fixed', dataRate: region === 'EU868' ? 5 : 3 },
    windows:
      kind.stack === 'LBM'
        ? { stack: 'LBM', crystalPpm: 10, boardDelayMs: 0 }
        : { stack: 'LoRaMac-node', rxErrorMs: 10, wakeUpMs: 0 },
    packages: {
      ...USUAL_PACKAGES,
      clockSync: { ...clockSync, version },
      multicastSetup: { ...multicastSetup, version },
      fragmentation: { ...fragmentation, version },
    },
  };
}

function worldOf(kind: Kind, commands: readonly TimedCommand[]): ArbitraryWorld {
  const { region } = kind;
  const plain = networkOf({
    devices: DEVICES,
    type: typeOf(kind),
    traffic: { meanUs: 20 * SECOND_US },
    gateway: { gps: true },
    server: { rx2DataRate: region === 'EU868' ? 0 : 8, adr: kind.adr, lorawan: '1.1' },
  });
  const network: NetworkPlan = { ...plain, region, startUnixMs: START_UNIX_MS };
  const plan = {
    name: 'hostile',
    description: '',
    durationUs: DURATION_US,
    network,
    timeline: [],
  };
  return { plan, seed: 'hostile', commands };
}

const worlds: fc.Arbitrary<ArbitraryWorld> = kinds.chain((kind) =>
  fc.array(command(kind.version), { minLength: 5, maxLength: 80, size: 'max' }).map((commands) =>
    worldOf(
      kind,
      [...commands].sort((a, b) => a.atUs - b.atUs),
    ),
  ),
);

const inFrames = (world: ArbitraryWorld, frames: NetworkPlan['frames']): ArbitraryWorld => ({
  ...world,
  plan: { ...world.plan, network: { ...world.plan.network, frames } },
});

describe('a world whose devices are sent anything', () => {
  it('goes on, produces the same again, and the same in real frames', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const counted = straightOn(world);
        expect(straightOn(world)).toEqual(counted);
        expect(straightOn(inFrames(world, 'real')).outcome).toBe(counted.outcome);
      }),
      { numRuns: IS_LONG ? 80 : 10 },
    );
  });
});
