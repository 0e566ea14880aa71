/**
 * The channels that the server believes a device to know: what a join accept tells of them
 * (RP002-1.0.4, CFList).
 */
import type { ChannelPlan } from '../channel-plan.ts';
import {
  bytesOfMask,
  type ChannelMask,
  MASK_WORDS,
  readMask,
  sameMask,
  writeMask,
} from '../channel-set.ts';
import { cfListOfFrequencies, cfListOfMask } from '../lorawan/region.ts';
import type { ServerRoom } from './server-room.ts';

/** Frequencies that a CFList of type 0 holds. */
const CFLIST_CHANNELS = 5;

/** What a device of this row knows before it joins, as its device type is set up. */
export function resetRegion(room: ServerRoom, row: number): void {
  const { registrations, plan, channelSets } = room;
  const r = registrations.column;
  const { set, mask } = plan.start(r.presetRegion[row] === 1 ? 'region' : 'network');
  r.channelSet[row] = channelSets.row(set);
  writeMask(r.channelMask, row, mask);
  r.uplinkDwell[row] = plan.region.dwellAtStart.uplink ? 1 : 0;
  r.downlinkDwell[row] = plan.region.dwellAtStart.downlink ? 1 : 0;
  r.rx2FrequencyHz[row] = plan.rx2FrequencyHz;
}

/** A personalised device that was set up for its network knows all of its channels. */
export function notePersonalised(room: ServerRoom, row: number): void {
  const { registrations, plan, channelSets } = room;
  const r = registrations.column;
  if (r.presetRegion[row] === 1) return;
  r.channelSet[row] = channelSets.row(plan.channels);
  writeMask(r.channelMask, row, plan.channelMask);
}

/** Channels of the network that a CFList tells, by index. */
function listed(plan: ChannelPlan) {
  const { minDataRate, maxDataRate } = plan.defaults[0]!;
  const first = plan.defaults.length;
  return plan.channels
    .slice(first, first + CFLIST_CHANNELS)
    .flatMap((one) =>
      one !== undefined && one.minDataRate === minDataRate && one.maxDataRate === maxDataRate
        ? [one]
        : [],
    );
}

/**
 * CFList of join accepts: up to five channels beyond the defaults, or which of the region's are on;
 * undefined when devices know all there is to know.
 */
export function cfListOf(plan: ChannelPlan): Uint8Array | undefined {
  if (plan.isFixed) {
    const all = plan.start('region').mask;
    if (sameMask(plan.channelMask, all)) return undefined;
    return cfListOfMask(bytesOfMask(plan.channelMask, plan.defaults.length));
  }
  const extra = listed(plan);
  return extra.length === 0 ? undefined : cfListOfFrequencies(extra.map((one) => one.frequencyHz));
}

/** A device that accepts the join knows these channels. */
export function noteCfList(room: ServerRoom, row: number): void {
  const { registrations, plan, channelSets } = room;
  const r = registrations.column;
  if (plan.isFixed) return writeMask(r.channelMask, row, plan.channelMask);
  const first = plan.defaults.length;
  for (const [i, channel] of listed(plan).entries()) {
    r.channelSet[row] = channelSets.with(r.channelSet[row], first + i, channel);
    r.channelMask[row * MASK_WORDS] |= 1 << (first + i);
  }
}

/** Which channels the device is believed to have on. */
export const believedMask = (room: ServerRoom, row: number): ChannelMask =>
  readMask(room.registrations.column.channelMask, row);
