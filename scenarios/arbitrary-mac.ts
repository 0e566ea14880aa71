/** LoRaWAN versions, time, link checks, status and MAC requests of generated worlds. */
import * as fc from 'fast-check';
import { LORAWAN_VERSIONS } from '../sim/lorawan/versions.ts';

const MINUTE_US = 60_000_000;

/** What a device type may say of its MAC; any of it may be absent. */
export const macTypeParts = fc.record(
  {
    lorawan: fc.constantFrom(...LORAWAN_VERSIONS),
    timeSyncEveryUs: fc.integer({ min: MINUTE_US, max: 30 * MINUTE_US }),
    linkCheckEvery: fc.integer({ min: 1, max: 6 }),
    rejoinType1EveryUs: fc.integer({ min: MINUTE_US, max: 10 * MINUTE_US }),
  },
  { requiredKeys: [] },
);

export const macServerParts = fc.record(
  {
    lorawan: fc.constantFrom('1.1' as const, '1.0' as const),
    devStatusEveryUs: fc.integer({ min: MINUTE_US, max: 30 * MINUTE_US }),
    adrAlgorithm: fc.constantFrom('semtech' as const, 'tts' as const),
  },
  { requiredKeys: [] },
);

/**
 * Runs of requests: DevStatusReq (so many that answers need FPort 0), ADRParamSetupReq,
 * RejoinParamSetupReq, ForceRejoinReq of types 0 and 2, and what is no run of commands.
 */
export const macRequests = fc.constantFrom(
  '06',
  '060606060606',
  '0c32',
  '060c65',
  '0ff0',
  '0e0301',
  '0e2300',
  'ff',
  '03',
);

/** Classes that a device of class A or C may be told to have; those of class B refuse. */
export const switchedClasses = fc.constantFrom('C' as const, 'A' as const);
