/**
 * Join requests and join accepts as bytes, and the ciphers over them (LoRaWAN 1.0.4 and 1.1 §6.2).
 */
import { assert } from '../base/assert.ts';
import { readLe, toHex, writeLe } from '../base/bytes.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { cmac4, decryptBlock, encryptBlock, type KeySchedule } from './aes.ts';
import { MIC_BYTES, MType, putMic } from './frame.ts';
import { euiBytes, type Key, keySchedule } from './keys.ts';
import { bits, message, u8, u24, u32 } from './message.ts';

/** MHDR, JoinEUI, DevEUI, DevNonce, MIC. */
export const JOIN_REQUEST_BYTES = 23;
/** MHDR, encrypted JoinNonce … RxDelay, MIC; 16 more with a CFList. */
const JOIN_ACCEPT_BYTES = 17;
const CFLIST_BYTES = 16;

const REQUEST_BODY = JOIN_REQUEST_BYTES - MIC_BYTES;
const ACCEPT_BODY = JOIN_ACCEPT_BYTES - MIC_BYTES;

// ── layout ───────────────────────────────────────────────────────────────────────────────────────

/** Writes a join request without MIC (19 bytes); EUIs in the order of the air (`euiBytes`). */
export function writeJoinRequest(
  out: Uint8Array,
  joinEui: Uint8Array,
  devEui: Uint8Array,
  devNonce: number,
): number {
  out[0] = MType.joinRequest << 5;
  for (let i = 0; i < 8; i++) out[1 + i] = joinEui[i];
  for (let i = 0; i < 8; i++) out[9 + i] = devEui[i];
  writeLe(out, 17, 2, devNonce);
  return REQUEST_BODY;
}

/** A parsed join request; EUIs in the order of the air. One object serves many frames. */
export class ParsedJoinRequest {
  readonly joinEui = new Uint8Array(8);
  readonly devEui = new Uint8Array(8);
  devNonce = 0;
  /** Signed 32 bits, little-endian. */
  mic = 0;
}

/** False for anything but 23 bytes that begin with the MHDR of a join request. */
export function parseJoinRequest(
  bytes: Uint8Array,
  length: number,
  into: ParsedJoinRequest,
): boolean {
  if (length !== JOIN_REQUEST_BYTES || length > bytes.length) return false;
  if (bytes[0] !== MType.joinRequest << 5) return false;
  for (let i = 0; i < 8; i++) into.joinEui[i] = bytes[1 + i];
  for (let i = 0; i < 8; i++) into.devEui[i] = bytes[9 + i];
  into.devNonce = readLe(bytes, 17, 2);
  into.mic = readLe(bytes, REQUEST_BODY, 4) | 0;
  return true;
}

export interface JoinAccept {
  /** 24 bits. */
  joinNonce: number;
  /** 24 bits. */
  netId: number;
  /** Unsigned 32 bits. */
  devAddr: number;
  /** 1.1 network. */
  optNeg: boolean;
  /** 0…7. */
  rx1DrOffset: number;
  rx2DataRate: number;
  /** RX1 delay, s, 0…15; 0 means 1. */
  rxDelay: number;
  /** 16 bytes; its last byte is the type. */
  cfList: Uint8Array | undefined;
}

/**
 * A join accept in clear, without CFList and MIC (LoRaWAN 1.0.4 §6.2.6); its MHDR stands where a
 * command has its identifier.
 */
const JoinAcceptBody = message(MType.joinAccept << 5, {
  joinNonce: u24,
  netId: u24,
  devAddr: u32,
  dlSettings: bits(u8, { optNeg: 7, rx1DrOffset: [6, 4], rx2DataRate: [3, 0] }),
  rxDelay: bits(u8, { rxDelay: [3, 0] }),
});

/** Writes a join accept in clear without MIC: 13 bytes, 29 with a CFList. */
export function writeJoinAccept(out: Uint8Array, accept: JoinAccept): number {
  const { cfList } = accept;
  assert(cfList === undefined || cfList.length === CFLIST_BYTES, 'a CFList has 16 bytes');
  out.set(JoinAcceptBody.encode(accept));
  if (cfList === undefined) return ACCEPT_BODY;
  out.set(cfList, ACCEPT_BODY);
  return ACCEPT_BODY + CFLIST_BYTES;
}

/** Reads a join accept in clear, MIC included in `length`; false for any other length or MHDR. */
export function parseJoinAccept(bytes: Uint8Array, length: number, into: JoinAccept): boolean {
  if (!isJoinAccept(bytes, length)) return false;
  const { value } = JoinAcceptBody;
  into.joinNonce = value.joinNonce(bytes, 0);
  into.netId = value.netId(bytes, 0);
  into.devAddr = value.devAddr(bytes, 0);
  into.optNeg = value.optNeg(bytes, 0);
  into.rx1DrOffset = value.rx1DrOffset(bytes, 0);
  into.rx2DataRate = value.rx2DataRate(bytes, 0);
  into.rxDelay = value.rxDelay(bytes, 0);
  into.cfList =
    length === JOIN_ACCEPT_BYTES ? undefined : bytes.slice(ACCEPT_BODY, ACCEPT_BODY + CFLIST_BYTES);
  return true;
}

/** Whether these bytes have the shape of a join accept, encrypted or not. */
export function isJoinAccept(bytes: Uint8Array, length: number): boolean {
  const whole = length === JOIN_ACCEPT_BYTES || length === JOIN_ACCEPT_BYTES + CFLIST_BYTES;
  return whole && length <= bytes.length && bytes[0] === MType.joinAccept << 5;
}

// ── security ─────────────────────────────────────────────────────────────────────────────────────

/**
 * MIC over the first `length` bytes with AppKey (1.0) or NwkKey (1.1): join requests, and 1.0 join
 * accepts.
 */
export function joinMic(schedule: KeySchedule, bytes: Uint8Array, length: number): number {
  return cmac4(schedule, bytes, 0, length);
}

/** What a 1.1 join accept's MIC covers besides the frame. */
export interface JoinContext {
  readonly jsIntKey: Key;
  /** 255 for a join, 0…2 for a rejoin. */
  readonly joinReqType: number;
  /** 16 hexadecimal digits. */
  readonly joinEui: string;
  readonly devNonce: number;
}

/** MIC of a 1.1 join accept with OptNeg. Source: LoRaWAN 1.1 §6.2.3. */
function joinAcceptMic11(context: JoinContext, bytes: Uint8Array, length: number): number {
  const text = new Uint8Array(11 + length);
  text[0] = context.joinReqType;
  text.set(euiBytes(context.joinEui), 1);
  writeLe(text, 9, 2, context.devNonce);
  text.set(bytes.subarray(0, length), 11);
  return cmac4(keySchedule(context.jsIntKey), text, 0, text.length);
}

/** Encrypts a join accept (MIC in place) for the air: AES *decrypt*, MHDR left clear. */
export function sealJoinAccept(schedule: KeySchedule, bytes: Uint8Array, length: number): void {
  for (let at = 1; at < length; at += 16) decryptBlock(schedule, bytes, at, bytes, at);
}

/** What a device does with a join accept: AES encrypt. */
export function openJoinAccept(schedule: KeySchedule, bytes: Uint8Array, length: number): void {
  for (let at = 1; at < length; at += 16) encryptBlock(schedule, bytes, at, bytes, at);
}

// ── for readers and writers outside the loop ─────────────────────────────────────────────────────

export interface JoinRequest {
  /** 16 hexadecimal digits; upper-case when decoded. */
  readonly joinEui: string;
  readonly devEui: string;
  /** 16 bits. */
  readonly devNonce: number;
}

/** The PHYPayload of a join request; `key` is the AppKey (1.0) or NwkKey (1.1). */
export function encodeJoinRequest(request: JoinRequest, key: Key): Uint8Array {
  const bytes = new Uint8Array(JOIN_REQUEST_BYTES);
  const { joinEui, devEui, devNonce } = request;
  const length = writeJoinRequest(bytes, euiBytes(joinEui), euiBytes(devEui), devNonce);
  putMic(bytes, length, joinMic(keySchedule(key), bytes, length));
  return bytes;
}

/** Refuses what is no join request; without a key the MIC is not looked at and `micOk` is false. */
export function decodeJoinRequest(
  bytes: Uint8Array,
  key?: Key,
): Result<JoinRequest & { readonly micOk: boolean }, 'frame.malformed'> {
  const parsed = new ParsedJoinRequest();
  if (!parseJoinRequest(bytes, bytes.length, parsed)) {
    return fail('frame.malformed', `${bytes.length} bytes are no join request`);
  }
  const joinEui = euiText(parsed.joinEui);
  const micOk = key !== undefined && joinMic(keySchedule(key), bytes, REQUEST_BODY) === parsed.mic;
  return ok({ joinEui, devEui: euiText(parsed.devEui), devNonce: parsed.devNonce, micOk });
}

/** EUI bytes of the air as 16 upper-case digits, most significant first. */
function euiText(bytes: Uint8Array): string {
  return toHex(bytes.slice().reverse()).toUpperCase();
}

/**
 * Keys of a join accept: one key in 1.0; in 1.1 the encrypting one (NwkKey, or JSEncKey for a
 * rejoin) and the MIC's.
 */
export type JoinAcceptKeys =
  | { readonly version: '1.0'; readonly appKey: Key }
  | ({ readonly version: '1.1'; readonly encryptionKey: Key } & JoinContext);

function acceptMic(keys: JoinAcceptKeys, bytes: Uint8Array, length: number): number {
  return keys.version === '1.0'
    ? joinMic(keySchedule(keys.appKey), bytes, length)
    : joinAcceptMic11(keys, bytes, length);
}

function acceptCipher(keys: JoinAcceptKeys): KeySchedule {
  return keySchedule(keys.version === '1.0' ? keys.appKey : keys.encryptionKey);
}

/** The PHYPayload of a join accept, encrypted. */
export function encodeJoinAccept(accept: JoinAccept, keys: JoinAcceptKeys): Uint8Array {
  const whole = JOIN_ACCEPT_BYTES + (accept.cfList === undefined ? 0 : CFLIST_BYTES);
  const bytes = new Uint8Array(whole);
  const length = writeJoinAccept(bytes, accept);
  putMic(bytes, length, acceptMic(keys, bytes, length));
  sealJoinAccept(acceptCipher(keys), bytes, whole);
  return bytes;
}

/** Decrypts and reads a join accept; refuses any other length or MHDR. */
export function decodeJoinAccept(
  bytes: Uint8Array,
  keys: JoinAcceptKeys,
): Result<JoinAccept & { readonly micOk: boolean }, 'frame.malformed'> {
  if (!isJoinAccept(bytes, bytes.length)) {
    return fail('frame.malformed', `${bytes.length} bytes are no join accept`);
  }
  const clear = bytes.slice();
  openJoinAccept(acceptCipher(keys), clear, clear.length);
  const accept = blankJoinAccept();
  parseJoinAccept(clear, clear.length, accept);
  const length = clear.length - MIC_BYTES;
  const micOk = (readLe(clear, length, 4) | 0) === acceptMic(keys, clear, length);
  return ok({ ...accept, micOk });
}

/** An object for `parseJoinAccept` to fill. */
export function blankJoinAccept(): JoinAccept {
  return {
    joinNonce: 0,
    netId: 0,
    devAddr: 0,
    optNeg: false,
    rx1DrOffset: 0,
    rx2DataRate: 0,
    rxDelay: 0,
    cfList: undefined,
  };
}
