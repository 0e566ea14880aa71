/** The form of a device's handler of one MAC command (LoRaWAN 1.0.4 §5). */
import type { downlinkCommands } from '../../lorawan/mac-commands.ts';
import type { DeviceSide } from '../device-side.ts';

/** The commands of one downlink while they are carried out. */
export interface CommandCursor {
  readonly bytes: Uint8Array;
  /** One past the last byte. */
  readonly end: number;
  /** Where the next command begins. A handler that takes in several of them moves it on. */
  next: number;
}

/** Carries out the command whose CID stands at `at`; all its bytes are there. */
export type CommandHandler = (
  side: DeviceSide,
  device: number,
  cursor: CommandCursor,
  at: number,
) => void;

/** A handler for every command that a downlink may carry. */
export type CommandHandlers = Readonly<Record<keyof typeof downlinkCommands, CommandHandler>>;
