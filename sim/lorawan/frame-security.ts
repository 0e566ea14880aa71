/**
 * Encryption and integrity of frames, real or counted.
 *
 * *Real* is LoRaWAN 1.0.x to the bit. *Counted* skips AES and CMAC only: payloads stay in clear,
 * and a MIC is a token over (key, direction, address, 32-bit counter, content), so that whatever a
 * real MIC tells apart is told apart here too. Keys are 16 bytes at an offset of an array, so that
 * a table of devices is one array; schedules are expanded per frame, which beats a cache of them in
 * memory.
 */
import { mix } from '../base/random.ts';
import { encryptBlock, expandKey, type KeySchedule, SCHEDULE_WORDS } from './aes.ts';
import { dataMic10, payloadCrypt } from './frame.ts';
import { joinMic, openJoinAccept, sealJoinAccept } from './join.ts';

export const KEY_BYTES = 16;

export interface FrameSecurity {
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
}

const schedule: KeySchedule = new Int32Array(SCHEDULE_WORDS);

/** LoRaWAN 1.0.4 §4.3.3, §4.4, §6.2. */
export const realFrames: FrameSecurity = {
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
};

/** The same interface without AES. */
export const countedFrames: FrameSecurity = {
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
    let word = mix(joinNonce ^ mix(netId ^ mix(devNonce + kind)));
    for (let i = 0; i < KEY_BYTES; i++) {
      word = mix(word + keys[at + i]);
      out[outAt + i] = word;
    }
  },
};

/** 32 bits that depend on a key, a word and some bytes. */
function token(
  keys: Uint8Array,
  at: number,
  word: number,
  bytes: Uint8Array,
  length: number,
): number {
  let folded = mix(word ^ length);
  for (let i = at; i < at + KEY_BYTES; i++) folded = Math.imul(folded ^ keys[i], 0x01000193);
  folded = mix(folded);
  for (let i = 0; i < length; i++) folded = Math.imul(folded ^ bytes[i], 0x01000193);
  return mix(folded);
}
