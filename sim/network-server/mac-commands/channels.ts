/** What devices answer to NewChannelReq and DlChannelReq (LoRaWAN 1.0.4 §5.6). */
import {
  Cid,
  DlChannelAns,
  DlChannelReq,
  NewChannelAns,
  NewChannelReq,
} from '../../lorawan/mac-commands.ts';
import { setChannelOn } from '../../spectrum/channel-set.ts';
import { noteRefusal } from '../refusable.ts';
import type { ServerSide } from '../server-side.ts';
import type { CommandHandlers, UplinkCommand } from './command-handler.ts';

/*
 * An answer names no request: one that is repeated may meet a later request, which the device would
 * refuse. So the server believes only what the region allows.
 */
export const channelCommands = {
  NewChannelAns(side: ServerSide, row: number, { request, bytes, at }: UplinkCommand) {
    const { plan, registrations, channelSets } = side;
    const asked = request && NewChannelReq.readAt(request, 0, request.length)?.payload;
    if (asked === undefined) return;
    const { dataRateRangeOk, channelFrequencyOk } = NewChannelAns.value;
    const isAcked = dataRateRangeOk(bytes, at) && channelFrequencyOk(bytes, at);
    if (!isAcked || !isPossibleChannel(plan, asked)) {
      return noteRefusal(registrations, row, Cid.newChannel);
    }
    const { chIndex, frequencyHz, minDr, maxDr } = asked;
    const r = registrations.column;
    // Frequency 0 takes the channel away.
    const channel = frequencyHz === 0 ? undefined : plan.newChannel(frequencyHz, minDr, maxDr);
    r.channelSet[row] = channelSets.with(r.channelSet[row], chIndex, channel);
    setChannelOn(r.channelMask, row, chIndex, channel !== undefined);
  },

  /** RX1 after uplinks on the channel is where it was asked to be, if the device took all of it. */
  DlChannelAns(
    { plan, registrations, channelSets }: ServerSide,
    row: number,
    { request, bytes, at }: UplinkCommand,
  ) {
    const asked = request && DlChannelReq.readAt(request, 0, request.length)?.payload;
    const { uplinkFrequencyExists, channelFrequencyOk } = DlChannelAns.value;
    if (asked === undefined) return;
    if (!uplinkFrequencyExists(bytes, at) || !channelFrequencyOk(bytes, at)) return;
    const { channelSet } = registrations.column;
    const channel = channelSets.get(channelSet[row])[asked.chIndex];
    if (channel === undefined || !plan.isInSubBand(asked.frequencyHz)) return;
    const moved = { ...channel, rx1Hz: asked.frequencyHz };
    channelSet[row] = channelSets.with(channelSet[row], asked.chIndex, moved);
  },
} satisfies Partial<CommandHandlers>;

/** Whether a device of the region can take a channel, or let go of it. */
function isPossibleChannel(
  plan: ServerSide['plan'],
  { chIndex, frequencyHz, minDr, maxDr }: NewChannelReq,
): boolean {
  if (plan.isFixed || chIndex >= plan.region.maxUplinkChannels) return false;
  const usual = plan.defaults[chIndex];
  if (usual !== undefined) return usual.frequencyHz === frequencyHz;
  if (frequencyHz === 0) return true;
  const isRange =
    minDr <= maxDr && plan.isUplinkModulation(minDr) && plan.isUplinkModulation(maxDr);
  return isRange && plan.isInSubBand(frequencyHz);
}
