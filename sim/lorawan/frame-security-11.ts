/**
 * What LoRaWAN 1.1 adds to the protection of frames, real or counted: two integrity keys, encrypted
 * FOpts, session and join server keys, accepts that name what they answer (1.1 §4.3, §4.4, §6.2).
 *
 * As in `frame-security.ts`, keys are 16 bytes at an offset of an array.
 */
import { writeLe } from '../base/bytes.ts';
import { mix } from '../base/random.ts';
import { cmac4, encryptBlock, expandKey, type KeySchedule, SCHEDULE_WORDS } from './aes.ts';
import { dataMicDown11, dataMicUp11, fOptsCrypt } from './frame.ts';

const KEY_BYTES = 16;

/** A key in an array. */
export interface KeyAt {
  readonly keys: Uint8Array;
  readonly at: number;
}

/** What a frame's integrity code covers besides its bytes. */
export interface MicContext11 {
  devAddr: number;
  fCnt32: number;
  /** Lower 16 bits of the counter of the confirmed frame that is acknowledged, else 0. */
  confFCnt: number;
  /** Uplinks: data rate and index of the channel. */
  txDr: number;
  txCh: number;
}

/** The request that a join accept answers: 255 for a join, 0…2 for a rejoin. */
export interface Answered11 {
  readonly joinReqType: number;
  /** In the order of the air. */
  readonly joinEui: Uint8Array;
  readonly devNonce: number;
}

export interface FrameSecurity11 {
  uplinkMic(
    fNwkSIntKey: KeyAt,
    sNwkSIntKey: KeyAt,
    context: MicContext11,
    bytes: Uint8Array,
    length: number,
  ): number;
  downlinkMic(sNwkSIntKey: KeyAt, context: MicContext11, bytes: Uint8Array, length: number): number;
  /** Encrypts or decrypts FOpts in place. */
  cryptFOpts(
    nwkSEncKey: KeyAt,
    direction: number,
    devAddr: number,
    fCnt32: number,
    fPort: number,
    bytes: Uint8Array,
    offset: number,
    length: number,
  ): void;
  /** FNwkSIntKey (1), AppSKey (2, from AppKey), SNwkSIntKey (3) or NwkSEncKey (4). */
  sessionKey(
    root: KeyAt,
    kind: 1 | 2 | 3 | 4,
    joinNonce: number,
    joinEui: Uint8Array,
    devNonce: number,
    out: KeyAt,
  ): void;
  /** JSEncKey (5) or JSIntKey (6) from NwkKey; the DevEUI in the order of the air. */
  joinServerKey(nwkKey: KeyAt, kind: 5 | 6, devEui: Uint8Array): Uint8Array;
  /** MIC of the first `length` bytes of a join accept in clear. */
  joinAcceptMic(
    jsIntKey: Uint8Array,
    answered: Answered11,
    bytes: Uint8Array,
    length: number,
  ): number;
}

/** Each method expands its keys into these and uses them up before it returns. */
const first: KeySchedule = new Int32Array(SCHEDULE_WORDS);
const second: KeySchedule = new Int32Array(SCHEDULE_WORDS);

const schedule = ({ keys, at }: KeyAt, into: KeySchedule): KeySchedule => expandKey(keys, into, at);

/** What a join accept's MIC covers: JoinReqType, JoinEUI, DevNonce, then the accept. */
function acceptText(answered: Answered11, bytes: Uint8Array, length: number): Uint8Array {
  const text = new Uint8Array(11 + length);
  text[0] = answered.joinReqType;
  text.set(answered.joinEui, 1);
  writeLe(text, 9, 2, answered.devNonce);
  text.set(bytes.subarray(0, length), 11);
  return text;
}

export const realFrames11: FrameSecurity11 = {
  uplinkMic(fNwkSIntKey, sNwkSIntKey, context, bytes, length) {
    const { devAddr, fCnt32, confFCnt, txDr, txCh } = context;
    const forwarding = schedule(fNwkSIntKey, first);
    const serving = schedule(sNwkSIntKey, second);
    return dataMicUp11(forwarding, serving, devAddr, fCnt32, confFCnt, txDr, txCh, bytes, length);
  },
  downlinkMic(sNwkSIntKey, { devAddr, fCnt32, confFCnt }, bytes, length) {
    return dataMicDown11(schedule(sNwkSIntKey, first), devAddr, fCnt32, confFCnt, bytes, length);
  },
  cryptFOpts(nwkSEncKey, direction, devAddr, fCnt32, fPort, bytes, offset, length) {
    if (length === 0) return;
    const key = schedule(nwkSEncKey, first);
    fOptsCrypt(key, direction, devAddr, fCnt32, fPort, bytes, offset, length);
  },
  sessionKey(root, kind, joinNonce, joinEui, devNonce, out) {
    const block = new Uint8Array(KEY_BYTES);
    block[0] = kind;
    writeLe(block, 1, 3, joinNonce);
    block.set(joinEui, 4);
    writeLe(block, 12, 2, devNonce);
    encryptBlock(schedule(root, first), block, 0, out.keys, out.at);
  },
  joinServerKey(nwkKey, kind, devEui) {
    const key = new Uint8Array(KEY_BYTES);
    key[0] = kind;
    key.set(devEui, 1);
    encryptBlock(schedule(nwkKey, first), key, 0, key, 0);
    return key;
  },
  joinAcceptMic(jsIntKey, answered, bytes, length) {
    const text = acceptText(answered, bytes, length);
    return cmac4(expandKey(jsIntKey, first, 0), text, 0, text.length);
  },
};

/** The same without AES: tokens differ where MICs differ, FOpts stay in clear. */
export const countedFrames11: FrameSecurity11 = {
  uplinkMic(fNwkSIntKey, sNwkSIntKey, context, bytes, length) {
    const { devAddr, fCnt32, confFCnt, txDr, txCh } = context;
    const about = mix(mix(devAddr ^ fCnt32) ^ ((confFCnt & 0xffff) << 16) ^ (txDr << 8) ^ txCh);
    return token(fNwkSIntKey, token(sNwkSIntKey, about, bytes, length), bytes, length);
  },
  downlinkMic(sNwkSIntKey, { devAddr, fCnt32, confFCnt }, bytes, length) {
    const about = mix(mix(devAddr ^ 0x8000_0000) ^ fCnt32) ^ (confFCnt & 0xffff);
    return token(sNwkSIntKey, about, bytes, length);
  },
  cryptFOpts() {
    // FOpts stay in clear.
  },
  sessionKey({ keys, at }, kind, joinNonce, joinEui, devNonce, out) {
    let word = mix(joinNonce ^ mix(devNonce ^ mix(kind)));
    for (const byte of joinEui) word = mix(word ^ byte);
    for (let i = 0; i < KEY_BYTES; i++) {
      word = mix(word + keys[at + i]!);
      out.keys[out.at + i] = word;
    }
  },
  joinServerKey({ keys, at }, kind, devEui) {
    let word = mix(kind);
    for (const byte of devEui) word = mix(word ^ byte);
    return Uint8Array.from({ length: KEY_BYTES }, (_, i) => {
      word = mix(word + keys[at + i]!);
      return word;
    });
  },
  joinAcceptMic(jsIntKey, answered, bytes, length) {
    const text = acceptText(answered, bytes, length);
    return token({ keys: jsIntKey, at: 0 }, 0, text, text.length);
  },
};

/** 32 bits that depend on a key, a word and some bytes. */
function token({ keys, at }: KeyAt, word: number, bytes: Uint8Array, length: number): number {
  let folded = mix(word ^ length);
  for (let i = at; i < at + KEY_BYTES; i++) folded = Math.imul(folded ^ keys[i]!, 0x01000193);
  folded = mix(folded);
  for (let i = 0; i < length; i++) folded = Math.imul(folded ^ bytes[i]!, 0x01000193);
  return mix(folded);
}
