/**
 * Receive windows, duty cycle, dwell times and power: RXParamSetupReq, RXTimingSetupReq,
 * DutyCycleReq, TxParamSetupReq (LoRaWAN 1.0.4 §5.3, §5.4, §5.7, §5.8).
 */

import {
  DutyCycleAns,
  DutyCycleReq,
  RXParamSetupAns,
  RXParamSetupReq,
  RXTimingSetupAns,
  RXTimingSetupReq,
  TxParamSetupAns,
  TxParamSetupReq,
} from '../../lorawan/mac-commands.ts';
import { MAX_EIRP_DBM } from '../../lorawan/region.ts';
import { listenContinuously } from '../class-c.ts';
import type { DeviceSide } from '../device-side.ts';
import { setUplinkDwell } from '../start-data-rate.ts';
import type { CommandCursor, CommandHandlers } from './command-handler.ts';
import { queueCommand } from './queue.ts';

export const windowAndLimitCommands = {
  /** Offset of RX1, data rate and frequency of RX2: all or nothing, each with a bit of its own. */
  RXParamSetupReq(side: DeviceSide, device: number, { bytes, next }: CommandCursor, at: number) {
    const { devices, plan, agenda } = side;
    const c = devices.column;
    const request = RXParamSetupReq.readAt(bytes, at, next)!.payload;
    const { rx1DrOffset, rx2DataRate, frequencyHz } = request;
    const rx1DrOffsetAck = plan.isRx1DrOffset(rx1DrOffset);
    const rx2DataRateAck = plan.isDownlinkDataRate(rx2DataRate);
    const channelAck = plan.isDownlinkFrequency(frequencyHz);
    if (rx1DrOffsetAck && rx2DataRateAck && channelAck) {
      c.rx1DrOffset[device] = rx1DrOffset;
      c.rx2DataRate[device] = rx2DataRate;
      c.rx2FrequencyHz[device] = frequencyHz;
      listenContinuously(side, device, agenda.nowUs);
    }
    const status = { rx1DrOffsetAck, rx2DataRateAck, channelAck };
    queueCommand(devices, device, RXParamSetupAns.encode(status));
  },

  /** The delay of RX1; 0 means 1 s. */
  RXTimingSetupReq({ devices }: DeviceSide, device: number, { bytes }: CommandCursor, at: number) {
    devices.column.rx1DelayS[device] = Math.max(1, RXTimingSetupReq.value.delay(bytes, at));
    queueCommand(devices, device, RXTimingSetupAns.encode({}));
  },

  /** At most 1/2^MaxDutyCycle of the time on air over all sub-bands; 0 is no limit. */
  DutyCycleReq({ devices }: DeviceSide, device: number, { bytes }: CommandCursor, at: number) {
    devices.column.maxDutyCycle[device] = DutyCycleReq.value.maxDutyCycle(bytes, at);
    queueCommand(devices, device, DutyCycleAns.encode({}));
  },

  /** Dwell times and the highest EIRP; devices of regions without the command drop it silently. */
  TxParamSetupReq(side: DeviceSide, device: number, { bytes, next }: CommandCursor, at: number) {
    const { devices, plan } = side;
    if (!plan.region.txParamSetup) return;
    const request = TxParamSetupReq.readAt(bytes, at, next)!.payload;
    const c = devices.column;
    const { uplinkDwellTime, downlinkDwellTime, maxEirp } = request;
    setUplinkDwell(side, device, uplinkDwellTime);
    c.downlinkDwell[device] = downlinkDwellTime ? 1 : 0;
    c.maxEirpCentiDbm[device] = 100 * MAX_EIRP_DBM[maxEirp]!;
    queueCommand(devices, device, TxParamSetupAns.encode({}));
  },
} satisfies Partial<CommandHandlers>;
