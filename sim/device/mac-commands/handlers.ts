/** MAC commands of a downlink on the device's side (LoRaWAN 1.0.4 and 1.1 §5). */
import { assert } from '../../base/assert.ts';
import {
  DOWNLINK_COMMAND_BYTES,
  downlinkCommands,
  endOfCommand,
  handlersByCid,
} from '../../lorawan/mac-commands.ts';
import type { DeviceSide } from '../device-side.ts';
import { channelCommands } from './channels.ts';
import { classBCommands } from './class-b.ts';
import type { CommandCursor, CommandHandlers } from './command-handler.ts';
import { linkAdrCommands } from './link-adr.ts';
import { lorawan11Commands } from './lorawan-11.ts';
import { statusAndTimeCommands } from './status-and-time.ts';
import { windowAndLimitCommands } from './windows-and-limits.ts';

/** All of them: the compiler asks for a handler of each command in `downlinkCommands`. */
const HANDLERS: CommandHandlers = {
  ...linkAdrCommands,
  ...channelCommands,
  ...windowAndLimitCommands,
  ...statusAndTimeCommands,
  ...classBCommands,
  ...lorawan11Commands,
};
const BY_CID = handlersByCid(downlinkCommands, HANDLERS);

/**
 * Carries out `length` bytes of commands in their order; an unknown identifier or a command that is
 * cut short ends it (LoRaWAN 1.0.4 §5). The device is settled before.
 */
export function handleMacCommands(
  side: DeviceSide,
  device: number,
  bytes: Uint8Array,
  from: number,
  length: number,
): void {
  const cursor: CommandCursor = { bytes, end: from + length, next: from };
  assert(from >= 0 && cursor.end <= bytes.length, 'a run of MAC commands lies within its frame');
  while (cursor.next < cursor.end) {
    const at = cursor.next;
    const next = endOfCommand(DOWNLINK_COMMAND_BYTES, bytes, at, cursor.end);
    if (next < 0) return;
    cursor.next = next;
    BY_CID[bytes[at]!]?.(side, device, cursor, at);
  }
}
