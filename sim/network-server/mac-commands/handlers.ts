/** MAC commands of an uplink on the server's side (LoRaWAN 1.0.4 and 1.1 §5). */
import { assert } from '../../base/assert.ts';
import {
  endOfCommand,
  handlersByCid,
  STICKY_ANSWERS,
  UPLINK_COMMAND_BYTES,
  uplinkCommands,
} from '../../lorawan/mac-commands.ts';
import type { UplinkContext } from '../downlink.ts';
import type { ServerSide } from '../server-side.ts';
import { channelCommands } from './channels.ts';
import { classBCommands } from './class-b.ts';
import type { CommandHandlers } from './command-handler.ts';
import { linkAdrCommands } from './link-adr.ts';
import { lorawan11Commands } from './lorawan-11.ts';
import { statusAndTimeCommands } from './status-and-time.ts';
import { windowAndLimitCommands } from './windows-and-limits.ts';

/** All of them: the compiler asks for a handler of each command in `uplinkCommands`. */
const HANDLERS: CommandHandlers = {
  ...linkAdrCommands,
  ...channelCommands,
  ...windowAndLimitCommands,
  ...statusAndTimeCommands,
  ...classBCommands,
  ...lorawan11Commands,
};
const BY_CID = handlersByCid(uplinkCommands, HANDLERS);

/**
 * Takes in `length` bytes of commands; an unknown identifier or a command that is cut short ends it
 * (LoRaWAN 1.0.4 §5). Returns true when there was a sticky answer, which the device repeats until a
 * downlink reaches it.
 */
export function handleMacCommands(
  side: ServerSide,
  row: number,
  bytes: Uint8Array,
  from: number,
  length: number,
  uplink: UplinkContext,
): boolean {
  const end = from + length;
  assert(from >= 0 && end <= bytes.length, 'a run of MAC commands lies within its frame');
  let sticky = false;
  for (let at = from; at < end; ) {
    const next = endOfCommand(UPLINK_COMMAND_BYTES, bytes, at, end);
    if (next < 0) break;
    const cid = bytes[at]!;
    const request = side.requests.takeAnswered(row, cid);
    BY_CID[cid]?.(side, row, { bytes, at, request, uplink });
    sticky ||= STICKY_ANSWERS.has(cid);
    at = next;
  }
  return sticky;
}
