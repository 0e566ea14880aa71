/**
 * Encryption and integrity of frames, real or counted.
 *
 * *Real* is LoRaWAN 1.0.x to the bit. *Counted* skips AES and CMAC only: payloads stay in clear,
 * and a MIC is a token over (key, direction, address, 32-bit counter, content), so that whatever a
 * real MIC distinguishes is distinguished here too. Keys are 16 bytes at an offset of an array, so
 * that a table of devices is one array; schedules are expanded per frame, which beats a cache of
 * them in memory.
 */
import { mix } from '../base/random.ts';
import { encryptBlock, expandKey, type KeySchedule, SCHEDULE_WORDS } from './aes.ts';
import { dataMic10, payloadCrypt } from './frame.ts';
import { countedFrames11, type FrameSecurity11, realFrames11 } from './frame-security-11.ts';
import { joinMic, openJoinAccept, sealJoinAccept } from './join.ts';
import {
  dataBlockMic,
  decryptMcKey,
  deriveDataBlockIntKey,
  deriveMcKEKey,
  encryptMcKey,
} from './keys.ts';

const imul = Math.imul;

export const KEY_BYTES = 16;

export interface FrameSecurity {
  /** Whether `crypt` does anything: where payloads stay in clear nobody asks for the key. */
  readonly encrypts: boolean;
  /** What LoRaWAN 1.1 adds. */
  readonly v11: FrameSecurity11;
  /** MIC of the first `length` bytes of a data frame, a signed 32-bit number. */
  dataMic(
    keys: Uint8Array,
    at: number,
    direction: number,
    devAddr: number,
    fCnt32: number,
    bytes: Uint8Array,
    length: number,
  ): number;
  /** Encrypts or decrypts `length` bytes of FRMPayload at `offset` in place. */
  crypt(
    keys: Uint8Array,
    at: number,
    direction: number,
    devAddr: number,
    fCnt32: number,
    bytes: Uint8Array,
    offset: number,
    length: number,
  ): void;
  /** MIC of the first `length` bytes of a join request or a join accept in clear. */
  joinMic(keys: Uint8Array, at: number, bytes: Uint8Array, length: number): number;
  /** Hides (server) a join accept after its MHDR, in place; `length` counts MHDR and MIC. */
  sealJoinAccept(keys: Uint8Array, at: number, bytes: Uint8Array, length: number): void;
  /** Inverse of `sealJoinAccept` (device). */
  openJoinAccept(keys: Uint8Array, at: number, bytes: Uint8Array, length: number): void;
  /** Session key `kind` (1 NwkSKey, 2 AppSKey) of a 1.0 join, into `out` at `outAt`. */
  sessionKey(
    keys: Uint8Array,
    at: number,
    kind: 1 | 2,
    joinNonce: number,
    netId: number,
    devNonce: number,
    out: Uint8Array,
    outAt: number,
  ): void;
  /** McAppSKey (`kind` 1) or McNwkSKey (2) of a group, from McKey (TS005-2.0.0 §4.3). */
  multicastKey(
    mcKey: Uint8Array,
    at: number,
    kind: 1 | 2,
    mcAddr: number,
    out: Uint8Array,
    outAt: number,
  ): void;
  /**
   * McKey as the server sends it to a device with this root key (GenAppKey; a 1.1 device's AppKey).
   */
  wrapMcKey(rootKey: Uint8Array, mcKey: Uint8Array, minor: 0 | 1): Uint8Array;
  /** MIC of a data block under the key of the device with this root key, unsigned 32 bits. */
  blockMic(rootKey: Uint8Array, signed: SignedBlock): number;
  /** Inverse of `wrapMcKey`. */
  unwrapMcKey(rootKey: Uint8Array, mcKeyEncrypted: Uint8Array, minor: 0 | 1): Uint8Array;
}

/** A data block and what its MIC covers besides (TS004-2.0.0 §4). */
export interface SignedBlock {
  /** 16 bits. */
  readonly sessionCnt: number;
  /** 0…3. */
  readonly fragIndex: number;
  /** Most significant byte first, as it is sent. */
  readonly descriptor: number;
  /** Without padding. */
  readonly block: Uint8Array;
}

/**
 * Each method expands its key into it and has used it up when it returns. A new schedule per frame
 * makes a MIC 1.8 to 2.2 times as dear.
 */
const schedule: KeySchedule = new Int32Array(SCHEDULE_WORDS);

/** LoRaWAN 1.0.4 §4.3.3, §4.4, §6.2. */
export const realFrames: FrameSecurity = {
  encrypts: true,
  v11: realFrames11,
  dataMic(keys, at, direction, devAddr, fCnt32, bytes, length) {
    return dataMic10(expandKey(keys, schedule, at), direction, devAddr, fCnt32, bytes, length);
  },
  crypt(keys, at, direction, devAddr, fCnt32, bytes, offset, length) {
    if (length === 0) return;
    payloadCrypt(expandKey(keys, schedule, at), direction, devAddr, fCnt32, bytes, offset, length);
  },
  joinMic(keys, at, bytes, length) {
    return joinMic(expandKey(keys, schedule, at), bytes, length);
  },
  sealJoinAccept(keys, at, bytes, length) {
    sealJoinAccept(expandKey(keys, schedule, at), bytes, length);
  },
  openJoinAccept(keys, at, bytes, length) {
    openJoinAccept(expandKey(keys, schedule, at), bytes, length);
  },
  sessionKey(keys, at, kind, joinNonce, netId, devNonce, out, outAt) {
    const input = new Uint8Array(KEY_BYTES);
    input[0] = kind;
    for (let i = 0; i < 3; i++) {
      input[1 + i] = joinNonce >>> (8 * i);
      input[4 + i] = netId >>> (8 * i);
    }
    input[7] = devNonce;
    input[8] = devNonce >>> 8;
    encryptBlock(expandKey(keys, schedule, at), input, 0, out, outAt);
  },
  multicastKey(mcKey, at, kind, mcAddr, out, outAt) {
    const input = new Uint8Array(KEY_BYTES);
    input[0] = kind;
    for (let i = 0; i < 4; i++) input[1 + i] = mcAddr >>> (8 * i);
    encryptBlock(expandKey(mcKey, schedule, at), input, 0, out, outAt);
  },
  wrapMcKey(rootKey, mcKey, minor) {
    return encryptMcKey(deriveMcKEKey(`1.${minor}`, rootKey), mcKey);
  },
  blockMic(rootKey, { sessionCnt, fragIndex, descriptor: word, block }) {
    const dataBlockIntKey = deriveDataBlockIntKey(rootKey);
    const descriptor = Uint8Array.of(word >>> 24, word >>> 16, word >>> 8, word);
    return dataBlockMic({ dataBlockIntKey, sessionCnt, fragIndex, descriptor, data: block }) >>> 0;
  },
  unwrapMcKey(rootKey, mcKeyEncrypted, minor) {
    return decryptMcKey(deriveMcKEKey(`1.${minor}`, rootKey), mcKeyEncrypted);
  },
};

/** The same interface without AES. */
export const countedFrames: FrameSecurity = {
  encrypts: false,
  v11: countedFrames11,
  dataMic(keys, at, direction, devAddr, fCnt32, bytes, length) {
    return token(keys, at, mix(devAddr ^ (direction << 31)) ^ fCnt32, bytes, length);
  },
  crypt() {
    // Payloads stay in clear.
  },
  joinMic(keys, at, bytes, length) {
    return token(keys, at, 0, bytes, length);
  },
  sealJoinAccept() {
    // Join accepts stay in clear.
  },
  openJoinAccept() {
    // Join accepts stay in clear.
  },
  sessionKey(keys, at, kind, joinNonce, netId, devNonce, out, outAt) {
    stir(keys, at, mix(joinNonce ^ mix(netId ^ mix(devNonce + kind))), out, outAt);
  },
  multicastKey(mcKey, at, kind, mcAddr, out, outAt) {
    stir(mcKey, at, mix(mcAddr ^ mix(kind)), out, outAt);
  },
  wrapMcKey(rootKey, mcKey) {
    return mask(rootKey, mcKey);
  },
  blockMic(rootKey, { sessionCnt, fragIndex, descriptor, block }) {
    const word = mix(descriptor ^ mix(sessionCnt * 4 + fragIndex));
    return token(rootKey, 0, word, block, block.length) >>> 0;
  },
  unwrapMcKey(rootKey, mcKeyEncrypted) {
    return mask(rootKey, mcKeyEncrypted);
  },
};

/** A key that depends on another and on a word. */
function stir(key: Uint8Array, at: number, start: number, out: Uint8Array, outAt: number): void {
  let word = start;
  for (let i = 0; i < KEY_BYTES; i++) {
    word = mix(word + key[at + i]);
    out[outAt + i] = word;
  }
}

/** A key hidden by another, its own inverse. */
const mask = (rootKey: Uint8Array, key: Uint8Array): Uint8Array =>
  key.map((byte, i) => byte ^ rootKey[i]);

/** 32 bits that depend on a key, a word and some bytes. */
function token(
  keys: Uint8Array,
  at: number,
  word: number,
  bytes: Uint8Array,
  length: number,
): number {
  let folded = mix(word ^ length);
  for (let i = at; i < at + KEY_BYTES; i++) folded = imul(folded ^ keys[i], 0x01000193);
  folded = mix(folded);
  for (let i = 0; i < length; i++) folded = imul(folded ^ bytes[i], 0x01000193);
  return mix(folded);
}
