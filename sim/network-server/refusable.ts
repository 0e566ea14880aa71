/** Requests that the server does not make again in a session once a device has refused them. */
import { assert } from '../base/assert.ts';
import { Cid } from '../lorawan/mac-commands.ts';

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
  assert(place >= 0, 'a refusal is kept of the commands listed');
  return 1 << place;
}
