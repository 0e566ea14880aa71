/**
 * Following the beacon (LoRaWAN 1.0.4 §10): which beacons a device heard is derived from
 * the beacon log when something needs to know, so a fleet costs nothing while beacons go out.
 *
 * Invariant: every event and every command of a device settles it first. So the columns that
 * describe its latest uplink and windows hold for every beacon not looked at yet. A beacon is
 * looked at once it is over, whether a gateway sent it or not; every draw is keyed by (device,
 * gateway, beacon), so the moment never shows.
 */
import type { BeaconFate } from '../../base/counts.ts';
import { DrawPurpose, drawPair, happens } from '../../base/random.ts';
import { NONE } from '../../kernel/columns.ts';
import { BEACON_DELAY_US } from '../../lorawan/class-b.ts';
import type { AirCopy } from '../../radio/air-row.ts';
import type { BeaconRow, LoggedBeacon } from '../../radio/beacon-log.ts';
import { gatewayOf } from '../../radio/links.ts';
import { BEACON_PREAMBLE_SYMBOLS } from '../../spectrum/beacons.ts';
import {
  arrivingLevel,
  exceedsCopies,
  isLostToNoise,
  receivedBy,
  strongest,
} from '../copy-reception.ts';
import { type DeviceSide, frameLossPpm } from '../device-side.ts';
import { accountForClassB, timeSearch, traceListening, updateBackground } from '../energy.ts';
import { assertSettled } from '../settling-progress.ts';
import { updatePingSlotShare } from './ping-slot-energy.ts';

/** Looks for every beacon that begins from now on. */
export function followBeacons(side: DeviceSide, device: number, nowUs: number): void {
  assertSettled(side, device);
  side.classB.addDevice(device);
  const b = side.classB.column;
  b.looksFromUs[device] = nowUs;
  if (b.follows[device] === 0) {
    b.follows[device] = 1;
    b.nextBeacon[device] = side.beacons.after(nowUs);
    b.misses[device] = 0;
  }
  updateBeaconSearch(side, device, nowUs);
}

/** Looks for no beacon that begins before an instant to come, but for all after it. */
export function pauseBeacons(
  side: DeviceSide,
  device: number,
  nowUs: number,
  untilUs: number,
): void {
  assertSettled(side, device);
  side.classB.column.looksFromUs[device] = untilUs;
  updateBeaconSearch(side, device, nowUs);
}

/** Looks for beacons no more; the latest one that was heard still sets the clock. */
export function unfollowBeacons(side: DeviceSide, device: number, nowUs: number): void {
  assertSettled(side, device);
  if (!side.classB.follows(device)) return;
  side.classB.column.follows[device] = 0;
  updateBeaconSearch(side, device, nowUs);
}

/** What the device looks for has changed: its background and its search follow. */
function updateBeaconSearch(side: DeviceSide, device: number, nowUs: number): void {
  updateBackground(side, device, nowUs);
  timeSearch(side, device, nowUs);
  traceListening(side, device, nowUs);
}

/** The device is switched on or its session begins: no beacon was heard yet. */
export function forgetBeacon(side: DeviceSide, device: number): void {
  assertSettled(side, device);
  side.classB.forgetBeacon(device);
}

/**
 * Fates of the beacons that ended before `untilUs` and that the device has not looked at yet, with
 * when each began. Asking changes nothing.
 */
export function beaconsAhead(
  side: DeviceSide,
  device: number,
  untilUs: number,
): { readonly startUs: number; readonly fate: BeaconFate }[] {
  if (!side.classB.follows(device)) return [];
  const { nextBeacon, looksFromUs } = side.classB.column;
  const { beacons, beaconLog } = side;
  const ahead: { startUs: number; fate: BeaconFate }[] = [];
  for (let number = nextBeacon[device]; beacons.endUs(number) < untilUs; number++) {
    const startUs = beacons.startUs(number);
    if (startUs < looksFromUs[device]) continue;
    ahead.push({ startUs, fate: fateOf(side, device, beaconLog.row(number)) });
  }
  return ahead;
}

/** Derives which beacons that ended before `untilUs` the device heard. */
export function advanceBeacons(side: DeviceSide, device: number, untilUs: number): void {
  if (!side.classB.follows(device)) return;
  const b = side.classB.column;
  const { beacons } = side;
  while (beacons.endUs(b.nextBeacon[device]) <= untilUs) {
    const number = b.nextBeacon[device]++;
    if (beacons.startUs(number) >= b.looksFromUs[device]) decideBeacon(side, device, number);
  }
}

/** A beacon that the device looked for has ended: decides what became of it. */
function decideBeacon(side: DeviceSide, device: number, number: number): void {
  const { beacons, beaconLog } = side;
  const startUs = beacons.startUs(number);
  const endUs = startUs + beacons.airtimeUs;
  if (!isRadioBusy(side, device, { startUs, endUs })) {
    accountForClassB(side, device, 'beacon', endUs - startUs);
  }
  const row = beaconLog.row(number);
  const fate = fateOf(side, device, row);
  side.countBeacon(side.types[side.column.type[device]]!.name, fate);
  if (row !== undefined && fate !== 'outOfReach') traceBeaconDecided(side, device, row, fate);
  if (fate === 'heard') {
    side.classB.column.lastBeaconUs[device] = startUs - BEACON_DELAY_US;
    updateBackground(side, device, endUs);
  }
  updatePingSlotShare(side, device, endUs);
}

/** What became of a beacon; undefined is one that no gateway sent. */
function fateOf(side: DeviceSide, device: number, row: LoggedBeacon | undefined): BeaconFate {
  if (row === undefined) return 'outOfReach';
  if (row.frequencyHz !== beaconHz(side, device, row.number)) return 'outOfReach';
  const copies = copiesInReach(side, device, row);
  const copy = strongest(side, device, copies);
  const { deviceFaults } = side.links;
  // A radio that failed or came back while the beacon was on the air has missed a part of it.
  if (copy === undefined || deviceFaults.wasMuteWithin(device, row.startUs, row.endUs)) {
    return 'outOfReach';
  }
  if (isRadioBusy(side, device, row)) return 'ownUplink';
  const level = arrivingLevel(side, device, copies, copy);
  const dataRate = side.plan.region.beacon.dataRate;
  if (level < side.plan.deviceNoticesCentiDbm[dataRate]!) return 'tooWeak';
  if (isLost(side, device, copy.gateway, row.number)) return 'frameLoss';
  if (isLostToNoise(side, device, copy, level)) return 'noise';
  return survives(side, device, row, copies, copy, level) ? 'heard' : 'interfered';
}

/**
 * Copies of a beacon in their order, as far as the device has links to their gateways: all of them
 * where it has links to half of them, since those out of reach have no level anyway.
 */
function copiesInReach(
  { links }: DeviceSide,
  device: number,
  row: LoggedBeacon,
): readonly AirCopy[] {
  links.hold(device);
  const [from, count] = [links.starts[device], links.counts[device]];
  if (2 * count >= row.copies.length) return row.copies;
  const places: number[] = [];
  for (let at = from; at < from + count; at++) {
    const place = row.placeOf(gatewayOf(links.all[at]));
    if (place !== NONE) places.push(place);
  }
  return places.sort((a, b) => a - b).map((place) => row.copies[place]!);
}

/** Where the device looks for a beacon. */
function beaconHz(side: DeviceSide, device: number, number: number): number {
  const set = side.classB.column.beaconHz[device];
  return set === 0 ? side.beacons.frequencyHz(number) : set;
}

/** Whether an own uplink or one of its windows shares time with the beacon. */
function isRadioBusy(
  side: DeviceSide,
  device: number,
  { startUs, endUs }: Pick<BeaconRow, 'startUs' | 'endUs'>,
): boolean {
  const { startsAtUs, endsAtUs } = side.uplinkAir.flights.column;
  const listeners = side.downlinkAir.listeners.column;
  const touches = (fromUs: number, untilUs: number) =>
    fromUs < untilUs && fromUs < endUs && startUs < untilUs;
  return (
    touches(startsAtUs[device], endsAtUs[device]) ||
    touches(listeners.rx1OpensAtUs[device], listeners.rx1ClosesAtUs[device]) ||
    touches(listeners.rx2OpensAtUs[device], listeners.rx2ClosesAtUs[device])
  );
}

function isLost(side: DeviceSide, device: number, gateway: number, number: number): boolean {
  const c = side.column;
  const ppm = frameLossPpm(side, device);
  if (ppm === 0) return false;
  const { key0, key1 } = side.gatewayKey(gateway);
  return happens(
    drawPair(c.key0[device], c.key1[device], key0, key1, DrawPurpose.beaconLoss, number),
    ppm,
  );
}

/**
 * A beacon survives what else was on the frequency. Of those of several gateways the part with the
 * time is common, and adds up; its own CRC shows that it is right, so the gateways' own parts,
 * which differ, may be lost (RP002-1.0.4 §2, beacon format).
 */
function survives(
  side: DeviceSide,
  device: number,
  row: LoggedBeacon,
  copies: readonly AirCopy[],
  copy: AirCopy,
  level: number,
): boolean {
  const { interference } = side;
  if (!interference.active || (row.others.length === 0 && copies.length === 1)) return true;
  const wanted = receivedBy(side, device, copy, level, BEACON_PREAMBLE_SYMBOLS);
  const others = row.others.map((other) => receivedBy(side, device, other));
  if (!interference.survivesAll(wanted, others)) return false;
  return exceedsCopies(side, device, copies, copy, wanted);
}

function traceBeaconDecided(
  side: DeviceSide,
  device: number,
  row: BeaconRow,
  fate: BeaconFate,
): void {
  side.stories?.beacon(device, row.startUs, fate);
  side.observer?.trace({
    kind: 'beaconDecided',
    atUs: side.agenda.nowUs,
    device: side.devices.identities.of(device).name,
    beacon: row.number,
    beganAtUs: row.startUs,
    fate,
  });
}
