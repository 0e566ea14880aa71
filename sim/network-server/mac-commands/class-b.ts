/** MAC commands of class B on the server's side (LoRaWAN 1.0.4 §12). */
import { PING_SLOT_US } from '../../lorawan/class-b.ts';
import {
  BeaconTimingAns,
  Cid,
  PingSlotChannelAns,
  PingSlotChannelReq,
  PingSlotInfoAns,
  PingSlotInfoReq,
} from '../../lorawan/mac-commands.ts';
import type { ServerSide } from '../server-side.ts';
import type { UplinkCommand } from './handler.ts';

/** PingSlotInfoReq: the device tells its ping slots, and may use them once it hears the answer. */
export function takePingSlotInfoReq(
  side: ServerSide,
  row: number,
  { bytes, at }: UplinkCommand,
): void {
  const { told, periodicity } = side.classB.column;
  told[row] = 1;
  periodicity[row] = PingSlotInfoReq.value.periodicity(bytes, at);
  side.requests.tell(row, PingSlotInfoAns.encode({}));
}

/** PingSlotChannelAns: what was asked is the device's channel from now on, or nothing of it. */
export function takePingSlotChannelAns(
  side: ServerSide,
  row: number,
  { bytes, at, request }: UplinkCommand,
): void {
  const { dataRateOk, channelFrequencyOk } = PingSlotChannelAns.value;
  if (request === undefined || !dataRateOk(bytes, at) || !channelFrequencyOk(bytes, at)) return;
  const { plan } = side;
  const { frequencyHz, dataRate } = side.classB.column;
  const askedHz = PingSlotChannelReq.value.frequencyHz(request, 0);
  const askedRate = PingSlotChannelReq.value.dataRate(request, 0);
  // The answer may be that to an earlier request.
  if (askedHz !== 0 && !plan.isInSubBand(askedHz)) return;
  if ((plan.spreadingFactor[askedRate] ?? 0) === 0) return;
  frequencyHz[row] = askedHz;
  dataRate[row] = askedRate;
}

/** BeaconTimingReq, deprecated: tells the time from the end of the uplink to the next beacon. */
export function takeBeaconTimingReq(
  side: ServerSide,
  row: number,
  { uplink }: UplinkCommand,
): void {
  const { beacons, plan, requests } = side;
  const number = beacons.after(uplink.endedAtUs);
  const steps = Math.floor((beacons.startUs(number) - uplink.endedAtUs) / PING_SLOT_US);
  const channel = plan.region.beacon.frequenciesHz.indexOf(beacons.frequencyHz(number));
  requests.withdraw(row, Cid.beaconTiming);
  requests.tell(row, BeaconTimingAns.encode({ delay: steps, channel }));
}
