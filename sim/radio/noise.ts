/**
 * What a receiver makes of the level of a frame: a hard threshold, the theory of noise, or nothing
 * is ever too weak (docs/standard.md, Reception in noise).
 */
import { toUnit } from '../base/random.ts';
import {
  FSK,
  FSK_SNR_CENTI_DB,
  payloadSymbolsOnAir,
  preambleSymbols,
  symbolUs,
} from '../lorawan/airtime.ts';
import { LOWEST_SF } from './interference.ts';
import { FAINTEST_CENTI_DB, packetErrorRate, SNR_FLOORS_DB } from './packet-error.ts';
import { noiseFloorCentiDbm } from './power.ts';
import type { RadioPlan } from './radio-plan.ts';
import { sensitivityCentiDbm } from './tables.ts';

/** Who receives: a gateway an uplink, a device a downlink. */
export type Receiver = 'gateway' | 'device';

const sensitivityTable = (radio: RadioPlan, receiver: Receiver): readonly number[] =>
  receiver === 'gateway' ? radio.gatewaySensitivityCentiDbm : radio.deviceSensitivityCentiDbm;

const noiseFigureOf = (radio: RadioPlan, receiver: Receiver): number =>
  receiver === 'gateway' ? radio.noiseFigureDb : (radio.deviceNoiseFigureDb ?? radio.noiseFigureDb);

/** Weakest level, 1/100 dBm, at which a receiver begins to demodulate. */
export function noticedFromCentiDbm(
  radio: RadioPlan,
  receiver: Receiver,
  spreadingFactor: number,
  bandwidthHz: number,
): number {
  const { reception } = radio;
  if (reception.model === 'off') return radio.ignoredBelowCentiDbm;
  const weakest = weakestCentiDbm(radio, receiver, spreadingFactor, bandwidthHz);
  if (reception.model === 'threshold' || spreadingFactor === FSK) return weakest;
  const lossCentiDb = reception.implementationLossCentiDb[spreadingFactor - LOWEST_SF]!;
  return weakest + lossCentiDb + FAINTEST_CENTI_DB;
}

/** Weakest level, 1/100 dBm, that a receiver demodulates; FSK needs 10 dB above the noise. */
export function weakestCentiDbm(
  radio: RadioPlan,
  receiver: Receiver,
  spreadingFactor: number,
  bandwidthHz: number,
): number {
  if (spreadingFactor !== FSK) {
    return sensitivityCentiDbm(sensitivityTable(radio, receiver), spreadingFactor, bandwidthHz);
  }
  return noiseFloorCentiDbm(bandwidthHz, noiseFigureOf(radio, receiver)) + FSK_SNR_CENTI_DB;
}

/**
 * Losses to noise of frames that were strong enough to be noticed. A frame at the receiver's
 * sensitivity has the SNR floor of its spreading factor, as the theory sees it.
 */
export class Noise {
  /** Whether any frame can be lost to it. */
  readonly active: boolean;
  readonly #lossCentiDb: readonly number[];
  readonly #radio: RadioPlan;

  constructor(radio: RadioPlan) {
    this.active = radio.reception.model === 'theory';
    this.#lossCentiDb = radio.reception.implementationLossCentiDb;
    this.#radio = radio;
  }

  /** Whether a frame at this level is lost, by 32 random bits. */
  loses(
    receiver: Receiver,
    spreadingFactor: number,
    bandwidthHz: number,
    airtimeUs: number,
    levelCentiDbm: number,
    word: number,
  ): boolean {
    if (spreadingFactor === FSK) return false;
    const row = spreadingFactor - LOWEST_SF;
    const weakest = weakestCentiDbm(this.#radio, receiver, spreadingFactor, bandwidthHz);
    const aboveDb = (levelCentiDbm - weakest - this.#lossCentiDb[row]!) / 100;
    const snrDb = aboveDb + SNR_FLOORS_DB[row]!;
    const symbol = symbolUs(spreadingFactor, bandwidthHz);
    const preamble = preambleSymbols(spreadingFactor);
    const symbols = payloadSymbolsOnAir(spreadingFactor, symbol, preamble, airtimeUs);
    return toUnit(word) < packetErrorRate(spreadingFactor, snrDb, symbols);
  }
}
