/** What devices answer to requests about their region (LoRaWAN 1.0.4 §5.3–5.8). */

import {
  Cid,
  DlChannelAns,
  DlChannelReq,
  DutyCycleReq,
  NewChannelAns,
  NewChannelReq,
  RXParamSetupAns,
  RXParamSetupReq,
  TxParamSetupReq,
} from '../../lorawan/mac-commands.ts';
import { MAX_EIRP_DBM } from '../../lorawan/region.ts';
import { MASK_WORDS } from '../../spectrum/channel-set.ts';
import { type Refusable, refusalBit } from '../refusable.ts';
import type { ServerSide } from '../server-side.ts';
import type { UplinkCommand } from './handler.ts';

interface NewChannelRequest {
  readonly chIndex: number;
  readonly frequencyHz: number;
  readonly minDr: number;
  readonly maxDr: number;
}

/*
 * An answer names no request: one that is repeated may meet a later request, which the device would
 * refuse. So the server believes only what the region allows.
 */

/** A request that a device refuses is not made again in the session. */
export function noteRefusal({ registrations }: ServerSide, row: number, cid: Refusable): void {
  registrations.column.refusedCommands[row] |= refusalBit(cid);
}

export function takeNewChannelAns(
  side: ServerSide,
  row: number,
  { request, bytes, at }: UplinkCommand,
): void {
  const { plan, registrations, channelSets } = side;
  const asked = request && NewChannelReq.readAt(request, 0, request.length)?.payload;
  if (asked === undefined) return;
  const { dataRateRangeOk, channelFrequencyOk } = NewChannelAns.value;
  const isAcked = dataRateRangeOk(bytes, at) && channelFrequencyOk(bytes, at);
  const isTaken = isAcked && isPossibleChannel(plan, asked);
  if (!isTaken) return noteRefusal(side, row, Cid.newChannel);
  const { chIndex, frequencyHz, minDr, maxDr } = asked;
  const r = registrations.column;
  // Frequency 0 takes the channel away.
  const channel = frequencyHz === 0 ? undefined : plan.newChannel(frequencyHz, minDr, maxDr);
  r.channelSet[row] = channelSets.with(r.channelSet[row], chIndex, channel);
  const word = row * MASK_WORDS + (chIndex >> 5);
  if (channel === undefined) r.channelMask[word] &= ~(1 << (chIndex & 31));
  else r.channelMask[word] |= 1 << (chIndex & 31);
}

/** Whether a device of the region can take a channel, or let go of it. */
function isPossibleChannel(
  plan: ServerSide['plan'],
  { chIndex, frequencyHz, minDr, maxDr }: NewChannelRequest,
): boolean {
  if (plan.isFixed || chIndex >= plan.region.maxUplinkChannels) return false;
  const usual = plan.defaults[chIndex];
  if (usual !== undefined) return usual.frequencyHz === frequencyHz;
  if (frequencyHz === 0) return true;
  const isRange =
    minDr <= maxDr && plan.isUplinkModulation(minDr) && plan.isUplinkModulation(maxDr);
  return isRange && plan.isInSubBand(frequencyHz);
}

/** RX1 after uplinks on the channel is where it was asked to be, if the device took all of it. */
export function takeDlChannelAns(
  { plan, registrations, channelSets }: ServerSide,
  row: number,
  { request, bytes, at }: UplinkCommand,
): void {
  const asked = request && DlChannelReq.readAt(request, 0, request.length)?.payload;
  const { uplinkFrequencyExists, channelFrequencyOk } = DlChannelAns.value;
  if (asked === undefined) return;
  if (!uplinkFrequencyExists(bytes, at) || !channelFrequencyOk(bytes, at)) return;
  const { channelSet } = registrations.column;
  const channel = channelSets.get(channelSet[row])[asked.chIndex];
  if (channel === undefined || !plan.isInSubBand(asked.frequencyHz)) return;
  const moved = { ...channel, rx1Hz: asked.frequencyHz };
  channelSet[row] = channelSets.with(channelSet[row], asked.chIndex, moved);
}

export function takeRxParamSetupAns(
  side: ServerSide,
  row: number,
  { request, bytes, at }: UplinkCommand,
): void {
  const asked = request && RXParamSetupReq.readAt(request, 0, request.length)?.payload;
  if (asked === undefined) return;
  const { plan } = side;
  const isPossible =
    plan.isRx1DrOffset(asked.rx1DrOffset) &&
    plan.isDownlinkDataRate(asked.rx2DataRate) &&
    plan.isDownlinkFrequency(asked.frequencyHz);
  const { rx1DrOffsetAck, rx2DataRateAck, channelAck } = RXParamSetupAns.value;
  const isAcked = rx1DrOffsetAck(bytes, at) && rx2DataRateAck(bytes, at) && channelAck(bytes, at);
  const isTaken = isAcked && isPossible;
  if (!isTaken) return noteRefusal(side, row, Cid.rxParamSetup);
  const r = side.registrations.column;
  r.rx1DrOffset[row] = asked.rx1DrOffset;
  r.rx2DataRate[row] = asked.rx2DataRate;
  r.rx2FrequencyHz[row] = asked.frequencyHz;
}

export function takeTxParamSetupAns(
  side: ServerSide,
  row: number,
  { request }: UplinkCommand,
): void {
  const asked = request && TxParamSetupReq.readAt(request, 0, request.length)?.payload;
  if (asked === undefined) return;
  const r = side.registrations.column;
  r.uplinkDwell[row] = asked.uplinkDwellTime ? 1 : 0;
  r.downlinkDwell[row] = asked.downlinkDwellTime ? 1 : 0;
  r.maxEirpDbm[row] = MAX_EIRP_DBM[asked.maxEirp]!;
}

export function takeDutyCycleAns(side: ServerSide, row: number, { request }: UplinkCommand): void {
  const asked = request && DutyCycleReq.readAt(request, 0, request.length)?.payload;
  if (asked !== undefined) side.registrations.column.maxDutyCycle[row] = asked.maxDutyCycle;
}
