/**
 * The firmware update service against a reference model that is written from its document alone:
 * three subscribers on one network, with whatever they ask for in whatever order.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { SEED } from '../support/driving.ts';
import { someRuns } from '../support/long.ts';
import { carryOut, type Step, steps } from '../support/service-commands.ts';
import { audit } from '../support/service-laws.ts';
import { Driven } from '../support/service-world.ts';

function drive(commands: readonly Step[]): Driven {
  const driven = new Driven();
  audit(driven);
  for (const step of commands) {
    carryOut(driven, step);
    audit(driven);
  }
  return driven;
}

describe('three subscribers of one network', () => {
  it('are answered and refused as the document says, whatever they do', () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 60, size: 'max' }), (commands) => {
        const { world, log, plan } = drive(commands);
        const again = World.replay(plan, SEED, log);
        again.runUntil(world.nowUs);
        expect(again.digest()).toEqual(world.digest());
      }),
      { numRuns: someRuns(12, 2) },
    );
  });
});
