/** RXTimingSetupReq: the delay of RX1 (LoRaWAN 1.0.4 §5.7). */
import { RXTimingSetupAns, RXTimingSetupReq } from '../../lorawan/mac-commands.ts';
import type { DeviceSide } from '../device-side.ts';
import type { Run } from './handler.ts';
import { say } from './queue.ts';

/** 0 means 1 s. */
export function obeyRxTimingSetup(
  { devices }: DeviceSide,
  device: number,
  { bytes }: Run,
  at: number,
): void {
  devices.column.rx1DelayS[device] = Math.max(1, RXTimingSetupReq.value.delay(bytes, at));
  say(devices, device, RXTimingSetupAns.encode({}));
}
