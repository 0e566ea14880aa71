/** What gateways, devices and servers of small worlds are made of, each part drawn by itself. */
import * as fc from 'fast-check';
import type {
  BackhaulPlan,
  ClockPlan,
  DeviceTypePlan,
  EnergyPlan,
  ServerPlan,
  SpreadPlan,
  TrafficPlan,
  WindowPlan,
} from '../../../sim/plan/network-plan.ts';
import { hardwarePlan } from '../../schema/gateway-schema.ts';
import { macServerParts, macTypeParts } from './arbitrary-mac.ts';
import { settingsPlans, withSettings } from './arbitrary-settings.ts';
import { processes } from './arbitrary-traffic.ts';

const MINUTE_US = 60_000_000;
const SECOND_US = 1_000_000;

/** Whole µs: nothing, or up to `most`. */
const upTo = (most: number): fc.Arbitrary<number> =>
  fc.oneof(fc.constant(0), fc.integer({ min: 1, max: most }));

/** Parts per million: none, or up to a share. */
const share = (most: number): fc.Arbitrary<number> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: most }));

export const EVERYTHING_PPM = 1_000_000;

const spread: fc.Arbitrary<SpreadPlan> = fc.oneof(
  fc.record({ kind: fc.constant('exponential' as const), meanUs: upTo(200_000) }),
  fc.record({
    kind: fc.constant('logNormal' as const),
    medianUs: upTo(100_000),
    sigma: fc.constantFrom(0, 0.5, 1.5),
  }),
  fc.constant({ kind: 'quantiles' as const, us: [0, 30_000, 50_000, 900_000] }),
);

const backhaul: fc.Arbitrary<BackhaulPlan> = fc
  .tuple(
    fc.record({ latencyUs: upTo(400_000), jitterUs: upTo(300_000), lossPpm: share(300_000) }),
    fc.option(spread, { nil: undefined }),
  )
  .map(([plain, more]) => (more === undefined ? plain : { ...plain, spread: more }));

/** What a gateway is made of: nothing special, a concentrator, a clock without GPS, a station. */
const gatewayHardware = fc
  .record({
    chip: fc.constantFrom(undefined, undefined, 'SX1301' as const, 'SX1302' as const),
    clockError: fc.constantFrom(undefined, 50_000),
    forwarder: fc.constantFrom('semtech' as const, 'basicsStation' as const),
  })
  .map(hardwarePlan);

const plainGatewayParts = fc.record({
  x: fc.integer({ min: -500, max: 500 }),
  y: fc.integer({ min: -500, max: 500 }),
  receptionPaths: fc.constantFrom(8, 1, 2, 3),
  antennaGainCentiDb: fc.constantFrom(215, 0, 600, 3000),
  maxEirpCentiDbm: fc.constantFrom(2915, 1615, 1000),
  dutyCycle: fc.boolean(),
  gps: fc.boolean(),
  backhaul,
});

export const gatewayParts = fc
  .tuple(plainGatewayParts, gatewayHardware)
  .map(([plain, more]) => ({ ...plain, ...more }));

const payloadBytes = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 51 }) },
  fc.integer({ min: 52, max: 222 }),
);

const trafficParts = fc.record({
  process: processes,
  meanUs: fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 10 * SECOND_US, max: 3 * MINUTE_US }) },
    fc.integer({ min: 3 * MINUTE_US, max: 60 * MINUTE_US }),
  ),
  jitterPpm: share(500_000),
  payloadBytes,
  fPort: fc.integer({ min: 1, max: 223 }),
  confirmedPpm: fc.oneof(fc.constantFrom(0, 1_000_000), share(999_999)),
});

const traffic = trafficParts.map(({ process, ...rest }): TrafficPlan => ({ ...rest, ...process }));

const dataRate: fc.Arbitrary<DeviceTypePlan['dataRate']> = fc.oneof(
  fc.constant({ from: 'join' as const }),
  fc.record({ from: fc.constant('fixed' as const), dataRate: fc.integer({ min: 0, max: 5 }) }),
  fc.record({
    from: fc.constant('link' as const),
    marginCentiDb: fc.integer({ min: 0, max: 1000 }),
  }),
);

/** Clocks that wander by degrees and years, from frost to heat. */
const clock: fc.Arbitrary<ClockPlan> = fc.record({
  curvaturePpb: fc.constantFrom(34, 0),
  temperature: fc.record({
    meanCentiC: fc.integer({ min: -2000, max: 6000 }),
    dailyCentiC: upTo(2000),
    seasonalCentiC: upTo(2000),
  }),
  ageingPpb: fc.constantFrom(3_000, 0, 100_000),
});

const windows: fc.Arbitrary<WindowPlan> = fc.oneof(
  fc.record(
    {
      stack: fc.constant('LoRaMac-node' as const),
      rxErrorMs: fc.constantFrom(10, 0, 20, 100),
      wakeUpMs: fc.constantFrom(0, 1, 20, 100),
      chip: fc.constant('STM32WL' as const),
    },
    { requiredKeys: ['stack', 'rxErrorMs', 'wakeUpMs'] },
  ),
  fc.record({
    stack: fc.constant('LBM' as const),
    crystalPpm: fc.constantFrom(10, 100, 1000),
    boardDelayMs: fc.constantFrom(0, 1, 20, 100),
  }),
  fc.record({
    stack: fc.constant('LMIC' as const),
    clockPpm: fc.constantFrom(0, 100, 10_000),
    wakeUpMs: fc.constantFrom(0, 12),
  }),
  fc.record({
    stack: fc.constant('RadioLib' as const),
    guardMs: fc.constantFrom(10, 5, 50),
    wakeUpMs: fc.constantFrom(0, 3),
  }),
);

/** Some batteries are so small that devices die within minutes. */
export const energy: fc.Arbitrary<EnergyPlan> = fc.record({
  chip: fc.constant('any'),
  supplyMilliVolt: fc.constantFrom(3300, 1800),
  sleepNanoAmp: fc.constantFrom(1600, 0, 1_000_000),
  standbyMicroAmp: fc.constantFrom(600, 0),
  rxMicroAmp: fc.constantFrom(5300, 11_500),
  txMicroAmp: fc.constant([
    { centiDbm: 0, microAmp: 20_000 },
    { centiDbm: 1400, microAmp: 40_000 },
  ]),
  antennaGainCentiDb: fc.constantFrom(215, 0),
  mcuMicroAmp: fc.constantFrom(3000, 0),
  awakeUs: upTo(50_000),
  flashMicroJoulePerKib: fc.constantFrom(900, 0),
  batteryMilliAmpHours: fc.constantFrom(2400, 0.05, 1),
  dies: fc.boolean(),
});

/** Half the types have it. */
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const hardware = fc
  .record({ clock: maybe(clock), windows: maybe(windows), energy: maybe(energy) })
  .map((parts) => present(parts));

/** The keys that have a value. */
function present<T extends object>(parts: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(
    Object.entries(parts).filter(([, value]) => value !== undefined),
  ) as never;
}

const plainTypeParts = fc.record({
  deviceClass: fc.constantFrom('A' as const, 'C' as const, 'B' as const),
  pingSlotPeriodicity: fc.integer({ min: 0, max: 7 }),
  activation: fc.constantFrom('otaa' as const, 'abp' as const),
  startSpreadUs: upTo(3 * MINUTE_US),
  traffic,
  dataRate,
  adr: fc.boolean(),
  maxEirpCentiDbm: fc.constantFrom(1600, 1400, 200),
  antennaGainCentiDb: fc.constantFrom(0, 0, 215, -300),
  indoorPpm: fc.constantFrom(0, 0, 500_000),
  driftPpb: upTo(100_000),
  nbTrans: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 15 })),
  confirmedTries: fc.integer({ min: 1, max: 8 }),
  dutyCycle: fc.boolean(),
  firmwareVersion: fc.constant(0x01000000),
  hardwareVersion: fc.constant(0x01000000),
  frameLossPpm: fc.oneof({ weight: 9, arbitrary: share(500_000) }, fc.constant(EVERYTHING_PPM)),
});

export const deviceTypeParts = fc
  .tuple(plainTypeParts, hardware, macTypeParts, settingsPlans)
  .map(([plain, more, mac, settings]) => withSettings({ ...plain, ...more, ...mac }, settings));

const plainServer = fc.record({
  deduplicationUs: upTo(400_000),
  netId: fc.constantFrom(0, 1, 0x13),
  rx1DelayS: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 15 })),
  rx1DrOffset: fc.integer({ min: 0, max: 7 }),
  rx2DataRate: fc.integer({ min: 0, max: 5 }),
  adr: fc.boolean(),
  adrMarginCentiDb: fc.constantFrom(1000, 0, 2000),
});

export const server: fc.Arbitrary<ServerPlan> = fc
  .tuple(plainServer, macServerParts)
  .map(([plain, mac]) => ({ ...plain, ...mac }));
