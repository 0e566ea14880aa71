/**
 * Fragment sizes to choose from for an image and a data rate, and the redundancy that each needs
 * (TS004-1.0.0, FragAlgo 0; protocol overhead: 13 bytes of frame, 3 of DataFragment).
 */
import { DrawPurpose, draw, entityKey, expandSeed, toUnit } from '../../sim/base/random.ts';
import { timeOnAirUs } from '../../sim/lorawan/airtime.ts';
import {
  fragmentCount,
  isDefective,
  MAX_FRAGMENT_NUMBER,
  nearestGoodFragSize,
} from '../../sim/lorawan/fragmentation-code.ts';
import { RankModel } from '../../sim/lorawan/fragmentation-rank.ts';

/** MHDR, FHDR, FPort and MIC around the command; CID and index before the fragment. */
export const FRAME_BYTES = 13;
export const FRAGMENT_HEAD_BYTES = 3;
/** More are slow to send, and slow to count with; only the largest size may need more. */
const SENSIBLE_COUNT = 4_096;
/** The largest size and shares of it. */
const EIGHTHS = [8, 7, 6, 5, 4, 3, 2] as const;

/** Shares of devices for which the redundancy is estimated. */
export const DEVICE_SHARES = [0.5, 0.9, 0.99] as const;

export interface FragmentSize {
  /** Bytes. */
  readonly fragSize: number;
  /** Fragments before redundancy. */
  readonly nbFrag: number;
  /** Zeros at the end of the last fragment. */
  readonly paddingBytes: number;
  /** PHYPayload of a fragment's frame. */
  readonly phyBytes: number;
  /** Of one fragment, and of all before redundancy. */
  readonly airtimeUs: number;
  readonly totalAirtimeUs: number;
  /** From start to start in the sub-band's duty cycle. */
  readonly minIntervalUs: number;
  /** Whether some pairs of fragments can hardly be rebuilt when both are lost. */
  readonly defective: boolean;
  /** Bytes; the size next to a defective one that is not, the size itself otherwise. */
  readonly goodFragSize: number;
}

/** What a fragment is sent with. */
export interface FragmentAir {
  readonly spreadingFactor: number;
  readonly bandwidthHz: number;
  /** Largest FRMPayload (N of the standard), bytes. */
  readonly maxFrmPayload: number;
  readonly dutyCyclePpm: number;
}

/** Largest fragment for an FRMPayload length, bytes; 0 or less where none fits. */
export const largestFragment = (maxFrmPayload: number): number =>
  maxFrmPayload - FRAGMENT_HEAD_BYTES;

/**
 * From the largest that fits down by eighths, as long as the fragments are not too many; nothing
 * when even the largest needs more of them than a fragmentation session has.
 */
export function fragmentSizes(bytes: number, air: FragmentAir): FragmentSize[] {
  const most = largestFragment(air.maxFrmPayload);
  const sizes = new Set(EIGHTHS.map((eighths) => Math.floor((most * eighths) / 8)));
  const fits = (size: number) =>
    size >= 1 &&
    fragmentCount(bytes, size) <= (size === most ? MAX_FRAGMENT_NUMBER : SENSIBLE_COUNT);
  return [...sizes].filter(fits).map((size) => fragmentSize(bytes, size, most, air));
}

function fragmentSize(
  bytes: number,
  fragSize: number,
  most: number,
  { spreadingFactor, bandwidthHz, dutyCyclePpm }: FragmentAir,
): FragmentSize {
  const nbFrag = fragmentCount(bytes, fragSize);
  const phyBytes = FRAME_BYTES + FRAGMENT_HEAD_BYTES + fragSize;
  const frame = { spreadingFactor, bandwidthHz, phyPayloadBytes: phyBytes, crc: false };
  const airtimeUs = timeOnAirUs(frame);
  const defective = isDefective(nbFrag);
  return {
    fragSize,
    nbFrag,
    paddingBytes: nbFrag * fragSize - bytes,
    phyBytes,
    airtimeUs,
    totalAirtimeUs: nbFrag * airtimeUs,
    minIntervalUs: Math.ceil((airtimeUs * 1e6) / dutyCyclePpm),
    defective,
    goodFragSize: nearestGoodFragSize(bytes, fragSize, most) ?? fragSize,
  };
}

// ── redundancy ───────────────────────────────────────────────────────────────────────────────────

/** Devices drawn for one estimate, if blocks are not very large. */
const DEVICES = 4_000;
const DEVICES_LEAST = 100;
/** Squares of lost fragments that are afforded in all: the work grows with them. */
const AFFORDED = 2e8;
/** Coded fragments that are looked at beyond one and a half times the mean need. */
const SPARE = 512;

/**
 * Coded fragments to send until 50, 90 and 99 % of devices are complete. Every frame, coded or not,
 * is lost with probability `loss` (above 0, at most 0.5) by itself. Undefined where more than are
 * looked at would be needed.
 *
 * A deterministic Monte Carlo over devices, with the code as it is. Their numbers of lost fragments
 * run evenly through the binomial distribution. Which ones and which coded ones they lose is drawn,
 * and the rank of what they have decides.
 */
export function redundancyNeeded(nbFrag: number, loss: number): (number | undefined)[] {
  const mean = (nbFrag * loss) / (1 - loss);
  const most = Math.min(nbFrag + Math.ceil(1.5 * mean) + SPARE, MAX_FRAGMENT_NUMBER);
  const lostMean = Math.max(nbFrag * loss, 1);
  const afforded = Math.floor(AFFORDED / (lostMean * lostMean));
  const devices = Math.min(Math.max(afforded, DEVICES_LEAST), DEVICES);
  const needs = needsOf(nbFrag, loss, most, devices).sort((a, b) => a - b);
  return DEVICE_SHARES.map((share) => {
    const need = needs[Math.ceil(share * devices) - 1]!;
    return need === Number.POSITIVE_INFINITY ? undefined : need;
  });
}

/**
 * Of each device, the coded fragments after which it is complete; infinite where the first `most`
 * do not suffice.
 */
export function needsOf(nbFrag: number, loss: number, most: number, devices: number): number[] {
  const rank = new RankModel(1, nbFrag);
  const { key0, key1 } = entityKey(expandSeed('fragments'), `${nbFrag} at ${loss}`);
  let drawn = 0;
  const unit = () => toUnit(draw(key0, key1, DrawPurpose.frameLossDown, drawn++));
  const places = Int32Array.from({ length: nbFrag }, (_, place) => place);
  const received = new Int32Array((most + 31) >> 5);
  return lostEvenly(nbFrag, loss, devices).map((lost) => {
    if (lost === 0) return 0;
    received.fill(-1);
    loseSome(places, lost, unit, received);
    for (let place = nbFrag; place < most; place++) if (unit() < loss) lose(received, place);
    const completesAt = rank.completesAt(received, 0, most);
    return completesAt < 0 ? Number.POSITIVE_INFINITY : completesAt - nbFrag;
  });
}

/** Takes `lost` of the places away; the places are shuffled on the way. */
function loseSome(
  places: Int32Array,
  lost: number,
  unit: () => number,
  received: Int32Array,
): void {
  for (let i = 0; i < lost; i++) {
    const other = i + Math.floor(unit() * (places.length - i));
    const place = places[other]!;
    places[other] = places[i]!;
    places[i] = place;
    lose(received, place);
  }
}

function lose(received: Int32Array, place: number): void {
  received[place >> 5]! &= ~(1 << (place & 31));
}

/** Ascending numbers of lost ones of `count`, at the middles of equal shares of the binomial. */
function lostEvenly(count: number, loss: number, devices: number): number[] {
  const lost: number[] = [];
  let below = 0;
  binomial(count, loss).forEach((chance, k) => {
    below += chance;
    while (lost.length < devices && (lost.length + 0.5) / devices < below) lost.push(k);
  });
  while (lost.length < devices) lost.push(count);
  return lost;
}

/** Probabilities of 0 … count successes, each with probability `p`, 0 ≤ p < 1. */
export function binomial(count: number, p: number): Float64Array {
  // Relative to the mode's at first, so that nothing that counts is too small for a number.
  const chances = new Float64Array(count + 1);
  const mode = Math.floor((count + 1) * p);
  chances[mode] = 1;
  const odds = p / (1 - p);
  for (let k = mode; k < count; k++) {
    chances[k + 1] = (chances[k]! * odds * (count - k)) / (k + 1);
  }
  for (let k = mode; k > 0; k--) chances[k - 1] = (chances[k]! * k) / (odds * (count - k + 1));
  const sum = chances.reduce((all, chance) => all + chance, 0);
  return chances.map((chance) => chance / sum);
}
