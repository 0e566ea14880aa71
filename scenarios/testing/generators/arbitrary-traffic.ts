/** When devices of generated worlds send of their own accord (fast-check). */
import * as fc from 'fast-check';
import { MINUTE_US, SECOND_US } from '../../../sim/base/units.ts';
import type { TrafficPlan } from '../../../sim/plan/network-plan.ts';

/** A process with what it alone has. */
export type ProcessParts = Pick<TrafficPlan, 'process' | 'hourWeights' | 'burst'>;

const PERIODIC: ProcessParts = { process: 'periodic' };
const EXPONENTIAL: ProcessParts = { process: 'exponential' };

/** Every other hour is silent; and a day that only has its ups and downs. */
const STRIPES = Array.from({ length: 24 }, (_, hour) => hour % 2);
const WAVES = Array.from({ length: 24 }, (_, hour) => 1 + (hour % 3));

/** By random pauses; and of all at once, the second one before the first is over. */
const BY_ITSELF = { messages: 3, spacingUs: 4 * SECOND_US, atUs: [], withinUs: 0 };
const TOGETHER = {
  messages: 7,
  spacingUs: 5 * SECOND_US,
  atUs: [MINUTE_US, MINUTE_US + 12 * SECOND_US, 20 * MINUTE_US],
  withinUs: 2 * SECOND_US,
};

const WAVING: ProcessParts = { process: 'diurnal', hourWeights: WAVES };
const BURSTING: ProcessParts = { process: 'burst', burst: BY_ITSELF };

/** Processes by which a device always sends in the end; mostly the plain ones. */
export const LASTING: readonly ProcessParts[] = [
  ...Array.from({ length: 14 }, () => [PERIODIC, EXPONENTIAL]).flat(),
  WAVING,
  EXPONENTIAL,
  PERIODIC,
  BURSTING,
];

/**
 * Any process. It is one draw, and the plain ones come up where they always did: one more process
 * changes few worlds.
 */
export const processes: fc.Arbitrary<ProcessParts> = fc.constantFrom(
  ...Array.from({ length: 5 }, () => [PERIODIC, EXPONENTIAL, { process: 'none' } as const]).flat(),
  WAVING,
  BURSTING,
  { process: 'none' },
  { process: 'diurnal', hourWeights: STRIPES },
  { process: 'burst', burst: TOGETHER },
  { process: 'none' },
);

/** The same traffic by a process that has no parts of its own. */
export function byProcess(
  { hourWeights: _, burst: __, ...traffic }: TrafficPlan,
  process: 'periodic' | 'exponential' | 'none',
): TrafficPlan {
  return { ...traffic, process };
}

/** The process as a scenario file says it. */
export const processKnobs: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc.constantFrom<
  Readonly<Record<string, unknown>>
>(
  {},
  { process: 'periodic' },
  { process: 'exponential' },
  { process: 'none' },
  { process: 'diurnal' },
  { process: 'diurnal', profile: 'office' },
  { process: 'diurnal', profile: STRIPES },
  { process: 'burst' },
  { process: 'burst', burst: { messages: 3, spacing: '4 s' } },
  { process: 'burst', burst: { at: ['1 min', '72 s', '1 h'], within: '2 s' } },
);
