/** Collected uplinks on the server: sender, authenticity, freshness, and required responses. */
import { assert } from '../base/assert.ts';
import type { UplinkVerdict } from '../contract/frames.ts';
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
import { noteUplink, requestAdr } from './adr.ts';
import { noteClassB } from './class-b.ts';
import { answerUplink, type UplinkContext } from './downlink.ts';
import { noteAnswer } from './downlink-fates.ts';
import { nextInWindows } from './downlink-frame.ts';
import { frameUp, reportFrameUp } from './frame-news.ts';
import { adoptSession, takeJoinRequest, takeRejoinRequest } from './join.ts';
import { handleMacCommands } from './mac-commands/handlers.ts';
import { requestDevStatus } from './mac-commands/status-and-time.ts';
import { requestRxTiming } from './mac-commands/windows-and-limits.ts';
import { askForMask, askForRegion } from './region-requests.ts';
import type { ServerSide } from './server-side.ts';
import { canBeSentTo, isAuthentic, openUplink } from './session-security.ts';

/** Why a data uplink is answered: bits. */
export const Answer = { none: 0, ack: 1, must: 2, waiting: 4 } as const;

/** A data frame in the server's hands, in clear once it is authentic. */
interface UplinkFrame {
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly fields: ParsedFrame;
}

/** Holds the frame of one call of `takeUplink`. */
const scratch = new Uint8Array(LONGEST_PHY_PAYLOAD + 1);
const scratchFields = new ParsedFrame();

/**
 * Takes in one collected uplink. When it calls for a downlink, its `answer` and `registration`
 * columns say so; `answerCollection` sends that after the platform has spoken.
 */
export function takeUplink(side: ServerSide, collection: number, nowUs: number): UplinkVerdict {
  const { slots, collector } = side;
  const c = collector.collections.column;
  assert(nowUs >= c.collectedAtUs[collection], 'an uplink is taken in once its copies are there');
  const bytes = scratch;
  const length = slots.copyOut(c.frameSlot[collection], bytes);
  c.answer[collection] = Answer.none;
  const verdict = judge(side, collection, bytes, length, nowUs);
  if (side.listener.onFrameUp !== undefined) {
    reportFrameUp(side, collection, bytes, length, verdict, nowUs);
  }
  return verdict;
}

function judge(
  side: ServerSide,
  collection: number,
  bytes: Uint8Array,
  length: number,
  nowUs: number,
): UplinkVerdict {
  const uplink = contextOf(side, collection);
  const mType = bytes[0] >> 5;
  if (mType === MType.joinRequest) return takeJoinRequest(side, bytes, length, uplink, nowUs);
  if (mType === MType.rejoinRequest) return takeRejoinRequest(side, bytes, length, uplink, nowUs);
  const fields = scratchFields;
  if (!parseDataFrame(bytes, length, fields) || fields.direction !== UPLINK) return 'malformed';
  return takeData(side, { bytes, length, fields }, uplink, collection, nowUs);
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
  assert(row !== NONE && answer !== Answer.none, 'an uplink is answered when it calls for it');
  if (!canBeSentTo(side, row)) return;
  const why = { ack: (answer & Answer.ack) !== 0, mustAnswer: (answer & Answer.must) !== 0 };
  answerUplink(side, row, contextOf(side, collection), why, nowUs);
}

// ── data ─────────────────────────────────────────────────────────────────────────────────────────

function takeData(
  side: ServerSide,
  frame: UplinkFrame,
  uplink: UplinkContext,
  collection: number,
  nowUs: number,
): UplinkVerdict {
  const { registrations, collector } = side;
  const { bytes, length, fields } = frame;
  const r = registrations.column;
  const row = registrations.byAddr(fields.devAddr);
  if (row === NONE) return 'unknownDevice';
  const operations = registrations.isAvailable(row, fields.devAddr);
  const last = operations ? NONE : r.fCntUp[row];
  const fCntUp = fullFCnt(last, fields.fCnt);
  const isGap = fCntUp - last > MAX_FCNT_GAP && registrations.rules(row).fCntGap;
  if (!isAuthentic(side, row, bytes, length, fields, fCntUp, uplink, operations)) {
    return isGap ? 'counterGap' : 'badMic';
  }
  if (isGap) return 'counterGap';
  if (operations) adoptSession(side, row);
  const confirmed = fields.mType === MType.confirmedDataUp;
  const { answer, registration } = collector.collections.column;
  registration[collection] = row;
  if (fCntUp === last) {
    r.duplicates[row]++;
    answer[collection] = confirmed ? Answer.ack | Answer.must : Answer.none;
    return 'repeated';
  }
  assert(last === NONE || fCntUp > last, 'counters of accepted uplinks grow');
  r.fCntUp[row] = fCntUp;
  if (confirmed) r.confFCntUp[row] = fCntUp;
  r.delivered[row]++;
  r.lastUplinkAtUs[row] = uplink.endedAtUs;
  const sticky = takeContents(side, row, frame, fCntUp, uplink);
  if (side.queue.has(row)) {
    const { fPort, fCtrl } = fields;
    const { endedAtUs, dataRate } = uplink;
    const beganAtUs = endedAtUs - side.plan.uplinkAirtimeUs(dataRate, length);
    const ack = (fCtrl & FCtrl.ack) !== 0;
    noteAnswer(side, row, { beganAtUs, endedAtUs, fCnt: fCntUp, fPort, ack });
  }
  const must = sticky || (fields.fCtrl & FCtrl.adrAckReq) !== 0;
  requestDevStatus(side, row, nowUs);
  requestRxTiming(side, row);
  const due = side.requests.bytesDue(row) > 0;
  const { fPort, payloadOffset, payloadLength } = fields;
  // Anyone who hears these may have something to say in the windows of this very uplink.
  const isSpokenTo = r.watched[row] === 1 || (fPort > 0 && r.fragmentationPort[row] === fPort);
  const waiting = isSpokenTo || due || isSomeoneDue(side, row, uplink);
  answer[collection] =
    (confirmed ? Answer.ack : 0) | (must ? Answer.must : 0) | (waiting ? Answer.waiting : 0);
  const { next, gateway, rssiCentiDbm } = collector.copies.column;
  for (let copy = uplink.firstCopy; copy !== NONE; copy = next[copy]) {
    registrations.noteHeard(row, gateway[copy], rssiCentiDbm[copy]);
  }
  noteClassB(side, row, (fields.fCtrl & FCtrl.classB) !== 0, nowUs);
  if (
    isSpokenTo ||
    side.listener.ports.has(fPort) ||
    (fPort > 0 && r.firmwarePort[row] === fPort)
  ) {
    const { devEui } = registrations.identities.of(row);
    const { endedAtUs, dataRate } = uplink;
    const payload = bytes.slice(payloadOffset, payloadOffset + payloadLength);
    const atUs = nowUs;
    const uplinkNews = { devEui, atUs, endedAtUs, fCnt: fCntUp, fPort, payload, dataRate };
    if (side.listener.framesOfUplinks) {
      const whole = frameUp(side, collection, bytes, length, 'accepted', nowUs);
      side.listener.onUplink({ ...uplinkNews, frame: whole });
    } else side.listener.onUplink(uplinkNews);
  }
  return 'accepted';
}

/** Whether a downlink waits that may go out in the windows after an uplink. */
const isSomeoneDue = (side: ServerSide, row: number, uplink: UplinkContext): boolean =>
  nextInWindows(side, row, uplink) !== undefined;

/**
 * Decrypts the frame and takes in its MAC commands, and what ADR remembers of it. Returns true when
 * the device repeats an answer until a downlink reaches it.
 */
function takeContents(
  side: ServerSide,
  row: number,
  { bytes, fields }: UplinkFrame,
  fCntUp: number,
  uplink: UplinkContext,
): boolean {
  const { registrations, collector, settings } = side;
  const r = registrations.column;
  const { fPort, payloadOffset, payloadLength } = fields;
  openUplink(side, row, bytes, fields, fCntUp);
  const [from, length] =
    fPort === 0 ? [payloadOffset, payloadLength] : [FOPTS_OFFSET, fields.fOptsLength];
  const sticky = handleMacCommands(side, row, bytes, from, length, uplink);
  askForRegion(side, row);
  const adr = settings.adr && (fields.fCtrl & FCtrl.adr) !== 0;
  if (!adr) {
    r.dataRate[row] = uplink.dataRate;
    askForMask(side, row);
    return sticky;
  }
  const best = collector.copies.column.snrCentiDb[uplink.firstCopy];
  noteUplink(registrations, row, fCntUp, uplink.dataRate, best);
  requestAdr(side, row);
  return sticky;
}
