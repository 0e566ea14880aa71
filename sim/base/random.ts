/**
 * Random draws without order: every draw is a hash of (seed, purpose, entity, counter).
 *
 * Problem: two variants of a network are compared under the same luck of each device. One more
 * device, or another order of events, must not change the draws of the others. A snapshot must not
 * carry the state of generators.
 *
 * Approach: a counter-based generator. The seed text is expanded once with seedrandom to four
 * words. An entity has a two-word key, a hash of its stable name and never of its row. A draw mixes
 * this key with the purpose and the counter of the caller. So draws are independent of each other,
 * and cost no state. The two-key hash passes TestU01 Crush; its constants are those of lowbias32.
 *
 * Rejected: one sequential generator for the world. A single additional draw shifts all later ones.
 * Also rejected: a generator per device. Its state belongs in each snapshot, and a draw for one
 * purpose shifts the draws for all other purposes of the device.
 *
 * The numbers of purposes are part of every digest, so they stay.
 */
import seedrandom from 'seedrandom';

/** By a name of its own: a frame has two hundred of them. */
const imul = Math.imul;

/** Four 32-bit words that the seed's text expands to. */
export type Seed = Int32Array;

const SEED_WORDS = 4;

export function expandSeed(text: string): Seed {
  const generator = seedrandom(text);
  return Int32Array.from({ length: SEED_WORDS }, () => generator.int32());
}

/** What a draw is for; each purpose is a stream of its own. The numbers are part of the digest. */
export const DrawPurpose = {
  placement: 1,
  identity: 2,
  shadowing: 3,
  clockDrift: 4,
  startInstant: 5,
  trafficPhase: 6,
  trafficPause: 7,
  confirmed: 8,
  channel: 9,
  payload: 10,
  retransmitDelay: 11,
  joinDelay: 12,
  devNonce: 13,
  appKey: 14,
  devAddr: 15,
  frameLossUp: 16,
  frameLossDown: 17,
  backhaulUp: 18,
  backhaulUpLoss: 19,
  backhaulDown: 20,
  backhaulAckLoss: 32,
  backhaulDownLoss: 21,
  backhaulAck: 22,
  joinNonce: 23,
  askForMore: 24,
  resyncPause: 25,
  ackDelay: 26,
  imageSample: 27,
  group: 28,
  id: 29,
  clockAgeing: 33,
  gatewayClock: 34,
  serverTime: 35,
  shadowField: 40,
  building: 41,
  fadingUp: 42,
  fadingDown: 43,
  noiseUp: 44,
  noiseDown: 45,
  answerDelay: 56,
  periodicTime: 57,
  blockReceived: 58,
  genAppKey: 36,
  beaconLoss: 46,
  classBPause: 47,
  copyPhase: 48,
  statusPhase: 49,
  statusLoss: 50,
  versionReport: 52,
  deviceFailure: 53,
  busyChannel: 63,
  afterBeacon: 51,
} as const;
export type DrawPurpose = (typeof DrawPurpose)[keyof typeof DrawPurpose];

const PHI = 0x9e3779b9 | 0;

/** A bijection on 32 bits without visible structure. */
export function mix(word: number): number {
  let x = word;
  x = imul(x ^ (x >>> 16), 0x21f0aaad);
  x = imul(x ^ (x >>> 15), 0x735a2d97);
  return x ^ (x >>> 15);
}

const PURPOSES = 64;
const purposeKey0 = Int32Array.from({ length: PURPOSES }, (_, p) => mix(imul(p, PHI) + 1));
const purposeKey1 = Int32Array.from({ length: PURPOSES }, (_, p) => mix(imul(p, PHI) ^ PHI));

/** The two words that stand for an entity in this seed's draws. */
export interface EntityKey {
  readonly key0: number;
  readonly key1: number;
}

/** Key of the entity with this stable name. */
export function entityKey(seed: Seed, name: string): EntityKey {
  let key0 = mix(seed[0] ^ name.length);
  let key1 = mix(seed[1] + name.length);
  for (let i = 0; i < name.length; i++) {
    const unit = name.charCodeAt(i);
    key0 = mix(imul(key0, PHI) ^ unit);
    key1 = mix((key1 + imul(unit, PHI)) ^ (key1 << 7));
  }
  return { key0: mix(key0 ^ seed[2]), key1: mix(key1 ^ seed[3]) };
}

/** 32 random bits, as a signed integer, for the `counter`-th draw of an entity for a purpose. */
export function draw(key0: number, key1: number, purpose: DrawPurpose, counter: number): number {
  // `mix` twice, written out: until code is optimised, a call costs as much as what it does.
  let x = imul(counter, PHI) ^ key0 ^ purposeKey0[purpose];
  x = imul(x ^ (x >>> 16), 0x21f0aaad);
  x = imul(x ^ (x >>> 15), 0x735a2d97);
  x = ((x ^ (x >>> 15)) + key1) ^ purposeKey1[purpose];
  x = imul(x ^ (x >>> 16), 0x21f0aaad);
  x = imul(x ^ (x >>> 15), 0x735a2d97);
  return x ^ (x >>> 15);
}

/** As `draw`, for a pair of entities such as a device and a gateway. */
export function drawPair(
  key0: number,
  key1: number,
  other0: number,
  other1: number,
  purpose: DrawPurpose,
  counter: number,
): number {
  return draw(mix(key0 + imul(other0, PHI)), mix(key1 ^ other1), purpose, counter);
}

/** A uniform number in [0, 1) from 32 random bits. */
export const toUnit = (word: number): number => (word >>> 0) / 0x1_0000_0000;

/** A uniform integer in 0…count−1 from 32 random bits; count ≤ 2^21 for exactness. */
export const toBelow = (word: number, count: number): number => Math.floor(toUnit(word) * count);

/** Whether an event of this probability (parts per million) happens, from 32 random bits. */
export const happens = (word: number, ppm: number): boolean => toUnit(word) * 1_000_000 < ppm;
