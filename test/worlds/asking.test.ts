/** Asking in mid-session: a result has all that happened by then, settled by an event or not. */
import { expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { classBCampaign } from '../support/class-b-world.ts';
import { MINUTE_US, SECOND_US } from '../support/small-network.ts';

it('a result in mid-session is that of a world whose devices were all settled before', () => {
  // Devices lose a part of the fragments; between their uplinks no event settles them.
  const type = { deviceClass: 'B', frameLossPpm: 300_000 } as const;
  const { trace } = classBCampaign({ devices: 4, type });
  const fromUs = trace.of('multicastDecided')[0]!.atUs;
  const at = (atUs: number): World => {
    const world = World.create(trace.world.plan, 'small');
    world.runUntil(atUs);
    return world;
  };
  for (let atUs = fromUs; atUs < fromUs + MINUTE_US; atUs += 10 * SECOND_US) {
    const settled = at(atUs);
    settled.digest();
    expect(at(atUs).result()).toEqual(settled.result());
  }
});
