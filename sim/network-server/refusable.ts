/** Requests that the server does not make again in a session once a device has refused them. */
import { assert } from '../base/assert.ts';
import { Cid } from '../lorawan/mac-commands.ts';
import type { Registrations } from './registrations.ts';

const REFUSABLE = [
  Cid.linkAdr,
  Cid.dutyCycle,
  Cid.rxParamSetup,
  Cid.newChannel,
  Cid.txParamSetup,
] as const;
export type Refusable = (typeof REFUSABLE)[number];

/** By place in the list: identifiers go up to 0xff and would not fit the bits of a number. */
export function refusalBit(cid: Refusable): number {
  const place = REFUSABLE.indexOf(cid);
  assert(place >= 0, 'a refusal is stored of the commands listed');
  return 1 << place;
}

/** A request that a device refuses is not made again in the session. */
export function noteRefusal({ column }: Registrations, row: number, cid: Refusable): void {
  column.refusedCommands[row] |= refusalBit(cid);
}

/** Whether the device has refused a request of this kind in its session. */
export const hasRefused = ({ column }: Registrations, row: number, cid: Refusable): boolean =>
  (column.refusedCommands[row] & refusalBit(cid)) !== 0;
