/** How devices of generated worlds send and how they fail in updates (fast-check). */
import * as fc from 'fast-check';
import { SECOND_US } from '../../../sim/base/units.ts';
import type { FailurePlan } from '../../../sim/plan/failure-plan.ts';
import { LASTING, type ProcessParts } from './arbitrary-traffic.ts';

const HALF = 500_000;
const ALL = 1_000_000;

const FLASH: FailurePlan = { model: 'flashWrite', sharePpm: HALF, atPpm: 300_000 };
const FULL: FailurePlan = { model: 'noMemory', sharePpm: HALF, times: 1 };
const REBOOT: FailurePlan = { model: 'reboot', sharePpm: ALL, afterUs: 8 * SECOND_US };
const UNSIGNED: FailurePlan = { model: 'badSignature', sharePpm: HALF };
const FOREIGN: FailurePlan = { model: 'wrongHardware', sharePpm: HALF };

/** Models of types, by the place of the type's process among those that last. */
const BY_PLACE: ReadonlyMap<number, readonly FailurePlan[]> = new Map([
  [2, [FLASH]],
  [7, [FULL, { ...FLASH, atPpm: 0, times: 1 }]],
  [11, [REBOOT]],
  [
    16,
    [
      { ...REBOOT, times: 1 },
      { ...FLASH, times: 2 },
    ],
  ],
  [21, [UNSIGNED, { ...FOREIGN, times: 1 }]],
]);

/** How a type sends, and how it fails; most types do not. */
export interface Conduct {
  readonly process: ProcessParts;
  readonly failures: readonly FailurePlan[];
}

/** It is one draw, so that what is new here shifts no other draw of a world. */
export const conducts: fc.Arbitrary<Conduct> = fc.constantFrom(
  ...LASTING.map((process, place) => ({ process, failures: BY_PLACE.get(place) ?? [] })),
);

/** The same as a scenario file writes them. */
export const failureKnobs: fc.Arbitrary<readonly Readonly<Record<string, unknown>>[]> =
  fc.constantFrom<readonly Readonly<Record<string, unknown>>[]>(
    [{ model: 'flashWrite' }],
    [{ model: 'flashWrite', share: '20 %', times: 1, at: '80 %' }, { model: 'noMemory' }],
    [{ model: 'reboot', after: '1 min' }],
    [
      { model: 'badSignature', share: '50 %' },
      { model: 'wrongHardware', times: 3 },
    ],
  );
