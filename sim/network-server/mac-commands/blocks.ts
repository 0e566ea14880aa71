/** Runs of commands to a device, cut into what is asked and answered as one. */
import {
  Cid,
  DOWNLINK_COMMAND_BYTES,
  endOfCommand,
  UPLINK_COMMAND_BYTES,
} from '../../lorawan/mac-commands.ts';
import { REQUEST_BYTES } from './requests.ts';

/** What the network says in answer to a device, or without wanting an answer. */
const UNANSWERED: ReadonlySet<number> = new Set([
  Cid.reset,
  Cid.linkCheck,
  Cid.rekey,
  Cid.deviceTime,
  Cid.forceRejoin,
  Cid.pingSlotInfo,
  Cid.beaconTiming,
  Cid.deviceMode,
]);

/** Whether a device answers a command of the network. */
export const isAnswered = (cid: number): boolean =>
  UPLINK_COMMAND_BYTES[cid]! > 0 && !UNANSWERED.has(cid);

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
