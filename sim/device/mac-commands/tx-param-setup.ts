/** TxParamSetupReq: dwell time limits and the highest EIRP (LoRaWAN 1.0.4 §5.8). */
import { TxParamSetupAns, TxParamSetupReq } from '../../lorawan/mac-commands.ts';
import { MAX_EIRP_DBM } from '../../lorawan/region.ts';
import type { DeviceSide } from '../device-side.ts';
import type { Run } from './handler.ts';
import { say } from './queue.ts';

/** Devices of regions without it drop it silently. */
export function obeyTxParamSetup(
  side: DeviceSide,
  device: number,
  { bytes, next }: Run,
  at: number,
): void {
  const { devices, plan } = side;
  if (!plan.region.txParamSetup) return;
  const request = TxParamSetupReq.readAt(bytes, at, next)!.payload;
  const c = devices.column;
  const { uplinkDwellTime, downlinkDwellTime, maxEirp } = request;
  c.uplinkDwell[device] = uplinkDwellTime ? 1 : 0;
  c.downlinkDwell[device] = downlinkDwellTime ? 1 : 0;
  c.maxEirpCentiDbm[device] = 100 * MAX_EIRP_DBM[maxEirp]!;
  c.dataRate[device] = Math.max(c.dataRate[device], plan.slowest(uplinkDwellTime));
  say(devices, device, TxParamSetupAns.encode({}));
}
