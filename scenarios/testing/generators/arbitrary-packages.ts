/** What generated devices make of the application packages (fast-check). */
import * as fc from 'fast-check';
import { DECODERS, type DecoderRules } from '../../../sim/lorawan/decoder-rules.ts';
import { type PackagesPlan, USUAL_PACKAGES } from '../../../sim/plan/packages-plan.ts';

const SECOND_US = 1_000_000;
const { unlimited } = DECODERS;

/** Mostly version 1: a campaign that speaks it gets further. */
const version = fc.constantFrom<(1 | 2)[]>(1, 1, 1, 2);

const decoder = fc.constantFrom<DecoderRules[]>(
  unlimited,
  ...Object.values(DECODERS),
  { ...unlimited, maxLost: 2, inOrder: true },
  { ...unlimited, maxLost: 10 },
);

/** Versions, decoders, delays and limits, on the usual ports. */
export const packages: fc.Arbitrary<PackagesPlan> = fc
  .record({
    clockSync: version,
    multicastSetup: version,
    fragmentation: version,
    decoder,
    answerDelayUs: fc.constantFrom(0, 3 * SECOND_US),
    imageActivation: fc.constantFrom('automatic' as const, 'onCommand' as const),
    periodicTime: fc.boolean(),
    stack: fc.constantFrom('standard' as const, 'LoRaMac-node' as const),
    versionReportsUs: fc.constantFrom(undefined, 600 * SECOND_US),
    fragAlgo: fc.oneof({ weight: 15, arbitrary: fc.constant(0) }, fc.constant(1)),
  })
  .map(({ clockSync, multicastSetup, fragmentation, versionReportsUs, ...rest }) => ({
    ...USUAL_PACKAGES,
    clockSync: { ...USUAL_PACKAGES.clockSync, version: clockSync },
    multicastSetup: { ...USUAL_PACKAGES.multicastSetup, version: multicastSetup },
    fragmentation: { ...USUAL_PACKAGES.fragmentation, version: fragmentation },
    ...rest,
    ...(versionReportsUs === undefined ? {} : { versionReportsUs }),
  }));
