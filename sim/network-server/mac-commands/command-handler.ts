/** The form of the server's handler of one MAC command (LoRaWAN 1.0.4 §5). */
import type { uplinkCommands } from '../../lorawan/mac-commands.ts';
import type { UplinkContext } from '../downlink.ts';
import type { ServerSide } from '../server-side.ts';

/** A command of an uplink. */
export interface UplinkCommand {
  readonly bytes: Uint8Array;
  /** Where its identifier stands; all its bytes are there. */
  readonly at: number;
  /** The request that it answers, a block of commands; undefined when none was sent. */
  readonly request: Uint8Array | undefined;
  readonly uplink: UplinkContext;
}

/** Takes in a command of the device with this row. */
export type CommandHandler = (side: ServerSide, row: number, command: UplinkCommand) => void;

/** A handler for every command that an uplink may carry. */
export type CommandHandlers = Readonly<Record<keyof typeof uplinkCommands, CommandHandler>>;

/** The handler of an answer from which the server learns no more than that it came. */
export const acknowledged: CommandHandler = () => {};
