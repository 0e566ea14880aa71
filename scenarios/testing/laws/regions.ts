/**
 * Regional plans once more, written from RP002-1.0.4 for the judgement of traces:
 * sub-bands, channels, data rates, windows and limits by region.
 */
import type { NetworkPlan } from '../../../sim/plan/network-plan.ts';

type RegionName = NetworkPlan['region'];

export interface SubBand {
  readonly fromHz: number;
  readonly toHz: number;
  /** Share of an hour, parts per thousand. */
  readonly permille: number;
  readonly maxEirpCentiDbm: number;
}

export interface Regulation {
  readonly bands: readonly SubBand[];
  /** First frequency, step and number of default channels, and their data rates. */
  readonly channels: readonly (readonly [number, number, number, number, number])[];
  /** By data rate: `spreading factor/kHz`; of downlinks where they have others than uplinks. */
  readonly up: readonly string[];
  readonly down: readonly string[];
  /** Most bytes of MACPayload by data rate of uplinks, and under a dwell time limit. */
  readonly most: readonly number[];
  readonly mostDwell: readonly number[];
  /** The same of downlinks where they have other data rates. */
  readonly mostDown: readonly number[];
  readonly rx2: { readonly frequencyHz: number; readonly dataRate: number };
  readonly rx1Hz: (uplinkHz: number) => number;
  readonly rx1: (up: number, offset: number, dwell: boolean) => number;
  readonly dwell: { readonly up: boolean; readonly down: boolean };
}

const LORA = ['12/125', '11/125', '10/125', '9/125', '8/125', '7/125', '7/250', '0/100'];
const WIDE = [...new Array<string>(8).fill(''), '12/500', '11/500', '10/500', '9/500', '8/500'];
const MOST = [59, 59, 59, 123, 250, 250, 250, 250];
const MOST_WIDE = [...new Array<number>(8).fill(0), 61, 137, 250, 250, 250, 250];

const minus = (up: number, offset: number): number => Math.max(up - offset, 0);
/** Offsets 6 and 7 add one and two, within the plan's data rates (AS923, IN865). */
const minusOrPlus =
  (top: (up: number) => number) =>
  (up: number, offset: number, dwell: boolean): number =>
    Math.max(offset < 6 ? minus(up, offset) : Math.min(up + offset - 5, top(up)), dwell ? 2 : 0);

function band(fromMHz: number, toMHz: number, permille: number, eirp: number): SubBand {
  const [fromHz, toHz] = [Math.round(fromMHz * 1e6), Math.round(toMHz * 1e6)];
  return { fromHz, toHz, permille, maxEirpCentiDbm: eirp };
}

/** A plan like EU868's, but for what is said. */
function plain(
  bands: readonly SubBand[],
  channels: readonly number[],
  rx2: readonly [number, number],
  more: Partial<Regulation> = {},
): Regulation {
  return {
    bands,
    channels: channels.map((mhz) => [Math.round(mhz * 1e6), 0, 1, 0, 5] as const),
    up: LORA,
    down: LORA,
    most: MOST,
    mostDwell: MOST,
    mostDown: MOST,
    rx2: { frequencyHz: Math.round(rx2[0] * 1e6), dataRate: rx2[1] },
    rx1Hz: (hz) => hz,
    rx1: minus,
    dwell: { up: false, down: false },
    ...more,
  };
}

function as923(offsetMHz: number, fromMHz: number, toMHz: number): Regulation {
  const most = [59, 59, 123, 123, 250, 250, 250, 250];
  return plain(
    [band(fromMHz, toMHz, 10, 1600)],
    [923.2 + offsetMHz, 923.4 + offsetMHz],
    [923.2 + offsetMHz, 2],
    {
      most,
      mostDwell: [0, 0, 19, 61, 133, 250, 250, 250],
      mostDown: most,
      rx1: minusOrPlus(() => 7),
      dwell: { up: true, down: true },
    },
  );
}

/** RX1 of US915 and AU915: one of eight channels, by the uplink's number in either row. */
const eightDownlinks =
  (firstHz: number, wideHz: number) =>
  (hz: number): number => {
    const narrow = (hz - firstHz) / 200_000;
    const number = Number.isInteger(narrow) ? narrow : (hz - wideHz) / 1_600_000;
    return 923_300_000 + 600_000 * (number % 8);
  };

const US_RX1 = ['10 9 8 8', '11 10 9 8', '12 11 10 9', '13 12 11 10', '13 13 12 11'];
const AU_RX1 = [
  '8 8 8 8 8 8',
  '9 8 8 8 8 8',
  '10 9 8 8 8 8',
  '11 10 9 8 8 8',
  '12 11 10 9 8 8',
  '13 12 11 10 9 8',
  '13 13 12 11 10 9',
];
const fromRows = (rows: readonly string[]) => (up: number, offset: number) =>
  Number(rows[up]?.split(' ')[offset] ?? NO_DATA_RATE);

const WIDE_DOWN: Partial<Regulation> = { down: [...WIDE, '7/500'], mostDown: MOST_WIDE };

export const REGULATIONS: Readonly<Record<RegionName, Regulation>> = {
  // EIRP is ERP + 2.15 dB (docs/standard.md, Duty cycle).
  EU868: plain(
    [
      band(863, 865, 1, 1615),
      band(865, 868, 10, 1615),
      band(868, 868.6, 10, 1615),
      band(868.7, 869.2, 1, 1615),
      band(869.4, 869.65, 100, 2915),
      band(869.7, 870, 10, 1615),
    ],
    [868.1, 868.3, 868.5],
    [869.525, 0],
  ),
  US915: {
    ...plain([band(902, 915, 1000, 2315), band(923, 928, 1000, 2815)], [], [923.3, 8]),
    ...WIDE_DOWN,
    channels: [
      [902_300_000, 200_000, 64, 0, 3],
      [903_000_000, 1_600_000, 8, 4, 4],
    ],
    up: ['10/125', '9/125', '8/125', '7/125', '8/500'],
    most: [19, 61, 133, 250, 250],
    mostDwell: [19, 61, 133, 250, 250],
    rx1Hz: eightDownlinks(902_300_000, 903_000_000),
    rx1: fromRows(US_RX1),
    dwell: { up: true, down: false },
  },
  AU915: {
    ...plain([band(915, 928, 1000, 3000)], [], [923.3, 8]),
    ...WIDE_DOWN,
    channels: [
      [915_200_000, 200_000, 64, 0, 5],
      [915_900_000, 1_600_000, 8, 6, 6],
    ],
    up: ['12/125', '11/125', '10/125', '9/125', '8/125', '7/125', '8/500'],
    most: [59, 59, 59, 123, 250, 250, 250],
    mostDwell: [0, 0, 19, 61, 133, 250, 250],
    rx1Hz: eightDownlinks(915_200_000, 915_900_000),
    rx1: fromRows(AU_RX1),
    dwell: { up: true, down: false },
  },
  // Each group has its own range (RP002-1.0.4 §2.10), in which a channel has to lie as a whole.
  'AS923-1': as923(0, 915, 928),
  'AS923-2': as923(-1.8, 920, 923),
  'AS923-3': as923(-6.6, 915, 921),
  'AS923-4': as923(-5.9, 917, 920),
  IN865: plain(
    [band(865, 867, 1000, 1615)],
    [865.0625, 865.4025, 865.985],
    [866.55, 2],
    // DR6 is reserved, so nothing is added up to it.
    { rx1: minusOrPlus((up) => (up >= 4 && up < 7 ? 5 : up === 7 ? 7 : 5)) },
  ),
  KR920: plain([band(920, 923.2, 1000, 1615)], [922.1, 922.3, 922.5], [921.9, 0]),
  EU433: plain([band(433.05, 434.79, 100, 1215)], [433.175, 433.375, 433.575], [434.665, 0]),
  RU864: plain([band(864, 870, 10, 2215)], [868.9, 869.1], [869.1, 0]),
  CN470: {
    ...plain([band(470, 510, 1000, 1900)], [], [505.3, 0]),
    channels: [[470_300_000, 200_000, 96, 0, 5]],
    up: [...LORA.slice(0, 6), '7/500', '0/100'],
    down: [...LORA.slice(0, 6), '7/500', '0/100'],
    most: [0, 31, 94, 192, 250, 250, 250, 250],
    mostDwell: [0, 31, 94, 192, 250, 250, 250, 250],
    mostDown: [0, 31, 94, 192, 250, 250, 250, 250],
    rx1Hz: (hz) => 500_300_000 + 200_000 * (((hz - 470_300_000) / 200_000) % 48),
  },
};

interface Modulation {
  readonly spreadingFactor: number;
  readonly bandwidthHz: number;
}

const wordOf = ({ spreadingFactor, bandwidthHz }: Modulation): string =>
  `${spreadingFactor}/${bandwidthHz / 1000}`;

/** What `uplinkRate` and `downlinkRate` return for a modulation that the region does not have. */
const NO_DATA_RATE = -1;

/** Data rate of an uplink, or `NO_DATA_RATE`. */
export const uplinkRate = ({ up }: Regulation, signal: Modulation): number =>
  up.indexOf(wordOf(signal));

/** Data rate of a downlink or of a window, or `NO_DATA_RATE`. */
export const downlinkRate = ({ down }: Regulation, signal: Modulation): number =>
  down.indexOf(wordOf(signal));

/** A channel that devices may send on. */
export interface PlannedChannel {
  readonly frequencyHz: number;
  readonly lowest: number;
  readonly highest: number;
}

/** Channels that devices of the region have by default. */
export const defaultChannels = ({ channels }: Regulation): PlannedChannel[] =>
  channels.flatMap(([firstHz, stepHz, count, lowest, highest]) =>
    Array.from({ length: count }, (_, n) => ({
      frequencyHz: firstHz + n * stepHz,
      lowest,
      highest,
    })),
  );

/** Channels that the network uses. */
export function networkChannels(plan: NetworkPlan, region: Regulation): PlannedChannel[] {
  const defaults = defaultChannels(region);
  const { uplinkChannelsHz, uplinkDataRates = [] } = plan;
  if (uplinkChannelsHz.length === 0) return defaults;
  return uplinkChannelsHz.map((frequencyHz, i) => {
    const known = defaults.find((one) => one.frequencyHz === frequencyHz);
    const [lowest, highest] = uplinkDataRates[i] ?? [0, 5];
    return known ?? { frequencyHz, lowest, highest };
  });
}
