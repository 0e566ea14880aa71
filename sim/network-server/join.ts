/**
 * Joins and rejoins on the server's side (LoRaWAN 1.0.4 §6.2, 1.1 §6.2): checks, keys, accepts.
 *
 * A 1.0 session begins at once. A 1.1 session waits, beside the old one, until the device uses it:
 * its first uplink proves that the accept arrived.
 */
import { assert } from '../base/assert.ts';
import { toHex } from '../base/bytes.ts';
import { NONE } from '../kernel/columns.ts';
import { MIC_BYTES, putMic } from '../lorawan/frame.ts';
import { KEY_BYTES } from '../lorawan/frame-security.ts';
import type { KeyAt } from '../lorawan/frame-security-11.ts';
import {
  type JoinAccept,
  ParsedJoinRequest,
  parseJoinRequest,
  writeJoinAccept,
} from '../lorawan/join.ts';
import { JOIN_ACCEPT_DELAY1_US } from '../lorawan/region.ts';
import { parseRejoinRequest, type RejoinRequest } from '../lorawan/rejoin.ts';
import { cfListFor, noteCfList, resetRegion } from './channels.ts';
import { planDownlink, type UplinkContext } from './downlink.ts';
import { NO_DOWNLINK } from './downlink-fates.ts';
import type { DownlinkFrame } from './downlink-frame.ts';
import { NEXT_KEYS, NextKey } from './registrations.ts';
import type { ServerSide } from './server-side.ts';

/** JoinReqType of a join; a rejoin's is its type. */
const JOIN = 255;
/** Rejoin of this type keeps the radio's settings (1.1 §6.2.4.4). */
const KEEPS_RADIO = 2;

const request = new ParsedJoinRequest();

/** What a join accept answers. */
interface Asked {
  readonly joinReqType: number;
  /** EUIs in the order of the air. */
  readonly joinEui: Uint8Array;
  readonly devEui: Uint8Array;
  /** DevNonce or RJcount. */
  readonly devNonce: number;
}

type JoinVerdict = 'joined' | 'malformed' | 'unknownDevice' | 'badMic' | 'replayed' | 'noJoinNonce';

/** JoinNonce has 24 bits and never repeats for a device: after the last nobody is accepted. */
const LAST_JOIN_NONCE = 0xff_ffff;

/** Whether this device's sessions are of LoRaWAN 1.1: both sides have to speak it. */
const isModern = ({ settings, registrations }: ServerSide, row: number): boolean =>
  settings.lorawan !== '1.0' && registrations.rules(row).minor === 1;

export function takeJoinRequest(
  side: ServerSide,
  bytes: Uint8Array,
  length: number,
  uplink: UplinkContext,
  nowUs: number,
): JoinVerdict {
  const { registrations, security } = side;
  if (!parseJoinRequest(bytes, length, request)) return 'malformed';
  const row = rowOf(side, request.devEui);
  if (row === NONE) return 'unknownDevice';
  const { keys, at } = registrations.rootKeys.nwk.of(row);
  const mic = security.joinMic(keys, at, bytes, length - MIC_BYTES);
  if (mic !== request.mic) return 'badMic';
  if (!registrations.useDevNonce(row, request.devNonce)) return 'replayed';
  if (registrations.column.joinNonce[row] === LAST_JOIN_NONCE) return 'noJoinNonce';
  const { joinEui, devEui, devNonce } = request;
  const asked = { joinReqType: JOIN, joinEui: joinEui.slice(), devEui: devEui.slice(), devNonce };
  accept(side, row, asked, uplink, nowUs);
  return 'joined';
}

const rowOf = ({ registrations }: ServerSide, devEui: Uint8Array): number =>
  registrations.byEui(toHex(devEui.slice().reverse()).toUpperCase());

/** Rejoin requests come from devices in a 1.1 session; their counters have to grow. */
export function takeRejoinRequest(
  side: ServerSide,
  bytes: Uint8Array,
  length: number,
  uplink: UplinkContext,
  nowUs: number,
): JoinVerdict {
  const rejoin = parseRejoinRequest(bytes, length);
  if (rejoin === undefined) return 'malformed';
  const row = rowOf(side, rejoin.devEui);
  if (row === NONE || !isModern(side, row)) return 'unknownDevice';
  if (rejoinMic(side, row, rejoin, bytes, length) !== rejoin.mic) return 'badMic';
  const r = side.registrations.column;
  const { type, rjCount, devEui } = rejoin;
  side.registrations.table.need('rejoins');
  side.registrations.table.need('joins');
  const last = type === 1 ? r.rjCount1 : r.rjCount0;
  if (rjCount <= last[row]) return 'replayed';
  if (r.joinNonce[row] === LAST_JOIN_NONCE) return 'noJoinNonce';
  last[row] = rjCount;
  const joinEui = type === 1 ? rejoin.home : r.joinEui.slice(row * 8, row * 8 + 8);
  accept(side, row, { joinReqType: type, joinEui, devEui, devNonce: rjCount }, uplink, nowUs);
  return 'joined';
}

/** Types 0 and 2 are signed by the session, type 1 by the join server's key. */
function rejoinMic(
  { registrations, security }: ServerSide,
  row: number,
  { type, devEui }: RejoinRequest,
  bytes: Uint8Array,
  length: number,
): number {
  const { sNwkSIntKey } = registrations.column;
  const text = length - MIC_BYTES;
  if (type !== 1) return security.joinMic(sNwkSIntKey, row * KEY_BYTES, bytes, text);
  const jsIntKey = security.v11.joinServerKey(registrations.rootKeys.nwk.of(row), 6, devEui);
  return security.joinMic(jsIntKey, 0, bytes, text);
}

/** A fresh session, and the join accept that carries it. */
function accept(
  side: ServerSide,
  row: number,
  asked: Asked,
  uplink: UplinkContext,
  nowUs: number,
): void {
  const r = side.registrations.column;
  assert(r.joinNonce[row] < LAST_JOIN_NONCE, 'JoinNonce has 24 bits and never repeats');
  r.joinNonce[row]++;
  side.registrations.table.need('joins');
  r.joinEui.set(asked.joinEui, row * 8);
  const modern = isModern(side, row);
  if (modern) offer(side, row, asked, uplink);
  else open(side, row, asked, uplink);
  const cfList = cfListFor(side.plan, uplink.dataRate);
  planDownlink(side, row, uplink, joinAcceptFrame(side, row, asked, modern, cfList), nowUs);
  side.listener.onJoin(side.registrations.identities.of(row).devEui);
}

/** A 1.0 session begins. */
function open(side: ServerSide, row: number, asked: Asked, uplink: UplinkContext): void {
  const { registrations, security, settings } = side;
  const r = registrations.column;
  registrations.openSession(row);
  const nonce = r.joinNonce[row];
  const { netId } = settings;
  const { devNonce } = asked;
  const { keys, at } = registrations.rootKeys.nwk.of(row);
  const nwkS = registrations.nwkSKeys.place(row);
  const appS = registrations.appSKeys.place(row);
  security.sessionKey(keys, at, 1, nonce, netId, devNonce, nwkS.keys, nwkS.at);
  security.sessionKey(keys, at, 2, nonce, netId, devNonce, appS.keys, appS.at);
  r.minor[row] = 0;
  r.dataRate[row] = uplink.dataRate;
  beginSession(side, row, uplink.dataRate);
}

/** A 1.1 session is made and waits. */
function offer(side: ServerSide, row: number, asked: Asked, uplink: UplinkContext): void {
  const { registrations, security } = side;
  const r = registrations.column;
  registrations.offerSession(row);
  const { rootKeys } = registrations;
  const root: KeyAt = rootKeys.nwk.of(row);
  const nonce = r.joinNonce[row];
  const { joinEui, devNonce } = asked;
  const into = (key: number): KeyAt => ({
    keys: r.nextKeys,
    at: (row * NEXT_KEYS + key) * KEY_BYTES,
  });
  const { v11 } = security;
  v11.sessionKey(root, 1, nonce, joinEui, devNonce, into(NextKey.fNwkSInt));
  v11.sessionKey(root, 3, nonce, joinEui, devNonce, into(NextKey.sNwkSInt));
  v11.sessionKey(root, 4, nonce, joinEui, devNonce, into(NextKey.nwkSEnc));
  v11.sessionKey(rootKeys.app.of(row), 2, nonce, joinEui, devNonce, into(NextKey.appS));
  r.nextType[row] = asked.joinReqType;
  r.nextDataRate[row] = uplink.dataRate;
}

/** The device has used the session that waited: it is the present one, the old one is gone. */
export function adoptSession(side: ServerSide, row: number): void {
  const { registrations } = side;
  const r = registrations.column;
  registrations.adoptSession(row);
  // Class C begins when the device says so (1.1 §18, DeviceModeInd).
  r.classC[row] = 0;
  if (registrations.table.has('rejoins')) r.rjCount0[row] = NONE;
  if (r.nextType[row] === KEEPS_RADIO) return side.requests.clear(row);
  r.dataRate[row] = r.nextDataRate[row];
  beginSession(side, row, r.nextDataRate[row]);
}

/** What the accept of a request at this data rate sets, and nothing asked yet. */
function beginSession(side: ServerSide, row: number, dataRate: number): void {
  const { registrations, settings, requests, classB } = side;
  const r = registrations.column;
  requests.clear(row);
  classB.forget(row);
  r.txPowerIndex[row] = 0;
  r.nbTrans[row] = 1;
  r.rx1DelayS[row] = settings.rx1DelayS;
  r.rx1DrOffset[row] = settings.rx1DrOffset;
  r.rx2DataRate[row] = settings.rx2DataRate;
  resetRegion(side, row);
  if (cfListFor(side.plan, dataRate) !== undefined) noteCfList(side, row);
}

/** The join accept as the windows of a join need it. */
function joinAcceptFrame(
  side: ServerSide,
  row: number,
  asked: Asked,
  modern: boolean,
  cfList: Uint8Array | undefined,
): DownlinkFrame {
  const { registrations, settings, plan } = side;
  const r = registrations.column;
  const content: JoinAccept = {
    joinNonce: r.joinNonce[row],
    netId: settings.netId,
    devAddr: modern ? r.nextDevAddr[row] : r.devAddr[row],
    optNeg: modern,
    rx1DrOffset: settings.rx1DrOffset,
    rx2DataRate: settings.rx2DataRate,
    rxDelay: settings.rx1DelayS,
    cfList,
  };
  return {
    purpose: 'join',
    counter: content.joinNonce,
    rx1DelayUs: JOIN_ACCEPT_DELAY1_US,
    rx1DrOffset: 0,
    rx2DataRate: plan.rx2DataRate,
    rx2FrequencyHz: plan.rx2FrequencyHz,
    dwell: plan.region.dwellAtStart.downlink,
    downlinkId: NO_DOWNLINK,
    notBeforeUs: 0,
    encode: (out) => protectAccept(side, row, asked, modern, out, writeJoinAccept(out, content)),
  };
}

/** Signs and seals an accept; returns the PHYPayload's length. */
function protectAccept(
  { registrations, security }: ServerSide,
  row: number,
  asked: Asked,
  modern: boolean,
  out: Uint8Array,
  length: number,
): number {
  const { v11 } = security;
  const root: KeyAt = registrations.rootKeys.nwk.of(row);
  const mic = modern
    ? v11.joinAcceptMic(v11.joinServerKey(root, 6, asked.devEui), asked, out, length)
    : security.joinMic(root.keys, root.at, out, length);
  const whole = putMic(out, length, mic);
  if (asked.joinReqType === JOIN) security.sealJoinAccept(root.keys, root.at, out, whole);
  else security.sealJoinAccept(v11.joinServerKey(root, 5, asked.devEui), 0, out, whole);
  return whole;
}
