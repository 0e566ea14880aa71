/**
 * A group of a device as its radio takes frames for it: all of it that no frame changes. Who takes
 * many frames between which the device does nothing asks for it once.
 */
import type { PackagesPlan } from '../plan/packages-plan.ts';
import { LOCKING_SYMBOLS } from '../radio/signal-log.ts';
import { type DeviceSide, frameLossPpm, observerOf } from './device-side.ts';
import { type BusyTime, isStanding, NO_PING_SLOTS } from './multicast-state.ts';
import { packagesFor } from './packages/answers.ts';

const PREAMBLE_SYMBOLS = 8;

/** From the first to the last of a device's own uplinks and windows, µs: empty if it had none. */
export interface BusySpan {
  readonly fromUs: number;
  readonly untilUs: number;
}

export interface GroupReceiver {
  /** Rows of the device and of its group. */
  readonly device: number;
  readonly group: number;
  readonly mcAddr: number;
  readonly frequencyHz: number;
  readonly dataRate: number;
  readonly spreadingFactor: number;
  /** From a frame's start to where in its preamble the radio locks. */
  readonly lockingUs: number;
  /** Weaker signals are not noticed. */
  readonly noticesCentiDbm: number;
  /** Share of frames that each of the device's links loses. */
  readonly lossPpm: number;
  readonly packages: PackagesPlan;
  readonly hasPingSlots: boolean;
  /** Begin and end of the session. */
  readonly opensAtUs: number;
  readonly closesAtUs: number;
  /** Whether no other session has, or had lately, a claim on the radio. */
  readonly hasRadioAlone: boolean;
  /** Whether frames of the class C session differ in nothing but time, counter and gateway. */
  readonly hearsAlike: boolean;
  readonly busy: BusySpan;
}

/** The ear of a row of `mcGroups`. */
export function groupReceiver(
  side: DeviceSide,
  device: number,
  group: number,
  busy: BusySpan = busySpan(side, device),
): GroupReceiver {
  const { plan } = side;
  const g = side.multicast.mcGroups.column;
  const dataRate = g.dataRate[group];
  const hasPingSlots = g.periodicity[group] !== NO_PING_SLOTS;
  const isAlone = hasRadioAlone(side, device, group);
  return {
    device,
    group,
    mcAddr: g.mcAddr[group],
    frequencyHz: g.frequencyHz[group],
    dataRate,
    spreadingFactor: plan.spreadingFactor[dataRate]!,
    lockingUs: (PREAMBLE_SYMBOLS - LOCKING_SYMBOLS) * plan.symbolUs[dataRate]!,
    noticesCentiDbm: plan.deviceNoticesCentiDbm[dataRate]!,
    lossPpm: frameLossPpm(side, device),
    packages: packagesFor(side, device),
    hasPingSlots,
    opensAtUs: g.opensAtUs[group],
    closesAtUs: g.closesAtUs[group],
    hasRadioAlone: isAlone,
    hearsAlike: isAlone && !hasPingSlots && hearsAlike(side, device),
    busy,
  };
}

/** Whether a group's session is the only one that has, or had lately, a claim on the radio. */
const hasRadioAlone = (
  { devices, multicast }: DeviceSide,
  device: number,
  group: number,
): boolean =>
  devices.column.openClassCSessions[device] === 1 &&
  !isStanding(multicast.mcGroups.column.mcGroupId[group]) &&
  !multicast.endedClaims.has(device);

/** Whether frames fade, drown and are watched alike, and no beacon is decided between them. */
const hearsAlike = (side: DeviceSide, device: number): boolean =>
  side.downlinkAir.levels.areConstant &&
  !side.classB.follows(device) &&
  observerOf(side, device) === undefined;

/** When a device's uplinks and windows stored its radio, as far as a frame may still ask. */
export function busySpan(
  { uplinkAir, downlinkAir, multicast }: DeviceSide,
  device: number,
): BusySpan {
  const { startsAtUs, endsAtUs } = uplinkAir.flights.column;
  const { rx1OpensAtUs, rx1ClosesAtUs, rx2OpensAtUs, rx2ClosesAtUs } = downlinkAir.listeners.column;
  let fromUs = Math.min(startsAtUs[device], rx1OpensAtUs[device], rx2OpensAtUs[device]);
  let untilUs = Math.max(endsAtUs[device], rx1ClosesAtUs[device], rx2ClosesAtUs[device]);
  for (const time of multicast.busyTimes.get(device) ?? NO_TIMES) {
    fromUs = Math.min(fromUs, time.fromUs);
    untilUs = Math.max(untilUs, time.untilUs);
  }
  return { fromUs, untilUs };
}

/** Uplinks before the latest one, where nothing is stored of them. */
export const NO_TIMES: readonly BusyTime[] = [];
