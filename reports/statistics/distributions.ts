/**
 * Distributions that intervals rest on: Student's t and the binomial, both from the regularized
 * incomplete beta function. Of + − × ÷, √ and our own elementary functions, so the same bits on
 * every engine.
 */
import { assert } from '../../sim/base/assert.ts';
import { exp, log } from '../../sim/base/math.ts';

/**
 * Two-sided quantile of Student's t: the t that a variable with these degrees of freedom (≥ 1) lies
 * within, −t…t, with the probability `confidence` (0 < confidence < 1). Relative error below 1e-9;
 * published tables are met in all their digits.
 */
export function studentT(degreesOfFreedom: number, confidence = 0.95): number {
  assert(confidence > 0 && confidence < 1, 'a confidence lies between 0 and 1');
  const outside = 1 - confidence;
  let least = 0;
  let most = 1;
  while (studentOutside(most, degreesOfFreedom) > outside) most *= 2;
  while (most - least > 1e-12 * most) {
    const middle = (least + most) / 2;
    if (middle === least || middle === most) break;
    if (studentOutside(middle, degreesOfFreedom) > outside) least = middle;
    else most = middle;
  }
  return (least + most) / 2;
}

/**
 * The probability that a variable of Student's t lies outside of −t…t, for whole degrees of freedom
 * ≥ 1 and t ≥ 0: 1 at 0, 0 at infinity (Abramowitz and Stegun 26.7.1 and 26.5.27).
 */
export function studentOutside(t: number, degreesOfFreedom: number): number {
  assert(
    Number.isInteger(degreesOfFreedom) && degreesOfFreedom >= 1,
    'degrees of freedom are whole and at least 1',
  );
  assert(t >= 0, 'what t is compared with is not negative');
  if (t === Number.POSITIVE_INFINITY) return 0;
  return regularizedBeta(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5);
}

/**
 * The probability of at most `most` successes in `trials` of probability `p` each (0 ≤ p ≤ 1); 0
 * below no success, 1 from all on (Abramowitz and Stegun 26.5.24).
 */
export function binomialAtMost(most: number, trials: number, p: number): number {
  assert(Number.isInteger(most) && Number.isInteger(trials), 'successes and trials are whole');
  assert(p >= 0 && p <= 1, 'a probability lies in 0…1');
  if (most < 0) return 0;
  return most >= trials ? 1 : regularizedBeta(1 - p, trials - most, most + 1);
}

/**
 * I_x(a, b) for 0 ≤ x ≤ 1 and a, b > 0, by its continued fraction (Abramowitz and Stegun 26.5.8).
 * Lentz's method evaluates it on the side where it converges fast. Relative error below 1e-11 for a
 * and b up to 10⁴.
 */
export function regularizedBeta(x: number, a: number, b: number): number {
  assert(x >= 0 && x <= 1 && a > 0 && b > 0, 'I_x(a, b) has 0 ≤ x ≤ 1 and a, b > 0');
  if (x === 0 || x === 1) return x;
  const front = exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * log(x) + b * log(1 - x));
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(x, a, b)) / a
    : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

const ENOUGH = 1e-15;
const TERMS_MAX = 10_000;
/** Stands for a denominator of 0. */
const TINY = 1e-300;

function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = inverse(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m <= TERMS_MAX; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = inverse(1 + even * d);
    c = notZero(1 + even / c);
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = inverse(1 + odd * d);
    c = notZero(1 + odd / c);
    value *= d * c;
    if (Math.abs(d * c - 1) < ENOUGH) return value;
  }
  return value;
}

const notZero = (value: number): number => (Math.abs(value) < TINY ? TINY : value);
const inverse = (value: number): number => 1 / notZero(value);

/** Lanczos's series with g = 7 and nine terms (Godfrey's coefficients): about 15 digits. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
  -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
  1.5056327351493116e-7,
];
const HALF_LOG_TWO_PI = 0.9189385332046727;

/** log Γ(x) for x > 0. */
export function logGamma(x: number): number {
  assert(x > 0, 'the logarithm of Γ is taken above 0');
  if (x < 0.5) return logGamma(x + 1) - log(x);
  const below = x - 1;
  const sum = LANCZOS.reduce(
    (total, term, at) => total + (at === 0 ? term : term / (below + at)),
    0,
  );
  const shifted = below + 7.5;
  return HALF_LOG_TWO_PI + (below + 0.5) * log(shifted) - shifted + log(sum);
}
