/** Sending to class C devices: at once on the RX2 parameters, one after the other. */
import type { GatewayRefusal } from '../base/counts.ts';
import { MILLISECOND_US, SECOND_US } from '../base/units.ts';
import { EventKind } from '../events.ts';
import { plannedDelayUs } from '../gateway/backhaul.ts';
import { DownlinkPurpose, NEVER_US } from '../gateway/downlinks.ts';
import { NONE } from '../kernel/columns.ts';
import { LONGEST_PHY_PAYLOAD } from '../lorawan/frame.ts';
import { CLASS_B_C_RESP_TIMEOUT_US } from '../lorawan/region.ts';
import { bestGateway, isHeardBySome } from './best-gateway.ts';
import { earliestStartUs } from './budget.ts';
import { fillDownlink, giveUp, handOver, unbook } from './dispatch.ts';
import { dropTooLong, NO_RX1, queuedFrame } from './downlink-frame.ts';
import type { AppDownlink } from './downlink-queue.ts';
import { lookAgain, sleepUntilDue, wakeFor } from './falling-due.ts';
import { HEARD_BY, heardGateway, heardLevel } from './heard-word.ts';
import { takeBackRefused } from './refused-frames.ts';
import type { ServerSide } from './server-side.ts';
import { canBeSentTo } from './session-security.ts';

/** Pause between two downlinks to one device, so that it can answer. */
const PAUSE_US = 5 * SECOND_US;
const SLACK_US = 10 * MILLISECOND_US;
/** Times in a row that gateways may refuse or lose one payload. */
const MOST_REFUSALS = 3;
/** PHYPayload of an answer that air is left for, and the time until a device sends it. */
const ANSWER_BYTES = 32;
const TURN_AROUND_US = 50 * MILLISECOND_US;
/** A frame so much stronger than another is received all the same, with some margin. */
const CAPTURE_CENTI_DB = 1_000;
/** A gateway's line is long where somebody waits longer. */
const LONG_WAIT_US = 10 * SECOND_US;
/** MHDR, FHDR without FOpts, FPort, MIC around an FRMPayload. */
const OVERHEAD_BYTES = 13;

const bytes = new Uint8Array(LONGEST_PHY_PAYLOAD + 1);

/** Something is in a device's queue: a class C device gets it without waiting for an uplink. */
export function wakeClassC(side: ServerSide, row: number, nowUs: number): void {
  if (side.registrations.column.classC[row] === 1) wakeFor(side, EventKind.classCDue, row, nowUs);
}

/**
 * Sends the head of a class C device's queue, or tries again when the gateway and the sub-band are
 * free. Where the sub-band never is, the frame is left to the windows of the next uplink.
 *
 * A frame that must wait for its turn keeps its place in the gateway's line, and is made when the
 * turn has come: what an uplink calls for meanwhile goes out before it, with the lower counter.
 */
export function onClassCDue(side: ServerSide, row: number, nowUs: number): void {
  const { registrations, queue, plan, agenda } = side;
  const r = registrations.column;
  r.sleeps[row] = 0;
  // It has become class A: RX1 may carry what RX2 does not.
  if (r.classC[row] === 0) return;
  dropTooLong(side, row, NO_RX1, () => queue.next(row, nowUs));
  const next = queue.next(row, nowUs);
  if (!canBeSentTo(side, row)) return;
  if (next === undefined) return sleepUntilDue(side, EventKind.classCDue, row);
  const gateway = bestGateway(side, row, nowUs, { last: next.refusedBy });
  if (gateway === NONE) {
    if (isHeardBySome(side, row)) lookAgain(side, EventKind.classCDue, row, nowUs);
    return;
  }
  const length = next.payload.length + OVERHEAD_BYTES;
  const airtimeUs = plan.downlinkAirtimeUs(r.rx2DataRate[row], length);
  const { leadTimeUs } = side.gateways.stations[gateway]!;
  const soonestUs = soonestStartUs(side, gateway, next, nowUs);
  const later = (untilUs: number, fromUs = soonestUs) =>
    agenda.schedule(EventKind.classCDue, row, nowUs + (untilUs - fromUs));
  const afterAnswerUs = r.answerUntilUs[row] + leadTimeUs + SLACK_US;
  if (afterAnswerUs > soonestUs) return later(afterAnswerUs);
  const startsAtUs = placeUs(side, row, gateway, soonestUs, airtimeUs);
  const hz = r.rx2FrequencyHz[row];
  const earliestUs = earliestStartUs(side, gateway, hz, startsAtUs, airtimeUs, nowUs);
  if (earliestUs === Number.POSITIVE_INFINITY) return;
  if (earliestUs > startsAtUs) return later(earliestUs, startsAtUs);
  const quietUs = answerTimeUs(side, row, gateway, next, airtimeUs, nowUs);
  takePlace(side, row, gateway, startsAtUs, airtimeUs, quietUs);
  if (startsAtUs > soonestUs) return later(startsAtUs);
  const endsAtUs = send(side, row, gateway, startsAtUs, nowUs);
  if (queue.isEmpty(row)) return;
  const pauseUs = r.awaitsAck[row] === 1 ? CLASS_B_C_RESP_TIMEOUT_US : PAUSE_US;
  agenda.schedule(EventKind.classCDue, row, endsAtUs + pauseUs);
}

/** Earliest start of a frame that is handed to the backhaul now. */
function soonestStartUs(
  { gateways }: ServerSide,
  gateway: number,
  { refusedBy, lateUs }: AppDownlink,
  nowUs: number,
): number {
  const station = gateways.stations[gateway]!;
  const knownUs = gateways.faults.knownDelayUs(station, nowUs);
  const addedUs = Math.max(knownUs, refusedBy === gateway ? lateUs : 0);
  return nowUs + plannedDelayUs(station.backhaul) + addedUs + station.leadTimeUs + SLACK_US;
}

/** Start of a device's next frame: its place in the gateway's line, or one behind all others. */
function placeUs(
  side: ServerSide,
  row: number,
  gateway: number,
  soonestUs: number,
  airtimeUs: number,
): number {
  side.registrations.table.need('classC');
  const { classCFromUs, classCUntilUs, classCGateway } = side.registrations.column;
  const line = lineUntilUs(side, row, gateway);
  const { leadTimeUs } = side.gateways.stations[gateway]!;
  const storedUs = classCFromUs[row];
  const serves = classCGateway[row] === gateway && storedUs + airtimeUs <= classCUntilUs[row];
  if (serves && storedUs >= soonestUs) return storedUs;
  return Math.max(soonestUs, line + leadTimeUs + SLACK_US);
}

/**
 * Until when gateways that the device hears have class C frames in their lines: its own one, and
 * those so near to it in level that their frames would drown one to the device. RX2 is one channel.
 */
function lineUntilUs({ registrations, gateways }: ServerSide, row: number, own: number): number {
  const { heard } = registrations.column;
  const { classCUntilUs } = gateways.table.column;
  const words = heard.subarray(row * HEARD_BY, (row + 1) * HEARD_BY);
  const ownWord = words.find((word) => word !== 0 && heardGateway(word) === own) ?? 0;
  const leastLevel = heardLevel(ownWord) - CAPTURE_CENTI_DB;
  let untilUs = classCUntilUs[own];
  for (const word of words) {
    if (word === 0 || heardLevel(word) < leastLevel) continue;
    untilUs = Math.max(untilUs, classCUntilUs[heardGateway(word)]);
  }
  return untilUs;
}

/**
 * Time that the gateway keeps quiet after a frame, µs, since it is deaf while it sends: what asks
 * for an answer leaves air for one. Where others wait long already, that takes half as long as the
 * frame at most: ten thousand devices have their turn in one and a half times the time.
 */
function answerTimeUs(
  { registrations, gateways, plan }: ServerSide,
  row: number,
  gateway: number,
  { sender, confirmed }: AppDownlink,
  airtimeUs: number,
  nowUs: number,
): number {
  if (sender.kind === 'application' && !confirmed) return 0;
  const dataRate = registrations.column.dataRate[row];
  const answerUs = plan.uplinkAirtimeUs(dataRate, ANSWER_BYTES) + TURN_AROUND_US;
  const isLong = gateways.table.column.classCUntilUs[gateway] - nowUs > LONG_WAIT_US;
  return isLong ? Math.min(answerUs, Math.ceil(airtimeUs / 2)) : answerUs;
}

/** The others in the gateway's line come after this frame, and after its answer. */
function takePlace(
  { registrations, gateways }: ServerSide,
  row: number,
  gateway: number,
  startsAtUs: number,
  airtimeUs: number,
  quietUs: number,
): void {
  const r = registrations.column;
  const line = gateways.table.column.classCUntilUs;
  r.classCGateway[row] = gateway;
  r.classCFromUs[row] = startsAtUs;
  r.classCUntilUs[row] = startsAtUs + airtimeUs;
  line[gateway] = Math.max(line[gateway], startsAtUs + airtimeUs + quietUs);
}

/** Sends the downlink whose turn it is; returns when it will be off the air. */
function send(
  side: ServerSide,
  row: number,
  gateway: number,
  startsAtUs: number,
  nowUs: number,
): number {
  const { registrations, downlinks, tally } = side;
  const { rx2FrequencyHz, rx2DataRate } = registrations.column;
  const frame = queuedFrame(side, row, nowUs);
  const length = frame.encode(bytes);
  tally.add('downlinksRequested');
  const downlink = fillDownlink(side, gateway, bytes, length, {
    registration: row,
    window: 0,
    startsAtUs,
    frequencyHz: rx2FrequencyHz[row],
    dataRate: rx2DataRate[row],
    purpose: 'data',
    counter: frame.counter,
    mcAddr: 0,
    rx2StartsAtUs: NEVER_US,
    downlinkId: frame.downlinkId,
  });
  const endsAtUs = startsAtUs + downlinks.column.airtimeUs[downlink];
  if (!handOver(side, downlink, nowUs) && !takeBack(side, downlink, 'backhaulLoss')) {
    giveUp(side, downlink, 'backhaulLoss');
  }
  return endsAtUs;
}

// ── refusals ─────────────────────────────────────────────────────────────────────────────────────

/** Whether a frame is one to a class C device outside the windows of its uplinks. */
export const isClassC = ({ downlinks }: ServerSide, downlink: number): boolean => {
  const { purpose, window } = downlinks.column;
  return purpose[downlink] === DownlinkPurpose.data && window[downlink] === 0;
};

/** A gateway has refused a frame, or the backhaul lost it: the next best one gets it. */
export function onClassCRefused(
  side: ServerSide,
  downlink: number,
  reason: GatewayRefusal,
  nowUs: number,
): void {
  const { downlinks, agenda } = side;
  const { gateway: gateways, registration } = downlinks.column;
  const [row, refusedBy] = [registration[downlink], gateways[downlink]];
  unbook(side, downlink);
  if (!takeBack(side, downlink, reason)) return giveUp(side, downlink, reason);
  const isAgain = bestGateway(side, row, nowUs, { last: refusedBy }) === refusedBy;
  agenda.appoint(EventKind.classCDue, row, nowUs + (isAgain ? PAUSE_US : 1));
}

function takeBack(side: ServerSide, downlink: number, reason: GatewayRefusal): boolean {
  const row = side.downlinks.column.registration[downlink];
  if (side.registrations.column.classC[row] === 0) return false;
  return takeBackRefused(side, downlink, reason, MOST_REFUSALS);
}
