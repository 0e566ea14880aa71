/** Regional plans by name, and what is looked up in them (RP002-1.0.4). */
import { readLe, writeLe } from '../base/bytes.ts';
import { MILLISECOND_US, SECOND_US } from '../base/units.ts';
import type { DataRate, LoRaDataRate, UplinkChannel } from './regional-plan.ts';
import { AS923_1, AS923_2, AS923_3, AS923_4 } from './regions/as923.ts';
import { AU915 } from './regions/au915.ts';
import { CN470 } from './regions/cn470.ts';
import { EU433 } from './regions/eu433.ts';
import { EU868 } from './regions/eu868.ts';
import { IN865 } from './regions/in865.ts';
import { KR920 } from './regions/kr920.ts';
import { RU864 } from './regions/ru864.ts';
import { US915 } from './regions/us915.ts';

// ── the same everywhere (RP002-1.0.4 §2.3) ───────────────────────────────────────────────────────

/** From the end of an uplink to RX1; RX2 opens one second later. */
export const RECEIVE_DELAY1_US = SECOND_US;
export const JOIN_ACCEPT_DELAY1_US = 5 * SECOND_US;
export const RX2_AFTER_RX1_US = SECOND_US;
export const ADR_ACK_LIMIT = 64;
export const ADR_ACK_DELAY = 32;
/** Pause before a frame is sent again, uniform between these. */
export const RETRANSMIT_TIMEOUT_MIN_US = SECOND_US;
export const RETRANSMIT_TIMEOUT_MAX_US = 3 * SECOND_US;
/** Time to answer a confirmed class B or C downlink. */
export const CLASS_B_C_RESP_TIMEOUT_US = 8 * SECOND_US;
/** Longest transmission under a dwell time limit. */
export const DWELL_TIME_US = 400 * MILLISECOND_US;
/** Largest gap of frame counters that 1.0.3 and older accept. */
export const MAX_FCNT_GAP = 16_384;
/** FHDR without FOpts, and FPort: what a MACPayload holds besides FRMPayload. */
export const FHDR_AND_FPORT_BYTES = 8;
/** Narrow channels of a sub-band. */
const SUB_BAND_CHANNELS = 8;
/** Steps of frequencies in commands. */
export const FREQUENCY_STEP_HZ = 100;

/** MaxEIRP codes of TxParamSetupReq, dBm. */
export const MAX_EIRP_DBM = [
  8, 10, 12, 13, 14, 16, 18, 20, 21, 24, 26, 27, 29, 30, 33, 36,
] as const;

const PLANS = {
  EU868,
  US915,
  AU915,
  'AS923-1': AS923_1,
  'AS923-2': AS923_2,
  'AS923-3': AS923_3,
  'AS923-4': AS923_4,
  IN865,
  KR920,
  EU433,
  RU864,
  CN470,
} as const;

/** A regional plan, and what it is called. */
export type RegionName = keyof typeof PLANS;
export type Region = (typeof PLANS)[RegionName];

export const REGION_NAMES = Object.keys(PLANS) as readonly RegionName[];

/** The literal table of a regional plan. */
export function region(name: RegionName): Region {
  return PLANS[name];
}

// ── data rates ───────────────────────────────────────────────────────────────────────────────────

/** The data rate when it is LoRa, else undefined. */
export function loraDataRate(plan: Region, dataRate: number): LoRaDataRate | undefined {
  const rate = plan.dataRates[dataRate];
  return rate?.modulation === 'lora' ? rate : undefined;
}

/**
 * Lowest index of the LoRa data rate with this spreading factor and bandwidth; −1 when there is
 * none.
 */
export function dataRateOf(plan: Region, spreadingFactor: number, bandwidthHz: number): number {
  return plan.dataRates.findIndex(
    (rate) =>
      rate?.modulation === 'lora' &&
      rate.spreadingFactor === spreadingFactor &&
      rate.bandwidthHz === bandwidthHz,
  );
}

/** Most bytes of MACPayload (FHDR, FPort, FRMPayload) at a data rate; 0 when it does not exist. */
export function maxMacPayload(plan: Region, dataRate: number, dwell = false): number {
  const rate: DataRate | undefined = plan.dataRates[dataRate];
  if (rate === undefined) return 0;
  return dwell ? rate.maxMacPayloadDwell : rate.maxMacPayload;
}

/** Most bytes of FRMPayload (N of the standard) next to `fOptsBytes` of FOpts; never negative. */
export function maxFrmPayload(
  plan: Region,
  dataRate: number,
  dwell = false,
  fOptsBytes = 0,
): number {
  return Math.max(maxMacPayload(plan, dataRate, dwell) - FHDR_AND_FPORT_BYTES - fOptsBytes, 0);
}

/** No row of a plan's data rates or sub-bands. */
export const NOT_IN_PLAN = -1;

/** Data rate of RX1; `NOT_IN_PLAN` when the plan has none. */
export function rx1DataRate(
  plan: Region,
  uplinkDataRate: number,
  rx1DrOffset: number,
  downlinkDwell = false,
): number {
  const table = (downlinkDwell ? plan.rx1DataRatesDwell : undefined) ?? plan.rx1DataRates;
  return table[uplinkDataRate]?.[rx1DrOffset] ?? NOT_IN_PLAN;
}

// ── channels ─────────────────────────────────────────────────────────────────────────────────────

/** Channels a device has from the start; the place in the array is the channel index. */
export function defaultUplinkChannels(plan: Region): UplinkChannel[] {
  return plan.uplinkChannels.flatMap((row) =>
    Array.from({ length: row.count }, (_, n) => ({
      frequencyHz: row.firstHz + n * row.stepHz,
      minDataRate: row.minDataRate,
      maxDataRate: row.maxDataRate,
    })),
  );
}

/**
 * Channels of a sub-band of a fixed plan, from 1 on: eight narrow ones and the wide one above them
 * where the plan has it. None for dynamic plans.
 */
export function subBandChannelsHz(plan: Region, subBand: number): number[] {
  if (plan.channelMask === 'bank16') return [];
  const narrow = plan.uplinkChannels[0]!;
  const first = SUB_BAND_CHANNELS * (subBand - 1);
  if (first >= narrow.count) return [];
  const wide = plan.uplinkChannels[1];
  const hz = (n: number) => narrow.firstHz + (first + n) * narrow.stepHz;
  const channels = Array.from({ length: SUB_BAND_CHANNELS }, (_, n) => hz(n));
  return wide === undefined ? channels : [...channels, wide.firstHz + (subBand - 1) * wide.stepHz];
}

/** Frequency of RX1 after an uplink on channel `index` at `uplinkHz`. */
export function rx1FrequencyHz(plan: Region, index: number, uplinkHz: number): number {
  const row = plan.downlinkChannels;
  return row === 'asUplink' ? uplinkHz : row.firstHz + (index % row.count) * row.stepHz;
}

/**
 * Row in `subBands` that a frequency belongs to, with as much bandwidth around it as is given;
 * `NOT_IN_PLAN` for none, where nothing may be sent. Beacons and ping slots outside the plan's own
 * table (KR920: 923.1 MHz) belong to the last row.
 */
export function subBandOf(plan: Region, frequencyHz: number, bandwidthHz = 0): number {
  const { subBands } = plan;
  const fromHz = frequencyHz - bandwidthHz / 2;
  const found = subBands.findIndex(
    (band) => fromHz >= band.minHz && fromHz + bandwidthHz <= band.maxHz,
  );
  if (found >= 0) return found;
  const own: readonly number[] = [...plan.beacon.frequenciesHz, ...plan.pingSlot.frequenciesHz];
  return own.includes(frequencyHz) ? subBands.length - 1 : NOT_IN_PLAN;
}

/** Where the centre of a channel with this bandwidth may lie in each sub-band, Hz. */
export const centreRangesHz = (
  { subBands }: Region,
  bandwidthHz = 0,
): readonly (readonly [from: number, to: number])[] =>
  subBands.flatMap(({ minHz, maxHz }) => {
    const [from, to] = [minHz + bandwidthHz / 2, maxHz - bandwidthHz / 2];
    return from <= to ? [[from, to] as const] : [];
  });

/** EIRP of a TXPower index, 1/100 dBm; an index beyond the table is clamped to its end. */
export function eirpCentiDbm(plan: Region, txPowerIndex: number): number {
  const steps = plan.txPowerStepsCentiDb;
  return plan.maxEirpCentiDbm + steps[Math.min(txPowerIndex, steps.length - 1)];
}

// ── channel masks ────────────────────────────────────────────────────────────────────────────────

/**
 * Applies ChMaskCntl and ChMask of one LinkADRReq to `enabled` (a byte per channel index, 0 or 1),
 * given which channels are `defined`. False, with `enabled` in an undefined state, when ChMaskCntl
 * is reserved or the mask names an undefined channel. That some channel stays on is for the caller
 * to see, at the end of the block.
 */
export function applyChannelMask(
  plan: Region,
  chMaskCntl: number,
  chMask: number,
  enabled: Uint8Array,
  defined: Uint8Array,
): boolean {
  if (plan.channelMask === 'banks72') return applyMask72(chMaskCntl, chMask, enabled);
  const banks = plan.channelMask === 'banks96' ? 6 : 1;
  if (chMaskCntl === 6) {
    enabled.set(defined);
    return true;
  }
  if (chMaskCntl >= banks) return false;
  return setBits(enabled, 16 * chMaskCntl, 16, chMask, defined);
}

function applyMask72(chMaskCntl: number, chMask: number, enabled: Uint8Array): boolean {
  if (chMaskCntl < 4) return setBits(enabled, 16 * chMaskCntl, 16, chMask);
  if (chMaskCntl === 5) {
    for (let i = 0; i < 64; i++) enabled[i] = (chMask >> (i >> 3)) & 1;
  } else if (chMaskCntl !== 4) {
    enabled.fill(chMaskCntl === 6 ? 1 : 0, 0, 64);
  }
  return setBits(enabled, 64, 8, chMask);
}

/**
 * Sets `count` channels from `first` by the bits of a mask; false when one that is on is not
 * defined.
 */
function setBits(
  enabled: Uint8Array,
  first: number,
  count: number,
  mask: number,
  defined?: Uint8Array,
): boolean {
  for (let i = 0; i < count; i++) {
    const on = (mask >> i) & 1;
    const exists =
      defined === undefined || (first + i < defined.length && defined[first + i] === 1);
    if (on === 1 && !exists) return false;
    if (exists) enabled[first + i] = on;
  }
  return true;
}

// ── channel lists of join accepts ────────────────────────────────────────────────────────────────

const CFLIST_FREQUENCIES = 5;

/** Frequencies of a CFList of type 0, Hz; 0 for a place without channel; undefined for type 1. */
export function cfListFrequencies(cfList: Uint8Array): number[] | undefined {
  if (cfList[15] !== 0) return undefined;
  return Array.from(
    { length: CFLIST_FREQUENCIES },
    (_, i) => readLe(cfList, 3 * i, 3) * FREQUENCY_STEP_HZ,
  );
}

/** CFList of type 0 for up to five channels after the default ones. */
export function cfListOfFrequencies(frequenciesHz: readonly number[]): Uint8Array {
  const cfList = new Uint8Array(16);
  for (let i = 0; i < Math.min(frequenciesHz.length, CFLIST_FREQUENCIES); i++) {
    const steps = frequenciesHz[i] / FREQUENCY_STEP_HZ;
    writeLe(cfList, 3 * i, 3, Math.floor(steps));
  }
  return cfList;
}

/** CFList of type 1: which channels of a fixed plan are on, a byte per channel index. */
export function cfListOfMask(enabled: Uint8Array): Uint8Array {
  const cfList = new Uint8Array(16);
  for (let i = 0; i < enabled.length; i++) cfList[i >> 3] |= enabled[i] << (i & 7);
  cfList[15] = 1;
  return cfList;
}

/** Reads a CFList of type 1 into `enabled`; false, and nothing read, for type 0. */
export function readCfListMask(cfList: Uint8Array, enabled: Uint8Array): boolean {
  if (cfList[15] !== 1) return false;
  for (let i = 0; i < enabled.length; i++) enabled[i] = (cfList[i >> 3] >> (i & 7)) & 1;
  return true;
}
