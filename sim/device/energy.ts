/**
 * What a device consumes, by cause: a pure function of its columns and of the time.
 *
 * At every instant the radio is in one state: it sends, it listens in RX1 or RX2, it listens in the
 * background (class C, a multicast session, the search for a first beacon), or it sleeps. Class B
 * opens its windows while it else sleeps: those of ping slots for a share of that time, a beacon or
 * a frame in a slot for as long as it lasts. Sums are booked only when an uplink begins and when
 * the background changes; what has happened since is derived from the latest uplink and its
 * windows, cut at the time asked for. So asking changes nothing, and the parts of a time add up to
 * the whole. Sleep is the rest of the device's life.
 *
 * The device is settled before its energy is changed or read (`settled.ts`). Every change of a
 * window or of the background is reported here, so none happens to a device that is not settled.
 */

import { assert } from '../base/assert.ts';
import { ENERGY_CAUSES, type EnergyCause } from '../base/counts.ts';
import type { EnergyPlan } from '../plan/network-plan.ts';
import type { ReceiveWindow } from '../radio/downlink-air.ts';
import type { DeviceSide } from './device-side.ts';
import { Activation, DeviceClass, NEVER } from './device-table.ts';
import { BACKGROUND_NAMES, Background } from './energy-table.ts';
import { wakeUpUs } from './receive-windows.ts';
import { assertSettled } from './settling-progress.ts';
import { Power } from './troubles.ts';

/** Later than any window closes; class C listens in RX2 until then. */
const FOREVER_US = 1e15;
const YEAR_US = 31_557_600e6;

/** Time in each state, µs, and charge of transmissions, nC, from power-on to an instant. */
export interface RadioTimes {
  aliveUs: number;
  txUs: number;
  uplinkNc: number;
  joinNc: number;
  rx1WithoutFrameUs: number;
  rx1FrameUs: number;
  rx2WithoutFrameUs: number;
  rx2FrameUs: number;
  /** The radio is on and does not listen yet. */
  wakeUs: number;
  classCUs: number;
  multicastUs: number;
  beaconUs: number;
  pingUs: number;
  sleepUs: number;
}

export const energyPlan = ({ devices, types }: DeviceSide, device: number) =>
  types[devices.column.type[device]]!.energy;

// ── notifications ────────────────────────────────────────────────────────────────────────────────

/** An uplink begins: the one before is booked with its windows. */
export function accountForUplink(
  side: DeviceSide,
  device: number,
  eirpCentiDbm: number,
  joining: boolean,
  span: { readonly fromUs: number; readonly untilUs: number },
): void {
  assertSettled(side, device);
  assert(span.untilUs > span.fromUs, 'a transmission takes time');
  const plan = energyPlan(side, device);
  if (plan === undefined) return;
  const e = side.energy.column;
  updateBackground(side, device, span.fromUs);
  bookBackground(side, device, span.fromUs);
  bookUplink(side, device, span.fromUs);
  e.uplink[device] = joining ? 1 : 2;
  e.txFromUs[device] = span.fromUs;
  e.txUntilUs[device] = span.untilUs;
  e.txMicroAmp[device] = txMicroAmp(plan, eirpCentiDbm - plan.antennaGainCentiDb);
  e.rx1FromUs[device] = e.rx1UntilUs[device] = span.untilUs;
  e.rx2FromUs[device] = e.rx2UntilUs[device] = span.untilUs;
  e.answeredIn[device] = 0;
  traceEnergy(side, device);
}

/** The windows after an uplink are set; a class C device has no RX2 apart from its listening. */
export function accountForWindows(
  side: DeviceSide,
  device: number,
  rx1: ReceiveWindow,
  rx2: ReceiveWindow | undefined,
): void {
  assertSettled(side, device);
  if (energyPlan(side, device) === undefined) return;
  const e = side.energy.column;
  const { windows } = side.types[side.column.type[device]]!;
  e.wakeUpUs[device] = e.background[device] === Background.sleep ? wakeUpUs(windows) : 0;
  e.rx1FromUs[device] = rx1.opensAtUs;
  e.rx1UntilUs[device] = rx1.closesAtUs;
  e.rx2FromUs[device] = rx2?.opensAtUs ?? rx1.closesAtUs;
  e.rx2UntilUs[device] = rx2?.closesAtUs ?? rx1.closesAtUs;
}

/** RX2 of a class C device is a window again, since its radio leaves RX2 when the window closes. */
export function accountForRx2(side: DeviceSide, device: number, rx2: ReceiveWindow): void {
  if (energyPlan(side, device) === undefined) return;
  const { rx2FromUs, rx2UntilUs } = side.energy.column;
  rx2FromUs[device] = rx2.opensAtUs;
  rx2UntilUs[device] = rx2.closesAtUs;
}

/** A frame for this device came in a receive window, which closes with it. */
export function accountForAnswer(side: DeviceSide, device: number, nowUs: number): void {
  assertSettled(side, device);
  if (energyPlan(side, device) === undefined) return;
  const e = side.energy.column;
  const beganAtUs = side.downlinkAir.listeners.column.lockedFromUs[device];
  e.answeredIn[device] = beganAtUs < e.rx1UntilUs[device] ? 1 : 2;
  e.answeredAtUs[device] = nowUs;
}

/**
 * What the radio does between windows may have changed at this instant: class C, multicast
 * sessions, the search for a beacon. The instant may be past: it is found out late.
 */
export function updateBackground(side: DeviceSide, device: number, atUs: number): void {
  assertSettled(side, device);
  if (energyPlan(side, device) === undefined) return;
  keepStretch(side, device);
  const e = side.energy.column;
  const background = backgroundOf(side, device);
  if (background === e.background[device]) return;
  bookBackground(side, device, atUs);
  e.background[device] = background;
  e.backgroundSinceUs[device] = atUs;
  timeSearch(side, device, atUs);
  traceListening(side, device, atUs);
}

/** The search for a first beacon begins, pauses or goes on: it may lie in the future. */
export function timeSearch(side: DeviceSide, device: number, atUs: number): void {
  if (energyPlan(side, device) === undefined) return;
  const { background, backgroundSinceUs } = side.energy.column;
  if (background[device] !== Background.search) return;
  bookBackground(side, device, atUs);
  backgroundSinceUs[device] = Math.max(atUs, side.classB.column.looksFromUs[device]);
}

/**
 * From `atUs` on, windows in ping slots are open for `ppb` billionths of the time that the device
 * else sleeps; `ofSessions` of them are for updates.
 */
export function setPingSlotShare(
  side: DeviceSide,
  device: number,
  ppb: number,
  ofSessions: number,
  atUs: number,
): void {
  assertSettled(side, device);
  assert(ofSessions >= 0 && ofSessions <= ppb, 'slots of sessions are some of all slots');
  const { slotPpb, sessionPpb } = side.energy.column;
  if (slotPpb[device] === ppb && sessionPpb[device] === ofSessions) return;
  bookBackground(side, device, atUs);
  slotPpb[device] = ppb;
  sessionPpb[device] = ofSessions;
  traceListening(side, device, atUs);
}

/**
 * The radio is about to forget the latest windows: keeps how far frames that were received have
 * stretched them.
 */
export function keepStretch(side: DeviceSide, device: number): void {
  assertSettled(side, device);
  if (energyPlan(side, device) === undefined) return;
  const { rx1FromUs, rx1UntilUs, rx2FromUs, rx2UntilUs } = side.energy.column;
  const { rx1OpensAtUs, rx1ClosesAtUs, rx2OpensAtUs, rx2ClosesAtUs } =
    side.downlinkAir.listeners.column;
  if (rx1OpensAtUs[device] === rx1FromUs[device]) {
    rx1UntilUs[device] = Math.max(rx1UntilUs[device], rx1ClosesAtUs[device]);
  }
  if (rx2OpensAtUs[device] === rx2FromUs[device] && rx2ClosesAtUs[device] < FOREVER_US) {
    rx2UntilUs[device] = Math.max(rx2UntilUs[device], rx2ClosesAtUs[device]);
  }
}

function backgroundOf({ devices, classB }: DeviceSide, device: number): number {
  const c = devices.column;
  if (c.openClassCSessions[device] > 0) return Background.multicast;
  const active = c.activation[device] === Activation.active;
  const isC = active && c.deviceClass[device] === DeviceClass.c;
  if (isC) return Background.classC;
  const isSearch = classB.follows(device) && classB.lastBeaconUs(device) === NEVER;
  return isSearch ? Background.search : Background.sleep;
}

/**
 * Class B: the device has listened so long for a beacon or to a frame in a ping slot. A radio that
 * listens in the background spends nothing more. Of one that else sleeps, the share of its windows
 * in ping slots is counted already.
 */
export function accountForClassB(
  side: DeviceSide,
  device: number,
  cause: 'beacon' | 'ping' | 'multicast',
  us: number,
): void {
  assertSettled(side, device);
  if (energyPlan(side, device) === undefined) return;
  const { background, slotPpb, beaconUs, pingUs, multicastUs } = side.energy.column;
  if (background[device] !== Background.sleep) return;
  const sums = { beacon: beaconUs, ping: pingUs, multicast: multicastUs };
  sums[cause][device] += us - shareUs(us, slotPpb[device]);
}

const BILLION = 1e9;
const shareUs = (us: number, ppb: number): number => Math.round((us * ppb) / BILLION);

/** A frame has ended that the device locked on in a ping slot, and not in a receive window. */
export function accountForPingFrame(
  side: DeviceSide,
  device: number,
  beganAtUs: number,
  nowUs: number,
): void {
  const { rx1ClosesAtUs, rx2ClosesAtUs } = side.downlinkAir.listeners.column;
  // A window lasts as long as the frame that it caught.
  if (Math.max(rx1ClosesAtUs[device], rx2ClosesAtUs[device]) >= nowUs) return;
  accountForClassB(side, device, 'ping', nowUs - beganAtUs);
}

/** Power is cut: what the radio did until now is booked, and from now on it does nothing. */
export function accountForPowerCut(side: DeviceSide, device: number, nowUs: number): void {
  if (energyPlan(side, device) === undefined) return;
  updateBackground(side, device, nowUs);
  setPingSlotShare(side, device, 0, 0, nowUs);
  bookBackground(side, device, nowUs);
  bookUplink(side, device, nowUs);
  const e = side.energy.column;
  e.uplink[device] = e.answeredIn[device] = 0;
  for (const times of [e.txFromUs, e.txUntilUs, e.rx1FromUs, e.rx1UntilUs, e.rx2FromUs]) {
    times[device] = nowUs;
  }
  e.rx2UntilUs[device] = nowUs;
  traceEnergy(side, device);
}

/** Bytes have been written to flash memory. */
export function accountForFlash(side: DeviceSide, device: number, bytes: number): void {
  assert(bytes >= 0, 'the count of bytes written grows');
  if (energyPlan(side, device) === undefined) return;
  side.energy.column.flashBytes[device] += bytes;
}

// ── booking ──────────────────────────────────────────────────────────────────────────────────────

interface Span {
  readonly fromUs: number;
  readonly untilUs: number;
}

/**
 * When the latest uplink and its windows stored the radio: transmission, RX1, RX2, in this order.
 */
function busySpans(side: DeviceSide, device: number): readonly [Span, Span, Span] {
  const e = side.energy.column;
  const listeners = side.downlinkAir.listeners.column;
  const answeredAtUs = e.answeredIn[device] === 0 ? FOREVER_US : e.answeredAtUs[device];
  const until = (
    own: Float64Array,
    from: Float64Array,
    ears1: Float64Array,
    ears2: Float64Array,
  ) =>
    // Windows of the same uplink may have been stretched by a frame that they caught.
    ears1[device] === from[device] && ears2[device] < FOREVER_US
      ? Math.max(own[device], ears2[device])
      : own[device];
  const rx1UntilUs = until(
    e.rx1UntilUs,
    e.rx1FromUs,
    listeners.rx1OpensAtUs,
    listeners.rx1ClosesAtUs,
  );
  const rx2UntilUs = until(
    e.rx2UntilUs,
    e.rx2FromUs,
    listeners.rx2OpensAtUs,
    listeners.rx2ClosesAtUs,
  );
  const rx2FromUs = Math.max(e.rx2FromUs[device], Math.min(rx1UntilUs, answeredAtUs));
  return [
    { fromUs: e.txFromUs[device], untilUs: e.txUntilUs[device] },
    { fromUs: e.rx1FromUs[device], untilUs: Math.min(rx1UntilUs, answeredAtUs) },
    { fromUs: rx2FromUs, untilUs: Math.min(rx2UntilUs, answeredAtUs) },
  ];
}

/** When the radio woke for a window, not before what it did last. */
const wakeSpan = ({ fromUs, untilUs }: Span, us: number, busyUntilUs: number): Span => ({
  fromUs: untilUs > fromUs ? Math.max(fromUs - us, busyUntilUs) : fromUs,
  untilUs: fromUs,
});

/** How long until an instant the radio woke for the windows of the latest uplink. */
function wakingUs(side: DeviceSide, device: number, fromUs: number, untilUs: number): number {
  const us = side.energy.column.wakeUpUs[device];
  if (us === 0) return 0;
  const [tx, rx1, rx2] = busySpans(side, device);
  const first = wakeSpan(rx1, us, tx.untilUs);
  const second = wakeSpan(rx2, us, rx1.untilUs);
  return sharedUs(first, fromUs, untilUs) + sharedUs(second, fromUs, untilUs);
}

const sharedUs = ({ fromUs, untilUs }: Span, from: number, until: number): number =>
  Math.max(0, Math.min(untilUs, until) - Math.max(fromUs, from));

/** How long the background lasted from `backgroundSinceUs` on, less what the uplink stored. */
function backgroundUs(side: DeviceSide, device: number, nowUs: number): number {
  const since = side.energy.column.backgroundSinceUs[device];
  let busyUs = wakingUs(side, device, since, nowUs);
  for (const span of busySpans(side, device)) busyUs += sharedUs(span, since, nowUs);
  return Math.max(0, nowUs - since) - busyUs;
}

function bookBackground(side: DeviceSide, device: number, atUs: number): void {
  const e = side.energy.column;
  const us = backgroundUs(side, device, atUs);
  switch (e.background[device]) {
    case Background.classC:
      e.classCUs[device] += us;
      break;
    case Background.multicast:
      e.multicastUs[device] += us;
      break;
    case Background.search:
      e.beaconUs[device] += us;
      break;
    default: {
      const inSessionsUs = shareUs(us, e.sessionPpb[device]);
      e.multicastUs[device] += inSessionsUs;
      e.pingUs[device] += shareUs(us, e.slotPpb[device]) - inSessionsUs;
    }
  }
  // A search may begin later than now.
  e.backgroundSinceUs[device] = Math.max(e.backgroundSinceUs[device], atUs);
}

function bookUplink(side: DeviceSide, device: number, nowUs: number): void {
  const e = side.energy.column;
  if (e.uplink[device] === 0) return;
  const [tx, rx1, rx2] = busySpans(side, device);
  const txUs = tx.untilUs - tx.fromUs;
  const charge = e.uplink[device] === 1 ? e.joinNc : e.uplinkNc;
  e.txUs[device] += txUs;
  charge[device] += chargeNc(txUs, e.txMicroAmp[device]);
  const in1 = e.answeredIn[device] === 1 ? e.rx1FrameUs : e.rx1WithoutFrameUs;
  const in2 = e.answeredIn[device] === 2 ? e.rx2FrameUs : e.rx2WithoutFrameUs;
  in1[device] += sharedUs(rx1, 0, nowUs);
  in2[device] += sharedUs(rx2, 0, nowUs);
  e.wakeUs[device] += wakingUs(side, device, 0, nowUs);
}

const chargeNc = (us: number, microAmp: number): number => Math.round((us * microAmp) / 1000);

// ── queries ──────────────────────────────────────────────────────────────────────────────────────

/** Time in each state from power-on to now; changes nothing. */
export function radioTimes(side: DeviceSide, device: number, atUs: number): RadioTimes {
  assertSettled(side, device);
  const e = side.energy.column;
  const died = e.diedAtUs[device];
  const nowUs = died === NEVER ? atUs : Math.min(died, atUs);
  const times: RadioTimes = {
    aliveUs: onUs(side, device, nowUs),
    txUs: e.txUs[device],
    uplinkNc: e.uplinkNc[device],
    joinNc: e.joinNc[device],
    rx1WithoutFrameUs: e.rx1WithoutFrameUs[device],
    rx1FrameUs: e.rx1FrameUs[device],
    rx2WithoutFrameUs: e.rx2WithoutFrameUs[device],
    rx2FrameUs: e.rx2FrameUs[device],
    wakeUs: e.wakeUs[device],
    classCUs: e.classCUs[device],
    multicastUs: e.multicastUs[device],
    beaconUs: e.beaconUs[device],
    pingUs: e.pingUs[device],
    sleepUs: 0,
  };
  addPresent(side, device, nowUs, times);
  const { txUs, rx1WithoutFrameUs, rx1FrameUs, rx2WithoutFrameUs, rx2FrameUs } = times;
  const { classCUs, multicastUs, beaconUs, pingUs, aliveUs } = times;
  const windowsUs = rx1WithoutFrameUs + rx1FrameUs + rx2WithoutFrameUs + rx2FrameUs + times.wakeUs;
  times.sleepUs = aliveUs - txUs - windowsUs - classCUs - multicastUs - beaconUs - pingUs;
  return times;
}

/** How long the device has been on: cuts of its power do not count. */
function onUs({ devices, troubles }: DeviceSide, device: number, nowUs: number): number {
  const before = troubles.aliveBeforeUs(device);
  if (troubles.power(device) === Power.off) return before;
  return before + Math.max(0, nowUs - devices.column.startsAtUs[device]);
}

/** What is not booked yet: the background since it changed, the latest uplink and its windows. */
function addPresent(side: DeviceSide, device: number, nowUs: number, times: RadioTimes): void {
  const e = side.energy.column;
  const us = backgroundUs(side, device, nowUs);
  if (e.background[device] === Background.classC) times.classCUs += us;
  else if (e.background[device] === Background.multicast) times.multicastUs += us;
  else if (e.background[device] === Background.search) times.beaconUs += us;
  else {
    const inSessionsUs = shareUs(us, e.sessionPpb[device]);
    times.multicastUs += inSessionsUs;
    times.pingUs += shareUs(us, e.slotPpb[device]) - inSessionsUs;
  }
  if (e.uplink[device] === 0) return;
  const [tx, rx1, rx2] = busySpans(side, device);
  const txUs = sharedUs(tx, 0, nowUs);
  times.txUs += txUs;
  times[e.uplink[device] === 1 ? 'joinNc' : 'uplinkNc'] += chargeNc(txUs, e.txMicroAmp[device]);
  times[e.answeredIn[device] === 1 ? 'rx1FrameUs' : 'rx1WithoutFrameUs'] += sharedUs(rx1, 0, nowUs);
  times[e.answeredIn[device] === 2 ? 'rx2FrameUs' : 'rx2WithoutFrameUs'] += sharedUs(rx2, 0, nowUs);
  times.wakeUs += wakingUs(side, device, 0, nowUs);
}

/** µs · µA · mV. */
const JOULES_PER_US_UA_MV = 1e-15;
const NANOCOULOMB_IN_US_UA = 1_000;
const KIBIBYTE = 1_024;

/** What a device has consumed since power-on, J by cause; zeros when its type has no plan. */
export function joulesByCause(
  side: DeviceSide,
  device: number,
  nowUs: number,
): Record<EnergyCause, number> {
  const plan = energyPlan(side, device);
  if (plan === undefined) return { ...NOTHING };
  const times = radioTimes(side, device, nowUs);
  const unit = plan.supplyMilliVolt * JOULES_PER_US_UA_MV;
  const listening = plan.rxMicroAmp * unit;
  const frames = side.column.frames[device];
  return {
    uplink: times.uplinkNc * NANOCOULOMB_IN_US_UA * unit,
    join: times.joinNc * NANOCOULOMB_IN_US_UA * unit,
    rx1InVain: times.rx1WithoutFrameUs * listening,
    rx1Frame: times.rx1FrameUs * listening,
    rx2InVain: times.rx2WithoutFrameUs * listening,
    rx2Frame: times.rx2FrameUs * listening,
    classC: times.classCUs * listening,
    multicast: times.multicastUs * listening,
    beacon: times.beaconUs * listening,
    ping: times.pingUs * listening,
    mcu:
      frames * plan.awakeUs * (plan.mcuMicroAmp + plan.standbyMicroAmp) * unit +
      times.wakeUs * plan.standbyMicroAmp * unit,
    flash: (side.energy.column.flashBytes[device] / KIBIBYTE) * plan.flashMicroJoulePerKib * 1e-6,
    sleep: (times.sleepUs * plan.sleepNanoAmp * unit) / 1_000,
  };
}

const NOTHING = Object.fromEntries(ENERGY_CAUSES.map((cause) => [cause, 0])) as Record<
  EnergyCause,
  number
>;

/** All that a device has consumed since power-on, J. */
export function joules(side: DeviceSide, device: number, nowUs: number): number {
  const by = joulesByCause(side, device, nowUs);
  return ENERGY_CAUSES.reduce((sum, cause) => sum + by[cause], 0);
}

/** What the battery holds when it is full, J; undefined for a device on external power. */
function batteryJoules({ batteryMilliAmpHours, supplyMilliVolt }: EnergyPlan) {
  if (batteryMilliAmpHours === undefined) return undefined;
  return batteryMilliAmpHours * supplyMilliVolt * 3.6e-3;
}

/** What the battery holds, had nothing been drawn: less what it has lost by itself, J. */
function heldJoules(side: DeviceSide, device: number, nowUs: number): number | undefined {
  const plan = energyPlan(side, device);
  const capacity = plan === undefined ? undefined : batteryJoules(plan);
  const { selfDischargePpmPerYear: lost = 0 } = plan ?? {};
  if (capacity === undefined || lost === 0) return capacity;
  const aliveUs = Math.max(0, nowUs - side.column.startsAtUs[device]);
  return capacity * (1 - (lost / 1e6) * (aliveUs / YEAR_US));
}

const FULL = 254;

/**
 * Battery as DevStatusAns reports it (LoRaWAN 1.0.4 §5.5): 0 external power, 1 empty … 254 full,
 * 255 not known. A function of the time; asking changes nothing.
 */
export function batteryLevel(side: DeviceSide, device: number, nowUs: number): number {
  const plan = energyPlan(side, device);
  if (plan === undefined) return 255;
  const capacity = batteryJoules(plan);
  if (capacity === undefined) return 0;
  const held = heldJoules(side, device, nowUs) ?? capacity;
  const left = held / capacity - joules(side, device, nowUs) / capacity;
  return Math.min(FULL, Math.max(1, Math.ceil(left * FULL)));
}

/** Whether a device that dies with its battery has none left. */
export function isEmpty(side: DeviceSide, device: number, nowUs: number): boolean {
  const plan = energyPlan(side, device);
  if (plan === undefined || !plan.dies) return false;
  const held = heldJoules(side, device, nowUs);
  return held !== undefined && joules(side, device, nowUs) >= held;
}

/** Supply current while sending, µA, between the points of the chip's table. */
export function txMicroAmp({ txMicroAmp: points }: EnergyPlan, centiDbm: number): number {
  const above = points.findIndex((point) => point.centiDbm >= centiDbm);
  if (above === 0) return points[0]!.microAmp;
  const high = points[above];
  if (high === undefined) return points.at(-1)!.microAmp;
  const low = points[above - 1]!;
  const share = (centiDbm - low.centiDbm) / (high.centiDbm - low.centiDbm);
  return Math.round(low.microAmp + share * (high.microAmp - low.microAmp));
}

// ── rows of the trace ────────────────────────────────────────────────────────────────────────────

/** The row of the trace about what the radio does between windows from an instant on. */
export function traceListening(side: DeviceSide, device: number, fromUs: number): void {
  const { observer, agenda, devices, classB, beacons } = side;
  if (observer === undefined || energyPlan(side, device) === undefined) return;
  const { background, backgroundSinceUs, slotPpb, sessionPpb } = side.energy.column;
  const name = devices.identities.of(device).name;
  observer.trace({
    kind: 'deviceListens',
    atUs: agenda.nowUs,
    device: name,
    fromUs,
    to: BACKGROUND_NAMES[background[device]]!,
    sinceUs: Math.max(fromUs, backgroundSinceUs[device]),
    slotPpb: slotPpb[device],
    sessionPpb: sessionPpb[device],
    ...(classB.follows(device) && {
      beacons: { fromUs: classB.column.looksFromUs[device], airtimeUs: beacons.airtimeUs },
    }),
  });
}

/** The row of the trace about what a device has consumed since power-on. */
export function traceEnergy(side: DeviceSide, device: number): void {
  const { observer, agenda, devices } = side;
  if (observer === undefined || energyPlan(side, device) === undefined) return;
  const { name } = devices.identities.of(device);
  const joules = joulesByCause(side, device, agenda.nowUs);
  observer.trace({ kind: 'energyDrawn', atUs: agenda.nowUs, device: name, joules });
}
