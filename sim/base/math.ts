/**
 * Our own elementary functions, the same bits on every engine (fdlibm's algorithms; AS241 for the
 * normal quantile).
 */
import { assert } from './assert.ts';

// Built from + − · / and exact rounding only, so that no engine's Math.exp can shift a world.
// Errors stay below 1.5 units in the last place. Exponent bits are read through a shared view and
// never written: writing half of a double and reading the whole back stalls the processor.

/** `exponentOf` fills it and reads it back. */
const double = new Float64Array(1);
const words = new Int32Array(double.buffer);
const HIGH_WORD = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0;

const MIN_EXPONENT = -1074;
const MAX_EXPONENT = 1023;

/** 2^k for k = −1074…1023, all exact. */
const POWER_OF_TWO = powersOfTwo();

function powersOfTwo(): Float64Array {
  const table = new Float64Array(MAX_EXPONENT - MIN_EXPONENT + 1);
  for (let k = 0, up = 1, down = 1; k <= -MIN_EXPONENT; k++, up *= 2, down /= 2) {
    if (k <= MAX_EXPONENT) table[k - MIN_EXPONENT] = up;
    table[-k - MIN_EXPONENT] = down;
  }
  return table;
}

/** y · 2^k with one rounding; y within a factor of 4 of 1. */
function scale(y: number, k: number): number {
  if (k > MAX_EXPONENT) return y * 2 * POWER_OF_TWO[MAX_EXPONENT - MIN_EXPONENT];
  if (k >= -1020) return y * POWER_OF_TWO[k - MIN_EXPONENT];
  return y * POWER_OF_TWO[k + 200 - MIN_EXPONENT] * POWER_OF_TWO[-200 - MIN_EXPONENT];
}

/** Binary exponent of a normal positive double: x = m · 2^k, 1 ≤ m < 2. */
function exponentOf(x: number): number {
  double[0] = x;
  return (words[HIGH_WORD] >>> 20) - 1023;
}

/** The upper 21 bits of x (Veltkamp), so that products with 32-bit constants are exact. */
function upperBits(x: number): number {
  const shifted = x * 4294967297;
  return shifted - (shifted - x);
}

const SMALLEST_NORMAL = 2.2250738585072014e-308;
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;

// ── exp ──────────────────────────────────────────────────────────────────────────────────────────

/** x·(e^x + 1)/(e^x − 1) − 2 as a polynomial of t = x², |x| ≤ ln2/2. */
function expKernel(t: number): number {
  return (
    t *
    (0.16666666666666602 +
      t *
        (-0.0027777777777015593 +
          t *
            (0.00006613756321437934 + t * (-0.0000016533902205465252 + t * 4.1381367970572385e-8))))
  );
}

/** e^x; 0 below −745.14, Infinity above 709.79, NaN of NaN. */
export function exp(x: number): number {
  if (!(x <= 709.782712893384)) return x > 0 ? Number.POSITIVE_INFINITY : Number.NaN;
  if (x < -745.1332191019411) return 0;
  const k = Math.floor(x * Math.LOG2E + 0.5);
  const high = x - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const r = high - low;
  const c = r - expKernel(r * r);
  return scale(1 - (low - (r * c) / (2 - c) - high), k);
}

/** 2^(high + low) where |low| is a rounding error of high. */
function exp2OfSum(high: number, low: number): number {
  const whole = high + low;
  if (!(whole < 1024)) return whole >= 1024 ? Number.POSITIVE_INFINITY : Number.NaN;
  if (whole < -1075) return 0;
  const k = Math.floor(whole + 0.5);
  const rest = high - k;
  const t = Math.fround(low + rest);
  const u = t * 0.6931471824645996;
  const v = (low - (t - rest)) * Math.LN2 + t * -1.904654299957768e-9;
  const z = u + v;
  const w = v - (z - u);
  const t1 = z - expKernel(z * z);
  const r = (z * t1) / (t1 - 2) - (w + z * w);
  return scale(1 - (r - z), k);
}

/** 2^x; exact for whole x. */
export function exp2(x: number): number {
  return exp2OfSum(x, 0);
}

// ── logarithms ───────────────────────────────────────────────────────────────────────────────────
// x = 2^k·(1 + f) with √½ ≤ 1 + f < √2.

/** 2^54: it lifts subnormal numbers to normal ones. */
const LIFT = 18014398509481984;

const hasLogarithm = (x: number): boolean => x > 0 && x < Number.POSITIVE_INFINITY;

/** The k of x, positive and finite. */
function exponentFor(x: number): number {
  const lifted = x < SMALLEST_NORMAL ? x * LIFT : x;
  const e = exponentOf(lifted);
  const k = x < SMALLEST_NORMAL ? e - 54 : e;
  return lifted * POWER_OF_TWO[-e - MIN_EXPONENT] >= Math.SQRT2 ? k + 1 : k;
}

/** The f of x and its k, exactly. */
function fractionFor(x: number, k: number): number {
  const m =
    k >= -MAX_EXPONENT
      ? x * POWER_OF_TWO[-k - MIN_EXPONENT]
      : x * LIFT * POWER_OF_TWO[-k - 54 - MIN_EXPONENT];
  return m - 1;
}

function logOfSpecial(x: number): number {
  if (x === 0) return Number.NEGATIVE_INFINITY;
  return x > 0 ? x : Number.NaN;
}

/** ln(1 + f) − f + f²/2. */
function logTail(f: number, halfSquare: number): number {
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const even = w * (0.3999999999940942 + w * (0.22222198432149784 + w * 0.15313837699209373));
  const odd =
    z *
    (0.6666666666666735 +
      w * (0.2857142874366239 + w * (0.1818357216161805 + w * 0.14798198605116586)));
  return s * (halfSquare + even + odd);
}

/** Natural logarithm; −Infinity of 0, NaN below. */
export function log(x: number): number {
  if (!hasLogarithm(x)) return logOfSpecial(x);
  const k = exponentFor(x);
  const f = fractionFor(x, k);
  const halfSquare = 0.5 * f * f;
  return k * LN2_HIGH - (halfSquare - (logTail(f, halfSquare) + k * LN2_LOW) - f);
}

/** Logarithm to base 2; exact for powers of two. */
export function log2(x: number): number {
  if (!hasLogarithm(x)) return logOfSpecial(x);
  const k = exponentFor(x);
  const f = fractionFor(x, k);
  const halfSquare = 0.5 * f * f;
  const high = upperBits(f - halfSquare);
  const low = f - high - halfSquare + logTail(f, halfSquare);
  const valueHigh = high * 1.4426950407214463;
  const sum = k + valueHigh;
  const valueLow = (low + high) * 1.6751713164886512e-10 + low * 1.4426950407214463;
  return valueLow + (k - sum + valueHigh) + sum;
}

/** Logarithm to base 10. */
export function log10(x: number): number {
  if (!hasLogarithm(x)) return logOfSpecial(x);
  const k = exponentFor(x);
  const f = fractionFor(x, k);
  const halfSquare = 0.5 * f * f;
  const high = upperBits(f - halfSquare);
  const low = f - high - halfSquare + logTail(f, halfSquare);
  const valueHigh = high * 0.4342944818781689;
  const exponentHigh = k * 0.30102999566361177;
  const sum = exponentHigh + valueHigh;
  const valueLow =
    k * 3.694239077158931e-13 + (low + high) * 2.5082946711645275e-11 + low * 0.4342944818781689;
  return valueLow + (exponentHigh - sum + valueHigh) + sum;
}

// ── pow ──────────────────────────────────────────────────────────────────────────────────────────

const CP = 0.9617966939259756; // 2/(3·ln2)
const CP_HIGH = 0.9617967009544373;
const CP_LOW = -7.028461650952758e-9;
const LOG2_OF_1_5_HIGH = 0.5849624872207642;
const LOG2_OF_1_5_LOW = 1.350039202129749e-8;

/** x^y for x > 0 and any y; x ≤ 0 is an assertion. */
export function pow(x: number, y: number): number {
  assert(!(x <= 0), 'pow takes a positive base');
  if (x === 1 || y === 0) return 1;
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (x === Number.POSITIVE_INFINITY) return y > 0 ? x : 0;
  if (y > 1e20 || y < -1e20) return y > 0 === x > 1 ? Number.POSITIVE_INFINITY : 0;
  const lifted = x < SMALLEST_NORMAL ? x * LIFT : x;
  const e = exponentOf(lifted);
  let n = lifted === x ? e : e - 54;
  let m = lifted * POWER_OF_TWO[-e - MIN_EXPONENT];
  if (m >= 1.7320508075688772) {
    m *= 0.5;
    n += 1;
  }
  // log2(m·2^n) to about 70 bits: `high` has its upper bits, `low` the rest.
  const nearThreeHalves = m >= 1.224744871391589;
  const base = nearThreeHalves ? 1.5 : 1;
  const u = m - base;
  const v = 1 / (m + base);
  const s = u * v;
  const sHigh = upperBits(s);
  const sumHigh = upperBits(m + base);
  const sumLow = m - (sumHigh - base);
  const sLow = v * (u - sHigh * sumHigh - sHigh * sumLow);
  const square = s * s;
  const r = square * square * powKernel(square) + sLow * (sHigh + s);
  const sHighSquare = sHigh * sHigh;
  const tHigh = upperBits(3 + sHighSquare + r);
  const tLow = r - (tHigh - 3 - sHighSquare);
  const productHigh = sHigh * tHigh;
  const productLow = sLow * tHigh + tLow * s;
  const pHigh = upperBits(productHigh + productLow);
  const pLow = productLow - (pHigh - productHigh);
  const zHigh = CP_HIGH * pHigh;
  const zLow = CP_LOW * pHigh + pLow * CP + (nearThreeHalves ? LOG2_OF_1_5_LOW : 0);
  const baseHigh = nearThreeHalves ? LOG2_OF_1_5_HIGH : 0;
  const high = upperBits(zHigh + zLow + baseHigh + n);
  const low = zLow - (high - n - baseHigh - zHigh);
  const yHigh = upperBits(y);
  return exp2OfSum(yHigh * high, (y - yHigh) * high + y * low);
}

function powKernel(s2: number): number {
  return (
    0.5999999999999946 +
    s2 *
      (0.4285714285785502 +
        s2 *
          (0.33333332981837743 +
            s2 * (0.272728123808534 + s2 * (0.23066074577556175 + s2 * 0.20697501780033842))))
  );
}

// ── trigonometry ─────────────────────────────────────────────────────────────────────────────────

/** Largest angle, radians, that `sin` and `cos` take. */
const LARGEST_ANGLE = 1e6;

/** The n of the multiple n·π/2 that is nearest to x. */
function nearestQuarter(x: number): number {
  assert(Math.abs(x) <= LARGEST_ANGLE, 'an angle lies within ±1e6 radians');
  return Math.floor(x * 0.6366197723675814 + 0.5);
}

/** Sine or cosine of x − n·π/2, |x − n·π/2| ≤ π/4 (three-part π/2, 151 bits). */
function sinOrCosKernel(isCosine: boolean, x: number, n: number): number {
  const a = x - n * 1.5707963267341256;
  const w2 = n * 6.077100506303966e-11;
  const b = a - w2;
  const w3 = n * 2.0222662487111665e-21;
  const e2 = a - b - w2;
  const c = b - w3;
  const tail = n * 8.4784276603689e-32 - (b - c - w3) - e2;
  const remainder = c - tail;
  const error = c - remainder - tail;
  return isCosine ? cosKernel(remainder, error) : sinKernel(remainder, error);
}

function sinKernel(x: number, error: number): number {
  const z = x * x;
  const v = z * x;
  const r =
    0.00833333333332249 +
    z * (-0.0001984126982985795 + z * 0.0000027557313707070068) +
    z * z * z * (-2.5050760253406863e-8 + z * 1.58969099521155e-10);
  return x - (z * (0.5 * error - v * r) - error - v * -0.16666666666666632);
}

function cosKernel(x: number, error: number): number {
  const z = x * x;
  const z2 = z * z;
  const r =
    z * (0.0416666666666666 + z * (-0.001388888888887411 + z * 0.00002480158728947673)) +
    z2 * z2 * (-2.7557314351390663e-7 + z * (2.087572321298175e-9 + z * -1.1359647557788195e-11));
  const half = 0.5 * z;
  const w = 1 - half;
  return w + (1 - w - half + (z * r - x * error));
}

/** Sine of x radians, |x| ≤ 1e6; NaN of no finite number. */
export function sin(x: number): number {
  if (!Number.isFinite(x)) return Number.NaN;
  if (x === 0) return x;
  const n = nearestQuarter(x);
  const value = sinOrCosKernel((n & 1) === 1, x, n);
  return (n & 3) >= 2 ? -value : value;
}

/** Cosine of x radians, |x| ≤ 1e6; NaN of no finite number. */
export function cos(x: number): number {
  if (!Number.isFinite(x)) return Number.NaN;
  const n = nearestQuarter(x);
  const value = sinOrCosKernel((n & 1) === 0, x, n);
  return (n & 3) === 1 || (n & 3) === 2 ? -value : value;
}

/** atan of 0.5, 1, 1.5 and ∞, upper and lower part. */
const ATAN_HIGH = [0.4636476090008061, 0.7853981633974483, 0.982793723247329, 1.5707963267948966];
const ATAN_LOW = [
  2.2698777452961687e-17, 3.061616997868383e-17, 1.3903311031230998e-17, 6.123233995736766e-17,
];

/** (x − atan x)/x as a function of x², |x| < 0.4375. */
function atanKernel(z: number): number {
  const w = z * z;
  const odd =
    0.3333333333333293 +
    w *
      (0.14285714272503466 +
        w *
          (0.09090887133436507 +
            w * (0.06661073137387531 + w * (0.049768779946159324 + w * 0.016285820115365782))));
  const even =
    -0.19999999999876483 +
    w *
      (-0.11111110405462356 +
        w * (-0.0769187620504483 + w * (-0.058335701337905735 + w * -0.036531572744216916)));
  return z * odd + w * even;
}

/** Arc tangent of x ≥ 0. */
function atan(x: number): number {
  if (x < 0.4375) return x - x * atanKernel(x * x);
  let near = 3;
  let t = -1 / x;
  if (x < 0.6875) {
    near = 0;
    t = (2 * x - 1) / (2 + x);
  } else if (x < 1.1875) {
    near = 1;
    t = (x - 1) / (x + 1);
  } else if (x < 2.4375) {
    near = 2;
    t = (x - 1.5) / (1 + 1.5 * x);
  }
  return ATAN_HIGH[near] - (t * atanKernel(t * t) - ATAN_LOW[near] - t);
}

const PI = Math.PI;
const PI_LOW = 1.2246467991473532e-16;

/** Angle of the point (x, y) in −π…π radians, with the signs of zero that ECMA-262 asks for. */
export function atan2(y: number, x: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  const height = Math.abs(y);
  const turned = angleOver(height, Math.abs(x), x < 0 || Object.is(x, -0));
  return y < 0 || Object.is(y, -0) ? -turned : turned;
}

/** The angle for y ≥ 0, with |x| and whether x lies left of the axis. */
function angleOver(y: number, x: number, left: boolean): number {
  if (y === 0) return left ? PI : 0;
  const slope = y === x ? 1 : y / x;
  if (slope > 1e18) return PI / 2;
  const angle = atan(slope);
  return left ? PI - (angle - PI_LOW) : angle;
}

// ── normal distribution ──────────────────────────────────────────────────────────────────────────

/** a7·r^7 + … + a0 over (b7·r^7 + … + b0), each row from the highest power down. */
function ratio(numerator: readonly number[], denominator: readonly number[], r: number): number {
  let top = 0;
  let bottom = 0;
  for (let i = 0; i < 8; i++) {
    top = top * r + numerator[i];
    bottom = bottom * r + denominator[i];
  }
  return top / bottom;
}

const CENTRE_TOP = [
  2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946,
  1971.5909503065513, 133.14166789178438, 3.3871328727963665,
];
const CENTRE_BOTTOM = [
  5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751,
  687.1870074920579, 42.31333070160091, 1,
];
const SHOULDER_TOP = [
  0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684,
  3.6478483247632045, 5.769497221460691, 4.630337846156546, 1.4234371107496835,
];
const SHOULDER_BOTTOM = [
  1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008,
  0.6897673349851, 1.6763848301838038, 2.053191626637759, 1,
];
const TAIL_TOP = [
  2.0103343992922881e-7, 0.000027115555687434876, 0.0012426609473880784, 0.026532189526576124,
  0.29656057182850487, 1.7848265399172913, 5.463784911164114, 6.657904643501103,
];
const TAIL_BOTTOM = [
  2.0442631033899397e-15, 1.421511758316446e-7, 0.000018463183175100548, 0.0007868691311456133,
  0.014875361290850615, 0.1369298809227358, 0.599832206555888, 1,
];

/**
 * The z for which a standard normal variable is below z with probability p, 0 < p < 1; ∓Infinity at
 * the ends, NaN outside. Relative error about 1e-16 (Wichura, Algorithm AS 241, PPND16).
 */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) return Number.NaN;
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return q * ratio(CENTRE_TOP, CENTRE_BOTTOM, 0.180625 - q * q);
  const tail = q < 0 ? p : 1 - p;
  if (tail === 0) return q < 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const r = Math.sqrt(-log(tail));
  const z =
    r <= 5 ? ratio(SHOULDER_TOP, SHOULDER_BOTTOM, r - 1.6) : ratio(TAIL_TOP, TAIL_BOTTOM, r - 5);
  return q < 0 ? -z : z;
}

// ── decibels ─────────────────────────────────────────────────────────────────────────────────────

/** 10^(r/1000), r = 0…999. */
const DECADE = Float64Array.from({ length: 1000 }, (_, r) => pow(10, r / 1000));

/** Whole decades from 10^−60 to 10^60. */
const WHOLE_DECADES = Float64Array.from({ length: 121 }, (_, i) => Number(`1e${i - 60}`));

/** Linear ratio (or mW of dBm) of whole 1/100 dB, −60 000…60 000; relative error below 4e-16. */
export function centiDbToLinear(centiDb: number): number {
  const decade = Math.floor(centiDb / 1000);
  const within = centiDb - decade * 1000;
  assert(within === (within | 0) && decade >= -60 && decade <= 60, 'a level is whole 1/100 dB');
  return DECADE[within] * WHOLE_DECADES[decade + 60];
}

/** 1/100 dB of a linear ratio, rounded to a whole number; −Infinity of 0. */
export function linearToCentiDb(linear: number): number {
  return Math.round(1000 * log10(linear));
}
