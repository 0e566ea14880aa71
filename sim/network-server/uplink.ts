/**
 * What the server makes of a collected uplink: join or data, its checks in order, and what it calls
 * for.
 */
import { toHex } from '../base/bytes.ts';
import { NONE } from '../kernel/columns.ts';
import {
  FCtrl,
  FOPTS_OFFSET,
  fullFCnt,
  LONGEST_PHY_PAYLOAD,
  MIC_BYTES,
  MType,
  ParsedFrame,
  parseDataFrame,
  putMic,
  UPLINK,
} from '../lorawan/frame.ts';
import { KEY_BYTES } from '../lorawan/frame-security.ts';
import {
  type JoinAccept,
  ParsedJoinRequest,
  parseJoinRequest,
  writeJoinAccept,
} from '../lorawan/join.ts';
import { JOIN_ACCEPT_DELAY1_US, MAX_FCNT_GAP } from '../lorawan/region.ts';
import { adrRequest, noteUplink } from './adr.ts';
import { cfListFor, noteCfList, resetRegion } from './channels.ts';
import { noteClassB } from './class-b.ts';
import { answerUplink, planDownlink, type UplinkContext } from './downlink.ts';
import type { DownlinkFrame } from './downlink-frame.ts';
import { wishDevStatus } from './mac-commands/dev-status.ts';
import { wishRxTiming } from './mac-commands/rx-timing-setup.ts';
import { takeCommands } from './mac-commands/take.ts';
import { askForMask, askForRegion } from './region-requests.ts';
import type { ServerRoom } from './server-room.ts';

/** What became of a collected uplink; the word is counted. */
export type Verdict =
  | 'joined'
  | 'accepted'
  | 'repeated'
  | 'malformed'
  | 'unknownDevice'
  | 'badMic'
  | 'replayed'
  | 'counterGap';

/** Why a data uplink is answered: bits. */
export const Answer = { none: 0, ack: 1, must: 2, waiting: 4 } as const;

const bytes = new Uint8Array(LONGEST_PHY_PAYLOAD + 1);
const parsed = new ParsedFrame();
const request = new ParsedJoinRequest();

/**
 * Takes in one collected uplink. When it calls for a downlink, its `answer` and `registration`
 * columns say so; that is sent by `answerCollection`, after the platform has said its wishes.
 */
export function takeUplink(room: ServerRoom, collection: number, nowUs: number): Verdict {
  const { slots, collector } = room;
  const c = collector.collections.column;
  const length = slots.copyOut(c.slot[collection], bytes);
  c.answer[collection] = Answer.none;
  const uplink = contextOf(room, collection);
  return bytes[0] >> 5 === MType.joinRequest
    ? takeJoinRequest(room, length, uplink, nowUs)
    : takeData(room, length, uplink, collection, nowUs);
}

function contextOf(room: ServerRoom, collection: number): UplinkContext {
  const c = room.collector.collections.column;
  return {
    endedAtUs: c.endedAtUs[collection],
    frequencyHz: c.frequencyHz[collection],
    dataRate: c.dataRate[collection],
    firstCopy: c.firstCopy[collection],
  };
}

/** Sends what a data uplink called for. */
export function answerCollection(room: ServerRoom, collection: number, nowUs: number): void {
  const c = room.collector.collections.column;
  const row = c.registration[collection];
  const answer = c.answer[collection];
  if (room.registrations.column.active[row] === 0) return;
  const why = { ack: (answer & Answer.ack) !== 0, mustAnswer: (answer & Answer.must) !== 0 };
  answerUplink(room, row, contextOf(room, collection), why, nowUs);
}

// ── joins ────────────────────────────────────────────────────────────────────────────────────────

function takeJoinRequest(
  room: ServerRoom,
  length: number,
  uplink: UplinkContext,
  nowUs: number,
): Verdict {
  const { registrations, security, settings } = room;
  const r = registrations.column;
  if (!parseJoinRequest(bytes, length, request)) return 'malformed';
  const row = registrations.byEui(toHex(request.devEui.slice().reverse()).toUpperCase());
  if (row === NONE) return 'unknownDevice';
  const keyAt = row * KEY_BYTES;
  if (security.joinMic(r.appKey, keyAt, bytes, length - MIC_BYTES) !== request.mic) return 'badMic';
  if (!registrations.useDevNonce(row, request.devNonce)) return 'replayed';
  r.joinNonce[row]++;
  registrations.openSession(row);
  room.requests.clear(row);
  room.classB.forget(row);
  const nonce = r.joinNonce[row];
  security.sessionKey(
    r.appKey,
    keyAt,
    1,
    nonce,
    settings.netId,
    request.devNonce,
    r.nwkSKey,
    keyAt,
  );
  security.sessionKey(
    r.appKey,
    keyAt,
    2,
    nonce,
    settings.netId,
    request.devNonce,
    r.appSKey,
    keyAt,
  );
  r.rx1DelayS[row] = settings.rx1DelayS;
  r.rx1DrOffset[row] = settings.rx1DrOffset;
  r.rx2DataRate[row] = settings.rx2DataRate;
  r.dataRate[row] = uplink.dataRate;
  resetRegion(room, row);
  const cfList = cfListFor(room.plan, uplink.dataRate);
  if (cfList !== undefined) noteCfList(room, row);
  planDownlink(room, row, uplink, joinAcceptFrame(room, row, cfList), nowUs);
  return 'joined';
}

/** The join accept as the windows of a join need it. */
function joinAcceptFrame(
  room: ServerRoom,
  row: number,
  cfList: Uint8Array | undefined,
): DownlinkFrame {
  const { registrations, settings, security, plan } = room;
  const r = registrations.column;
  const accept: JoinAccept = {
    joinNonce: r.joinNonce[row],
    netId: settings.netId,
    devAddr: r.devAddr[row],
    optNeg: false,
    rx1DrOffset: settings.rx1DrOffset,
    rx2DataRate: settings.rx2DataRate,
    rxDelay: settings.rx1DelayS,
    cfList,
  };
  const keyAt = row * KEY_BYTES;
  return {
    purpose: 'join',
    counter: accept.joinNonce,
    rx1DelayUs: JOIN_ACCEPT_DELAY1_US,
    rx1DrOffset: 0,
    rx2DataRate: plan.rx2DataRate,
    rx2FrequencyHz: plan.rx2FrequencyHz,
    dwell: plan.region.dwellAtStart.downlink,
    encode(out) {
      const length = writeJoinAccept(out, accept);
      const mic = security.joinMic(r.appKey, keyAt, out, length);
      const whole = putMic(out, length, mic);
      security.sealJoinAccept(r.appKey, keyAt, out, whole);
      return whole;
    },
  };
}

// ── data ─────────────────────────────────────────────────────────────────────────────────────────

function takeData(
  room: ServerRoom,
  length: number,
  uplink: UplinkContext,
  collection: number,
  nowUs: number,
): Verdict {
  const { registrations, security, collector } = room;
  const r = registrations.column;
  if (!parseDataFrame(bytes, length, parsed) || parsed.direction !== UPLINK) return 'malformed';
  const row = registrations.byAddr(parsed.devAddr);
  if (row === NONE) return 'unknownDevice';
  const last = r.fCntUp[row];
  const counter = fullFCnt(last, parsed.fCnt);
  const keyAt = row * KEY_BYTES;
  const text = length - MIC_BYTES;
  const mic = security.dataMic(r.nwkSKey, keyAt, UPLINK, parsed.devAddr, counter, bytes, text);
  const isGap = counter - last > MAX_FCNT_GAP && registrations.rules(row).fCntGap;
  if (mic !== parsed.mic) return isGap ? 'counterGap' : 'badMic';
  if (isGap) return 'counterGap';
  const confirmed = parsed.mType === MType.confirmedDataUp;
  const { answer, registration } = collector.collections.column;
  registration[collection] = row;
  if (counter === last) {
    r.duplicates[row]++;
    answer[collection] = confirmed ? Answer.ack | Answer.must : Answer.none;
    return 'repeated';
  }
  r.fCntUp[row] = counter;
  r.delivered[row]++;
  r.lastUplinkAtUs[row] = uplink.endedAtUs;
  const sticky = takeContents(room, row, counter, uplink);
  const must = sticky || (parsed.fCtrl & FCtrl.adrAckReq) !== 0;
  wishDevStatus(room, row, nowUs);
  wishRxTiming(room, row);
  const due = room.requests.bytesDue(row) > 0;
  const waiting = r.watched[row] === 1 || due || room.queue.count(row) > 0;
  answer[collection] =
    (confirmed ? Answer.ack : 0) | (must ? Answer.must : 0) | (waiting ? Answer.waiting : 0);
  noteCopies(room, row, uplink);
  noteClassB(room, row, (parsed.fCtrl & FCtrl.classB) !== 0, nowUs);
  if (r.watched[row] === 1 || room.listener.ports.has(parsed.fPort)) {
    tell(room, row, counter, uplink, nowUs);
  }
  return 'accepted';
}

/** Remembers which gateways heard the device. */
function noteCopies(room: ServerRoom, row: number, uplink: UplinkContext): void {
  const { next, gateway, rssiCentiDbm } = room.collector.copies.column;
  for (let copy = uplink.firstCopy; copy !== NONE; copy = next[copy]) {
    room.registrations.noteHeard(row, gateway[copy], rssiCentiDbm[copy]);
  }
}

/** Tells the platform of an uplink. */
function tell(
  room: ServerRoom,
  row: number,
  fCnt: number,
  uplink: UplinkContext,
  atUs: number,
): void {
  const { registrations, listener } = room;
  const { fPort, payloadOffset, payloadLength } = parsed;
  const { endedAtUs, dataRate } = uplink;
  const payload = bytes.slice(payloadOffset, payloadOffset + payloadLength);
  const { devEui } = registrations.identities[row]!;
  listener.onUplink({ devEui, atUs, endedAtUs, fCnt, fPort, payload, dataRate });
}

/**
 * ADR history, MAC commands, acknowledgement of a confirmed downlink. True when the device repeats
 * an answer until it hears a downlink.
 */
function takeContents(
  room: ServerRoom,
  row: number,
  counter: number,
  uplink: UplinkContext,
): boolean {
  const { registrations, security, collector, queue, settings } = room;
  const r = registrations.column;
  const { fPort, payloadOffset, payloadLength } = parsed;
  if (fPort >= 0) {
    const keys = fPort === 0 ? r.nwkSKey : r.appSKey;
    const keyAt = row * KEY_BYTES;
    security.crypt(
      keys,
      keyAt,
      UPLINK,
      parsed.devAddr,
      counter,
      bytes,
      payloadOffset,
      payloadLength,
    );
  }
  const [from, length] =
    fPort === 0 ? [payloadOffset, payloadLength] : [FOPTS_OFFSET, parsed.fOptsLength];
  const sticky = takeCommands(room, row, bytes, from, length, uplink);
  if (r.awaitsAck[row] === 1 && (parsed.fCtrl & FCtrl.ack) !== 0) {
    r.awaitsAck[row] = 0;
    r.downlinkTries[row] = 0;
    queue.drop(row);
  }
  askForRegion(room, row);
  const adr = settings.adr && (parsed.fCtrl & FCtrl.adr) !== 0;
  if (!adr) {
    r.dataRate[row] = uplink.dataRate;
    askForMask(room, row);
    return sticky;
  }
  const best = collector.copies.column.snrCentiDb[uplink.firstCopy];
  noteUplink(registrations, row, counter, uplink.dataRate, best);
  adrRequest(room, row);
  return sticky;
}
