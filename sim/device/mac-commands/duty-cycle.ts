/** DutyCycleReq: a limit over all sub-bands (LoRaWAN 1.0.4 §5.3). */
import { DutyCycleAns, DutyCycleReq } from '../../lorawan/mac-commands.ts';
import type { DeviceRoom } from '../device-room.ts';
import type { Run } from './handler.ts';
import { say } from './queue.ts';

/** At most 1/2^MaxDutyCycle of the time on air; 0 is no limit. */
export function obeyDutyCycle(room: DeviceRoom, device: number, { bytes }: Run, at: number): void {
  room.devices.column.maxDutyCycle[device] = DutyCycleReq.value.maxDutyCycle(bytes, at);
  say(room.devices, device, DutyCycleAns.encode({}));
}
