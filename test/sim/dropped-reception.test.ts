/** A device that is gone, or has no power any more, leaves nothing of its reception behind. */
import { expect, it } from 'vitest';
import { dropReceptionState } from '../../sim/device/multicast-session.ts';
import { settle } from '../../sim/device/multicast-settling.ts';
import { NONE } from '../../sim/kernel/columns.ts';
import { Injector } from '../support/injector.ts';
import { networkOf, SECOND_US } from '../support/small-network.ts';

it('what a device claimed of its radio goes with it, and what another one claimed stays', () => {
  const injector = new Injector(networkOf({ devices: 2, type: { deviceClass: 'C' } }));
  injector.runUntil(SECOND_US);
  const side = injector.network.sides.device;
  const { endedClaims } = side.multicast;
  for (const device of [0, 1]) endedClaims.set(device, []);
  settle(side, 0, SECOND_US);
  dropReceptionState(side, 0, SECOND_US);
  expect([...endedClaims.keys()]).toEqual([1]);
  const c = side.column;
  expect([c.mcGroups[0], c.fragSessions[0], c.outgoingInHand[0]]).toEqual([NONE, NONE, NONE]);
});
