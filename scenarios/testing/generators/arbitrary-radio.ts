/** What the air of small worlds is like. */
import * as fc from 'fast-check';
import { FADING_MODELS } from '../../../sim/radio/fading.ts';
import { IMPLEMENTATION_LOSS_DB } from '../../../sim/radio/packet-error.ts';
import { PATH_LOSS_MODELS } from '../../../sim/radio/propagation.ts';
import type { RadioPlan } from '../../../sim/radio/radio-plan.ts';
import { PATH_LOSSES, SENSITIVITIES, SIR_MATRICES } from '../../../sim/radio/tables.ts';
import { modelPlans } from './arbitrary-models.ts';

export const INTERFERENCE_MODELS = ['energy', 'aloha', 'off', 'loRaSim', 'flora'] as const;

/** Mostly as it is when nothing is said. */
export const simultaneousCopies = fc.constantFrom(
  'multipath' as const,
  'multipath' as const,
  'capture' as const,
);

/** The same radio with copies like these. */
export function withCopies(
  radio: RadioPlan,
  copies: NonNullable<RadioPlan['interference']['simultaneousCopies']>,
): RadioPlan {
  return { ...radio, interference: { ...radio.interference, simultaneousCopies: copies } };
}

const interference = fc.record({
  model: fc.constantFrom(...INTERFERENCE_MODELS),
  sirCentiDb: fc.constantFrom(SIR_MATRICES.goursaud, SIR_MATRICES.croce),
  window: fc.constantFrom('afterLock' as const, 'wholeFrame' as const),
});

/** Mostly such that devices are heard; one in ten with any model and any of its parameters. */
const pathLoss = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      PATH_LOSSES.ns3LogDistance,
      PATH_LOSSES.oulu,
      PATH_LOSSES.hataSuburban,
    ),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      model: fc.constant('constant' as const),
      lossDb: fc.integer({ min: 60, max: 150 }),
    }),
  },
  // As loud as can be: a draw of shadowing must not make a gain of it.
  { weight: 3, arbitrary: fc.constant({ model: 'constant' as const, lossDb: 0 }) },
  { weight: 1, arbitrary: modelPlans(PATH_LOSS_MODELS) },
);

const { none: _, ...FADING } = FADING_MODELS;

/** Mostly none: with it a link's level says less. */
export const fading: fc.Arbitrary<RadioPlan['fading']> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ model: 'none' as const }) },
  modelPlans(FADING),
);

export const reception: fc.Arbitrary<RadioPlan['reception']> = fc.record({
  model: fc.constantFrom('threshold' as const, 'theory' as const, 'off' as const),
  implementationLossCentiDb: fc.constant(IMPLEMENTATION_LOSS_DB.map((db) => Math.round(100 * db))),
});

export const radio: fc.Arbitrary<RadioPlan> = fc.record({
  pathLoss,
  shadowingSigmaDb: fc.constantFrom(0, 4, 8),
  shadowingCorrelationMeters: fc.constantFrom(0, 110),
  fading,
  noiseFigureDb: fc.constant(6),
  reception,
  gatewaySensitivityCentiDbm: fc.constantFrom(SENSITIVITIES.ns3Gateway, SENSITIVITIES.loRaSim),
  deviceSensitivityCentiDbm: fc.constant(SENSITIVITIES.ns3EndDevice),
  interference,
  ignoredBelowCentiDbm: fc.constantFrom(-15_000, -16_000, -20_000),
});
