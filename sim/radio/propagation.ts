/** Path loss between a device and a gateway (docs/standard.md, Path loss). */
import { exp, log10, normalQuantile } from '../base/math.ts';
import type { PathLossPlan } from '../plan/network-plan.ts';

/** Shadowing is drawn from a normal distribution cut off here, so that reach has a bound. */
export const SHADOWING_CUT_SIGMAS = 4;

/** Closer than this the models mean nothing; a device on the mast counts as one metre away. */
const NEAREST_METERS = 1;

const MHZ = 1_000_000;
const KILOMETRE = 1_000;
/** 20·log10(4π · 1 MHz · 1 m / c), dB. */
const FREE_SPACE_DB = -27.552_216_778;

/** Every model but the constant one is a straight line over the logarithm of the distance. */
export type PlainPathLoss = Extract<PathLossPlan, { model: 'logDistance' | 'constant' }>;
type OkumuraHata = Extract<PathLossPlan, { model: 'okumuraHata' }>;

/** A model in the form that is computed with. */
export function plainPathLoss(plan: PathLossPlan): PlainPathLoss {
  switch (plan.model) {
    case 'freeSpace': {
      const referenceLossDb = FREE_SPACE_DB + 20 * log10(plan.frequencyHz / MHZ);
      return { model: 'logDistance', exponent: 2, referenceLossDb, referenceMeters: 1 };
    }
    case 'okumuraHata': {
      const exponent = (44.9 - 6.55 * log10(plan.gatewayHeightMeters)) / 10;
      const referenceLossDb = hataAtOneKilometreDb(plan);
      return { model: 'logDistance', exponent, referenceLossDb, referenceMeters: KILOMETRE };
    }
    default:
      return plan;
  }
}

function hataAtOneKilometreDb(plan: OkumuraHata): number {
  const mhz = plan.frequencyHz / MHZ;
  const f = log10(mhz);
  const urban = 69.55 + 26.16 * f - 13.82 * log10(plan.gatewayHeightMeters) - mobileDb(plan, f);
  if (plan.environment === 'suburban') {
    const ratio = log10(mhz / 28);
    return urban - 2 * ratio * ratio - 5.4;
  }
  return plan.environment === 'open' ? urban - 4.78 * f * f + 18.33 * f - 40.94 : urban;
}

/** Correction for the height of the device; that of large cities holds from 400 MHz on. */
function mobileDb({ environment, deviceHeightMeters: hm }: OkumuraHata, f: number): number {
  if (environment !== 'largeCity') return (1.1 * f - 0.7) * hm - (1.56 * f - 0.8);
  const height = log10(11.75 * hm);
  return 3.2 * height * height - 4.97;
}

/** Median loss over a distance, dB, never below 0. */
export function pathLossDb(plan: PathLossPlan, meters: number): number {
  const plain = plainPathLoss(plan);
  if (plain.model === 'constant') return withoutGain(plain.lossDb);
  const distance = Math.max(NEAREST_METERS, meters) / plain.referenceMeters;
  return withoutGain(plain.referenceLossDb + 10 * plain.exponent * log10(distance));
}

/**
 * A loss, but never below 0 dB: nothing between two antennas adds power, whatever a model says
 * where it does not hold any more, such as within a metre.
 */
export const withoutGain = (lossDb: number): number => Math.max(0, lossDb);

/** Log-normal shadowing, dB, from 32 random bits: positive is more loss. */
export function shadowingDb(sigmaDb: number, word: number): number {
  if (sigmaDb === 0) return 0;
  return sigmaDb * cutSigmas(normalQuantile(((word >>> 0) + 0.5) / 0x1_0000_0000));
}

/** A normally distributed number within the cut. */
export const cutSigmas = (sigmas: number): number =>
  Math.max(-SHADOWING_CUT_SIGMAS, Math.min(SHADOWING_CUT_SIGMAS, sigmas));

/** Distance beyond which no link can be better than this loss, whatever the shadowing; metres. */
export function reachMeters(
  radio: { readonly pathLoss: PathLossPlan; readonly shadowingSigmaDb: number },
  lossDb: number,
): number {
  const plan = plainPathLoss(radio.pathLoss);
  if (plan.model === 'constant') return Number.POSITIVE_INFINITY;
  const median = lossDb + SHADOWING_CUT_SIGMAS * radio.shadowingSigmaDb - plan.referenceLossDb;
  return plan.referenceMeters * exp((median / (10 * plan.exponent)) * Math.LN10);
}
