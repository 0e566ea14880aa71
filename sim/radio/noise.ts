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
import type { RadioPlan } from '../plan/network-plan.ts';
import { LOWEST_SF } from './interference.ts';
import { faintestSnrDb, packetErrorRate } from './packet-error.ts';
import { noiseFloorCentiDbm } from './power.ts';
import { sensitivityCentiDbm } from './tables.ts';

/** Weakest level, 1/100 dBm, at which a receiver begins to demodulate. */
export function noticedFromCentiDbm(
  radio: RadioPlan,
  table: readonly number[],
  spreadingFactor: number,
  bandwidthHz: number,
): number {
  const { reception } = radio;
  if (reception.model === 'off') return radio.ignoredBelowCentiDbm;
  if (reception.model === 'threshold' || spreadingFactor === FSK) {
    return weakestCentiDbm(radio, table, spreadingFactor, bandwidthHz);
  }
  const lossCentiDb = reception.implementationLossCentiDb[spreadingFactor - LOWEST_SF]!;
  const faintest = Math.round(100 * faintestSnrDb(spreadingFactor)) + lossCentiDb;
  return noiseFloorCentiDbm(bandwidthHz, radio.noiseFigureDb) + faintest;
}

/** Weakest level, 1/100 dBm, that a receiver demodulates; FSK needs 10 dB above the noise. */
export function weakestCentiDbm(
  radio: RadioPlan,
  table: readonly number[],
  spreadingFactor: number,
  bandwidthHz: number,
): number {
  if (spreadingFactor !== FSK) return sensitivityCentiDbm(table, spreadingFactor, bandwidthHz);
  return noiseFloorCentiDbm(bandwidthHz, radio.noiseFigureDb) + FSK_SNR_CENTI_DB;
}

/** Losses to noise of frames that were strong enough to be noticed. */
export class Noise {
  /** Whether any frame can be lost to it. */
  readonly active: boolean;
  readonly #lossCentiDb: readonly number[];
  readonly #noiseFigureDb: number;

  constructor({ reception, noiseFigureDb }: RadioPlan) {
    this.active = reception.model === 'theory';
    this.#lossCentiDb = reception.implementationLossCentiDb;
    this.#noiseFigureDb = noiseFigureDb;
  }

  /** Whether a frame at this level is lost, by 32 random bits. */
  loses(
    spreadingFactor: number,
    bandwidthHz: number,
    airtimeUs: number,
    levelCentiDbm: number,
    word: number,
  ): boolean {
    if (spreadingFactor === FSK) return false;
    const floor = noiseFloorCentiDbm(bandwidthHz, this.#noiseFigureDb);
    const loss = this.#lossCentiDb[spreadingFactor - LOWEST_SF]!;
    const snrDb = (levelCentiDbm - floor - loss) / 100;
    const symbol = symbolUs(spreadingFactor, bandwidthHz);
    const preamble = preambleSymbols(spreadingFactor);
    const symbols = payloadSymbolsOnAir(spreadingFactor, symbol, preamble, airtimeUs);
    return toUnit(word) < packetErrorRate(spreadingFactor, snrDb, symbols);
  }
}
