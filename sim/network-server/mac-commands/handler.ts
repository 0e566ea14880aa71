/** The form of the server's rules for one MAC command (LoRaWAN 1.0.4 §5). */
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
export type Handler = (side: ServerSide, row: number, command: UplinkCommand) => void;
