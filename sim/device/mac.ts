/**
 * The device's MAC, class A (LoRaWAN 1.0.x §3.3): one message in hand at a time, sent until it is
 * answered or given up, each transmission followed by two receive windows that its own clock opens.
 *
 * A device has one timer. It means: see whether traffic or a transmission is due, then appoint the
 * next. An uplink that awaits nothing (unconfirmed, sent once) is finished when it ends; its
 * windows stay open for what may come, and `quietUntilUs` keeps the device silent until they have
 * closed.
 */
import { draw, Purpose as Luck, toUnit } from '../base/random.ts';
import { SECOND_US } from '../base/units.ts';
import { EventKind } from '../events.ts';
import { DeviceModeInd, ResetInd } from '../lorawan/mac-commands.ts';
import {
  JOIN_ACCEPT_DELAY1_US,
  RETRANSMIT_TIMEOUT_MAX_US,
  RETRANSMIT_TIMEOUT_MIN_US,
  RX2_AFTER_RX1_US,
} from '../lorawan/region.ts';
import { versionRules } from '../lorawan/versions.ts';
import type { ReceiveWindows } from '../observation/observer.ts';
import type { ReceiveWindow } from '../radio/downlink-air.ts';
import { resetAdr } from './adr-back-off.ts';
import { dieIfEmpty } from './battery.ts';
import { isUsable, personalise, resetRegion, rx1Frequency } from './channels.ts';
import { beginClassB, onClassBDue } from './class-b/mode.ts';
import { isContinuous, listenContinuously, rxc } from './class-c.ts';
import { worldAfter } from './clock.ts';
import type { DeviceRoom } from './device-room.ts';
import { Activation, DeviceClass, NEVER, Purpose, Radio } from './device-table.ts';
import { startDataRate } from './downlink.ts';
import { drawForWindows, noteAnswer, setBackground } from './energy.ts';
import { startGpsClock } from './gps-clock.ts';
import { joinPauseUs } from './join.ts';
import { say } from './mac-commands/queue.ts';
import {
  appoint,
  beginTraffic,
  compose,
  finishMessage,
  onTraffic,
  takeInHand,
  takeNext,
} from './messages.ts';
import { onSessionDue } from './multicast-session.ts';
import { checkCompletion } from './multicast-settling.ts';
import { reboot } from './packages/firmware.ts';
import { afterRejoinTry } from './rejoin.ts';
import { messageInHand, transmit } from './uplink.ts';

const RETRANSMIT_SPREAD_US = RETRANSMIT_TIMEOUT_MAX_US - RETRANSMIT_TIMEOUT_MIN_US;
/** A confirmed message goes one data rate slower after every second try (LoRaWAN 1.0.x §18.4). */
const TRIES_PER_DATA_RATE = 2;

/** Power-on: the first join request, or the first message of a personalised device. */
export function powerOn(room: DeviceRoom, device: number, startsAtUs: number): void {
  const c = room.devices.column;
  const type = room.types[c.type[device]]!;
  c.startsAtUs[device] = startsAtUs;
  c.fwVersion[device] = type.firmwareVersion;
  c.hwVersion[device] = type.hardwareVersion;
  startGpsClock(room, device, startsAtUs);
  c.nbTrans[device] = type.nbTrans;
  resetRegion(room, device);
  c.rx1DelayS[device] = 1;
  resetAdr(room, device);
  c.rx2DataRate[device] = room.plan.rx2DataRate;
  c.rx2FrequencyHz[device] = room.plan.rx2FrequencyHz;
  c.deviceClass[device] = type.deviceClass === 'C' ? DeviceClass.c : DeviceClass.a;
  if (type.activation === 'otaa') {
    c.activation[device] = Activation.joining;
    takeInHand(room, device, Purpose.join, startsAtUs);
  } else {
    c.activation[device] = Activation.active;
    if (c.minor[device] === 1) indicateReset(room, device);
    personalise(room, device);
    c.dataRate[device] = startDataRate(room, device);
    beginTraffic(room, device, startsAtUs);
    listenContinuously(room, device, startsAtUs);
    beginClassB(room, device, startsAtUs);
  }
  appoint(room, device);
}

/** A personalised 1.1 device tells that it begins anew, until it is confirmed (1.1 §5.1). */
function indicateReset({ devices }: DeviceRoom, device: number): void {
  say(devices, device, ResetInd.encode({ minor: 1 }));
  const deviceClass = devices.column.deviceClass[device];
  if (deviceClass === DeviceClass.c) say(devices, device, DeviceModeInd.encode({ deviceClass }));
}

/** The device's timer: whatever is due by now is done, and the next time appointed. */
export function onTimer(room: DeviceRoom, device: number, nowUs: number): void {
  if (dieIfEmpty(room, device, nowUs)) return;
  const c = room.devices.column;
  if (isDue(c.sessionDueAtUs[device], nowUs)) onSessionDue(room, device, nowUs);
  if (isDue(c.rebootAtUs[device], nowUs)) reboot(room, device, nowUs);
  if (isDue(room.classB.column.dueAtUs[device], nowUs)) onClassBDue(room, device, nowUs);
  if (isDue(c.trafficDueAtUs[device], nowUs)) onTraffic(room, device, nowUs);
  takeNext(room, device, nowUs);
  if (isDue(c.transmitDueAtUs[device], nowUs)) tryTransmit(room, device, nowUs);
  appoint(room, device);
}

/** A block may be complete by now; if it is, the reboot that activates the image is appointed. */
export function onCompletionCheck(room: DeviceRoom, device: number): void {
  checkCompletion(room, device);
  appoint(room, device);
}

const isDue = (dueAtUs: number, nowUs: number): boolean => dueAtUs !== NEVER && dueAtUs <= nowUs;

// ── transmissions ────────────────────────────────────────────────────────────────────────────────

/** Sends unless windows or a frame being received still keep the device silent. */
function tryTransmit(room: DeviceRoom, device: number, nowUs: number): void {
  const c = room.devices.column;
  const silentUntilUs = Math.max(c.quietUntilUs[device], room.downlinkAir.lockedUntilUs(device));
  if (silentUntilUs > nowUs) {
    c.transmitDueAtUs[device] = silentUntilUs;
    return;
  }
  if (c.purpose[device] === Purpose.data && c.attempts[device] === 0) {
    compose(room, device, nowUs);
  }
  if (c.purpose[device] !== Purpose.none) transmit(room, device, nowUs);
}

/** An uplink has ended: the windows are set, and what awaits nothing is finished. */
export function onUplinkEnds(room: DeviceRoom, device: number, nowUs: number): void {
  const c = room.devices.column;
  c.radio[device] = Radio.windows;
  c.uplinkEndedAtUs[device] = nowUs;
  c.answered[device] = 0;
  c.acknowledged[device] = 0;
  openWindows(room, device, nowUs);
  if (
    c.purpose[device] !== Purpose.data ||
    c.confirmed[device] === 1 ||
    c.maxAttempts[device] > 1
  ) {
    room.agenda.schedule(EventKind.windowsClose, device, c.quietUntilUs[device]);
    return;
  }
  finishMessage(room, device, nowUs);
  appoint(room, device);
}

function openWindows(room: DeviceRoom, device: number, endsAtUs: number): void {
  const { plan, devices } = room;
  const c = devices.column;
  const joining = c.purpose[device] !== Purpose.data;
  const delayUs = joining ? JOIN_ACCEPT_DELAY1_US : c.rx1DelayS[device] * SECOND_US;
  const offset = joining ? 0 : c.rx1DrOffset[device];
  const dwell = c.downlinkDwell[device] === 1;
  const rx1DataRate = plan.rx1DataRate(c.uplinkDataRate[device], offset, dwell);
  const rx1Hz = joining ? plan.rx1FrequencyHz(c.uplinkHz[device]) : rx1Frequency(room, device);
  const rx2DataRate = joining ? plan.rx2DataRate : c.rx2DataRate[device];
  const rx2Hz = joining ? plan.rx2FrequencyHz : c.rx2FrequencyHz[device];
  const rx1 = windowAt(room, device, endsAtUs, delayUs, rx1Hz, rx1DataRate);
  const rx2 = windowAt(room, device, endsAtUs, delayUs + RX2_AFTER_RX1_US, rx2Hz, rx2DataRate);
  c.quietUntilUs[device] = rx2.closesAtUs;
  // The device may have become class C or A while it was sending.
  setBackground(room, device, endsAtUs);
  const continuous = isContinuous(room, device);
  room.downlinkAir.listen(device, rx1, continuous ? rxc(rx2, endsAtUs) : rx2);
  drawForWindows(room, device, rx1, continuous ? undefined : rx2);
  room.observer?.trace(traceWindows(room, device, rx1, rx2));
}

/** A window that the device's clock opens `delayUs` after the end of its uplink. */
function windowAt(
  room: DeviceRoom,
  device: number,
  endsAtUs: number,
  delayUs: number,
  frequencyHz: number,
  dataRate: number,
): ReceiveWindow {
  const shape = room.windows.of(room.devices.column.type[device], dataRate, delayUs);
  const opensAtUs = worldAfter(room, device, endsAtUs, delayUs + shape.offsetUs);
  return { opensAtUs, closesAtUs: opensAtUs + shape.lengthUs, frequencyHz, dataRate };
}

/** A frame for this device came in a window: the radio rests, and what waited for it goes on. */
export function onAnswered(room: DeviceRoom, device: number, nowUs: number): void {
  const c = room.devices.column;
  noteAnswer(room, device, nowUs);
  room.downlinkAir.endWindows(device, nowUs);
  c.radio[device] = Radio.idle;
  c.quietUntilUs[device] = nowUs;
  listenContinuously(room, device, nowUs);
  if (room.agenda.dueUs(EventKind.windowsClose, device) !== NEVER) {
    room.agenda.appoint(EventKind.windowsClose, device, nowUs);
  }
  appoint(room, device);
}

/**
 * A frame came outside the windows. Class C may so hear the acknowledgement of a message that
 * waits to be sent again: it is not (LoRaWAN 1.0.4 §4.3.1.4).
 */
export function onHeardOutsideWindows(room: DeviceRoom, device: number, nowUs: number): void {
  const c = room.devices.column;
  const waits = c.purpose[device] === Purpose.data && c.transmitDueAtUs[device] !== NEVER;
  const isRepetition = waits && c.attempts[device] > 0 && c.radio[device] === Radio.idle;
  if (isRepetition && c.confirmed[device] === 1 && c.acknowledged[device] === 1) {
    c.transmitDueAtUs[device] = NEVER;
    afterDataTry(room, device, nowUs);
  }
  appoint(room, device);
}

/** The last window of an uplink that awaits something has closed. */
export function onWindowsClose(room: DeviceRoom, device: number, nowUs: number): void {
  const c = room.devices.column;
  const lockedUntilUs = room.downlinkAir.lockedUntilUs(device);
  if (lockedUntilUs > nowUs) {
    room.agenda.schedule(EventKind.windowsClose, device, lockedUntilUs);
    return;
  }
  c.radio[device] = Radio.idle;
  if (c.purpose[device] === Purpose.join) afterJoinTry(room, device, nowUs);
  else if (c.purpose[device] === Purpose.rejoin) afterRejoin(room, device, nowUs);
  else afterDataTry(room, device, nowUs);
  appoint(room, device);
}

function afterJoinTry(room: DeviceRoom, device: number, nowUs: number): void {
  const c = room.devices.column;
  if (c.activation[device] === Activation.active) {
    c.purpose[device] = Purpose.none;
    beginTraffic(room, device, nowUs);
    beginClassB(room, device, nowUs);
    takeNext(room, device, nowUs);
    return;
  }
  const pause = joinPauseUs(c.key0[device], c.key1[device], c.attempts[device] - 1);
  c.transmitDueAtUs[device] = worldAfter(room, device, nowUs, pause);
}

function afterRejoin(room: DeviceRoom, device: number, nowUs: number): void {
  const c = room.devices.column;
  if (c.answered[device] === 0) afterRejoinTry(room, device, nowUs);
  c.purpose[device] = Purpose.none;
  takeNext(room, device, nowUs);
}

function afterDataTry(room: DeviceRoom, device: number, nowUs: number): void {
  const c = room.devices.column;
  const confirmed = c.confirmed[device] === 1;
  const done = confirmed ? c.acknowledged[device] === 1 : c.answered[device] === 1;
  if (done && confirmed) c.confirmedAcknowledged[device]++;
  if (!done && c.attempts[device] < c.maxAttempts[device]) return retryLater(room, device, nowUs);
  if (!done && confirmed) c.confirmedFailed[device]++;
  finishMessage(room, device, nowUs);
}

function retryLater(room: DeviceRoom, device: number, nowUs: number): void {
  const c = room.devices.column;
  const { lorawan } = room.types[c.type[device]]!;
  const slower = c.confirmed[device] === 1 && versionRules(lorawan).confirmed === 'slower';
  if (slower && c.attempts[device] % TRIES_PER_DATA_RATE === 0) slowDown(room, device);
  const word = draw(c.key0[device], c.key1[device], Luck.retransmitDelay, c.frames[device]);
  const pause = RETRANSMIT_TIMEOUT_MIN_US + Math.floor(toUnit(word) * RETRANSMIT_SPREAD_US);
  c.transmitDueAtUs[device] = worldAfter(room, device, nowUs, pause);
}

/** One data rate slower, if there is one that carries the message. */
function slowDown(room: DeviceRoom, device: number): void {
  const c = room.devices.column;
  const { length: payloadBytes } = messageInHand(room, device);
  const slower = c.dataRate[device] - 1;
  const dwell = c.uplinkDwell[device] === 1;
  if (slower < room.plan.slowest(dwell) || !isUsable(room, device, slower)) return;
  const needed = 8 + c.macInHand[device] + payloadBytes;
  if (room.plan.mostBytes(slower, dwell) >= needed) c.dataRate[device] = slower;
}

function traceWindows(
  room: DeviceRoom,
  device: number,
  rx1: ReceiveWindow,
  rx2: ReceiveWindow,
): ReceiveWindows {
  const { plan, devices, agenda } = room;
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
    device: devices.identities[device]!.name,
    frame: c.frames[device] - 1,
    purpose: c.purpose[device] === Purpose.data ? 'data' : 'join',
    rx1: row(rx1),
    rx2: row(rx2),
  };
}
