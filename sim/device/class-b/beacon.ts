/**
 * Following the beacon (LoRaWAN 1.0.4 §10): which beacons a device heard is derived from
 * the beacon log when something needs to know, so a fleet costs nothing while beacons go out.
 *
 * Invariant: every event and every command of a device settles it first, so the columns that
 * describe its latest uplink and windows hold for every beacon not looked at yet. A beacon is
 * looked at once it is over, whether a gateway sent it or not; every draw is keyed by (device,
 * gateway, beacon), so the moment never shows.
 */
import { drawPair, happens, Purpose as Luck } from '../../base/random.ts';
import { BEACON_DELAY_US } from '../../lorawan/class-b.ts';
import type { BeaconRow } from '../../radio/beacon-log.ts';
import type { AirCopy } from '../../radio/multicast-air.ts';
import { BEACON_PREAMBLE_SYMBOLS } from '../../spectrum/beacons.ts';
import {
  arrivingLevel,
  exceedsCopies,
  isLostToNoise,
  receivedBy,
  strongest,
} from '../copy-reception.ts';
import type { DeviceRoom } from '../device-room.ts';
import { drawInSlot, setBackground, timeSearch, traceListening } from '../energy.ts';
import { assertSettled } from '../settled.ts';
import { updateSlots } from './slot-energy.ts';

export type BeaconFate =
  | 'heard'
  /** No gateway in reach sent it where the device looks; one that none sent is missed, too. */
  | 'outOfReach'
  | 'ownUplink'
  | 'tooWeak'
  | 'frameLoss'
  | 'noise'
  | 'interfered';

/** Looks for every beacon that begins from now on. */
export function follow(room: DeviceRoom, device: number, nowUs: number): void {
  assertSettled(room, device);
  const b = room.classB.column;
  b.looksFromUs[device] = nowUs;
  if (b.follows[device] === 0) {
    b.follows[device] = 1;
    b.nextBeacon[device] = room.beacons.after(nowUs);
    b.misses[device] = 0;
  }
  listenAnew(room, device, nowUs);
}

/** Looks for no beacon that begins before an instant to come, but for all after it. */
export function rest(room: DeviceRoom, device: number, nowUs: number, untilUs: number): void {
  assertSettled(room, device);
  room.classB.column.looksFromUs[device] = untilUs;
  listenAnew(room, device, nowUs);
}

/** Looks for beacons no more; what was heard last still tells the time. */
export function unfollow(room: DeviceRoom, device: number, nowUs: number): void {
  assertSettled(room, device);
  if (room.classB.column.follows[device] === 0) return;
  room.classB.column.follows[device] = 0;
  listenAnew(room, device, nowUs);
}

/** What the device looks for has changed. */
function listenAnew(room: DeviceRoom, device: number, nowUs: number): void {
  setBackground(room, device, nowUs);
  timeSearch(room, device, nowUs);
  traceListening(room, device, nowUs);
}

/** A new life or session: no beacon was heard yet. */
export function forgetBeacon(room: DeviceRoom, device: number): void {
  assertSettled(room, device);
  const b = room.classB.column;
  b.follows[device] = 0;
  b.lastBeaconUs[device] = -1;
  b.misses[device] = 0;
}

/**
 * Fates of the beacons that ended before `untilUs` and that the device has not looked at yet, with
 * when each began; telling changes nothing.
 */
export function beaconsAhead(
  room: DeviceRoom,
  device: number,
  untilUs: number,
): { readonly startUs: number; readonly fate: BeaconFate }[] {
  const { follows, nextBeacon, looksFromUs } = room.classB.column;
  if (follows[device] === 0) return [];
  const { beacons, beaconLog } = room;
  const ahead: { startUs: number; fate: BeaconFate }[] = [];
  for (let number = nextBeacon[device]; beacons.endUs(number) < untilUs; number++) {
    const startUs = beacons.startUs(number);
    if (startUs < looksFromUs[device]) continue;
    ahead.push({ startUs, fate: fateOf(room, device, beaconLog.row(number)) });
  }
  return ahead;
}

/** Derives which beacons that ended before `untilUs` the device heard. */
export function advanceBeacons(room: DeviceRoom, device: number, untilUs: number): void {
  const b = room.classB.column;
  if (b.follows[device] === 0) return;
  const { beacons } = room;
  while (beacons.endUs(b.nextBeacon[device]) <= untilUs) {
    const number = b.nextBeacon[device]++;
    if (beacons.startUs(number) >= b.looksFromUs[device]) lookFor(room, device, number);
  }
}

/** A beacon is over, whether a gateway sent it or not. */
function lookFor(room: DeviceRoom, device: number, number: number): void {
  const { beacons, beaconLog } = room;
  const startUs = beacons.startUs(number);
  const endUs = startUs + beacons.airtimeUs;
  if (!isBusy(room, device, { startUs, endUs })) {
    drawInSlot(room, device, 'beacon', endUs - startUs);
  }
  const row = beaconLog.row(number);
  const fate = fateOf(room, device, row);
  room.countBeacon(room.types[room.devices.column.type[device]]!.name, fate);
  if (row !== undefined && fate !== 'outOfReach') trace(room, device, row, fate);
  if (fate === 'heard') {
    room.classB.column.lastBeaconUs[device] = startUs - BEACON_DELAY_US;
    setBackground(room, device, endUs);
  }
  updateSlots(room, device, endUs);
}

/** The log has no row of a beacon that no gateway sent. */
function fateOf(room: DeviceRoom, device: number, row: BeaconRow | undefined): BeaconFate {
  if (row === undefined) return 'outOfReach';
  if (row.frequencyHz !== beaconHz(room, device, row.number)) return 'outOfReach';
  const copy = strongest(room, device, row.copies);
  if (copy === undefined) return 'outOfReach';
  if (isBusy(room, device, row)) return 'ownUplink';
  const level = arrivingLevel(room, device, row.copies, copy);
  const dataRate = room.plan.region.beacon.dataRate;
  if (level < room.plan.deviceNoticesCentiDbm[dataRate]!) return 'tooWeak';
  if (isLost(room, device, copy.gateway, row.number)) return 'frameLoss';
  if (isLostToNoise(room, device, copy, level)) return 'noise';
  return survives(room, device, row, copy, level) ? 'heard' : 'interfered';
}

/** Where the device looks for a beacon. */
function beaconHz(room: DeviceRoom, device: number, number: number): number {
  const set = room.classB.column.beaconHz[device];
  return set === 0 ? room.beacons.frequencyHz(number) : set;
}

/** Whether an own uplink or one of its windows shares time with the beacon. */
function isBusy(
  room: DeviceRoom,
  device: number,
  { startUs, endUs }: Pick<BeaconRow, 'startUs' | 'endUs'>,
): boolean {
  const { startsAtUs, endsAtUs } = room.uplinkAir.flights.column;
  const ears = room.downlinkAir.ears.column;
  const touches = (fromUs: number, untilUs: number) =>
    fromUs < untilUs && fromUs < endUs && startUs < untilUs;
  return (
    touches(startsAtUs[device], endsAtUs[device]) ||
    touches(ears.rx1OpensAtUs[device], ears.rx1ClosesAtUs[device]) ||
    touches(ears.rx2OpensAtUs[device], ears.rx2ClosesAtUs[device])
  );
}

function isLost(room: DeviceRoom, device: number, gateway: number, number: number): boolean {
  const c = room.devices.column;
  const ppm = room.types[c.type[device]]!.frameLossPpm;
  if (ppm === 0) return false;
  const { key0, key1 } = room.gatewayKey(gateway);
  return happens(
    drawPair(c.key0[device], c.key1[device], key0, key1, Luck.beaconLoss, number),
    ppm,
  );
}

/**
 * A beacon survives what else was on the frequency. Of those of several gateways the part with the
 * time is common, and adds up; a CRC of its own tells that it is right, so the gateways' own parts,
 * which differ, may be lost (RP002-1.0.4 §2, beacon format).
 */
function survives(
  room: DeviceRoom,
  device: number,
  row: BeaconRow,
  copy: AirCopy,
  level: number,
): boolean {
  const { interference } = room;
  if (!interference.active || (row.others.length === 0 && row.copies.length === 1)) return true;
  const wanted = receivedBy(room, device, copy, level, BEACON_PREAMBLE_SYMBOLS);
  const others = row.others.map((other) => receivedBy(room, device, other));
  if (!interference.survivesAll(wanted, others)) return false;
  return exceedsCopies(room, device, row.copies, copy, wanted);
}

function trace(room: DeviceRoom, device: number, row: BeaconRow, fate: BeaconFate): void {
  room.observer?.trace({
    kind: 'beaconDecided',
    atUs: room.agenda.nowUs,
    device: room.devices.identities[device]!.name,
    beacon: row.number,
    beganAtUs: row.startUs,
    fate,
  });
}
