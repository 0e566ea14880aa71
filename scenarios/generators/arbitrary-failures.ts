/** How devices of generated worlds fail in updates (fast-check). */
import * as fc from 'fast-check';
import { SECOND_US } from '../../sim/base/units.ts';
import type { FailurePlan } from '../../sim/plan/failure-plan.ts';

const HALF = 500_000;
const ALL = 1_000_000;

const NONE: readonly FailurePlan[] = [];
const FLASH: FailurePlan = { model: 'flashWrite', sharePpm: HALF, atPpm: 300_000 };
const FULL: FailurePlan = { model: 'noMemory', sharePpm: HALF, times: 1 };
const REBOOT: FailurePlan = { model: 'reboot', sharePpm: ALL, afterUs: 8 * SECOND_US };
const UNSIGNED: FailurePlan = { model: 'badSignature', sharePpm: HALF };
const FOREIGN: FailurePlan = { model: 'wrongHardware', sharePpm: HALF };

/** Models of a type: one draw, and most types have none. */
export const failures: fc.Arbitrary<readonly FailurePlan[]> = fc.constantFrom(
  ...Array.from({ length: 20 }, () => NONE),
  [FLASH],
  [FULL, { ...FLASH, atPpm: 0, times: 1 }],
  [REBOOT],
  [
    { ...REBOOT, times: 1 },
    { ...FLASH, times: 2 },
  ],
  [UNSIGNED, { ...FOREIGN, times: 1 }],
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
