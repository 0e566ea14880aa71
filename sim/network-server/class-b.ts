/**
 * Sending to class B devices: in the next ping slot that the best gateway with GPS time can still
 * meet (LoRaWAN 1.0.4 §9…§12).
 *
 * A slot is passed over when the frame would touch a beacon's guard or reserved time. It is, too,
 * when the windows after the device's latest uplink are still to come, and while an acknowledgement
 * is awaited. The frame is made two seconds before its slot, so that an uplink in the meantime
 * still gets it in a class A window.
 */
import type { GatewayRefusal } from '../base/counts.ts';
import { MILLISECOND_US, SECOND_US } from '../base/units.ts';
import { EventKind } from '../events.ts';
import { plannedDelayUs } from '../gateway/backhaul.ts';
import { NEVER_US } from '../gateway/downlinks.ts';
import { NONE } from '../kernel/columns.ts';
import {
  nextPingSlot,
  PING_SLOT_US,
  pingPeriodSlots,
  pingSlotFrequencyHz,
} from '../lorawan/class-b.ts';
import { LONGEST_PHY_PAYLOAD, MIC_BYTES } from '../lorawan/frame.ts';
import {
  CLASS_B_C_RESP_TIMEOUT_US,
  FHDR_AND_FPORT_BYTES,
  RX2_AFTER_RX1_US,
} from '../lorawan/region.ts';
import { bestGateway, isHeardBySome } from './best-gateway.ts';
import { earliestStartUs } from './budget.ts';
import { fillDownlink, giveUp, handOver, unbook } from './dispatch.ts';
import { queuedFrame } from './downlink-frame.ts';
import { lookAgain, sleepUntilDue, wakeFor } from './falling-due.ts';
import { takeBackRefused } from './refused-frames.ts';
import type { ServerSide } from './server-side.ts';
import { canBeSentTo } from './session-security.ts';

/** How long before its slot a frame is made. */
const AHEAD_US = 2 * SECOND_US;
const SLACK_US = 10 * MILLISECOND_US;
/** Time left for the second window of a class A exchange. */
const RX2_TIME_US = 3 * SECOND_US;
/** Slots that are looked at by one event; then the server tries again later. */
const MOST_SLOTS = 256;
/** Times that gateways may refuse one payload. */
const MOST_REFUSALS = 8;

const bytes = new Uint8Array(LONGEST_PHY_PAYLOAD + 1);

/** Something is in a device's queue: a class B device gets it in a ping slot. */
export function wakeClassB(side: ServerSide, row: number, nowUs: number): void {
  if (isReachable(side, row)) wakeFor(side, EventKind.classBDue, row, nowUs);
}

const isReachable = (side: ServerSide, row: number): boolean =>
  side.classB.isActive(row) && canBeSentTo(side, row);

/** An uplink has come: its ClassB bit says whether the device opens ping slots. */
export function noteClassB(side: ServerSide, row: number, bit: boolean, nowUs: number): void {
  side.classB.noteBit(row, bit);
  wakeClassB(side, row, nowUs);
}

/** Serves the head of a device's queue, or looks again when a slot is near. */
export function onClassBDue(side: ServerSide, row: number, nowUs: number): void {
  const { agenda, registrations, classB, queue } = side;
  registrations.column.sleeps[row] = 0;
  if (!isReachable(side, row) || queue.isEmpty(row)) return;
  if (queue.next(row, nowUs) === undefined) return sleepUntilDue(side, EventKind.classBDue, row);
  const last = queue.next(row, nowUs)!.refusedBy;
  const gateway = bestGateway(side, row, nowUs, { withGps: true, last });
  const length = frameLength(side, row, nowUs);
  if (length === 0) return;
  if (gateway === NONE) {
    if (isHeardBySome(side, row, true)) lookAgain(side, EventKind.classBDue, row, nowUs);
    return;
  }
  const b = classB.column;
  if (registrations.column.awaitsAck[row] === 1 && b.awaitsUntilUs[row] > nowUs) {
    return agenda.schedule(EventKind.classBDue, row, b.awaitsUntilUs[row]);
  }
  const slot = findPingSlot(side, row, gateway, length, nowUs);
  if (slot === undefined) return agenda.schedule(EventKind.classBDue, row, nowUs + AHEAD_US);
  if (slot.startsAtUs > nowUs + AHEAD_US) {
    return agenda.schedule(EventKind.classBDue, row, slot.startsAtUs - AHEAD_US);
  }
  send(side, row, gateway, slot, nowUs);
}

/** PHYPayload bytes of the next frame, 0 when a ping slot does not carry it. */
function frameLength(side: ServerSide, row: number, nowUs: number): number {
  const payload = side.queue.next(row, nowUs)?.payload;
  if (payload === undefined) return 0;
  const dwell = side.registrations.column.downlinkDwell[row] === 1;
  const most = side.plan.mostBytes(pingDataRate(side, row), dwell);
  const length = FHDR_AND_FPORT_BYTES + payload.length;
  return length > most ? 0 : length + 1 + MIC_BYTES;
}

function pingDataRate({ classB, plan }: ServerSide, row: number): number {
  const { frequencyHz, dataRate } = classB.column;
  return frequencyHz[row] === 0 ? plan.region.pingSlot.dataRate : dataRate[row];
}

/** A ping slot in which a frame can go out. */
interface ServedSlot {
  readonly startsAtUs: number;
  readonly frequencyHz: number;
  readonly dataRate: number;
}

/** The first slot that this gateway can serve; undefined when none of the next ones is. */
function findPingSlot(
  side: ServerSide,
  row: number,
  gateway: number,
  length: number,
  nowUs: number,
): ServedSlot | undefined {
  const { beacons, plan, registrations, classB } = side;
  const dataRate = pingDataRate(side, row);
  const airtimeUs = plan.downlinkAirtimeUs(dataRate, length);
  const devAddr = registrations.column.devAddr[row];
  const periodicity = classB.column.periodicity[row];
  const fixedHz = classB.column.frequencyHz[row];
  let atUs = soonestUs(side, row, gateway, nowUs);
  for (let tried = 0; tried < MOST_SLOTS; tried++) {
    const slot = nextPingSlot(beacons.gpsUs(atUs) - 1, devAddr, periodicity);
    const startsAtUs = beacons.worldUs(slot.startUs);
    const frequencyHz =
      fixedHz !== 0
        ? fixedHz
        : pingSlotFrequencyHz(plan.region.pingSlot, devAddr, slot.beaconTimeS);
    if (!beacons.areHitBy(startsAtUs, airtimeUs)) {
      const earliestUs = earliestStartUs(side, gateway, frequencyHz, startsAtUs, airtimeUs, nowUs);
      if (earliestUs === startsAtUs) return { startsAtUs, frequencyHz, dataRate };
      if (earliestUs === Number.POSITIVE_INFINITY) return undefined;
      atUs = earliestUs;
    } else {
      atUs = startsAtUs + pingPeriodSlots(periodicity) * PING_SLOT_US;
    }
    atUs = Math.max(atUs, startsAtUs + 1);
  }
  return undefined;
}

/** Earliest start that backhaul, queue and the device's class A windows leave. */
function soonestUs(side: ServerSide, row: number, gateway: number, nowUs: number): number {
  const r = side.registrations.column;
  const { backhaul, leadTimeUs } = side.gateways.stations[gateway]!;
  const addedUs = side.gateways.faults.knownDelayUs(side.gateways.stations[gateway]!, nowUs);
  const reachedUs = nowUs + plannedDelayUs(backhaul) + addedUs + leadTimeUs + SLACK_US;
  const rx2Us = r.lastUplinkAtUs[row] + r.rx1DelayS[row] * SECOND_US + RX2_AFTER_RX1_US;
  // A repetition is answered, too: its answer has the lower counter.
  const answeredUs = r.answerUntilUs[row] + leadTimeUs + SLACK_US;
  const { notBeforeUs } = side.classB.column;
  return Math.max(reachedUs, rx2Us + RX2_TIME_US, answeredUs, notBeforeUs[row]);
}

function send(
  side: ServerSide,
  row: number,
  gateway: number,
  slot: ServedSlot,
  nowUs: number,
): void {
  const { classB, queue, tally, downlinks, agenda, registrations } = side;
  const frame = queuedFrame(side, row, nowUs);
  const length = frame.encode(bytes);
  tally.add('downlinksRequested');
  const downlink = fillDownlink(side, gateway, bytes, length, {
    registration: row,
    window: 0,
    ...slot,
    purpose: 'ping',
    counter: frame.counter,
    mcAddr: 0,
    rx2StartsAtUs: NEVER_US,
    downlinkId: frame.downlinkId,
  });
  const endsAtUs = slot.startsAtUs + downlinks.column.airtimeUs[downlink];
  const b = classB.column;
  b.notBeforeUs[row] = endsAtUs;
  b.awaitsUntilUs[row] = endsAtUs + CLASS_B_C_RESP_TIMEOUT_US;
  if (!handOver(side, downlink, nowUs)) onPingRefused(side, downlink, 'backhaulLoss', nowUs);
  if (queue.isEmpty(row)) return;
  const isAwaited = registrations.column.awaitsAck[row] === 1;
  agenda.appoint(EventKind.classBDue, row, isAwaited ? b.awaitsUntilUs[row] : endsAtUs);
}

/** A gateway has refused a frame, or the backhaul lost it. */
export function onPingRefused(
  side: ServerSide,
  downlink: number,
  reason: GatewayRefusal,
  nowUs: number,
): void {
  const row = side.downlinks.column.registration[downlink];
  unbook(side, downlink);
  const waits = side.classB.isActive(row) && takeBackRefused(side, downlink, reason, MOST_REFUSALS);
  if (!waits) return giveUp(side, downlink, reason);
  side.agenda.appoint(EventKind.classBDue, row, nowUs + 1);
}
