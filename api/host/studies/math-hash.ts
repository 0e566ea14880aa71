/** Whether this machine computes as others do: a digest of what our own functions come to here. */
import { createHash } from 'node:crypto';
import {
  atan2,
  centiDbToLinear,
  cos,
  exp,
  exp2,
  linearToCentiDb,
  log,
  log2,
  log10,
  normalQuantile,
  pow,
  sin,
} from '../../../sim/base/math.ts';
import { finish } from '../../../sim/base/mixing.ts';

const VALUES = 500;
const DIGITS = 16;
const WORD = 2 ** 32;

/** 0…1, spread evenly, without an end. */
const share = (at: number): number => ((finish(at + 1) >>> 0) + 0.5) / WORD;

/** Each over all that worlds ask of it. */
const FUNCTIONS: readonly ((u: number, v: number) => number)[] = [
  (u) => exp(u * 200 - 100),
  (u) => exp2(u * 200 - 100),
  (u, v) => log(u * exp(v * 100)),
  (u, v) => log2(u * exp(v * 100)),
  (u, v) => log10(u * exp(v * 100)),
  (u, v) => pow(u * 1000, v * 20 - 10),
  (u) => sin(u * 2000 - 1000),
  (u) => cos(u * 2000 - 1000),
  (u, v) => atan2(u - 0.5, v - 0.5),
  (u) => normalQuantile(u),
  (u) => centiDbToLinear(Math.floor(u * 40_000 - 20_000)),
  (u, v) => linearToCentiDb(exp(u * 40 - 30) + v),
  // What the engine itself is to round exactly, and what it writes of a number.
  (u, v) => Math.sqrt(u / v),
  (u, v) => Number(String(u / v)),
];

let known: string | undefined;

/** Of every build the same on every machine and engine; a worker with another is refused. */
export function mathHash(): string {
  known ??= hashOf(FUNCTIONS);
  return known;
}

export function hashOf(functions: readonly ((u: number, v: number) => number)[]): string {
  const bytes = Buffer.alloc(8 * VALUES * functions.length);
  for (const [place, compute] of functions.entries()) {
    for (let at = 0; at < VALUES; at++) {
      bytes.writeDoubleLE(compute(share(2 * at), share(2 * at + 1)), 8 * (place * VALUES + at));
    }
  }
  return createHash('sha256').update(bytes).digest('hex').slice(0, DIGITS);
}
