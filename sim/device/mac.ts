/**
 * The device's MAC, class A (LoRaWAN 1.0.x §3.3). One message is in hand at a time, and is sent
 * until it is answered or given up. Two receive windows, which the device's own clock opens, follow
 * each transmission.
 *
 * A device has one timer. It means: see whether traffic or a transmission is due, then appoint the
 * next. An uplink that awaits nothing (unconfirmed, sent once) is finished when it ends; its
 * windows stay open for what may come, and `quietUntilUs` keeps the device silent until they have
 * closed.
 */
import { assert } from '../base/assert.ts';
import { DrawPurpose, draw, toUnit } from '../base/random.ts';
import { SECOND_US } from '../base/units.ts';
import { EventKind } from '../events.ts';
import {
  JOIN_ACCEPT_DELAY1_US,
  RETRANSMIT_TIMEOUT_MAX_US,
  RETRANSMIT_TIMEOUT_MIN_US,
  RX2_AFTER_RX1_US,
} from '../lorawan/region.ts';
import { versionRules } from '../lorawan/versions.ts';
import type { ReceiveWindows } from '../observation/observer.ts';
import type { ReceiveWindow } from '../radio/downlink-air.ts';
import { dieIfEmpty } from './battery.ts';
import { isUsable, rx1Frequency } from './channels.ts';
import { beginClassB, onClassBDue } from './class-b/mode.ts';
import { isContinuous, listenContinuously, rxc } from './class-c.ts';
import { worldAfter } from './clock.ts';
import { type DeviceSide, observerOf } from './device-side.ts';
import { Activation, NEVER, Radio, UplinkPurpose } from './device-table.ts';
import { accountForAnswer, accountForWindows, updateBackground } from './energy.ts';
import { joinPauseUs } from './join.ts';
import { appoint, beginTraffic, compose, finishMessage, onTraffic, takeNext } from './messages.ts';
import { onMulticastSessionDue } from './multicast-session.ts';
import { checkCompletion } from './multicast-settling.ts';
import { reboot } from './packages/firmware.ts';
import { afterRejoinTry } from './rejoin.ts';
import { rebootSuddenly } from './sudden-reboot.ts';
import { messageInHand, transmit } from './uplink.ts';

const RETRANSMIT_SPREAD_US = RETRANSMIT_TIMEOUT_MAX_US - RETRANSMIT_TIMEOUT_MIN_US;
/** A confirmed message goes one data rate slower after every second try (LoRaWAN 1.0.x §18.4). */
const TRIES_PER_DATA_RATE = 2;

/** The device's timer: whatever is due by now is done, and the next time appointed. */
export function onTimer(side: DeviceSide, device: number, nowUs: number): void {
  if (dieIfEmpty(side, device, nowUs)) return;
  const c = side.column;
  if (isDue(c.multicastDueAtUs[device], nowUs)) onMulticastSessionDue(side, device, nowUs);
  if (isDue(c.rebootAtUs[device], nowUs)) reboot(side, device, nowUs);
  if (isDue(side.failures.rebootAtUs(device), nowUs)) rebootSuddenly(side, device, nowUs);
  if (isDue(side.classB.dueAtUs(device), nowUs)) onClassBDue(side, device, nowUs);
  if (isDue(c.trafficDueAtUs[device], nowUs)) onTraffic(side, device, nowUs);
  takeNext(side, device, nowUs);
  if (isDue(c.transmitDueAtUs[device], nowUs)) tryTransmit(side, device, nowUs);
  appoint(side, device);
}

/** A block may be complete by now; if it is, the reboot that activates the image is appointed. */
export function onCompletionCheck(side: DeviceSide, device: number): void {
  checkCompletion(side, device);
  appoint(side, device);
}

const isDue = (dueAtUs: number, nowUs: number): boolean => dueAtUs !== NEVER && dueAtUs <= nowUs;

// ── transmissions ────────────────────────────────────────────────────────────────────────────────

/** Sends unless windows or a frame being received still keep the device silent. */
function tryTransmit(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  const silentUntilUs = Math.max(c.quietUntilUs[device], side.downlinkAir.lockedUntilUs(device));
  if (silentUntilUs > nowUs) {
    c.transmitDueAtUs[device] = silentUntilUs;
    return;
  }
  if (c.purpose[device] === UplinkPurpose.data && c.attempts[device] === 0) {
    compose(side, device, nowUs);
  }
  if (c.purpose[device] !== UplinkPurpose.none) transmit(side, device, nowUs);
}

/**
 * An uplink of the device has ended, which is settled: sets its receive windows. A message that
 * awaits nothing is finished.
 */
export function onUplinkEnds(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  assert(c.radio[device] === Radio.sending, 'an uplink that ends was on the air');
  c.radio[device] = Radio.windows;
  c.uplinkEndedAtUs[device] = nowUs;
  c.answered[device] = 0;
  c.acknowledged[device] = 0;
  openWindows(side, device, nowUs);
  if (
    c.purpose[device] !== UplinkPurpose.data ||
    c.confirmed[device] === 1 ||
    c.maxAttempts[device] > 1
  ) {
    side.agenda.schedule(EventKind.windowsClose, device, c.quietUntilUs[device]);
    return;
  }
  finishMessage(side, device, nowUs);
  appoint(side, device);
}

function openWindows(side: DeviceSide, device: number, endsAtUs: number): void {
  const { plan, devices } = side;
  const c = devices.column;
  const joining = c.purpose[device] !== UplinkPurpose.data;
  const delayUs = joining ? JOIN_ACCEPT_DELAY1_US : c.rx1DelayS[device] * SECOND_US;
  const offset = joining ? 0 : c.rx1DrOffset[device];
  const dwell = c.downlinkDwell[device] === 1;
  const rx1DataRate = plan.rx1DataRate(c.uplinkDataRate[device], offset, dwell);
  const rx1Hz = joining ? plan.rx1FrequencyHz(c.uplinkHz[device]) : rx1Frequency(side, device);
  const rx2DataRate = joining ? plan.rx2DataRate : c.rx2DataRate[device];
  const rx2Hz = joining ? plan.rx2FrequencyHz : c.rx2FrequencyHz[device];
  const rx1 = windowAt(side, device, endsAtUs, delayUs, rx1Hz, rx1DataRate);
  const rx2 = windowAt(side, device, endsAtUs, delayUs + RX2_AFTER_RX1_US, rx2Hz, rx2DataRate);
  c.quietUntilUs[device] = rx2.closesAtUs;
  // The device may have become class C or A while it was sending.
  updateBackground(side, device, endsAtUs);
  const continuous = isContinuous(side, device);
  side.downlinkAir.listen(device, rx1, continuous ? rxc(rx2, endsAtUs) : rx2);
  accountForWindows(side, device, rx1, continuous ? undefined : rx2);
  observerOf(side, device)?.trace(traceWindows(side, device, rx1, rx2));
}

/** A window that the device's clock opens `delayUs` after the end of its uplink. */
function windowAt(
  side: DeviceSide,
  device: number,
  endsAtUs: number,
  delayUs: number,
  frequencyHz: number,
  dataRate: number,
): ReceiveWindow {
  const shape = side.windows.of(side.column.type[device], dataRate, delayUs);
  const opensAtUs = worldAfter(side, device, endsAtUs, delayUs + shape.offsetUs);
  return { opensAtUs, closesAtUs: opensAtUs + shape.lengthUs, frequencyHz, dataRate };
}

/** A frame for this device came in a window: the radio rests, and what waited for it goes on. */
export function onAnswered(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  accountForAnswer(side, device, nowUs);
  side.downlinkAir.endWindows(device, nowUs);
  c.radio[device] = Radio.idle;
  c.quietUntilUs[device] = nowUs;
  listenContinuously(side, device, nowUs);
  if (side.agenda.dueUs(EventKind.windowsClose, device) !== NEVER) {
    side.agenda.appoint(EventKind.windowsClose, device, nowUs);
  }
  appoint(side, device);
}

/**
 * A frame came outside the windows. Class C may so hear the acknowledgement of a message that
 * waits to be sent again: it is not (LoRaWAN 1.0.4 §4.3.1.4).
 */
export function onHeardOutsideWindows(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  const waits = c.purpose[device] === UplinkPurpose.data && c.transmitDueAtUs[device] !== NEVER;
  const isRepetition = waits && c.attempts[device] > 0 && c.radio[device] === Radio.idle;
  if (isRepetition && c.confirmed[device] === 1 && c.acknowledged[device] === 1) {
    c.transmitDueAtUs[device] = NEVER;
    afterDataTry(side, device, nowUs);
  }
  appoint(side, device);
}

/** The last window of an uplink that awaits something has closed. */
export function onWindowsClose(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  const lockedUntilUs = side.downlinkAir.lockedUntilUs(device);
  if (lockedUntilUs > nowUs) {
    side.agenda.schedule(EventKind.windowsClose, device, lockedUntilUs);
    return;
  }
  assert(c.radio[device] !== Radio.sending, 'windows close after their uplink has ended');
  c.radio[device] = Radio.idle;
  if (c.purpose[device] === UplinkPurpose.join) afterJoinTry(side, device, nowUs);
  else if (c.purpose[device] === UplinkPurpose.rejoin) {
    if (c.answered[device] === 0) afterRejoinTry(side, device, nowUs);
    c.purpose[device] = UplinkPurpose.none;
    takeNext(side, device, nowUs);
  } else afterDataTry(side, device, nowUs);
  appoint(side, device);
}

/** The windows of a join request have closed. */
function afterJoinTry(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  if (c.activation[device] === Activation.active) {
    c.purpose[device] = UplinkPurpose.none;
    beginTraffic(side, device, nowUs);
    beginClassB(side, device, nowUs);
    takeNext(side, device, nowUs);
    return;
  }
  const pause = joinPauseUs(c.key0[device], c.key1[device], c.attempts[device] - 1);
  c.transmitDueAtUs[device] = worldAfter(side, device, nowUs, pause);
}

/** The windows of a data uplink have closed, or its acknowledgement came outside of them. */
function afterDataTry(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  const confirmed = c.confirmed[device] === 1;
  const done = confirmed ? c.acknowledged[device] === 1 : c.answered[device] === 1;
  if (done && confirmed) c.confirmedAcknowledged[device]++;
  const { traffic } = side.types[c.type[device]]!;
  const isOvertaken = confirmed && traffic.whenBusy === 'replace' && c.waiting[device] > 0;
  const mayTry = c.attempts[device] < c.maxAttempts[device] && !isOvertaken;
  if (!done && mayTry) return retryLater(side, device, nowUs);
  if (!done && confirmed) c.confirmedFailed[device]++;
  finishMessage(side, device, nowUs);
}

/** The message in hand is sent again after a random pause (ACK_TIMEOUT). */
function retryLater(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  const { lorawan } = side.types[c.type[device]]!;
  const slower = c.confirmed[device] === 1 && versionRules(lorawan).confirmed === 'slower';
  if (slower && c.attempts[device] % TRIES_PER_DATA_RATE === 0) slowDown(side, device);
  const drawn = draw(c.key0[device], c.key1[device], DrawPurpose.retransmitDelay, c.frames[device]);
  const pause = RETRANSMIT_TIMEOUT_MIN_US + Math.floor(toUnit(drawn) * RETRANSMIT_SPREAD_US);
  c.transmitDueAtUs[device] = worldAfter(side, device, nowUs, pause);
}

/** Goes one data rate slower, if there is one that carries the message. */
function slowDown(side: DeviceSide, device: number): void {
  const c = side.column;
  const { length: payloadBytes } = messageInHand(side, device);
  const slower = c.dataRate[device] - 1;
  const dwell = c.uplinkDwell[device] === 1;
  if (slower < side.plan.slowest(dwell) || !isUsable(side, device, slower)) return;
  const needed = 8 + c.macInHand[device] + payloadBytes;
  if (side.plan.mostBytes(slower, dwell) >= needed) c.dataRate[device] = slower;
}

function traceWindows(
  side: DeviceSide,
  device: number,
  rx1: ReceiveWindow,
  rx2: ReceiveWindow,
): ReceiveWindows {
  const { plan, devices, agenda } = side;
  const c = devices.column;
  const row = (window: ReceiveWindow) => ({
    opensAtUs: window.opensAtUs,
    closesAtUs: window.closesAtUs,
    frequencyHz: window.frequencyHz,
    spreadingFactor: plan.spreadingFactor[window.dataRate]!,
    bandwidthHz: plan.bandwidthHz[window.dataRate]!,
  });
  return {
    kind: 'receiveWindows',
    atUs: agenda.nowUs,
    device: devices.identities.of(device).name,
    frame: c.frames[device] - 1,
    purpose: c.purpose[device] === UplinkPurpose.data ? 'data' : 'join',
    rx1: row(rx1),
    rx2: row(rx2),
  };
}
