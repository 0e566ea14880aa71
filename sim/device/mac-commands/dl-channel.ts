/** DlChannelReq: RX1 of a channel on a frequency of its own (LoRaWAN 1.0.4 §5.6). */
import { DlChannelAns, DlChannelReq } from '../../lorawan/mac-commands.ts';
import { channelsOf } from '../channels.ts';
import type { DeviceSide } from '../device-side.ts';
import type { Run } from './handler.ts';
import { say } from './queue.ts';

/** Devices of plans with fixed channels drop it silently (RP002-1.0.4). */
export function obeyDlChannel(side: DeviceSide, device: number, { bytes }: Run, at: number): void {
  const { devices, plan, channelSets } = side;
  if (plan.isFixed) return;
  const chIndex = DlChannelReq.value.chIndex(bytes, at);
  const frequencyHz = DlChannelReq.value.frequencyHz(bytes, at);
  const c = devices.column;
  const channel = channelsOf(side, device)[chIndex];
  const channelFrequencyOk = plan.isInSubBand(frequencyHz);
  if (channel !== undefined && channelFrequencyOk) {
    const moved = { ...channel, rx1Hz: frequencyHz };
    c.channelSet[device] = channelSets.with(c.channelSet[device], chIndex, moved);
  }
  const uplinkFrequencyExists = channel !== undefined;
  say(devices, device, DlChannelAns.encode({ uplinkFrequencyExists, channelFrequencyOk }));
}
