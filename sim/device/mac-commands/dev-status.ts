/** DevStatusReq: battery and margin (LoRaWAN 1.0.4 §5.5). */
import { Cid } from '../../lorawan/mac-commands.ts';
import type { DeviceRoom } from '../device-room.ts';
import { say } from './queue.ts';

/** Battery level: not able to measure. */
const BATTERY_UNKNOWN = 255;

/** Answers with the margin of the latest frame, held to its six bits. */
export function obeyDevStatus({ devices }: DeviceRoom, device: number): void {
  const margin = Math.max(-32, Math.min(31, devices.column.downlinkMarginDb[device]));
  say(devices, device, Cid.devStatus, [BATTERY_UNKNOWN, margin & 63]);
}
