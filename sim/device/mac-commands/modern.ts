/** Commands of LoRaWAN 1.1: confirmations, ForceRejoinReq, RejoinParamSetupReq (1.1 §5). */
import { SECOND_US } from '../../base/units.ts';
import {
  Cid,
  ForceRejoinReq,
  RejoinParamSetupAns,
  RejoinParamSetupReq,
} from '../../lorawan/mac-commands.ts';
import type { DeviceSide } from '../device-side.ts';
import { forceRejoin } from '../rejoin.ts';
import type { Run } from './handler.ts';
import { confirm, say } from './queue.ts';

/** ResetConf, RekeyConf, DeviceModeConf: the indication is said no more. */
export function takeConfirmation(
  { devices }: DeviceSide,
  device: number,
  { bytes }: Run,
  at: number,
): void {
  const cid = bytes[at]!;
  confirm(devices, device, cid);
  if (cid === Cid.rekey) devices.column.rekeyWaits[device] = 0;
}

/** Types 0 and 1 call for a request of type 0, type 2 for one of type 2; others are not known. */
export function obeyForceRejoin(
  side: DeviceSide,
  device: number,
  { bytes }: Run,
  at: number,
): void {
  const c = side.devices.column;
  if (c.minor[device] === 0) return;
  const { rejoinType, period, maxRetries, dataRate } = ForceRejoinReq.value;
  const type = rejoinType(bytes, at);
  if (type > 2) return;
  forceRejoin(side, device, {
    type: type === 2 ? 2 : 0,
    period: period(bytes, at),
    maxRetries: maxRetries(bytes, at),
    dataRate: dataRate(bytes, at),
  });
}

/** A rejoin request of type 0 every 2^(MaxCountN + 4) uplinks, or 2^(MaxTimeN + 10) s. */
export function obeyRejoinParamSetup(
  { devices, agenda }: DeviceSide,
  device: number,
  { bytes }: Run,
  at: number,
): void {
  const c = devices.column;
  const { maxCountN, maxTimeN } = RejoinParamSetupReq.value;
  c.rejoinEveryUplinks[device] = 1 << (maxCountN(bytes, at) + 4);
  c.rejoinEveryUs[device] = SECOND_US * 1024 * (1 << maxTimeN(bytes, at));
  c.rejoinedAtFCnt[device] = c.fCntUp[device];
  c.rejoinedAtUs[device] = agenda.nowUs;
  say(devices, device, RejoinParamSetupAns.encode({ timeOk: true }));
}
