/**
 * What devices answer about receive windows, duty cycle, dwell times and power (LoRaWAN 1.0.4 §5.3,
 * §5.4, §5.7, §5.8).
 */
import {
  Cid,
  DutyCycleReq,
  RXParamSetupAns,
  RXParamSetupReq,
  RXTimingSetupReq,
  TxParamSetupReq,
} from '../../lorawan/mac-commands.ts';
import { MAX_EIRP_DBM } from '../../lorawan/region.ts';
import { noteRefusal } from '../refusable.ts';
import type { ServerSide } from '../server-side.ts';
import type { CommandHandlers, UplinkCommand } from './command-handler.ts';

/** Asks a device whose session has another delay of RX1 than the server wants. */
export function requestRxTiming(
  { settings, registrations, requests }: ServerSide,
  row: number,
): void {
  const { rx1DelayS } = settings;
  if (registrations.column.rx1DelayS[row] === rx1DelayS) return;
  if (requests.isWaiting(row, Cid.rxTimingSetup)) return;
  requests.ask(row, RXTimingSetupReq.encode({ delay: rx1DelayS }));
}

export const windowAndLimitCommands = {
  /** As with channels, the server believes only what the region allows. */
  RXParamSetupAns(
    { plan, registrations }: ServerSide,
    row: number,
    { request, bytes, at }: UplinkCommand,
  ) {
    const asked = request && RXParamSetupReq.readAt(request, 0, request.length)?.payload;
    if (asked === undefined) return;
    const isPossible =
      plan.isRx1DrOffset(asked.rx1DrOffset) &&
      plan.isDownlinkDataRate(asked.rx2DataRate) &&
      plan.isDownlinkFrequency(asked.frequencyHz);
    const { rx1DrOffsetAck, rx2DataRateAck, channelAck } = RXParamSetupAns.value;
    const isAcked = rx1DrOffsetAck(bytes, at) && rx2DataRateAck(bytes, at) && channelAck(bytes, at);
    if (!isAcked || !isPossible) return noteRefusal(registrations, row, Cid.rxParamSetup);
    const r = registrations.column;
    r.rx1DrOffset[row] = asked.rx1DrOffset;
    r.rx2DataRate[row] = asked.rx2DataRate;
    r.rx2FrequencyHz[row] = asked.frequencyHz;
  },

  /** From the uplink that answers on, the device's windows open with the new delay. */
  RXTimingSetupAns({ registrations }: ServerSide, row: number, { request }: UplinkCommand) {
    if (request === undefined) return;
    registrations.column.rx1DelayS[row] = Math.max(1, RXTimingSetupReq.value.delay(request, 0));
  },

  DutyCycleAns({ registrations }: ServerSide, row: number, { request }: UplinkCommand) {
    const asked = request && DutyCycleReq.readAt(request, 0, request.length)?.payload;
    if (asked !== undefined) registrations.column.maxDutyCycle[row] = asked.maxDutyCycle;
  },

  TxParamSetupAns({ registrations }: ServerSide, row: number, { request }: UplinkCommand) {
    const asked = request && TxParamSetupReq.readAt(request, 0, request.length)?.payload;
    if (asked === undefined) return;
    const r = registrations.column;
    r.uplinkDwell[row] = asked.uplinkDwellTime ? 1 : 0;
    r.downlinkDwell[row] = asked.downlinkDwellTime ? 1 : 0;
    r.maxEirpDbm[row] = MAX_EIRP_DBM[asked.maxEirp]!;
  },
} satisfies Partial<CommandHandlers>;
