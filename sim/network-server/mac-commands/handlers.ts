/** Which command of an uplink the server takes in, and by which rules: one row a command. */
import { Cid } from '../../lorawan/mac-commands.ts';
import type { Handler } from './handler.ts';
import { takeLinkAdrAns } from './link-adr.ts';

/** A command without a row is passed over. */
export const HANDLERS: Readonly<Partial<Record<number, Handler>>> = {
  [Cid.linkAdr]: takeLinkAdrAns,
};
