/** DutyCycleReq: a limit over all sub-bands (LoRaWAN 1.0.4 §5.3). */
import { DutyCycleAns, DutyCycleReq } from '../../lorawan/mac-commands.ts';
import type { DeviceSide } from '../device-side.ts';
import type { Run } from './handler.ts';
import { say } from './queue.ts';

/** At most 1/2^MaxDutyCycle of the time on air; 0 is no limit. */
export function obeyDutyCycle(side: DeviceSide, device: number, { bytes }: Run, at: number): void {
  side.devices.column.maxDutyCycle[device] = DutyCycleReq.value.maxDutyCycle(bytes, at);
  say(side.devices, device, DutyCycleAns.encode({}));
}
