/**
 * MAC commands of class B: ping slots told and set, the beacon's channel and timing (LoRaWAN 1.0.4
 * §12; BeaconTimingAns is deprecated since 1.0.3).
 */
import {
  BeaconFreqAns,
  BeaconFreqReq,
  PingSlotChannelAns,
  PingSlotChannelReq,
} from '../../lorawan/mac-commands.ts';
import { subBandOf } from '../../lorawan/region.ts';
import { onPingSlotInfoAns } from '../class-b/mode.ts';
import { updateSlots } from '../class-b/slot-energy.ts';
import type { DeviceSide } from '../device-side.ts';
import { assertSettled } from '../settled.ts';
import type { Run } from './handler.ts';
import { say } from './queue.ts';

/** PingSlotInfoAns: the server knows the ping slots. */
export function obeyPingSlotInfoAns(side: DeviceSide, device: number): void {
  onPingSlotInfoAns(side, device, side.agenda.nowUs);
}

/** PingSlotChannelReq: all or nothing; frequency 0 is the region's channel. */
export function obeyPingSlotChannel(
  side: DeviceSide,
  device: number,
  { bytes }: Run,
  at: number,
): void {
  const frequencyHz = PingSlotChannelReq.value.frequencyHz(bytes, at);
  const dataRate = PingSlotChannelReq.value.dataRate(bytes, at);
  const channelFrequencyOk = frequencyHz === 0 || subBandOf(side.plan.region, frequencyHz) >= 0;
  const dataRateOk = (side.plan.spreadingFactor[dataRate] ?? 0) > 0;
  say(side.devices, device, PingSlotChannelAns.encode({ dataRateOk, channelFrequencyOk }));
  if (!channelFrequencyOk || !dataRateOk) return;
  assertSettled(side, device);
  const b = side.classB.column;
  b.pingHz[device] = frequencyHz;
  b.pingDataRate[device] = dataRate;
  updateSlots(side, device, side.agenda.nowUs);
}

/** BeaconFreqReq: where beacons are looked for from now on; 0 is the region's channel. */
export function obeyBeaconFreq(side: DeviceSide, device: number, { bytes }: Run, at: number): void {
  const frequencyHz = BeaconFreqReq.value.frequencyHz(bytes, at);
  const beaconFrequencyOk = frequencyHz === 0 || subBandOf(side.plan.region, frequencyHz) >= 0;
  say(side.devices, device, BeaconFreqAns.encode({ beaconFrequencyOk }));
  if (!beaconFrequencyOk) return;
  assertSettled(side, device);
  side.classB.column.beaconHz[device] = frequencyHz;
}
