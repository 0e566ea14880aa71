/**
 * MAC commands on the network's side: each command of an uplink goes to its handler (LoRaWAN 1.0.4
 * and 1.1 §5; the table is `handlers.ts`).
 */
import { endOfCommand, STICKY_ANSWERS, UPLINK_COMMAND_BYTES } from '../../lorawan/mac-commands.ts';
import type { UplinkContext } from '../downlink.ts';
import type { ServerSide } from '../server-side.ts';
import { HANDLERS } from './handlers.ts';

/**
 * Takes in `length` bytes of commands; an unknown identifier or a truncated command ends it. True
 * when there was a sticky answer, which the device repeats until it hears a downlink.
 */
export function takeCommands(
  side: ServerSide,
  row: number,
  bytes: Uint8Array,
  from: number,
  length: number,
  uplink: UplinkContext,
): boolean {
  const end = from + length;
  let sticky = false;
  for (let at = from; at < end; ) {
    const next = endOfCommand(UPLINK_COMMAND_BYTES, bytes, at, end);
    if (next < 0) break;
    const cid = bytes[at]!;
    const request = side.requests.answered(row, cid);
    HANDLERS[cid]?.(side, row, { bytes, at, request, uplink });
    sticky ||= STICKY_ANSWERS.has(cid);
    at = next;
  }
  return sticky;
}
