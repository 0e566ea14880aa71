/** Which command of a downlink a device carries out, and by which rules: one row a command. */
import { Cid } from '../../lorawan/mac-commands.ts';
import { obeyDevStatus } from './dev-status.ts';
import type { Handler } from './handler.ts';
import { obeyLinkAdr } from './link-adr.ts';
import { obeyRxTimingSetup } from './rx-timing-setup.ts';

/** A command without a row is passed over. */
export const HANDLERS: Readonly<Partial<Record<number, Handler>>> = {
  [Cid.linkAdr]: obeyLinkAdr,
  [Cid.devStatus]: obeyDevStatus,
  [Cid.rxTimingSetup]: obeyRxTimingSetup,
};
