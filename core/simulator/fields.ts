/**
 * What a device and a gateway consist of, a row each field. The knobs of scenario files that mean
 * the same have the same ranges and defaults, in words of people (`gateway-schema.ts`); a test
 * holds both together.
 */

import type { Fields, Kind } from '../../sim/base/rows/fields.ts';
import { joinTables } from '../../sim/base/rows/tables.ts';
import type { GatewayHardware } from '../../sim/contract/things.ts';
import { REGION_NAMES } from '../../sim/lorawan/region.ts';
import { responseField } from '../rows/answers.ts';
import { EUI } from '../rows/fields.ts';

/** Farthest from the world's middle, m. */
export const FARTHEST_METERS = 10_000_000;
/** Longest time on a gateway's way to the network server, µs. */
const LONGEST_US = 60_000_000;

/** East and north of the world's middle, both or neither. */
export const PLACE = {
  xMeters: {
    type: 'number',
    least: -FARTHEST_METERS,
    most: FARTHEST_METERS,
    unit: 'm',
    is: 'How far east of the world’s middle it stands.',
  },
  yMeters: {
    type: 'number',
    least: -FARTHEST_METERS,
    most: FARTHEST_METERS,
    unit: 'm',
    is: 'How far north of the world’s middle it stands.',
  },
} as const satisfies Fields;

const KEY = { type: 'hex', digits: 32, secret: true } as const;

export const DEVICE = {
  devEui: { ...EUI, required: true, is: 'Its DevEUI, unique in the world.' },
  name: { type: 'text', is: 'What people call it; the DevEUI when absent.' },
  ...PLACE,
  type: {
    type: 'whole',
    least: 0,
    most: 65_535,
    default: 0,
    is: 'Row of the world’s device types, from 0.',
  },
  appKey: { ...KEY, is: 'Root key of its sessions; drawn from the seed when absent.' },
  genAppKey: {
    ...KEY,
    is: 'Root of its multicast keys; that of its sessions when absent.',
    source: 'TS005-2.0.0 §4.3',
  },
  keygenType: {
    type: 'choice',
    words: ['vendor'],
    is: 'Who derives the root of its multicast keys from its DevEUI; not with genAppKey.',
  },
} as const satisfies Fields;

const PATH = {
  count: {
    type: 'whole',
    least: 1,
    most: 65_535,
    required: true,
    is: 'Demodulators of this kind.',
  },
  leastSpreadingFactor: { ...spreadingFactor(), is: 'Lowest that they take; 0 is FSK.' },
  mostSpreadingFactor: { ...spreadingFactor(), is: 'Highest that they take; 0 is FSK.' },
  leastBandwidthHz: { ...bandwidth(), is: 'Narrowest channel that they take, Hz.' },
  mostBandwidthHz: { ...bandwidth(), is: 'Widest channel that they take, Hz.' },
} as const satisfies Fields;

function spreadingFactor() {
  return {
    type: 'whole',
    least: 0,
    most: 12,
    rule: (factor: number) => factor === 0 || factor >= 5,
    allowed: '0 or a whole number from 5 to 12',
    required: true,
  } as const;
}

function bandwidth() {
  return { type: 'whole', least: 0, most: 1_000_000, required: true } as const;
}

const MICROSECONDS = { type: 'whole', least: 0, most: LONGEST_US } as const satisfies Kind;

/** What each kind of spread takes stands in `SPREAD_TAKES`. */
const SPREAD = {
  kind: {
    type: 'choice',
    words: ['exponential', 'logNormal', 'quantiles'],
    required: true,
    is: 'The distribution.',
  },
  meanUs: { ...MICROSECONDS, is: 'Mean of an exponential distribution, µs.' },
  medianUs: { ...MICROSECONDS, is: 'Median of a log-normal distribution, µs.' },
  sigma: {
    type: 'number',
    least: 0,
    most: 5,
    is: 'Standard deviation of the natural logarithm of a log-normal distribution.',
  },
  us: {
    type: 'list',
    of: MICROSECONDS,
    least: 2,
    most: 101,
    is: 'Quantiles at equal steps from 0 to 1, ascending, µs.',
  },
} as const satisfies Fields;

export const BACKHAUL = {
  latencyUs: {
    ...MICROSECONDS,
    default: 50_000,
    is: 'Latency of a message, each way, µs.',
  },
  jitterUs: {
    ...MICROSECONDS,
    default: 20_000,
    is: 'Added to each message, uniform from 0 to this, µs.',
  },
  spread: {
    type: 'record',
    fields: SPREAD,
    is: 'Added to each message in place of jitter.',
  },
  lossPpm: {
    type: 'whole',
    least: 0,
    most: 1_000_000,
    default: 0,
    is: 'Share of messages lost, each way, parts per million.',
  },
} as const satisfies Fields;

/** What stays as long as a gateway is there. */
export const HARDWARE = {
  receptionPaths: {
    type: 'whole',
    least: 1,
    most: 65_535,
    default: 8,
    is: 'Frames that it can demodulate at once.',
    source: 'Semtech SX1301 and SX1302: 8 demodulators at 125 kHz',
  },
  paths: {
    type: 'list',
    of: { type: 'record', fields: PATH },
    least: 1,
    most: 4,
    is: 'What its paths demodulate, the choosiest kind first; all take anything when absent.',
    source: 'Semtech SX1301 and SX1302 data sheets',
  },
  txJitUs: {
    type: 'whole',
    least: 0,
    most: 1_000_000,
    is: 'From the last look at its queue to a transmission, µs; 30 ms when absent.',
    source: 'TX_JIT_DELAY of Semtech’s packet forwarder',
  },
  clockErrorUs: {
    type: 'whole',
    least: 1_000,
    most: 1_000_000,
    is: 'Without GPS, its clock errs by 1 ms to this, either way, µs; right when absent.',
    source: 'a clock set by NTP: 1–50 ms',
  },
  refusesOverBudget: {
    type: 'flag',
    is: 'Whether it refuses itself what its duty cycle does not allow; no when absent.',
    source: 'LoRa Basics Station',
  },
  queueWords: {
    type: 'choice',
    words: ['packetForwarder', 'station', 'none'],
    only: 'scenario',
    is: 'How it answers what its queue does not take; station: not at all; none: it has no queue.',
    source: 'Lora-net/packet_forwarder, jitqueue.c',
  },
  antennaGainCentiDb: {
    type: 'whole',
    least: -2_000,
    most: 3_000,
    default: 215,
    is: 'Gain of its antenna, 1/100 dB.',
    source: 'half-wave dipole',
  },
  maxEirpCentiDbm: {
    type: 'whole',
    least: -2_000,
    most: 4_000,
    default: 2_915,
    is: 'Highest radiated power (EIRP), 1/100 dBm; each sub-band’s own limit applies on top.',
    source: 'ETSI EN 300 220-2: 27 dBm ERP in 869.4–869.65 MHz',
  },
  dutyCycle: {
    type: 'flag',
    default: true,
    is: 'Whether it keeps the duty cycle of its sub-bands.',
    source: 'ETSI EN 300 220-2',
  },
  gps: {
    type: 'flag',
    default: false,
    is: 'Whether it has GPS time: then it sends beacons, and class B downlinks go through it.',
    source: 'LoRaWAN 1.0.4 §13',
  },
  backhaul: {
    type: 'record',
    fields: BACKHAUL,
    default: {},
    is: 'The way to the network server and back.',
  },
} as const satisfies Fields;

/** What management alone sets (`baseStation.update`). */
const TUNING = {
  otherRegion: {
    type: 'choice',
    words: REGION_NAMES,
    is:
      'The regional plan that its radio is set to; the network’s when absent. With another ' +
      'one it hears and sends nothing of the network.',
    source: 'RP002-1.0.4',
  },
} as const satisfies Fields;

export const GATEWAY = {
  eui: { ...EUI, required: true, is: 'Its EUI, unique in the world.' },
  name: { type: 'text', is: 'What people call it; the EUI when absent.' },
  ...joinTables(PLACE, HARDWARE),
} as const satisfies Fields;

/** What a gateway reports of its hardware; what is absent is as its row says. */
export const HARDWARE_RESPONSE = {
  ...joinTables(HARDWARE, TUNING),
  receptionPaths: responseField(HARDWARE.receptionPaths),
  antennaGainCentiDb: responseField(HARDWARE.antennaGainCentiDb),
  maxEirpCentiDbm: responseField(HARDWARE.maxEirpCentiDbm),
  dutyCycle: responseField(HARDWARE.dutyCycle),
  gps: responseField(HARDWARE.gps),
  backhaul: responseField({
    ...HARDWARE.backhaul,
    fields: {
      ...BACKHAUL,
      latencyUs: responseField(BACKHAUL.latencyUs),
      jitterUs: responseField(BACKHAUL.jitterUs),
      lossPpm: responseField(BACKHAUL.lossPpm),
    },
  }),
} as const satisfies Fields;

// ── what comes of them ───────────────────────────────────────────────────────────────────────────

/** The hardware of a gateway, of all that is known of it. */
export const hardwareOf = (gateway: GatewayHardware): GatewayHardware =>
  Object.fromEntries(
    Object.keys({ ...HARDWARE, ...TUNING }).flatMap((name) => {
      const value = gateway[name as keyof GatewayHardware];
      return value === undefined ? [] : [[name, value] as const];
    }),
  ) as unknown as GatewayHardware;
