/**
 * Whole data frames in one call: encode, decrypt, check (LoRaWAN 1.0.4 and 1.1 §4); the loop uses
 * frame.ts.
 */
import { assert } from '../base/assert.ts';
import { fail, ok, type Result } from '../base/result.ts';
import {
  type DataFrameFields,
  DOWNLINK,
  dataMic10,
  dataMicDown11,
  dataMicUp11,
  directionOf,
  FCtrl,
  FOPTS_OFFSET,
  fOptsCrypt,
  LONGEST_PHY_PAYLOAD,
  MIC_BYTES,
  NO_PORT,
  ParsedFrame,
  parseDataFrame,
  payloadCrypt,
  putMic,
  SHORTEST_DATA_FRAME,
  writeDataFrame,
} from './frame.ts';
import { type Key, keySchedule } from './keys.ts';

/** Names of the data frames' types, by number. */
const DATA_TYPES = {
  UnconfirmedDataUp: 2,
  UnconfirmedDataDown: 3,
  ConfirmedDataUp: 4,
  ConfirmedDataDown: 5,
} as const;
export type DataMType = keyof typeof DATA_TYPES;

/** Keys of a 1.0 session; also of a multicast group, whose keys they then are. */
export interface FrameKeys10 {
  readonly nwkSKey: Key;
  readonly appSKey: Key;
}

export interface FrameKeys11 {
  readonly fNwkSIntKey: Key;
  readonly sNwkSIntKey: Key;
  readonly nwkSEncKey: Key;
  readonly appSKey: Key;
}

/** What a 1.1 MIC covers besides the frame. */
export interface MicContext {
  /** Counter of the confirmed frame that this one acknowledges; default 0. */
  readonly confFCnt?: number;
  /** Uplinks: data rate and channel index; default 0. */
  readonly txDr?: number;
  readonly txCh?: number;
}

export type FrameKeys = (FrameKeys10 | FrameKeys11) & MicContext;

/** Flags of FCtrl; classB is an uplink's and fPending a downlink's name for the same bit. */
export interface FrameControl {
  readonly adr: boolean;
  readonly adrAckReq: boolean;
  readonly ack: boolean;
  readonly classB: boolean;
  readonly fPending: boolean;
}

export interface DataFrame {
  readonly mType: DataMType;
  /** Unsigned 32 bits. */
  readonly devAddr: number;
  /** All 32 bits. */
  readonly fCnt: number;
  readonly fCtrl: FrameControl;
  /** MAC commands in clear, 0…15 bytes. */
  readonly fOpts: Uint8Array;
  /** 0…255; absent together with the payload. */
  readonly fPort: number | undefined;
  /** In clear. */
  readonly frmPayload: Uint8Array;
}

/** A frame to encode: what is left out is empty or off. */
export interface NewDataFrame {
  readonly mType: DataMType;
  readonly devAddr: number;
  readonly fCnt: number;
  readonly fCtrl?: Partial<FrameControl>;
  readonly fOpts?: Uint8Array;
  readonly fPort?: number | undefined;
  readonly frmPayload?: Uint8Array;
}

const EMPTY = new Uint8Array(0);

/** The PHYPayload, encrypted and signed. Fields out of range are an assertion. */
export function encodeFrame(frame: NewDataFrame, security: FrameKeys): Uint8Array {
  const { fOpts = EMPTY, frmPayload = EMPTY, devAddr, fCnt } = frame;
  const mType = DATA_TYPES[frame.mType];
  assert(frmPayload.length <= LONGEST_PHY_PAYLOAD, 'a PHYPayload has at most 255 bytes');
  const fields: DataFrameFields = {
    mType,
    devAddr,
    fCtrl: controlBits(frame.fCtrl ?? {}),
    fCnt,
    fOpts,
    fOptsLength: fOpts.length,
    fPort: frame.fPort ?? NO_PORT,
    payload: frmPayload,
    payloadLength: frmPayload.length,
  };
  const out = new Uint8Array(16 + fOpts.length + frmPayload.length);
  const length = writeDataFrame(out, fields);
  const parts = new ParsedFrame();
  parts.mType = fields.mType;
  parts.direction = directionOf(fields.mType);
  parts.devAddr = fields.devAddr;
  parts.fOptsLength = fields.fOptsLength;
  parts.fPort = fields.fPort;
  parts.payloadLength = fields.payloadLength;
  parts.payloadOffset = length - fields.payloadLength;
  crypt(out, parts, fCnt, security);
  const whole = putMic(out, length, mic(out, length, parts, fCnt, security));
  return out.slice(0, whole);
}

function controlBits(control: Partial<FrameControl>): number {
  return (
    (control.adr ? FCtrl.adr : 0) |
    (control.adrAckReq ? FCtrl.adrAckReq : 0) |
    (control.ack ? FCtrl.ack : 0) |
    (control.classB || control.fPending ? FCtrl.classB : 0)
  );
}

/** Encrypts or decrypts FOpts and FRMPayload in place. */
function crypt(bytes: Uint8Array, parts: ParsedFrame, fCnt: number, security: FrameKeys): void {
  const { direction, devAddr, fPort } = parts;
  const networkKey = 'nwkSKey' in security ? security.nwkSKey : security.nwkSEncKey;
  const schedule = keySchedule(fPort === 0 ? networkKey : security.appSKey);
  payloadCrypt(schedule, direction, devAddr, fCnt, bytes, parts.payloadOffset, parts.payloadLength);
  if ('nwkSKey' in security) return;
  const encryption = keySchedule(security.nwkSEncKey);
  const count = parts.fOptsLength;
  fOptsCrypt(encryption, direction, devAddr, fCnt, fPort, bytes, FOPTS_OFFSET, count);
}

/** MIC of the encrypted frame. */
function mic(
  bytes: Uint8Array,
  length: number,
  parts: ParsedFrame,
  fCnt: number,
  security: FrameKeys,
): number {
  const { direction, devAddr } = parts;
  if ('nwkSKey' in security) {
    return dataMic10(keySchedule(security.nwkSKey), direction, devAddr, fCnt, bytes, length);
  }
  const { confFCnt = 0, txDr = 0, txCh = 0 } = security;
  const serving = keySchedule(security.sNwkSIntKey);
  if (direction === DOWNLINK) {
    return dataMicDown11(serving, devAddr, fCnt, confFCnt, bytes, length);
  }
  const forwarding = keySchedule(security.fNwkSIntKey);
  return dataMicUp11(forwarding, serving, devAddr, fCnt, confFCnt, txDr, txCh, bytes, length);
}

/**
 * Reads and decrypts a data frame. `fCntHigh` is the upper half of its counter, default 0. When
 * `micOk` is false, FOpts and FRMPayload are what the wrong key makes of them.
 */
export function decodeFrame(
  bytes: Uint8Array,
  security: FrameKeys & { readonly fCntHigh?: number },
): Result<DataFrame & { readonly micOk: boolean }, 'frame.malformed'> {
  const parts = new ParsedFrame();
  if (!parseDataFrame(bytes, bytes.length, parts)) {
    return fail('frame.malformed', whyNoDataFrame(bytes));
  }
  const fCnt = (security.fCntHigh ?? 0) * 65536 + parts.fCnt;
  const clear = bytes.slice();
  const micOk = parts.mic === mic(clear, clear.length - MIC_BYTES, parts, fCnt, security);
  crypt(clear, parts, fCnt, security);
  const mType = (Object.keys(DATA_TYPES) as DataMType[]).find(
    (key) => DATA_TYPES[key] === parts.mType,
  );
  assert(mType !== undefined, 'a parsed data frame has a data type');
  return ok({
    mType,
    devAddr: parts.devAddr,
    fCnt,
    fCtrl: controlFlags(parts),
    fOpts: clear.slice(FOPTS_OFFSET, FOPTS_OFFSET + parts.fOptsLength),
    fPort: parts.fPort < 0 ? undefined : parts.fPort,
    frmPayload: clear.slice(parts.payloadOffset, parts.payloadOffset + parts.payloadLength),
    micOk,
  });
}

/** What is wrong with bytes that `parseDataFrame` refuses. */
function whyNoDataFrame(bytes: Uint8Array): string {
  const { length } = bytes;
  if (length < SHORTEST_DATA_FRAME || length > LONGEST_PHY_PAYLOAD) {
    return `a data frame has ${SHORTEST_DATA_FRAME} to ${LONGEST_PHY_PAYLOAD} bytes, not ${length}`;
  }
  const mType = bytes[0] >> 5;
  if (!Object.values<number>(DATA_TYPES).includes(mType)) {
    return `a data frame has MType 2 to 5, not ${mType}`;
  }
  const major = bytes[0] & 3;
  if (major !== 0) return `a data frame has major version 0, not ${major}`;
  const fOptsLength = bytes[5] & FCtrl.fOptsLength;
  const left = length - SHORTEST_DATA_FRAME;
  return fOptsLength > left
    ? `FOptsLen is ${fOptsLength}, but ${left} bytes are left between FHDR and MIC`
    : `FOpts has ${fOptsLength} bytes, but none may stand with FPort 0`;
}

function controlFlags(parts: ParsedFrame): FrameControl {
  const { fCtrl, direction } = parts;
  const shared = (fCtrl & FCtrl.classB) !== 0;
  return {
    adr: (fCtrl & FCtrl.adr) !== 0,
    adrAckReq: direction !== DOWNLINK && (fCtrl & FCtrl.adrAckReq) !== 0,
    ack: (fCtrl & FCtrl.ack) !== 0,
    classB: direction !== DOWNLINK && shared,
    fPending: direction === DOWNLINK && shared,
  };
}
