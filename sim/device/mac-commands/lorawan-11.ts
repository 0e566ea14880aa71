/** Commands of LoRaWAN 1.1: confirmations, ForceRejoinReq, RejoinParamSetupReq (1.1 §5). */
import { SECOND_US } from '../../base/units.ts';
import {
  Cid,
  ForceRejoinReq,
  RejoinParamSetupAns,
  RejoinParamSetupReq,
} from '../../lorawan/mac-commands.ts';
import type { DeviceSide } from '../device-side.ts';
import { forceRejoin, rejoinEvery } from '../rejoin.ts';
import type { CommandCursor, CommandHandlers } from './command-handler.ts';
import { confirmIndication, queueCommand } from './queue.ts';

export const lorawan11Commands = {
  ResetConf({ devices }: DeviceSide, device: number) {
    confirmIndication(devices, device, Cid.reset);
  },

  RekeyConf({ devices }: DeviceSide, device: number) {
    confirmIndication(devices, device, Cid.rekey);
    if (devices.table.has('keys11')) devices.column.rekeyWaits[device] = 0;
  },

  DeviceModeConf({ devices }: DeviceSide, device: number) {
    confirmIndication(devices, device, Cid.deviceMode);
  },

  /** Types 0 and 1 call for a request of type 0, type 2 for one of type 2; others are not known. */
  ForceRejoinReq(side: DeviceSide, device: number, { bytes }: CommandCursor, at: number) {
    if (side.column.minor[device] === 0) return;
    const { rejoinType, period, maxRetries, dataRate } = ForceRejoinReq.value;
    const type = rejoinType(bytes, at);
    if (type > 2) return;
    forceRejoin(side, device, {
      type: type === 2 ? 2 : 0,
      period: period(bytes, at),
      maxRetries: maxRetries(bytes, at),
      dataRate: dataRate(bytes, at),
    });
  },

  /** A rejoin request of type 0 every 2^(MaxCountN + 4) uplinks, or 2^(MaxTimeN + 10) s. */
  RejoinParamSetupReq(side: DeviceSide, device: number, { bytes }: CommandCursor, at: number) {
    const { maxCountN, maxTimeN } = RejoinParamSetupReq.value;
    const us = SECOND_US * 1024 * (1 << maxTimeN(bytes, at));
    rejoinEvery(side, device, 1 << (maxCountN(bytes, at) + 4), us);
    queueCommand(side.devices, device, RejoinParamSetupAns.encode({ timeOk: true }));
  },
} satisfies Partial<CommandHandlers>;
