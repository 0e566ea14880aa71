/**
 * Device and gateway management against a reference model that is written from its document alone:
 * three subscribers of one network, with whatever they ask for in whatever order.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { SEED } from '../support/driving.ts';
import { someRuns } from '../support/long.ts';
import { carryOut, type Step, steps } from '../support/management-commands.ts';
import { allReported, audit } from '../support/management-laws.ts';
import { Managed } from '../support/management-world.ts';

function drive(commands: readonly Step[]): Managed {
  const driven = new Managed();
  audit(driven);
  for (const step of commands) {
    carryOut(driven, step);
    audit(driven);
  }
  return driven;
}

describe('those who manage devices of one network', () => {
  it('are answered and refused as the document says, whatever they do', () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 60, size: 'max' }), (commands) => {
        const { world, log, plan } = drive(commands);
        // It was never asked for anything.
        const again = World.replay(plan, SEED, log);
        again.runUntil(world.nowUs);
        expect(again.digest()).toEqual(world.digest());
        expect(allReported(again)).toBe(allReported(world));
        expect(again.toBytes()).toEqual(world.toBytes());
      }),
      { numRuns: someRuns(10, 4) },
    );
  });
});
