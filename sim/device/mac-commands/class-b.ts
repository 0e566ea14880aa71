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
import type { DeviceRoom } from '../device-room.ts';
import { assertSettled } from '../settled.ts';
import type { Run } from './handler.ts';
import { say } from './queue.ts';

/** PingSlotInfoAns: the server knows the ping slots. */
export function obeyPingSlotInfoAns(room: DeviceRoom, device: number): void {
  onPingSlotInfoAns(room, device, room.agenda.nowUs);
}

/** PingSlotChannelReq: all or nothing; frequency 0 is the region's channel. */
export function obeyPingSlotChannel(
  room: DeviceRoom,
  device: number,
  { bytes }: Run,
  at: number,
): void {
  const frequencyHz = PingSlotChannelReq.value.frequencyHz(bytes, at);
  const dataRate = PingSlotChannelReq.value.dataRate(bytes, at);
  const channelFrequencyOk = frequencyHz === 0 || subBandOf(room.plan.region, frequencyHz) >= 0;
  const dataRateOk = (room.plan.spreadingFactor[dataRate] ?? 0) > 0;
  say(room.devices, device, PingSlotChannelAns.encode({ dataRateOk, channelFrequencyOk }));
  if (!channelFrequencyOk || !dataRateOk) return;
  assertSettled(room, device);
  const b = room.classB.column;
  b.pingHz[device] = frequencyHz;
  b.pingDataRate[device] = dataRate;
  updateSlots(room, device, room.agenda.nowUs);
}

/** BeaconFreqReq: where beacons are looked for from now on; 0 is the region's channel. */
export function obeyBeaconFreq(room: DeviceRoom, device: number, { bytes }: Run, at: number): void {
  const frequencyHz = BeaconFreqReq.value.frequencyHz(bytes, at);
  const beaconFrequencyOk = frequencyHz === 0 || subBandOf(room.plan.region, frequencyHz) >= 0;
  say(room.devices, device, BeaconFreqAns.encode({ beaconFrequencyOk }));
  if (!beaconFrequencyOk) return;
  assertSettled(room, device);
  room.classB.column.beaconHz[device] = frequencyHz;
}
