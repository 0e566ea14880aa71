/** Ping slots, and the beacon's channel and timing (LoRaWAN 1.0.4 §12). */
import {
  BeaconFreqAns,
  BeaconFreqReq,
  PingSlotChannelAns,
  PingSlotChannelReq,
} from '../../lorawan/mac-commands.ts';
import { onPingSlotInfoAns } from '../class-b/mode.ts';
import { updatePingSlotShare } from '../class-b/ping-slot-energy.ts';
import type { DeviceSide } from '../device-side.ts';
import { assertSettled } from '../settling-progress.ts';
import type { CommandCursor, CommandHandlers } from './command-handler.ts';
import { queueCommand } from './queue.ts';

export const classBCommands = {
  /** The server knows the ping slots. */
  PingSlotInfoAns(side: DeviceSide, device: number) {
    onPingSlotInfoAns(side, device, side.agenda.nowUs);
  },

  /** Channel and data rate of ping slots: all or nothing; frequency 0 is the region's channel. */
  PingSlotChannelReq(side: DeviceSide, device: number, { bytes }: CommandCursor, at: number) {
    const frequencyHz = PingSlotChannelReq.value.frequencyHz(bytes, at);
    const dataRate = PingSlotChannelReq.value.dataRate(bytes, at);
    const channelFrequencyOk = isBeaconOrPingFrequency(side, frequencyHz);
    const dataRateOk = (side.plan.spreadingFactor[dataRate] ?? 0) > 0;
    const status = { dataRateOk, channelFrequencyOk };
    queueCommand(side.devices, device, PingSlotChannelAns.encode(status));
    if (!channelFrequencyOk || !dataRateOk) return;
    assertSettled(side, device);
    side.classB.addDevice(device);
    const b = side.classB.column;
    b.pingHz[device] = frequencyHz;
    b.pingDataRate[device] = dataRate;
    updatePingSlotShare(side, device, side.agenda.nowUs);
  },

  /** Deprecated since 1.0.3: devices look for the next beacon in its time, whatever it says. */
  BeaconTimingAns() {},

  /** Where the device looks for beacons from now on; 0 is the region's channel. */
  BeaconFreqReq(side: DeviceSide, device: number, { bytes }: CommandCursor, at: number) {
    const frequencyHz = BeaconFreqReq.value.frequencyHz(bytes, at);
    const beaconFrequencyOk = isBeaconOrPingFrequency(side, frequencyHz);
    queueCommand(side.devices, device, BeaconFreqAns.encode({ beaconFrequencyOk }));
    if (!beaconFrequencyOk) return;
    assertSettled(side, device);
    side.classB.addDevice(device);
    side.classB.column.beaconHz[device] = frequencyHz;
  },
} satisfies Partial<CommandHandlers>;

/** A frequency of the region, or 0 for its usual channel. */
const isBeaconOrPingFrequency = ({ plan }: DeviceSide, frequencyHz: number): boolean =>
  frequencyHz === 0 || plan.isInSubBand(frequencyHz);
