/** What a device has refused, stored as bits. */
import { expect, it } from 'vitest';
import { Cid } from '../../sim/lorawan/mac-commands.ts';
import { type Refusable, refusalBit } from '../../sim/network-server/refusable.ts';

it('a refusal has a bit of its own, and a command without stored refusals has no bit', () => {
  const stored: readonly Refusable[] = [
    Cid.linkAdr,
    Cid.dutyCycle,
    Cid.rxParamSetup,
    Cid.newChannel,
    Cid.txParamSetup,
  ];
  expect(new Set(stored.map(refusalBit)).size).toBe(stored.length);
  // A proprietary command, 0x80, shares its low five bits with none of them.
  for (const cid of [0x80, 0x83, 0x25]) {
    expect(() => refusalBit(cid as Refusable)).toThrow('a refusal is stored');
  }
});
