/**
 * What a plan of a campaign is asked for: a row a setting, with its range, and what stands for it
 * when it is not given.
 */
import {
  loraDataRate,
  maxFrmPayload,
  type Region,
  type RegionName,
  subBandOf,
} from '../../sim/lorawan/region.ts';
import type { LoRaDataRate } from '../../sim/lorawan/regional-plan.ts';
import { FRAGMENT_HEAD_BYTES } from './fragment-plan.ts';

/** More would not stand in one scenario (`planned-scenario.ts`). */
export const MOST_GATEWAYS = 100;

/** What is asked; what is absent is chosen (`settled.ts`, `estimate.ts`). */
export interface Asked {
  /** Of class A. */
  readonly devices: number;
  readonly imageBytes: number;
  readonly region: RegionName;
  /** Class of the multicast session. */
  readonly session: 'B' | 'C';
  /** Of the fragments, of RX2 and of the devices' own uplinks. */
  readonly dataRate?: number;
  readonly rx2DataRate?: number;
  readonly uplinkDataRate?: number;
  /** Bytes. */
  readonly fragSize?: number;
  /** Coded fragments: how many, or as a share of the uncoded ones. */
  readonly redundancy?: { readonly fragments: number } | { readonly share: number };
  /** Probability that a frame is lost on a link, each way, 0…0.5. */
  readonly loss: number;
  /** Share of the devices that are to have the image. */
  readonly confidence: number;
  readonly gateways: number;
  /** Whether gateways send a fragment one after the other or at the same instant. */
  readonly timing: 'staggered' | 'simultaneous';
  /** Between two uplinks of a device, µs. */
  readonly periodUs: number;
  /** From fragment to fragment, µs; as fast as the duty cycle lets when absent. */
  readonly delayUs?: number;
}

/** Something that is not right, by the setting that it is said with. */
export interface Fault {
  readonly of: keyof Asked;
  /** `is not a data rate of EU868 that carries fragments`. */
  readonly what: string;
  readonly allowed: string;
}

// ── data rates of a region ───────────────────────────────────────────────────────────────────────

/** In plans with 500 kHz downlinks, lower indexes belong to uplinks (RP002-1.0.4, US915, AU915). */
const LOWEST_WIDE = 8;
/** A frame of this many bytes holds one command of a set-up at least: McGroupSetupReq. */
const LONGEST_COMMAND_BYTES = 30;

/** A data rate with its index. */
export interface Rate extends LoRaDataRate {
  readonly index: number;
  /** Most bytes of FRMPayload. */
  readonly payloadBytes: number;
}

function rates(plan: Region, dwell: boolean): readonly Rate[] {
  return plan.dataRates.flatMap((_, index) => {
    const rate = loraDataRate(plan, index);
    if (rate === undefined) return [];
    return [{ ...rate, index, payloadBytes: maxFrmPayload(plan, index, dwell) }];
  });
}

/** Data rates of downlinks, slowest index first. */
function downlinkRates(plan: Region): readonly Rate[] {
  const lowest = plan.rx2.dataRate >= LOWEST_WIDE ? LOWEST_WIDE : 0;
  return rates(plan, plan.dwellAtStart.downlink).filter(({ index }) => index >= lowest);
}

/** Of these, the ones that carry a fragment of a byte and more on the multicast frequency. */
export function fragmentRates(plan: Region): readonly Rate[] {
  const frequencyHz = multicastHz(plan);
  return downlinkRates(plan).filter(
    ({ payloadBytes, bandwidthHz }) =>
      payloadBytes > FRAGMENT_HEAD_BYTES && subBandOf(plan, frequencyHz, bandwidthHz) >= 0,
  );
}

/**
 * That of RX2; where its channel reaches beyond the sub-band (AS923-2, AS923-4) that of ping slots,
 * or else the middle of the sub-band.
 */
export function multicastHz(plan: Region): number {
  const { minHz, maxHz } = plan.subBands[subBandOf(plan, plan.rx2.frequencyHz)]!;
  const middleHz = (minHz + maxHz) / 2;
  const all = [plan.rx2.frequencyHz, plan.pingSlot.frequenciesHz[0]!, middleHz];
  return all.find((hz) => subBandOf(plan, hz, NARROW_HZ) >= 0) ?? middleHz;
}

const NARROW_HZ = 125_000;

/** Those of RX2 that carry every command of a set-up. */
export const commandRates = (plan: Region): readonly Rate[] =>
  downlinkRates(plan).filter(({ payloadBytes }) => payloadBytes >= LONGEST_COMMAND_BYTES);

/** What devices send messages at: 125 kHz on the region’s usual channels. */
export function uplinkRates(plan: Region): readonly Rate[] {
  const [channels] = plan.uplinkChannels;
  return rates(plan, plan.dwellAtStart.uplink).filter(
    ({ index, payloadBytes }) =>
      index >= channels!.minDataRate && index <= plan.maxAdrDataRate && payloadBytes > 0,
  );
}

const named = (all: readonly Rate[]): string => all.map(({ index }) => `DR${index}`).join(', ');

/** The rate of an index among those that are allowed, or what is wrong with it. */
export function rateOf(
  of: 'dataRate' | 'rx2DataRate' | 'uplinkDataRate',
  index: number,
  allowed: readonly Rate[],
  name: RegionName,
): Rate | Fault {
  const what = {
    dataRate: `is not a LoRa data rate of ${name} that carries fragments`,
    rx2DataRate: `is not a LoRa data rate of RX2 in ${name} that carries the set-up’s commands`,
    uplinkDataRate: `is not a data rate of uplinks in ${name}`,
  }[of];
  return allowed.find((rate) => rate.index === index) ?? { of, what, allowed: named(allowed) };
}

export const isFault = (one: Rate | Fault): one is Fault => 'what' in one;
