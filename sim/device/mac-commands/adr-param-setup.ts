/** ADRParamSetupReq: when the device backs off (LoRaWAN 1.1 §5.12). */
import { ADRParamSetupAns, ADRParamSetupReq } from '../../lorawan/mac-commands.ts';
import type { DeviceSide } from '../device-side.ts';
import type { Run } from './handler.ts';
import { say } from './queue.ts';

/** ADR_ACK_LIMIT becomes 2^Limit_exp, ADR_ACK_DELAY 2^Delay_exp. */
export function obeyAdrParamSetup(
  { devices }: DeviceSide,
  device: number,
  { bytes }: Run,
  at: number,
): void {
  const c = devices.column;
  c.adrAckLimitExp[device] = ADRParamSetupReq.value.limitExp(bytes, at);
  c.adrAckDelayExp[device] = ADRParamSetupReq.value.delayExp(bytes, at);
  say(devices, device, ADRParamSetupAns.encode({}));
}
