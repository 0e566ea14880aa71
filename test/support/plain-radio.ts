/** The parts of a radio plan that most tests of the air leave out: nothing changes by chance. */

import { IMPLEMENTATION_LOSS_DB } from '../../sim/radio/packet-error.ts';
import type { RadioPlan } from '../../sim/radio/radio-plan.ts';

export const PLAIN_RADIO: Pick<RadioPlan, 'shadowingCorrelationMeters' | 'fading' | 'reception'> = {
  shadowingCorrelationMeters: 0,
  fading: { model: 'none' },
  reception: {
    model: 'threshold',
    implementationLossCentiDb: IMPLEMENTATION_LOSS_DB.map((db) => Math.round(100 * db)),
  },
};
