/**
 * How many coded fragments an image needs, in closed form.
 *
 * Each frame is lost by itself with the same probability. A device lacks L of the uncoded fragments
 * and has K coded ones. It rebuilds the image when its K × L rows have full rank. The rows of
 * FragAlgo 0 behave as random ones (docs/standard.md, Redundancy code). So the probability of that
 * is the product of 1 − 2^−j for j = K − L + 1 … K. L and K are binomial, and the share of devices
 * that rebuild the image is the sum over both.
 *
 * Some numbers of fragments are served worse than a random code would: what the closed form says is
 * held against a few thousand drawn devices with the code as it is.
 */
import { assert } from '../../sim/base/assert.ts';
import { MAX_FRAGMENT_NUMBER } from '../../sim/lorawan/fragmentation-code.ts';
import { binomial, needsOf } from './fragment-plan.ts';

/** What is less probable than this does not count. */
const NEGLIGIBLE = 1e-12;
/** Rows from which one row more does not change a double. */
const MANY_ROWS = 60;
/** Tolerance of a drawn share for chance, in standard deviations. */
const SIGMAS = 3;
/** Coded fragments that are looked at where the code is weak, beyond twice the closed form. */
const SPARE = 256;

/** PRODUCTS[d]: the product of 1 − 2^−j over all j > d. */
const PRODUCTS = products();

function products(): Float64Array {
  const from = new Float64Array(MANY_ROWS + 1).fill(1);
  let power = 1;
  for (let d = 0; d < MANY_ROWS; d++) power /= 2;
  for (let d = MANY_ROWS - 1; d >= 0; d--) {
    from[d] = from[d + 1]! * (1 - power);
    power *= 2;
  }
  return from;
}

const productBeyond = (d: number): number => PRODUCTS[Math.min(d, MANY_ROWS)]!;

/** Probability that `has` random rows determine `lacks` fragments. */
export function rebuilds(lacks: number, has: number): number {
  if (lacks === 0) return 1;
  return has < lacks ? 0 : productBeyond(has - lacks) / productBeyond(has);
}

/** Share of devices that rebuild the image; each frame is lost with probability `loss`, below 1. */
export function rebuildingShare(nbFrag: number, redundancy: number, loss: number): number {
  const lost = binomial(nbFrag, loss);
  const codedLost = binomial(redundancy, loss);
  let share = 0;
  for (let lacks = 0; lacks <= Math.min(nbFrag, redundancy); lacks++) {
    const chance = lost[lacks]!;
    if (chance < NEGLIGIBLE) continue;
    let good = 0;
    for (let missed = 0; missed <= redundancy - lacks; missed++) {
      if (codedLost[missed]! < NEGLIGIBLE) continue;
      good += codedLost[missed]! * rebuilds(lacks, redundancy - missed);
    }
    share += chance * good;
  }
  return Math.min(share, 1);
}

/** Squares of lost fragments that a share affords: some milliseconds; fewest and most devices. */
const AFFORDED_BY_SHARE = 4e6;
const FEWEST_BY_SHARE = 200;
const MOST_BY_SHARE = 1_000;
/** Where nearly all devices rebuild the image, or nearly none, the closed form suffices. */
const NEARLY = 0.002;

/** Shares of devices that rebuild an image, with the code as it is where that may decide. */
export class RebuildingShares {
  readonly #nbFrag: number;
  readonly #most: number;
  readonly #needs = new Map<number, readonly number[]>();

  /** `most`: coded fragments that are asked for at most. */
  constructor(nbFrag: number, most: number) {
    this.#nbFrag = nbFrag;
    this.#most = most;
  }

  /** Each frame is lost with probability `loss`, below 1. */
  of(redundancy: number, loss: number): number {
    assert(redundancy <= this.#most, 'no more coded fragments than were announced');
    const share = rebuildingShare(this.#nbFrag, redundancy, loss);
    if (share < NEARLY || share > 1 - NEARLY) return share;
    const needs = this.#needs.get(loss) ?? this.#drawn(loss);
    this.#needs.set(loss, needs);
    if (needs.length === 0) return share;
    return needs.filter((need) => need <= redundancy).length / needs.length;
  }

  /** Coded fragments that devices need; empty where the block is too large to draw enough. */
  #drawn(loss: number): readonly number[] {
    const lost = Math.max(this.#nbFrag * loss, 1);
    const devices = Math.min(Math.floor(AFFORDED_BY_SHARE / (lost * lost)), MOST_BY_SHARE);
    if (devices < FEWEST_BY_SHARE) return [];
    const most = Math.min(this.#nbFrag + this.#most, MAX_FRAGMENT_NUMBER);
    return needsOf(this.#nbFrag, loss, most, devices);
  }
}

/**
 * The fewest coded fragments with which this share of devices rebuilds the image; undefined where a
 * session has not that many.
 */
export function fewestCoded(nbFrag: number, loss: number, share: number): number | undefined {
  const most = MAX_FRAGMENT_NUMBER - nbFrag;
  const suffices = (coded: number) => rebuildingShare(nbFrag, coded, loss) >= share;
  if (suffices(0)) return 0;
  let enough = 1;
  while (enough < most && !suffices(enough)) enough = Math.min(2 * enough, most);
  if (!suffices(enough)) return undefined;
  let tooFew = enough >> 1;
  while (enough - tooFew > 1) {
    const middle = (tooFew + enough) >> 1;
    if (suffices(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}

export interface DrawnCheck {
  /** Devices that were drawn, and the share of them that rebuilds the image. */
  readonly devices: number;
  readonly share: number;
  /**
   * Where the code as it is serves that many fragments worse than the closed form has it: how many
   * coded ones the drawn devices need; infinite where they need more than were looked at.
   */
  readonly needed?: number;
  /** Share of the drawn devices that rebuild the image with these. */
  readonly neededShare?: number;
}

/** Squares of lost fragments that a check affords in all: some tenths of a second. */
const AFFORDED = 6e7;
const MOST_DEVICES = 4_000;
/** Fewer show too little. */
const FEWEST_DEVICES = 400;

/**
 * Holds a number of coded fragments against drawn devices and the real parity matrix; undefined of
 * blocks that are too large to draw enough devices.
 */
export function drawnCheck(
  nbFrag: number,
  loss: number,
  coded: number,
  share: number,
): DrawnCheck | undefined {
  const lost = Math.max(nbFrag * loss, 1);
  const devices = Math.min(Math.floor(AFFORDED / (lost * lost)), MOST_DEVICES);
  if (devices < FEWEST_DEVICES) return undefined;
  const most = Math.min(nbFrag + 2 * coded + SPARE, MAX_FRAGMENT_NUMBER);
  const needs = needsOf(nbFrag, loss, most, devices).sort((a, b) => a - b);
  const shareWith = (some: number) => needs.filter((need) => need <= some).length / devices;
  const complete = shareWith(coded);
  const spread = Math.sqrt((share * (1 - share)) / devices);
  if (complete >= share - SIGMAS * spread) return { devices, share: complete };
  const needed = needs[Math.ceil(share * devices) - 1]!;
  return { devices, share: complete, needed, neededShare: shareWith(needed) };
}
