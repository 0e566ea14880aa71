/**
 * Class B as a device goes through it (LoRaWAN 1.0.4 §9…§12). It looks for the beacon, announces
 * its ping slots, and sets the ClassB bit of its uplinks. It is class A again when it has heard no
 * beacon for 120 minutes.
 *
 * Nothing happens per beacon. The timer wakes the device only while it looks for a beacon, and
 * while the server does not know yet. It wakes it, too, when the latest beacon it knew of is 120
 * minutes old.
 */
import { DrawPurpose, draw, toUnit } from '../../base/random.ts';
import { HOUR_US, MINUTE_US, SECOND_US } from '../../base/units.ts';
import { BeaconTimingReq, DeviceTimeReq, PingSlotInfoReq } from '../../lorawan/mac-commands.ts';
import type { DeviceSide } from '../device-side.ts';
import { Activation, NEVER } from '../device-table.ts';
import { isCommandQueued, queueCommand } from '../mac-commands/queue.ts';
import { MessageKind, NO_PORT } from '../outgoing.ts';
import { assertSettled } from '../settling-progress.ts';
import { followBeacons, forgetBeacon, pauseBeacons } from './beacon.ts';
import { BEACONLESS_US, hasRecentBeacon } from './beacon-age.ts';
import { PingInfo } from './class-b-table.ts';
import { updatePingSlotShare } from './ping-slot-energy.ts';
import { isClassB } from './ping-slots.ts';

/** Beacons that are looked for one after the other; then there is a pause. */
const LOOKS_IN_A_ROW = 3;
const PAUSE_US = HOUR_US;
/** A request that is unanswered is sent again after this, a few times; then once an hour. */
const ASK_AGAIN_US = 5 * MINUTE_US;
const ASKS_IN_A_ROW = 3;
/** What is to be said soon goes out after a random pause of up to this … */
const SOON_US = 2 * SECOND_US;
/** … and what every device sends that has heard a beacon, within this. */
const SPREAD_US = MINUTE_US;

/** A session of the device has begun: a class B device looks for the beacon. */
export function beginClassB(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  if (side.types[c.type[device]]!.deviceClass !== 'B') return;
  assertSettled(side, device);
  side.classB.addDevice(device);
  const b = side.classB.column;
  b.periodicity[device] = side.types[c.type[device]]!.pingSlotPeriodicity;
  b.pingInfo[device] = PingInfo.unknown;
  b.announced[device] = 0;
  b.asks[device] = 0;
  b.beaconHz[device] = 0;
  b.pingHz[device] = 0;
  if (b.follows[device] === 0) forgetBeacon(side, device);
  // The first uplink asks for the time, before LoRaWAN 1.0.3 for the time to the next beacon. The
  // device does not wait for the answer: it listens until it hears a beacon.
  const { devices, types } = side;
  const isOld = types[devices.column.type[device]]!.lorawan === '1.0.2';
  const request = isOld ? BeaconTimingReq : DeviceTimeReq;
  if (!isCommandQueued(devices, device, request.cid))
    queueCommand(devices, device, request.encode({}));
  followBeacons(side, device, nowUs);
  updatePingSlotShare(side, device, nowUs);
  b.dueAtUs[device] = side.beacons.endUs(side.beacons.after(nowUs));
}

/** The device's class B timer. */
export function onClassBDue(side: DeviceSide, device: number, nowUs: number): void {
  const b = side.classB.column;
  b.dueAtUs[device] = NEVER;
  if (side.column.activation[device] !== Activation.active) return;
  if (hasRecentBeacon(side, device, nowUs)) onBeaconKnown(side, device, nowUs);
  else onBeaconUnknown(side, device, nowUs);
}

function onBeaconKnown(side: DeviceSide, device: number, nowUs: number): void {
  const b = side.classB.column;
  b.misses[device] = 0;
  const isKnown = b.pingInfo[device] === PingInfo.known && b.announced[device] === 1;
  if (isKnown) {
    b.asks[device] = 0;
    b.dueAtUs[device] = b.lastBeaconUs[device] + BEACONLESS_US + 1;
    return;
  }
  if (b.pingInfo[device] !== PingInfo.known) askPingSlots(side, device);
  sendSoon(side, device, nowUs, SPREAD_US);
  b.asks[device] = Math.min(ASKS_IN_A_ROW, b.asks[device] + 1);
  b.dueAtUs[device] = nowUs + (b.asks[device] < ASKS_IN_A_ROW ? ASK_AGAIN_US : PAUSE_US);
}

/** PingSlotInfoReq goes with the next uplink (LoRaWAN 1.0.4 §12.1). */
function askPingSlots(side: DeviceSide, device: number): void {
  const b = side.classB.column;
  b.pingInfo[device] = PingInfo.asked;
  if (isCommandQueued(side.devices, device, PingSlotInfoReq.cid)) return;
  queueCommand(
    side.devices,
    device,
    PingSlotInfoReq.encode({ periodicity: b.periodicity[device] }),
  );
}

/** Three beacons in a row are looked for, then one an hour; the server learns of it at once. */
function onBeaconUnknown(side: DeviceSide, device: number, nowUs: number): void {
  const b = side.classB.column;
  if (b.announced[device] === 1) sendSoon(side, device, nowUs, SPREAD_US);
  b.misses[device]++;
  const fromUs = b.misses[device] < LOOKS_IN_A_ROW ? nowUs : nowUs + PAUSE_US;
  if (fromUs > nowUs && b.openClassBSessions[device] === 0)
    pauseBeacons(side, device, nowUs, fromUs);
  updatePingSlotShare(side, device, nowUs);
  b.dueAtUs[device] = side.beacons.endUs(side.beacons.after(fromUs));
}

/** The server knows the ping slots (PingSlotInfoAns): from the next uplink on it may use them. */
export function onPingSlotInfoAns(side: DeviceSide, device: number, nowUs: number): void {
  if (side.classB.pingInfo(device) !== PingInfo.asked) return;
  assertSettled(side, device);
  side.classB.column.pingInfo[device] = PingInfo.known;
  updatePingSlotShare(side, device, nowUs);
  sendSoon(side, device, nowUs);
}

/** An empty uplink soon, unless something else goes out by then. */
function sendSoon(side: DeviceSide, device: number, nowUs: number, withinUs = SOON_US): void {
  const { outgoing, key0, key1, frames, waiting } = side.column;
  const drawn = draw(key0[device], key1[device], DrawPurpose.classBPause, frames[device]);
  const dueAtUs = nowUs + 1 + Math.floor(toUnit(drawn) * withinUs);
  const queuedUs = side.outgoing.dueAtUs(outgoing, device);
  if (waiting[device] > 0 || (queuedUs !== NEVER && queuedUs <= dueAtUs)) return;
  side.outgoing.add(outgoing, device, dueAtUs, NO_PORT, new Uint8Array(0), MessageKind.empty);
}

/** The ClassB bit of the uplink that is made now; repetitions keep it. */
export function classBBit(
  side: DeviceSide,
  device: number,
  attempt: number,
  nowUs: number,
): boolean {
  const b = side.classB.column;
  const c = side.column;
  if (side.types[c.type[device]]!.deviceClass !== 'B') return false;
  if (attempt === 1) {
    assertSettled(side, device);
    b.bitInHand[device] = isClassB(side, device, nowUs) ? 1 : 0;
    b.announced[device] = b.bitInHand[device];
  }
  return b.bitInHand[device] === 1;
}

/** A confirmed frame in a ping slot is to be answered within CLASS_B_RESP_TIMEOUT, 8 s. */
export function onPingReceived(side: DeviceSide, device: number, nowUs: number): void {
  if (side.column.ackDue[device] === 1) sendSoon(side, device, nowUs);
}
