/**
 * Path loss between a device and a gateway (presets and sources: `scenarios/`; models: ns-3, FLoRa,
 * LoRaSim).
 */
import { exp, log10, normalQuantile } from '../base/math.ts';
import type { PathLossPlan, RadioPlan } from '../network-plan.ts';

/** Shadowing is drawn from a normal distribution cut off here, so that reach has a bound. */
const SHADOWING_CUT_SIGMAS = 4;

/** Closer than this the models mean nothing; a device on the mast counts as one metre away. */
const NEAREST_METERS = 1;

/** Median loss over a distance, dB. */
export function pathLossDb(plan: PathLossPlan, meters: number): number {
  if (plan.model === 'constant') return plan.lossDb;
  const distance = Math.max(NEAREST_METERS, meters) / plan.referenceMeters;
  return plan.referenceLossDb + 10 * plan.exponent * log10(distance);
}

/** Log-normal shadowing, dB, from 32 random bits: positive is more loss. */
export function shadowingDb(sigmaDb: number, word: number): number {
  if (sigmaDb === 0) return 0;
  const sigmas = normalQuantile(((word >>> 0) + 0.5) / 0x1_0000_0000);
  return sigmaDb * Math.max(-SHADOWING_CUT_SIGMAS, Math.min(SHADOWING_CUT_SIGMAS, sigmas));
}

/** Distance beyond which no link can be better than this loss, whatever the shadowing; metres. */
export function reachMeters(radio: RadioPlan, lossDb: number): number {
  const plan = radio.pathLoss;
  if (plan.model === 'constant') return Number.POSITIVE_INFINITY;
  const median = lossDb + SHADOWING_CUT_SIGMAS * radio.shadowingSigmaDb - plan.referenceLossDb;
  return plan.referenceMeters * exp((median / (10 * plan.exponent)) * Math.LN10);
}
