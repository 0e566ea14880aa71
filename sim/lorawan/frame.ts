/**
 * Data frames as bytes: their layout, and the ciphers over them, without allocation (LoRaWAN 1.0.4
 * and 1.1 §4).
 */
import { assert } from '../base/assert.ts';
import {
  BLOCK_WORDS,
  type CipherBlock,
  cmac4OfBlockAnd,
  encryptWords,
  type KeySchedule,
} from './aes.ts';

/** Message types, bits 7…5 of the MHDR (1.1 §4.2.1). */
export const MType = {
  joinRequest: 0,
  joinAccept: 1,
  unconfirmedDataUp: 2,
  unconfirmedDataDown: 3,
  confirmedDataUp: 4,
  confirmedDataDown: 5,
  rejoinRequest: 6,
  proprietary: 7,
} as const;
export type MType = (typeof MType)[keyof typeof MType];

/** Bits of FCtrl above FOptsLen; an uplink and a downlink share three and differ in two. */
export const FCtrl = {
  adr: 0x80,
  /** Uplink. */
  adrAckReq: 0x40,
  ack: 0x20,
  /** Uplink. */
  classB: 0x10,
  /** Downlink. */
  fPending: 0x10,
  fOptsLength: 0x0f,
} as const;

/** Direction in the cipher blocks. */
export const UPLINK = 0;
export const DOWNLINK = 1;
export type Direction = typeof UPLINK | typeof DOWNLINK;

/** MHDR, DevAddr, FCtrl, FCnt. */
const HEADER_BYTES = 8;
export const MIC_BYTES = 4;
/** MHDR, empty FHDR, MIC. */
export const SHORTEST_DATA_FRAME = HEADER_BYTES + MIC_BYTES;
export const LONGEST_PHY_PAYLOAD = 255;

/** Direction of a data frame's type. */
export function directionOf(mType: number): Direction {
  return mType === MType.unconfirmedDataDown || mType === MType.confirmedDataDown
    ? DOWNLINK
    : UPLINK;
}

// ── layout ───────────────────────────────────────────────────────────────────────────────────────

/** The FPort of a frame without FPort. */
export const NO_PORT = -1;

/** What stands in a data frame, besides the MIC; the caller may keep one and change its fields. */
export interface DataFrameFields {
  mType: number;
  /** Unsigned 32 bits. */
  devAddr: number;
  /** Flags of `FCtrl`; FOptsLen is put in by the writer. */
  fCtrl: number;
  /** Frame counter; its low 16 bits are sent. */
  fCnt: number;
  /** Holds `fOptsLength` bytes from its start. */
  fOpts: Uint8Array;
  /** 0…15. */
  fOptsLength: number;
  /** 0…255, or `NO_PORT` (then there is no FRMPayload). */
  fPort: number;
  /** Holds `payloadLength` bytes from its start. */
  payload: Uint8Array;
  payloadLength: number;
}

/**
 * Writes a data frame in clear into `out` and returns its length without the MIC (`payloadCrypt`
 * and `putMic` do the rest). Fields out of range are an assertion. Source: LoRaWAN 1.0.4 §4.
 */
export function writeDataFrame(out: Uint8Array, fields: DataFrameFields): number {
  const { fOpts, fOptsLength, fPort, payload, payloadLength } = fields;
  assert(fOptsLength >= 0 && fOptsLength <= 15, 'FOpts has 0…15 bytes');
  assert(fPort !== 0 || fOptsLength === 0, 'FPort 0 comes without FOpts');
  assert(fPort !== NO_PORT || payloadLength === 0, 'an FRMPayload has an FPort');
  out[0] = fields.mType << 5;
  putWordLe(out, 1, fields.devAddr);
  out[5] = (fields.fCtrl & 0xf0) | fOptsLength;
  out[6] = fields.fCnt;
  out[7] = fields.fCnt >>> 8;
  let length = HEADER_BYTES;
  for (let i = 0; i < fOptsLength; i++) out[length++] = fOpts[i];
  if (fPort === NO_PORT) return length;
  out[length++] = fPort;
  for (let i = 0; i < payloadLength; i++) out[length++] = payload[i];
  assert(length + MIC_BYTES <= LONGEST_PHY_PAYLOAD, 'a PHYPayload has at most 255 bytes');
  return length;
}

/** Where the parts of a parsed data frame lie; one object serves many frames. */
export class ParsedFrame {
  mType = 0;
  direction: Direction = UPLINK;
  devAddr = 0;
  /** Flags, FOptsLen included. */
  fCtrl = 0;
  /** The 16 bits sent. */
  fCnt = 0;
  /** FOpts stand at `FOPTS_OFFSET`. */
  fOptsLength = 0;
  /** `NO_PORT` when there is none. */
  fPort = NO_PORT;
  payloadOffset = 0;
  payloadLength = 0;
  /** Signed 32 bits, little-endian, as `dataMic10` computes it. */
  mic = 0;
}

export const FOPTS_OFFSET = HEADER_BYTES;

/**
 * Takes a data frame apart. False, and `into` undefined, for anything that is no whole data frame
 * of major version 0: other types, too short or too long, FOpts beyond the end, FOpts together with
 * FPort 0.
 */
export function parseDataFrame(bytes: Uint8Array, length: number, into: ParsedFrame): boolean {
  if (length < SHORTEST_DATA_FRAME || length > LONGEST_PHY_PAYLOAD || length > bytes.length) {
    return false;
  }
  const mType = bytes[0] >> 5;
  if (mType < MType.unconfirmedDataUp || mType > MType.confirmedDataDown) return false;
  if ((bytes[0] & 3) !== 0) return false;
  const end = length - MIC_BYTES;
  const fOptsLength = bytes[5] & FCtrl.fOptsLength;
  const portAt = HEADER_BYTES + fOptsLength;
  if (portAt > end) return false;
  const fPort = portAt < end ? bytes[portAt] : NO_PORT;
  if (fPort === 0 && fOptsLength > 0) return false;
  into.mType = mType;
  into.direction = directionOf(mType);
  into.devAddr = wordLe(bytes, 1) >>> 0;
  into.fCtrl = bytes[5];
  into.fCnt = bytes[6] | (bytes[7] << 8);
  into.fOptsLength = fOptsLength;
  into.fPort = fPort;
  into.payloadOffset = fPort === NO_PORT ? end : portAt + 1;
  into.payloadLength = end - into.payloadOffset;
  into.mic = wordLe(bytes, end);
  return true;
}

/** Puts a MIC at the end of a frame of `length` bytes; returns the length of the PHYPayload. */
export function putMic(bytes: Uint8Array, length: number, mic: number): number {
  putWordLe(bytes, length, mic);
  return length + MIC_BYTES;
}

function putWordLe(bytes: Uint8Array, offset: number, word: number): void {
  bytes[offset] = word;
  bytes[offset + 1] = word >>> 8;
  bytes[offset + 2] = word >>> 16;
  bytes[offset + 3] = word >>> 24;
}

function wordLe(bytes: Uint8Array, offset: number): number {
  return (
    bytes[offset] | (bytes[offset + 1] << 8) | (bytes[offset + 2] << 16) | (bytes[offset + 3] << 24)
  );
}

/**
 * The 32-bit counter nearest above `last` (or equal to it) whose low half is `fCnt16`; `last` −1
 * means that nothing was received yet. Source: LoRaWAN 1.0.4 §4.3.1.5.
 */
export function fullFCnt(last: number, fCnt16: number): number {
  if (last < 0) return fCnt16;
  const low = last % 65536;
  return last - low + fCnt16 + (fCnt16 < low ? 65536 : 0);
}

// ── security ─────────────────────────────────────────────────────────────────────────────────────

/** The block of a frame: each function below fills it and has used it up when it returns. */
const block: CipherBlock = new Int32Array(BLOCK_WORDS);

/**
 * Puts `first | dir | DevAddr | FCnt32 | 00 | last` in a block; `first` is five bytes in two parts.
 */
function setBlock(
  block: CipherBlock,
  first: number,
  fifth: number,
  dir: number,
  devAddr: number,
  fCnt32: number,
  last: number,
): void {
  block[0] = first;
  block[1] = (fifth << 24) | (dir << 16) | ((devAddr & 0xff) << 8) | ((devAddr >>> 8) & 0xff);
  block[2] =
    (((devAddr >>> 16) & 0xff) << 24) |
    ((devAddr >>> 24) << 16) |
    ((fCnt32 & 0xff) << 8) |
    ((fCnt32 >>> 8) & 0xff);
  block[3] = (((fCnt32 >>> 16) & 0xff) << 24) | ((fCnt32 >>> 24) << 16) | last;
}

/**
 * Encrypts or decrypts (it is the same) `length` bytes of FRMPayload in place. Key: AppSKey for
 * FPort > 0, else NwkSKey (1.0) or NwkSEncKey (1.1). Source: LoRaWAN 1.0.4 §4.3.3.
 */
export function payloadCrypt(
  schedule: KeySchedule,
  dir: number,
  devAddr: number,
  fCnt32: number,
  bytes: Uint8Array,
  offset: number,
  length: number,
): void {
  const end = offset + length;
  for (let at = offset, i = 1; at < end; at += 16, i++) {
    setBlock(block, 0x01000000, 0, dir, devAddr, fCnt32, i);
    encryptWords(schedule, block);
    xorBlock(block, bytes, at, Math.min(at + 16, end));
  }
}

/** Adds a block to bytes from `start` to `end`, 16 at most. */
function xorBlock(block: CipherBlock, bytes: Uint8Array, start: number, end: number): void {
  for (let i = start; i < end; i++) {
    const place = i - start;
    bytes[i] ^= block[place >> 2] >>> (24 - 8 * (place & 3));
  }
}

/** Which counter a 1.1 frame uses, as it enters the cipher of FOpts (errata on 1.1 FOpts). */
const FOptsCounter = { fCntUpOrNFCntDown: 1, aFCntDown: 2 } as const;

/**
 * Encrypts or decrypts FOpts of a 1.1 frame in place with NwkSEncKey. Source: LoRaWAN 1.1 §4.3.1.6,
 * errata.
 */
export function fOptsCrypt(
  schedule: KeySchedule,
  dir: number,
  devAddr: number,
  fCnt32: number,
  fPort: number,
  bytes: Uint8Array,
  offset: number,
  length: number,
): void {
  if (length === 0) return;
  const counter =
    dir === DOWNLINK && fPort > 0 ? FOptsCounter.aFCntDown : FOptsCounter.fCntUpOrNFCntDown;
  setBlock(block, 0x01000000, counter, dir, devAddr, fCnt32, 1);
  encryptWords(schedule, block);
  xorBlock(block, bytes, offset, offset + length);
}

/**
 * MIC of the first `length` bytes of a data frame with NwkSKey (1.0; multicast frames of both
 * versions): a signed 32-bit number whose little-endian bytes are sent. Source: LoRaWAN 1.0.4 §4.4.
 */
export function dataMic10(
  schedule: KeySchedule,
  dir: number,
  devAddr: number,
  fCnt32: number,
  bytes: Uint8Array,
  length: number,
): number {
  setBlock(block, 0x49000000, 0, dir, devAddr, fCnt32, length);
  return cmac4OfBlockAnd(schedule, block, bytes, 0, length);
}

/**
 * MIC of a 1.1 downlink with SNwkSIntKey. `confFCnt` is the counter of the confirmed uplink that
 * this frame acknowledges, else 0. Source: LoRaWAN 1.1 §4.4.1.
 */
export function dataMicDown11(
  sNwkSIntKey: KeySchedule,
  devAddr: number,
  fCnt32: number,
  confFCnt: number,
  bytes: Uint8Array,
  length: number,
): number {
  const counter = ((confFCnt & 0xff) << 16) | (confFCnt & 0xff00);
  setBlock(block, 0x49000000 | counter, 0, DOWNLINK, devAddr, fCnt32, length);
  return cmac4OfBlockAnd(sNwkSIntKey, block, bytes, 0, length);
}

/**
 * MIC of a 1.1 uplink: half from each integrity key. `confFCnt` as in `dataMicDown11` the other way
 * round; `txDr` and `txCh` are the data rate and channel index it is sent on. Source: LoRaWAN 1.1
 * §4.4.2.
 */
export function dataMicUp11(
  fNwkSIntKey: KeySchedule,
  sNwkSIntKey: KeySchedule,
  devAddr: number,
  fCnt32: number,
  confFCnt: number,
  txDr: number,
  txCh: number,
  bytes: Uint8Array,
  length: number,
): number {
  const counter = ((confFCnt & 0xff) << 16) | (confFCnt & 0xff00);
  setBlock(block, 0x49000000 | counter | txDr, txCh, UPLINK, devAddr, fCnt32, length);
  const serving = cmac4OfBlockAnd(sNwkSIntKey, block, bytes, 0, length);
  const forwarding = dataMic10(fNwkSIntKey, UPLINK, devAddr, fCnt32, bytes, length);
  return (serving & 0xffff) | (forwarding << 16);
}
