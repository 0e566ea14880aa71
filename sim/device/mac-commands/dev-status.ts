/** DevStatusReq: battery and margin (LoRaWAN 1.0.4 §5.5). */
import { DevStatusAns } from '../../lorawan/mac-commands.ts';
import type { DeviceSide } from '../device-side.ts';
import { batteryLevel } from '../energy.ts';
import { say } from './queue.ts';

/** Answers with the battery, and the margin of this frame, held to its six bits. */
export function obeyDevStatus(side: DeviceSide, device: number): void {
  const { devices } = side;
  const battery = batteryLevel(side, device, side.agenda.nowUs);
  const margin = Math.max(-32, Math.min(31, devices.column.downlinkMarginDb[device]));
  say(devices, device, DevStatusAns.encode({ battery, margin }));
}
