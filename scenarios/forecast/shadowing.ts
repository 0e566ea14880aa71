/**
 * What shadowing does to links that a plan shows by distance alone: probabilities in place of a
 * draw (docs/decisions/0133). Each pair of device and gateway has a shadow of its own.
 */
import { exp } from '../../sim/base/math.ts';

/**
 * Probability that a standard normal variable is below z: Abramowitz and Stegun 26.2.17, right to
 * 1e-7.
 */
function normalBelow(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const sum =
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const beyond = (exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum;
  return z > 0 ? 1 - beyond : beyond;
}

/** Probability that a link reaches a level, by its mean level; both 1/100 dBm. */
export function reaches(meanCentiDbm: number, levelCentiDbm: number, sigmaDb: number): number {
  if (sigmaDb === 0) return meanCentiDbm >= levelCentiDbm ? 1 : 0;
  return normalBelow((meanCentiDbm - levelCentiDbm) / (100 * sigmaDb));
}

/** Probability that at least one happens of several that do not depend on each other. */
export const anyOf = (probabilities: readonly number[]): number =>
  1 - probabilities.reduce((none, one) => none * (1 - one), 1);

/** Probabilities that 0, 1, 2 … of them happen; trailing ones that are next to nothing are cut. */
export function countsOf(probabilities: readonly number[]): readonly number[] {
  let counts = [1];
  for (const one of probabilities) {
    if (one === 0) continue;
    const next = new Array<number>(counts.length + 1).fill(0);
    counts.forEach((share, count) => {
      next[count]! += share * (1 - one);
      next[count + 1]! += share * one;
    });
    counts = next;
  }
  while (counts.length > 1 && counts.at(-1)! < NOTHING) counts.pop();
  return counts;
}

const NOTHING = 1e-12;
