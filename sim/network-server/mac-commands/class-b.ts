/** MAC commands of class B on the server's side (LoRaWAN 1.0.4 §14). */
import { readLe } from '../../base/bytes.ts';
import { PING_SLOT_US } from '../../lorawan/class-b.ts';
import { BeaconTimingAns, Cid } from '../../lorawan/mac-commands.ts';
import { FREQUENCY_STEP_HZ } from '../../lorawan/region.ts';
import type { ServerRoom } from '../server-room.ts';
import type { UplinkCommand } from './handler.ts';

/** PingSlotInfoReq: the device tells its ping slots, and may use them once it hears the answer. */
export function takePingSlotInfoReq(
  room: ServerRoom,
  row: number,
  { bytes, at }: UplinkCommand,
): void {
  const { told, periodicity } = room.classB.column;
  told[row] = 1;
  periodicity[row] = bytes[at + 1] & 7;
  room.requests.tell(row, Uint8Array.of(Cid.pingSlotInfo));
}

/** Frequency and data rate were both taken, or nothing. */
const TAKEN = 3;

/** PingSlotChannelAns: what was asked is the device's channel from now on. */
export function takePingSlotChannelAns(
  room: ServerRoom,
  row: number,
  { bytes, at, request }: UplinkCommand,
): void {
  if (request === undefined || (bytes[at + 1] & TAKEN) !== TAKEN) return;
  const { plan } = room;
  const { frequencyHz, dataRate } = room.classB.column;
  const askedHz = readLe(request, 1, 3) * FREQUENCY_STEP_HZ;
  const askedRate = request[4]! & 15;
  // The answer may be that to an earlier request.
  if (askedHz !== 0 && !plan.isInSubBand(askedHz)) return;
  if ((plan.spreadingFactor[askedRate] ?? 0) === 0) return;
  frequencyHz[row] = askedHz;
  dataRate[row] = askedRate;
}

/** BeaconTimingReq, deprecated: tells the time from the end of the uplink to the next beacon. */
export function takeBeaconTimingReq(
  room: ServerRoom,
  row: number,
  { uplink }: UplinkCommand,
): void {
  const { beacons, plan, requests } = room;
  const number = beacons.after(uplink.endedAtUs);
  const steps = Math.floor((beacons.startUs(number) - uplink.endedAtUs) / PING_SLOT_US);
  const channel = plan.region.beacon.frequenciesHz.indexOf(beacons.frequencyHz(number));
  requests.withdraw(row, Cid.beaconTiming);
  requests.tell(row, BeaconTimingAns.encode({ delay: steps, channel }));
}
