/**
 * What a device has to send: its own traffic, its packages' messages and its answers, one in hand
 * at a time. Package messages go first; own messages that come meanwhile wait, a few of them.
 */
import { assert } from '../base/assert.ts';
import { EventKind } from '../events.ts';
import { NONE } from '../kernel/columns.ts';
import { Cid } from '../lorawan/mac-commands.ts';
import { FragDataBlockReceivedReq } from '../lorawan/packages/ts004-fragmentation.ts';
import { ADR_ACK_LIMIT, FHDR_AND_FPORT_BYTES } from '../lorawan/region.ts';
import { versionRules } from '../lorawan/versions.ts';
import { asksForAnswer, backOffAdr } from './adr-back-off.ts';
import { forgetAnswers } from './answering.ts';
import { resetRegion } from './channels.ts';
import type { DeviceSide } from './device-side.ts';
import { Activation, FOPTS_BYTES, NEVER, UplinkPurpose } from './device-table.ts';
import {
  isListedConfirmed,
  loseListedInHand,
  MOST_WAITING,
  putBackListed,
  takeListed,
} from './listed-traffic.ts';
import {
  callsForFrame,
  commandsWithin,
  dropSentCommands,
  isCommandQueued,
} from './mac-commands/queue.ts';
import { requestDeviceTime, requestLinkCheck } from './mac-commands/status-and-time.ts';
import { hasMulticastSession } from './multicast-session.ts';
import { firstMessageUs, nextMessageUs } from './next-message.ts';
import { isTimeRequest, MessageKind, NO_PORT, OUTGOING_BYTES } from './outgoing.ts';
import { afterTimeRequest } from './packages/clock-sync.ts';
import { afterVersionReport, beginReports } from './packages/firmware.ts';
import { afterBlockReceivedReq } from './packages/fragment-status.ts';
import { beginRejoin, forgetRejoins, rejoinDueAtUs, rejoinIsDue } from './rejoin.ts';
import {
  beginSettingsReports,
  fixOwnMessage,
  notePause,
  reportDaily,
  trafficOf,
} from './settings.ts';
import { reviewStandingGroups } from './standing-groups.ts';
import { isConfirmed } from './traffic.ts';
import { messageInHand, messageOf } from './uplink.ts';

/** Counters have 32 bits; the session ends with the last. */
const LAST_FCNT = 0xffff_ffff;

/** A LoRaWAN session has begun: appoints the first messages of the device's own accord. */
export function beginTraffic(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  const traffic = trafficOf(side, device);
  beginReports(side, device, nowUs);
  beginSettingsReports(side, device, nowUs);
  if (traffic.process === 'none') return;
  notePause(side, device, nowUs);
  c.trafficDueAtUs[device] = firstMessageUs(side, device, traffic, nowUs);
}

/** A new message of the device's own: taken in hand, or left to wait for the one that is. */
export function onTraffic(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  const { traffic } = side.types[c.type[device]]!;
  if (traffic.inSessions !== undefined && hasMulticastSession(side, device)) {
    const isOver = traffic.inSessions === 'stop';
    c.trafficDueAtUs[device] = isOver ? NEVER : nextTrafficUs(side, device, nowUs);
    return;
  }
  c.messages[device]++;
  reportDaily(side, device, nowUs);
  // Before the next one is looked for in a list, which reports what waits from what is to come.
  if (c.waiting[device] < MOST_WAITING) c.waiting[device]++;
  else c.messagesDropped[device]++;
  c.trafficDueAtUs[device] =
    traffic.process === 'exponential' ? NEVER : nextTrafficUs(side, device, nowUs);
  if (traffic.whenBusy === 'replace') giveUpForNext(side, device, nowUs);
}

/** A confirmed message that waits to be sent again makes way for the device’s next one. */
function giveUpForNext(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  const isBetweenTries = c.attempts[device] > 0 && c.transmitDueAtUs[device] !== NEVER;
  if (c.confirmed[device] === 0 || !isBetweenTries) return;
  c.confirmedFailed[device]++;
  finishMessage(side, device, nowUs);
}

function nextTrafficUs(side: DeviceSide, device: number, nowUs: number): number {
  notePause(side, device, nowUs);
  const nextUs = nextMessageUs(side, device, trafficOf(side, device), nowUs);
  return nextUs === NEVER ? NEVER : Math.max(nowUs + 1, nextUs);
}

/**
 * When no message is in hand, takes the next one. A rejoin request that is due comes first, then
 * MAC commands that do not fit beside the next message. A package's message that is due comes
 * before one of its own traffic.
 */
export function takeNext(side: DeviceSide, device: number, nowUs: number): void {
  const { devices, outgoing } = side;
  const c = devices.column;
  if (c.purpose[device] === UplinkPurpose.none && rejoinIsDue(side, device, nowUs)) {
    beginRejoin(side, device, nowUs);
    return takeInHand(side, device, UplinkPurpose.rejoin, nowUs);
  }
  while (c.purpose[device] === UplinkPurpose.none) {
    const dueAtUs = outgoing.dueAtUs(c.outgoing, device);
    const isDue = dueAtUs !== NEVER && dueAtUs <= nowUs;
    const hasMessage = isDue || c.waiting[device] > 0;
    const row = isDue ? c.outgoing[device] : c.riding[device];
    const hasCommands = c.macLength[device] > 0;
    const spare = hasCommands && hasMessage ? spareBytes(side, device, row) : FOPTS_BYTES;
    if (hasCommands && callsForFrame(devices, device, spare)) {
      c.outgoingInHand[device] = outgoing.single(NO_PORT);
    } else if (isDue) {
      c.outgoingInHand[device] = outgoing.take(c.outgoing, device);
    } else if (hasMessage) {
      c.waiting[device]--;
      c.outgoingInHand[device] = outgoing.take(c.riding, device);
    } else {
      return;
    }
    takeMessage(side, device, nowUs);
  }
}

/** Bytes that a message leaves to MAC commands at the present data rate; negative: too long. */
function spareBytes(side: DeviceSide, device: number, row: number): number {
  const { dataRate, uplinkDwell } = side.column;
  const most = side.plan.mostBytes(dataRate[device], uplinkDwell[device] === 1);
  const mostBytes = most - FHDR_AND_FPORT_BYTES;
  return mostBytes - messageOf(side, device, row).length;
}

/** Begins to send the message in hand, or an empty frame when it is too long for the data rate. */
function takeMessage(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  const type = side.types[c.type[device]]!;
  const takesOwn = side.outgoing.isOwn(c.outgoingInHand[device]);
  if (spareBytes(side, device, c.outgoingInHand[device]) < 0) dropForEmpty(side, device, nowUs);
  const { key0, key1, messages } = c;
  const own = side.outgoing.isOwn(c.outgoingInHand[device]);
  const traffic = trafficOf(side, device);
  const confirmed =
    own &&
    (isListedConfirmed(side, device) ??
      isConfirmed(traffic, key0[device], key1[device], messages[device]));
  if (takesOwn) takeListed(side, device, nowUs);
  c.confirmed[device] = confirmed ? 1 : 0;
  const byTries = confirmed && versionRules(type.lorawan).confirmed === 'slower';
  // A time request is never repeated: its clock would be stale (TS003-1.0.0 §3.2).
  const row = c.outgoingInHand[device];
  const isStamped = row !== NONE && isTimeRequest(side.outgoing.pool.column.kind[row]);
  const tries = isStamped ? 1 : c.nbTrans[device];
  c.maxAttempts[device] = byTries ? type.confirmedTries : tries;
  c.ackInHand[device] = 0;
  c.sent[device]++;
  if (confirmed) c.confirmedSent[device]++;
  takeInHand(side, device, UplinkPurpose.data, nowUs);
}

/**
 * The message in hand is too long: an empty frame goes out in its place, so that MAC commands are
 * exchanged all the same, ADR's among them (LoRaMac-node, LmHandlerSend; docs/decisions/0027).
 */
function dropForEmpty(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  c.messagesDropped[device]++;
  if (side.outgoing.isOwn(c.outgoingInHand[device])) loseListedInHand(side, device);
  afterMessage(side, device, nowUs);
  c.outgoingInHand[device] = side.outgoing.single(NO_PORT);
}

/**
 * Fixes what the message in hand carries besides its payload, right before it is first sent: MAC
 * commands that fit, and an acknowledgement.
 */
export function compose(side: DeviceSide, device: number, nowUs: number): void {
  const { devices, plan, types } = side;
  const c = devices.column;
  const { adr } = types[c.type[device]]!;
  // An answer rides on a message that was in hand before the downlink, if it was not sent yet.
  if (c.outgoingInHand[device] === NONE) {
    c.outgoingInHand[device] = side.outgoing.take(c.riding, device);
  }
  if (adr) backOffAdr(side, device);
  if (spareBytes(side, device, c.outgoingInHand[device]) < 0) replaceByEmpty(side, device, nowUs);
  const { fPort } = messageInHand(side, device);
  const spare = spareBytes(side, device, c.outgoingInHand[device]);
  assert(spare >= 0, 'a data rate in use carries an empty frame');
  c.adrAckReqInHand[device] = adr && asksForAnswer(side, device) ? 1 : 0;
  requestLinkCheck(side, device);
  requestDeviceTime(side, device, nowUs);
  if (fPort !== NO_PORT && callsForFrame(devices, device, spare)) {
    putAside(side, device);
    return compose(side, device, nowUs);
  }
  fixOwnMessage(side, device);
  const mostFOpts = Math.min(FOPTS_BYTES, spare);
  const onPort = fPort === NO_PORT && c.macLength[device] > mostFOpts;
  const most = plan.mostBytes(c.dataRate[device], c.uplinkDwell[device] === 1);
  const mostPayload = most - FHDR_AND_FPORT_BYTES;
  c.macPort[device] = onPort ? 1 : 0;
  c.macInHand[device] = commandsWithin(devices, device, onPort ? mostPayload : mostFOpts);
  if (c.ackDue[device] === 1) c.ackInHand[device] = 1;
  c.ackDue[device] = 0;
}

/** MAC commands that do not fit beside the message in hand go out before it. */
function putAside(side: DeviceSide, device: number): void {
  const { devices, outgoing } = side;
  const c = devices.column;
  const row = c.outgoingInHand[device];
  if (side.outgoing.isOwn(row)) {
    c.waiting[device]++;
    putBackListed(side, device);
  }
  if (row !== NONE) outgoing.putBack(side.outgoing.isOwn(row) ? c.riding : c.outgoing, device, row);
  if (c.confirmed[device] === 1) c.confirmedSent[device]--;
  c.confirmed[device] = 0;
  c.outgoingInHand[device] = outgoing.single(NO_PORT);
  c.maxAttempts[device] = c.nbTrans[device];
}

/** The data rate has become too slow for the message in hand. */
function replaceByEmpty(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  if (c.confirmed[device] === 1) c.confirmedSent[device]--;
  c.confirmed[device] = 0;
  dropForEmpty(side, device, nowUs);
  c.maxAttempts[device] = c.nbTrans[device];
}

/** A message is in hand from now on; it is sent once earlier windows have closed. */
export function takeInHand(side: DeviceSide, device: number, purpose: number, nowUs: number): void {
  const c = side.column;
  assert(c.purpose[device] === UplinkPurpose.none, 'a device has one message in hand');
  c.purpose[device] = purpose;
  c.attempts[device] = 0;
  c.transmitDueAtUs[device] = Math.max(nowUs, c.quietUntilUs[device]);
}

/**
 * The data message in hand is answered or given up: its frame counter is used, and the next message
 * follows. A session without counters left ends.
 */
export function finishMessage(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  assert(c.purpose[device] === UplinkPurpose.data, 'a message that is finished was in hand');
  dropSentCommands(side.devices, device);
  c.purpose[device] = UplinkPurpose.none;
  afterMessage(side, device, nowUs);
  if (c.fCntUp[device] === LAST_FCNT || isRekeyIgnored(side, device)) {
    return endLorawanSession(side, device, nowUs);
  }
  c.fCntUp[device]++;
  takeNext(side, device, nowUs);
}

/** RekeyInd in 64 uplinks without RekeyConf: the network does not know the session (1.1 §5.11). */
function isRekeyIgnored({ devices }: DeviceSide, device: number): boolean {
  const c = devices.column;
  if (c.minor[device] === 0 || !isCommandQueued(devices, device, Cid.rekey)) return false;
  return ++c.rekeyWaits[device] >= ADR_ACK_LIMIT;
}

/**
 * Ends a LoRaWAN session without counters left, or unknown to the network: the device joins anew; a
 * personalised one falls silent.
 */
export function endLorawanSession(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  c.trafficDueAtUs[device] = NEVER;
  c.waiting[device] = 0;
  forgetAnswers(side, device);
  forgetRejoins(side, device);
  if (c.personalised[device] === 1) {
    c.activation[device] = Activation.none;
    return reviewStandingGroups(side, device, nowUs);
  }
  c.activation[device] = Activation.joining;
  reviewStandingGroups(side, device, nowUs);
  resetRegion(side, device);
  takeInHand(side, device, UplinkPurpose.join, nowUs);
}

/** A message is over: its row goes back, and exponential traffic draws its next pause. */
function afterMessage(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  const row = c.outgoingInHand[device];
  if (side.outgoing.isOwn(row)) {
    const { process } = side.types[c.type[device]]!.traffic;
    if (process === 'exponential') c.trafficDueAtUs[device] = nextTrafficUs(side, device, nowUs);
  }
  if (row === NONE) return;
  c.outgoingInHand[device] = NONE;
  const { kind: kinds, bytes } = side.outgoing.pool.column;
  const kind = kinds[row] as MessageKind;
  const fragIndex = FragDataBlockReceivedReq.value.fragIndex(bytes, row * OUTGOING_BYTES);
  side.outgoing.give(row);
  if (isTimeRequest(kind)) afterTimeRequest(side, device, kind, nowUs);
  if (kind === MessageKind.versionReport) afterVersionReport(side, device, nowUs);
  if (kind === MessageKind.blockReceived) afterBlockReceivedReq(side, device, fragIndex, nowUs);
}

/** Moves the device's timer to the earliest of its appointments. */
export function appoint(side: DeviceSide, device: number): void {
  const c = side.column;
  let next = earlier(c.trafficDueAtUs[device], c.transmitDueAtUs[device]);
  next = earlier(next, c.multicastDueAtUs[device]);
  next = earlier(next, c.rebootAtUs[device]);
  next = earlier(next, side.failures.rebootAtUs(device));
  next = earlier(next, side.classB.dueAtUs(device));
  if (c.purpose[device] === UplinkPurpose.none) {
    next = earlier(next, rejoinDueAtUs(side, device));
    next = earlier(next, side.outgoing.dueAtUs(c.outgoing, device));
    if (callsForFrame(side.devices, device, FOPTS_BYTES)) next = earlier(next, side.agenda.nowUs);
  }
  if (next === NEVER) side.agenda.cancel(EventKind.deviceTimer, device);
  else side.agenda.appoint(EventKind.deviceTimer, device, next);
}

const earlier = (a: number, b: number): number => (a === NEVER || (b !== NEVER && b < a) ? b : a);
