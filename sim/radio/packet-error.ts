/**
 * Frames lost to noise: the theory of LoRa in white noise (docs/standard.md, Reception in noise).
 *
 * Coding rates 4/5 and 4/6 only detect errors, so one wrong payload symbol loses the frame; 4/7 and
 * 4/8 correct one symbol per block. The header block is stronger and neglected. Real chips lose
 * some dB against the theory: the caller subtracts them from the SNR.
 */
import { exp, log, pow } from '../base/math.ts';
import { LOWEST_SF } from './interference.ts';
import { SYMBOL_ERROR_RATES } from './symbol-error-rates.ts';

/**
 * Lowest SNR by spreading factor SF5…SF12, dB, whatever the bandwidth. Source: Semtech's ADR
 * tables, as brocaar and TTS use them.
 */
export const SNR_FLOORS_DB = [-2.5, -5, -7.5, -10, -12.5, -15, -17.5, -20] as const;

/**
 * What a real receiver loses against the theory, SF5…SF12, dB: so much that a frame of 12 bytes has
 * a packet error rate of 10 % at the floor. Source: docs/standard.md, Reception in noise; SF5 and
 * SF6, which it leaves out, continue its steps.
 */
export const IMPLEMENTATION_LOSS_DB = [0.5, 0.8, 1.1, 1.4, 1.8, 2, 2.3, 2.6] as const;

/** The tables run from here, dB above the floor, in steps of a quarter dB. */
const TABLE_FROM_DB = -8;
const STEPS_PER_DB = 4;

/** Logarithms of the tables, made on first use. */
let logarithms: readonly Float64Array[] | undefined;

/**
 * Probability that a symbol is wrong, at an SNR in dB. Between the points of the tables its
 * logarithm is interpolated; below them it is that of the first point, above them 0.
 */
export function symbolErrorRate(spreadingFactor: number, snrDb: number): number {
  logarithms ??= SYMBOL_ERROR_RATES.map((rates) => Float64Array.from(rates, log));
  const row = spreadingFactor - LOWEST_SF;
  const points = logarithms[row]!;
  const place = (snrDb - SNR_FLOORS_DB[row]! - TABLE_FROM_DB) * STEPS_PER_DB;
  if (place <= 0) return SYMBOL_ERROR_RATES[row]![0]!;
  if (place > points.length - 1) return 0;
  const point = Math.min(Math.floor(place), points.length - 2);
  const share = place - point;
  return exp(points[point]! * (1 - share) + points[point + 1]! * share);
}

/**
 * Probability that a frame is lost to noise, by its payload symbols, 0…1. `codingRate` is 1…4 for
 * 4/5…4/8.
 */
export function packetErrorRate(
  spreadingFactor: number,
  snrDb: number,
  payloadSymbols: number,
  codingRate = 1,
): number {
  const wrong = symbolErrorRate(spreadingFactor, snrDb);
  const right = 1 - wrong;
  if (codingRate < 3) return 1 - pow(right, payloadSymbols);
  const perBlock = codingRate + 4;
  const block = pow(right, perBlock) + perBlock * wrong * pow(right, perBlock - 1);
  return 1 - pow(block, payloadSymbols / perBlock);
}

/**
 * Below this, 1/100 dB from the SNR floor, a receiver does not even notice a frame: the theory's
 * table ends, and no frame of a usual length would come through.
 */
export const FAINTEST_CENTI_DB = 100 * TABLE_FROM_DB;
