/** MAC commands of class B on the server's side (LoRaWAN 1.0.4 §12). */
import { PING_SLOT_US } from '../../lorawan/class-b.ts';
import {
  BeaconTimingAns,
  PingSlotChannelAns,
  PingSlotChannelReq,
  PingSlotInfoAns,
  PingSlotInfoReq,
} from '../../lorawan/mac-commands.ts';
import type { ServerSide } from '../server-side.ts';
import { acknowledged, type CommandHandlers, type UplinkCommand } from './command-handler.ts';

export const classBCommands = {
  /** The device says its ping slots, and may use them once it hears the answer. */
  PingSlotInfoReq({ classB, requests }: ServerSide, row: number, { bytes, at }: UplinkCommand) {
    classB.add(row);
    const { slotsKnown, periodicity } = classB.column;
    slotsKnown[row] = 1;
    periodicity[row] = PingSlotInfoReq.value.periodicity(bytes, at);
    requests.send(row, PingSlotInfoAns.encode({}));
  },

  /** What was asked is the channel of the device's ping slots from now on, or nothing of it. */
  PingSlotChannelAns(
    { plan, classB }: ServerSide,
    row: number,
    { bytes, at, request }: UplinkCommand,
  ) {
    const { dataRateOk, channelFrequencyOk } = PingSlotChannelAns.value;
    if (request === undefined || !dataRateOk(bytes, at) || !channelFrequencyOk(bytes, at)) return;
    classB.add(row);
    const { frequencyHz, dataRate } = classB.column;
    const askedHz = PingSlotChannelReq.value.frequencyHz(request, 0);
    const askedRate = PingSlotChannelReq.value.dataRate(request, 0);
    // The answer may be that to an earlier request.
    if (askedHz !== 0 && !plan.isInSubBand(askedHz)) return;
    if ((plan.spreadingFactor[askedRate] ?? 0) === 0) return;
    frequencyHz[row] = askedHz;
    dataRate[row] = askedRate;
  },

  /** Deprecated: answers with the time from the end of the uplink to the next beacon. */
  BeaconTimingReq({ beacons, plan, requests }: ServerSide, row: number, { uplink }: UplinkCommand) {
    const number = beacons.after(uplink.endedAtUs);
    const delay = Math.floor((beacons.startUs(number) - uplink.endedAtUs) / PING_SLOT_US);
    const channel = plan.region.beacon.frequenciesHz.indexOf(beacons.frequencyHz(number));
    requests.sendInstead(row, BeaconTimingAns.encode({ delay, channel }));
  },

  BeaconFreqAns: acknowledged,
} satisfies Partial<CommandHandlers>;
