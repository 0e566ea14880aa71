/** NewChannelReq: defines, changes or removes a channel (LoRaWAN 1.0.4 §5.6). */

import { NewChannelAns, NewChannelReq } from '../../lorawan/mac-commands.ts';
import { MASK_WORDS } from '../../spectrum/channel-set.ts';
import { ensureChannel, nearestUsable } from '../channels.ts';
import type { DeviceSide } from '../device-side.ts';
import type { Run } from './handler.ts';
import { say } from './queue.ts';

/** Devices of plans with fixed channels drop it silently (RP002-1.0.4). */
export function obeyNewChannel(
  side: DeviceSide,
  device: number,
  { bytes, next }: Run,
  at: number,
): void {
  if (side.plan.isFixed) return;
  const request = NewChannelReq.readAt(bytes, at, next)!.payload;
  const { chIndex, frequencyHz, minDr, maxDr } = request;
  const { plan } = side;
  const usual = plan.defaults[chIndex];
  // The region's default channels may be told again, but not changed.
  const isFree = usual === undefined && chIndex < plan.region.maxUplinkChannels;
  const rangeOk = isFree
    ? minDr <= maxDr && plan.isUplinkModulation(minDr) && plan.isUplinkModulation(maxDr)
    : usual?.minDataRate === minDr && usual?.maxDataRate === maxDr;
  const frequencyOk = isFree
    ? frequencyHz === 0 || plan.isInSubBand(frequencyHz)
    : usual?.frequencyHz === frequencyHz;
  const isGood = frequencyOk && (rangeOk || (frequencyHz === 0 && isFree));
  if (isGood) define(side, device, chIndex, frequencyHz, minDr, maxDr);
  const status = {
    dataRateRangeOk: isGood || rangeOk,
    channelFrequencyOk: isGood || frequencyOk,
  };
  say(side.devices, device, NewChannelAns.encode(status));
}

function define(
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
  const word = device * MASK_WORDS + (index >> 5);
  if (channel === undefined) c.channelMask[word] &= ~(1 << (index & 31));
  else c.channelMask[word] |= 1 << (index & 31);
  ensureChannel(side, device);
  const { dataRate } = types[c.type[device]]!;
  if (dataRate.from === 'fixed') {
    c.dataRate[device] = nearestUsable(side, device, dataRate.dataRate);
  }
}
