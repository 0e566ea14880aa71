/**
 * MAC commands on the device's side: each command of a downlink goes to its handler (LoRaWAN 1.0.4
 * and 1.1 §5; the table is `handlers.ts`).
 */
import { DOWNLINK_COMMAND_BYTES, endOfCommand } from '../../lorawan/mac-commands.ts';
import type { DeviceSide } from '../device-side.ts';
import type { Run } from './handler.ts';
import { HANDLERS } from './handlers.ts';

/**
 * Carries out `length` bytes of commands in order; an unknown identifier or a truncated command
 * ends it (LoRaWAN 1.0.4 §5).
 */
export function obey(
  side: DeviceSide,
  device: number,
  bytes: Uint8Array,
  from: number,
  length: number,
): void {
  const run: Run = { bytes, end: from + length, next: from };
  while (run.next < run.end) {
    const at = run.next;
    const next = endOfCommand(DOWNLINK_COMMAND_BYTES, bytes, at, run.end);
    if (next < 0) return;
    run.next = next;
    HANDLERS[bytes[at]!]?.(side, device, run, at);
  }
}
