/**
 * Channels: NewChannelReq and DlChannelReq (LoRaWAN 1.0.4 §5.6). Devices of plans with fixed
 * channels drop both silently (RP002-1.0.4).
 */
import {
  DlChannelAns,
  DlChannelReq,
  NewChannelAns,
  NewChannelReq,
} from '../../lorawan/mac-commands.ts';
import { setChannelOn } from '../../spectrum/channel-set.ts';
import { channelsOf, ensureUsableChannel, nearestUsable } from '../channels.ts';
import type { DeviceSide } from '../device-side.ts';
import type { CommandCursor, CommandHandlers } from './command-handler.ts';
import { queueCommand } from './queue.ts';

export const channelCommands = {
  /** Defines, changes or removes a channel; frequency 0 removes it. */
  NewChannelReq(side: DeviceSide, device: number, { bytes, next }: CommandCursor, at: number) {
    if (side.plan.isFixed) return;
    const request = NewChannelReq.readAt(bytes, at, next)!.payload;
    const { chIndex, frequencyHz, minDr, maxDr } = request;
    const { plan } = side;
    const usual = plan.defaults[chIndex];
    // The region's default channels may be repeated by a request, but not changed.
    const isFree = usual === undefined && chIndex < plan.region.maxUplinkChannels;
    const rangeOk = isFree
      ? minDr <= maxDr && plan.isUplinkModulation(minDr) && plan.isUplinkModulation(maxDr)
      : usual?.minDataRate === minDr && usual?.maxDataRate === maxDr;
    const frequencyOk = isFree
      ? frequencyHz === 0 || plan.isInSubBand(frequencyHz)
      : usual?.frequencyHz === frequencyHz;
    const isGood = frequencyOk && (rangeOk || (frequencyHz === 0 && isFree));
    if (isGood) defineChannel(side, device, chIndex, frequencyHz, minDr, maxDr);
    const status = {
      dataRateRangeOk: isGood || rangeOk,
      channelFrequencyOk: isGood || frequencyOk,
    };
    queueCommand(side.devices, device, NewChannelAns.encode(status));
  },

  /** RX1 after uplinks of a channel gets a frequency of its own. */
  DlChannelReq(side: DeviceSide, device: number, { bytes }: CommandCursor, at: number) {
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
    const status = { uplinkFrequencyExists, channelFrequencyOk };
    queueCommand(devices, device, DlChannelAns.encode(status));
  },
} satisfies Partial<CommandHandlers>;

function defineChannel(
  side: DeviceSide,
  device: number,
  index: number,
  frequencyHz: number,
  minDr: number,
  maxDr: number,
): void {
  const { devices, plan, channelSets, types } = side;
  const c = devices.column;
  const channel = frequencyHz === 0 ? undefined : plan.newChannel(frequencyHz, minDr, maxDr);
  c.channelSet[device] = channelSets.with(c.channelSet[device], index, channel);
  setChannelOn(c.channelMask, device, index, channel !== undefined);
  ensureUsableChannel(side, device);
  const { dataRate } = types[c.type[device]]!;
  if (dataRate.from === 'fixed') {
    c.dataRate[device] = nearestUsable(side, device, dataRate.dataRate);
  }
}
