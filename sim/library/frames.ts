/** Data frames at the public face: encoded, encrypted and signed in one call, and back. */
import {
  bytesFault,
  bytesOf,
  MAX_U16,
  MAX_U32,
  oneOf,
  refuse,
  shown,
  whole,
} from '../lorawan/argument.ts';
import { LONGEST_PHY_PAYLOAD, SHORTEST_DATA_FRAME } from '../lorawan/frame.ts';
import * as codec from '../lorawan/frame-codec.ts';
import { checkedKey } from './keys.ts';

const M_TYPES: readonly codec.DataMType[] = [
  'UnconfirmedDataUp',
  'UnconfirmedDataDown',
  'ConfirmedDataUp',
  'ConfirmedDataDown',
];

/** Flags that only one direction has. */
const UPLINK_FLAGS = ['adrAckReq', 'classB'];
const DOWNLINK_FLAGS = ['fPending'];
const FLAGS = ['adr', 'ack', ...UPLINK_FLAGS, ...DOWNLINK_FLAGS];

/** A data frame as it was read. */
export type DecodedFrame = codec.DataFrame & {
  /** Whether the frame was signed with these keys and this counter. */
  readonly micOk: boolean;
};

/**
 * Reads and decrypts a data frame. `fCntHigh` is the upper half of its 32-bit counter, default 0.
 * When `micOk` is false, payload and 1.1 FOpts are what the wrong keys make of them. Bytes that are
 * no data frame are a RangeError that says why, so are keys that are none.
 */
export function decodeFrame(
  bytes: Uint8Array,
  keys: codec.FrameKeys & { readonly fCntHigh?: number },
): DecodedFrame {
  const { fCntHigh = 0 } = keys;
  whole('fCntHigh', fCntHigh, 0, MAX_U16);
  const copy = bytesOf('a data frame', bytes, SHORTEST_DATA_FRAME, LONGEST_PHY_PAYLOAD);
  const decoded = codec.decodeFrame(copy, { ...checkedKeys(keys), fCntHigh });
  if (!decoded.ok) throw new RangeError(decoded.failure.message);
  return decoded.value;
}

/**
 * The PHYPayload of a data frame, encrypted and signed: the inverse of `decodeFrame`. What is left
 * out of the frame is empty or off. Fields that do not fit are a RangeError.
 */
export function encodeFrame(frame: codec.NewDataFrame, keys: codec.FrameKeys): Uint8Array {
  const { fOpts = new Uint8Array(0), frmPayload = new Uint8Array(0), fPort } = frame;
  oneOf('mType', frame.mType, M_TYPES);
  whole('devAddr', frame.devAddr, 0, MAX_U32);
  whole('fCnt', frame.fCnt, 0, MAX_U32);
  checkFlags(frame.mType, frame.fCtrl ?? {});
  refuse(bytesFault('fOpts', fOpts, 0, 15));
  if (fPort !== undefined) whole('fPort', fPort, 0, 255);
  const most = LONGEST_PHY_PAYLOAD - SHORTEST_DATA_FRAME - 1 - fOpts.length;
  refuse(bytesFault('frmPayload', frmPayload, 0, most));
  if (fPort === undefined && frmPayload.length > 0) refuse('fPort is given with a frmPayload');
  if (fPort === 0 && fOpts.length > 0)
    refuse('fOpts is empty with fPort 0, whose payload they are');
  return codec.encodeFrame(frame, checkedKeys(keys));
}

function checkFlags(mType: codec.DataMType, fCtrl: Partial<codec.FrameControl>): void {
  const foreign = mType.endsWith('Up') ? DOWNLINK_FLAGS : UPLINK_FLAGS;
  for (const [name, value] of Object.entries(fCtrl)) {
    oneOf('a flag of fCtrl', name, FLAGS);
    if (typeof value !== 'boolean') refuse(`fCtrl.${name} is true or false, not ${shown(value)}`);
    if (value && foreign.includes(name)) refuse(`fCtrl.${name} is no flag of ${mType}`);
  }
}

/** The keys as bytes, with what a 1.1 MIC covers besides the frame. */
function checkedKeys(keys: codec.FrameKeys): codec.FrameKeys {
  const { confFCnt = 0, txDr = 0, txCh = 0 } = keys;
  const context = {
    confFCnt: whole('confFCnt', confFCnt, 0, MAX_U32),
    txDr: whole('txDr', txDr, 0, 255),
    txCh: whole('txCh', txCh, 0, 255),
    appSKey: checkedKey('appSKey', keys.appSKey),
  };
  if ('nwkSKey' in keys) return { ...context, nwkSKey: checkedKey('nwkSKey', keys.nwkSKey) };
  if (!('fNwkSIntKey' in keys)) {
    refuse('keys are nwkSKey (1.0), or fNwkSIntKey, sNwkSIntKey and nwkSEncKey (1.1), and appSKey');
  }
  return {
    ...context,
    fNwkSIntKey: checkedKey('fNwkSIntKey', keys.fNwkSIntKey),
    sNwkSIntKey: checkedKey('sNwkSIntKey', keys.sNwkSIntKey),
    nwkSEncKey: checkedKey('nwkSEncKey', keys.nwkSEncKey),
  };
}
