/**
 * AES-128 and AES-CMAC without allocation: keys expanded once, blocks as four words (FIPS 197, RFC
 * 4493).
 */

import { assert } from '../base/assert.ts';

/** Words of an expanded key. */
export const SCHEDULE_WORDS = 44;

/** An expanded key: eleven round keys of four big-endian words (`expandKey` fills it). */
export type KeySchedule = Int32Array;

const SBOX = new Uint8Array(256);
const INVERSE_SBOX = new Uint8Array(256);
/** SubBytes and MixColumns of one byte in row 0…3, as a column. */
const T0 = new Int32Array(256);
const T1 = new Int32Array(256);
const T2 = new Int32Array(256);
const T3 = new Int32Array(256);

/** Multiplication by x in GF(2^8) of each of the four bytes of a word. */
function doubled(word: number): number {
  return ((word & 0x7f7f7f7f) << 1) ^ (((word >>> 7) & 0x01010101) * 0x1b);
}

fillTables();

function fillTables(): void {
  // p runs through all non-zero bytes as powers of 3, q through their inverses.
  let p = 1;
  let q = 1;
  do {
    p = (p ^ doubled(p)) & 255;
    q ^= q << 1;
    q ^= q << 2;
    q ^= q << 4;
    q = (q ^ (q & 0x80 ? 0x09 : 0)) & 255;
    const rotated = q ^ (q << 1) ^ (q << 2) ^ (q << 3) ^ (q << 4);
    SBOX[p] = (rotated ^ (rotated >> 8) ^ 0x63) & 255;
  } while (p !== 1);
  SBOX[0] = 0x63;
  for (let i = 0; i < 256; i++) {
    const s = SBOX[i];
    const s2 = doubled(s) & 255;
    INVERSE_SBOX[s] = i;
    T0[i] = (s2 << 24) | (s << 16) | (s << 8) | (s ^ s2);
    T1[i] = (T0[i] >>> 8) | (T0[i] << 24);
    T2[i] = (T0[i] >>> 16) | (T0[i] << 16);
    T3[i] = (T0[i] >>> 24) | (T0[i] << 8);
  }
}

/** Fills `schedule` (44 words) from the 16 bytes of `key` at `offset`, and hands it back. */
export function expandKey(
  key: Uint8Array,
  schedule: KeySchedule = new Int32Array(SCHEDULE_WORDS),
  offset = 0,
): KeySchedule {
  for (let i = 0; i < 4; i++) schedule[i] = wordAt(key, offset + 4 * i);
  let roundConstant = 1;
  for (let i = 4; i < SCHEDULE_WORDS; i++) {
    let t = schedule[i - 1];
    if ((i & 3) === 0) {
      t =
        ((SBOX[(t >>> 16) & 255] ^ roundConstant) << 24) |
        (SBOX[(t >>> 8) & 255] << 16) |
        (SBOX[t & 255] << 8) |
        SBOX[t >>> 24];
      roundConstant = doubled(roundConstant) & 255;
    }
    schedule[i] = schedule[i - 4] ^ t;
  }
  return schedule;
}

function wordAt(bytes: Uint8Array, offset: number): number {
  return (
    (bytes[offset] << 24) | (bytes[offset + 1] << 16) | (bytes[offset + 2] << 8) | bytes[offset + 3]
  );
}

function putWord(bytes: Uint8Array, offset: number, word: number): void {
  bytes[offset] = word >>> 24;
  bytes[offset + 1] = word >>> 16;
  bytes[offset + 2] = word >>> 8;
  bytes[offset + 3] = word;
}

/** A block as four big-endian words: the caller owns it, so that nothing is allocated per block. */
export type CipherBlock = Int32Array;

export const BLOCK_WORDS = 4;

/** Encrypts a block in place. */
export function encryptWords(schedule: KeySchedule, block: CipherBlock): void {
  let a = block[0] ^ schedule[0];
  let b = block[1] ^ schedule[1];
  let c = block[2] ^ schedule[2];
  let d = block[3] ^ schedule[3];
  for (let r = 4; r < 40; r += 4) {
    const e = T0[a >>> 24] ^ T1[(b >>> 16) & 255] ^ T2[(c >>> 8) & 255] ^ T3[d & 255];
    const f = T0[b >>> 24] ^ T1[(c >>> 16) & 255] ^ T2[(d >>> 8) & 255] ^ T3[a & 255];
    const g = T0[c >>> 24] ^ T1[(d >>> 16) & 255] ^ T2[(a >>> 8) & 255] ^ T3[b & 255];
    const h = T0[d >>> 24] ^ T1[(a >>> 16) & 255] ^ T2[(b >>> 8) & 255] ^ T3[c & 255];
    a = e ^ schedule[r];
    b = f ^ schedule[r + 1];
    c = g ^ schedule[r + 2];
    d = h ^ schedule[r + 3];
  }
  block[0] = substituted(a, b, c, d) ^ schedule[40];
  block[1] = substituted(b, c, d, a) ^ schedule[41];
  block[2] = substituted(c, d, a, b) ^ schedule[42];
  block[3] = substituted(d, a, b, c) ^ schedule[43];
}

/** SubBytes and ShiftRows for one column. */
function substituted(a: number, b: number, c: number, d: number): number {
  return (
    (SBOX[a >>> 24] << 24) |
    (SBOX[(b >>> 16) & 255] << 16) |
    (SBOX[(c >>> 8) & 255] << 8) |
    SBOX[d & 255]
  );
}

/** What the functions below work on: each fills it and has used it up when it returns. */
const work: CipherBlock = new Int32Array(BLOCK_WORDS);

/**
 * AES-128 of the 16 bytes of `input` at `inputOffset` into `output` (which may be the same array).
 */
export function encryptBlock(
  schedule: KeySchedule,
  input: Uint8Array,
  inputOffset: number,
  output: Uint8Array,
  outputOffset: number,
): void {
  for (let i = 0; i < BLOCK_WORDS; i++) work[i] = wordAt(input, inputOffset + 4 * i);
  encryptWords(schedule, work);
  for (let i = 0; i < BLOCK_WORDS; i++) putWord(output, outputOffset + 4 * i, work[i]);
}

/** Inverse of `encryptBlock`; joins and key transport only, so it is written for size. */
export function decryptBlock(
  schedule: KeySchedule,
  input: Uint8Array,
  inputOffset: number,
  output: Uint8Array,
  outputOffset: number,
): void {
  for (let i = 0; i < BLOCK_WORDS; i++)
    work[i] = wordAt(input, inputOffset + 4 * i) ^ schedule[40 + i];
  for (let r = 36; r >= 0; r -= 4) {
    const a = work[0];
    const b = work[1];
    const c = work[2];
    const d = work[3];
    work[0] = restored(a, d, c, b) ^ schedule[r];
    work[1] = restored(b, a, d, c) ^ schedule[r + 1];
    work[2] = restored(c, b, a, d) ^ schedule[r + 2];
    work[3] = restored(d, c, b, a) ^ schedule[r + 3];
    if (r > 0) for (let i = 0; i < BLOCK_WORDS; i++) work[i] = unmixed(work[i]);
  }
  for (let i = 0; i < BLOCK_WORDS; i++) putWord(output, outputOffset + 4 * i, work[i]);
}

/** Inverse of SubBytes and ShiftRows for one column. */
function restored(a: number, b: number, c: number, d: number): number {
  return (
    (INVERSE_SBOX[a >>> 24] << 24) |
    (INVERSE_SBOX[(b >>> 16) & 255] << 16) |
    (INVERSE_SBOX[(c >>> 8) & 255] << 8) |
    INVERSE_SBOX[d & 255]
  );
}

/** Inverse of MixColumns: times 14, 11, 13, 9 down the column. */
function unmixed(word: number): number {
  const two = doubled(word);
  const four = doubled(two);
  const eight = doubled(four);
  const nine = eight ^ word;
  return eight ^ four ^ two ^ rotated(nine ^ two, 8) ^ rotated(nine ^ four, 16) ^ rotated(nine, 24);
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

// ── CMAC ─────────────────────────────────────────────────────────────────────────────────────────

/** Multiplies a block by x in GF(2^128). */
function doubleBlock(block: CipherBlock): void {
  const carry = block[0] >>> 31;
  block[0] = (block[0] << 1) | (block[1] >>> 31);
  block[1] = (block[1] << 1) | (block[2] >>> 31);
  block[2] = (block[2] << 1) | (block[3] >>> 31);
  block[3] = (block[3] << 1) ^ (carry * 0x87);
}

/** K1 or K2 of RFC 4493 §2.3; `cmacContinue` fills it and uses it up. */
const subkey: CipherBlock = new Int32Array(BLOCK_WORDS);

/**
 * CMAC of what is already chained into `block` and then `length` bytes of `message`; the result is
 * left in `block`. After a chained block `length` is at least 1. Source: RFC 4493 §2.4.
 */
function cmacContinue(
  schedule: KeySchedule,
  block: CipherBlock,
  message: Uint8Array,
  offset: number,
  length: number,
): void {
  const whole = length > 0 && (length & 15) === 0;
  subkey.fill(0);
  encryptWords(schedule, subkey);
  doubleBlock(subkey);
  if (!whole) doubleBlock(subkey);
  const last = offset + (length > 0 ? (length - 1) & ~15 : 0);
  for (let at = offset; at < last; at += 16) {
    block[0] ^= wordAt(message, at);
    block[1] ^= wordAt(message, at + 4);
    block[2] ^= wordAt(message, at + 8);
    block[3] ^= wordAt(message, at + 12);
    encryptWords(schedule, block);
  }
  const end = offset + length;
  for (let i = last; i < end; i++)
    block[(i - last) >> 2] ^= message[i] << (24 - 8 * ((i - last) & 3));
  if (!whole) block[(end - last) >> 2] ^= 0x80 << (24 - 8 * ((end - last) & 3));
  block[0] ^= subkey[0];
  block[1] ^= subkey[1];
  block[2] ^= subkey[2];
  block[3] ^= subkey[3];
  encryptWords(schedule, block);
}

/** AES-CMAC of `length` bytes of `message` into the first 16 bytes of `mac` (RFC 4493). */
export function cmac(
  schedule: KeySchedule,
  message: Uint8Array,
  mac: Uint8Array,
  offset = 0,
  length = message.length,
): void {
  work.fill(0);
  cmacContinue(schedule, work, message, offset, length);
  for (let i = 0; i < BLOCK_WORDS; i++) putWord(mac, 4 * i, work[i]);
}

/**
 * First four bytes of the AES-CMAC of a message, as a little-endian signed number: LoRaWAN's MIC.
 */
export function cmac4(
  schedule: KeySchedule,
  message: Uint8Array,
  offset: number,
  length: number,
): number {
  work.fill(0);
  cmacContinue(schedule, work, message, offset, length);
  return reversed(work[0]);
}

/** `cmac4` of a block followed by `length` ≥ 1 bytes of `message`. The block is used up. */
export function cmac4OfBlockAnd(
  schedule: KeySchedule,
  block: CipherBlock,
  message: Uint8Array,
  offset: number,
  length: number,
): number {
  assert(length >= 1, 'a message follows the first block of a CMAC');
  encryptWords(schedule, block);
  cmacContinue(schedule, block, message, offset, length);
  return reversed(block[0]);
}

function reversed(word: number): number {
  return (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);
}
