/**
 * The channels that the server believes a device to know, and what a join accept says of them
 * (RP002-1.0.4, CFList).
 */

import { cfListOfFrequencies, cfListOfMask } from '../lorawan/region.ts';
import type { ChannelPlan } from '../spectrum/channel-plan.ts';
import {
  bytesOfMask,
  type ChannelMask,
  hasChannel,
  maskOf,
  maskOfBytes,
  readMask,
  sameMask,
  setChannelOn,
  writeMask,
} from '../spectrum/channel-set.ts';
import { afterBlock, type MaskStep } from './mask-block.ts';
import type { ServerSide } from './server-side.ts';

/** A join accept with a CFList. */
const JOIN_ACCEPT_BYTES = 33;
/** Frequencies that a CFList of type 0 holds. */
const CFLIST_CHANNELS = 5;

/** What a device of this row knows before it joins, as its device type is set up. */
export function resetRegion(side: ServerSide, row: number): void {
  const { registrations, plan, channelSets } = side;
  const r = registrations.column;
  const { set, mask } = plan.start(r.presetRegion[row] === 1 ? 'region' : 'network');
  r.channelSet[row] = channelSets.row(set);
  writeMask(r.channelMask, row, mask);
  r.uplinkDwell[row] = plan.region.dwellAtStart.uplink ? 1 : 0;
  r.downlinkDwell[row] = plan.region.dwellAtStart.downlink ? 1 : 0;
  r.rx2FrequencyHz[row] = plan.rx2FrequencyHz;
  r.maxEirpDbm[row] = plan.region.maxEirpCentiDbm / 100;
  r.maxDutyCycle[row] = 0;
  r.refusedCommands[row] = 0;
}

/** A personalised device that was set up for its network knows its channels and limits. */
export function notePersonalised(side: ServerSide, row: number): void {
  const { registrations, plan, channelSets } = side;
  const r = registrations.column;
  if (r.presetRegion[row] === 1) return;
  r.channelSet[row] = channelSets.row(plan.channels);
  writeMask(r.channelMask, row, plan.channelMask);
  const { uplinkDwell, downlinkDwell, maxEirpDbm } = plan.limits;
  r.uplinkDwell[row] = uplinkDwell ? 1 : 0;
  r.downlinkDwell[row] = downlinkDwell ? 1 : 0;
  r.maxEirpDbm[row] = maxEirpDbm;
}

/** Channels of the network that a CFList of frequencies holds, in the order of their indexes. */
function cfListChannels(plan: ChannelPlan) {
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
 * CFList of a join accept that answers a request at this data rate: up to five channels beyond the
 * defaults, or which of the region's are on. Undefined when devices know all there is to know, or
 * when a dwell time limit makes the accept too long with it.
 */
export function cfListFor(plan: ChannelPlan, uplinkDataRate: number): Uint8Array | undefined {
  const dwell = plan.region.dwellAtStart.downlink;
  const dataRate = plan.rx1DataRate(uplinkDataRate, 0, dwell);
  if (!plan.isWithinDwell(dataRate, JOIN_ACCEPT_BYTES, dwell)) return undefined;
  if (plan.isFixed) {
    const all = plan.start('region').mask;
    if (sameMask(plan.channelMask, all)) return undefined;
    return cfListOfMask(bytesOfMask(plan.channelMask, plan.defaults.length));
  }
  const extra = cfListChannels(plan);
  return extra.length === 0 ? undefined : cfListOfFrequencies(extra.map((one) => one.frequencyHz));
}

/** A device that accepts the join knows these channels. */
export function noteCfList(side: ServerSide, row: number): void {
  const { registrations, plan, channelSets } = side;
  const r = registrations.column;
  if (plan.isFixed) return writeMask(r.channelMask, row, plan.channelMask);
  const first = plan.defaults.length;
  for (const [i, channel] of cfListChannels(plan).entries()) {
    r.channelSet[row] = channelSets.with(r.channelSet[row], first + i, channel);
    setChannelOn(r.channelMask, row, first + i, true);
  }
}

/** Which of the network's channels are to be on, as far as the device knows them. */
export function wantedMask(side: ServerSide, row: number): ChannelMask {
  const { registrations, plan, channelSets } = side;
  const known = channelSets.get(registrations.column.channelSet[row]);
  const isWanted = (index: number) =>
    known[index] !== undefined && hasChannel(plan.channelMask, index);
  const wanted = maskOf(isWanted, known.length);
  return wanted.every((word) => word === 0) ? believedMask(side, row) : wanted;
}

/** The device has obeyed a block of LinkADRReq. */
export function noteMask(side: ServerSide, row: number, steps: readonly MaskStep[]): void {
  const { registrations, plan, channelSets } = side;
  const r = registrations.column;
  const known = channelSets.get(r.channelSet[row]);
  const defined = Uint8Array.from({ length: plan.region.maxUplinkChannels }, (_, index) =>
    known[index] === undefined ? 0 : 1,
  );
  const enabled = afterBlock(plan.region, believedMask(side, row), defined, steps);
  writeMask(r.channelMask, row, maskOfBytes(enabled));
}

/** Which channels the device is believed to have on. */
export const believedMask = (side: ServerSide, row: number): ChannelMask =>
  readMask(side.registrations.column.channelMask, row);
