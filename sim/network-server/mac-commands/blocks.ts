/** Runs of commands to a device, cut into what is asked and answered as one. */
import {
  ANSWERED_REQUESTS,
  Cid,
  DOWNLINK_COMMAND_BYTES,
  endOfCommand,
} from '../../lorawan/mac-commands.ts';
import { REQUEST_BYTES } from './requests.ts';

/** Whether a device answers a command of the network. */
export const isAnswered = (cid: number): boolean => ANSWERED_REQUESTS.has(cid);

/** The blocks: consecutive LinkADRReqs are one. Empty when the run is not whole commands. */
export function blocksOf(commands: Uint8Array): readonly Uint8Array[] {
  const blocks: Uint8Array[] = [];
  for (let from = 0; from < commands.length; ) {
    let end = endOfCommand(DOWNLINK_COMMAND_BYTES, commands, from, commands.length);
    if (end < 0) return [];
    while (commands[from] === Cid.linkAdr && commands[end] === Cid.linkAdr) {
      const next = endOfCommand(DOWNLINK_COMMAND_BYTES, commands, end, commands.length);
      if (next < 0 || next - from > REQUEST_BYTES) break;
      end = next;
    }
    blocks.push(commands.slice(from, end));
    from = end;
  }
  return blocks;
}
