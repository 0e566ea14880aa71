/** Collected uplinks on the server: from whom, whether genuine and new, and what they call for. */
import { NONE } from '../kernel/columns.ts';
import {
  FCtrl,
  FOPTS_OFFSET,
  fullFCnt,
  LONGEST_PHY_PAYLOAD,
  MType,
  ParsedFrame,
  parseDataFrame,
  UPLINK,
} from '../lorawan/frame.ts';
import { MAX_FCNT_GAP } from '../lorawan/region.ts';
import { adrRequest, noteUplink } from './adr.ts';
import { noteClassB } from './class-b.ts';
import { answerUplink, type UplinkContext } from './downlink.ts';
import { adoptSession, takeJoinRequest, takeRejoinRequest } from './join.ts';
import { handleMacCommands } from './mac-commands/handlers.ts';
import { requestDevStatus } from './mac-commands/status-and-time.ts';
import { requestRxTiming } from './mac-commands/windows-and-limits.ts';
import { askForMask, askForRegion } from './region-requests.ts';
import type { ServerSide } from './server-side.ts';
import { isAuthentic, openUplink } from './session-security.ts';

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

/**
 * Takes in one collected uplink. When it calls for a downlink, its `answer` and `registration`
 * columns say so; that is sent by `answerCollection`, after the platform has said its wishes.
 */
export function takeUplink(side: ServerSide, collection: number, nowUs: number): Verdict {
  const { slots, collector } = side;
  const c = collector.collections.column;
  const length = slots.copyOut(c.slot[collection], bytes);
  c.answer[collection] = Answer.none;
  const uplink = contextOf(side, collection);
  const mType = bytes[0] >> 5;
  if (mType === MType.joinRequest) return takeJoinRequest(side, bytes, length, uplink, nowUs);
  if (mType === MType.rejoinRequest) return takeRejoinRequest(side, bytes, length, uplink, nowUs);
  return takeData(side, length, uplink, collection, nowUs);
}

function contextOf(side: ServerSide, collection: number): UplinkContext {
  const c = side.collector.collections.column;
  return {
    endedAtUs: c.endedAtUs[collection],
    frequencyHz: c.frequencyHz[collection],
    dataRate: c.dataRate[collection],
    firstCopy: c.firstCopy[collection],
  };
}

/** Sends what a data uplink called for. */
export function answerCollection(side: ServerSide, collection: number, nowUs: number): void {
  const c = side.collector.collections.column;
  const row = c.registration[collection];
  const answer = c.answer[collection];
  if (side.registrations.column.active[row] === 0) return;
  const why = { ack: (answer & Answer.ack) !== 0, mustAnswer: (answer & Answer.must) !== 0 };
  answerUplink(side, row, contextOf(side, collection), why, nowUs);
}

// ── data ─────────────────────────────────────────────────────────────────────────────────────────

function takeData(
  side: ServerSide,
  length: number,
  uplink: UplinkContext,
  collection: number,
  nowUs: number,
): Verdict {
  const { registrations, collector } = side;
  const r = registrations.column;
  if (!parseDataFrame(bytes, length, parsed) || parsed.direction !== UPLINK) return 'malformed';
  const row = registrations.byAddr(parsed.devAddr);
  if (row === NONE) return 'unknownDevice';
  const offered = registrations.isOffered(row, parsed.devAddr);
  const last = offered ? NONE : r.fCntUp[row];
  const counter = fullFCnt(last, parsed.fCnt);
  const isGap = counter - last > MAX_FCNT_GAP && registrations.rules(row).fCntGap;
  if (!isAuthentic(side, row, bytes, length, parsed, counter, uplink, offered)) {
    return isGap ? 'counterGap' : 'badMic';
  }
  if (isGap) return 'counterGap';
  if (offered) adoptSession(side, row);
  const confirmed = parsed.mType === MType.confirmedDataUp;
  const { answer, registration } = collector.collections.column;
  registration[collection] = row;
  if (counter === last) {
    r.duplicates[row]++;
    answer[collection] = confirmed ? Answer.ack | Answer.must : Answer.none;
    return 'repeated';
  }
  r.fCntUp[row] = counter;
  if (confirmed) r.confFCntUp[row] = counter;
  r.delivered[row]++;
  r.lastUplinkAtUs[row] = uplink.endedAtUs;
  const sticky = takeContents(side, row, counter, uplink);
  const must = sticky || (parsed.fCtrl & FCtrl.adrAckReq) !== 0;
  requestDevStatus(side, row, nowUs);
  requestRxTiming(side, row);
  const due = side.requests.bytesDue(row) > 0;
  const waiting = r.watched[row] === 1 || due || side.queue.count(row) > 0;
  answer[collection] =
    (confirmed ? Answer.ack : 0) | (must ? Answer.must : 0) | (waiting ? Answer.waiting : 0);
  noteCopies(side, row, uplink);
  noteClassB(side, row, (parsed.fCtrl & FCtrl.classB) !== 0, nowUs);
  if (r.watched[row] === 1 || side.listener.ports.has(parsed.fPort)) {
    tell(side, row, counter, uplink, nowUs);
  }
  return 'accepted';
}

/** Remembers which gateways heard the device. */
function noteCopies(side: ServerSide, row: number, uplink: UplinkContext): void {
  const { next, gateway, rssiCentiDbm } = side.collector.copies.column;
  for (let copy = uplink.firstCopy; copy !== NONE; copy = next[copy]) {
    side.registrations.noteHeard(row, gateway[copy], rssiCentiDbm[copy]);
  }
}

/** Tells the platform of an uplink. */
function tell(
  side: ServerSide,
  row: number,
  fCnt: number,
  uplink: UplinkContext,
  atUs: number,
): void {
  const { registrations, listener } = side;
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
  side: ServerSide,
  row: number,
  counter: number,
  uplink: UplinkContext,
): boolean {
  const { registrations, collector, queue, settings } = side;
  const r = registrations.column;
  const { fPort, payloadOffset, payloadLength } = parsed;
  openUplink(side, row, bytes, parsed, counter);
  const [from, length] =
    fPort === 0 ? [payloadOffset, payloadLength] : [FOPTS_OFFSET, parsed.fOptsLength];
  const sticky = handleMacCommands(side, row, bytes, from, length, uplink);
  if (r.awaitsAck[row] === 1 && (parsed.fCtrl & FCtrl.ack) !== 0) {
    r.awaitsAck[row] = 0;
    r.downlinkTries[row] = 0;
    queue.drop(row);
  }
  askForRegion(side, row);
  const adr = settings.adr && (parsed.fCtrl & FCtrl.adr) !== 0;
  if (!adr) {
    r.dataRate[row] = uplink.dataRate;
    askForMask(side, row);
    return sticky;
  }
  const best = collector.copies.column.snrCentiDb[uplink.firstCopy];
  noteUplink(registrations, row, counter, uplink.dataRate, best);
  adrRequest(side, row);
  return sticky;
}
