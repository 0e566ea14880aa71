/** The names that a scenario uses for radio figures that others published. */
import { PATH_LOSSES, SENSITIVITIES } from '../../sim/radio/tables.ts';

/** Path losses by the names of a scenario, which knows some by two. */
export const PATH_LOSS_NAMES = {
  ...PATH_LOSSES,
  'ns-3': PATH_LOSSES.ns3LogDistance,
  lorasim: PATH_LOSSES.loRaSim,
  flora: PATH_LOSSES.loRaSim,
  'flora-hata': PATH_LOSSES.floraHata,
} as const;

/** Sensitivities by name; `ns-3` is the table of the receiver in question. */
export const SENSITIVITY_NAMES = {
  gateway: { ...SENSITIVITIES, 'ns-3': SENSITIVITIES.ns3Gateway, lorasim: SENSITIVITIES.loRaSim },
  device: { ...SENSITIVITIES, 'ns-3': SENSITIVITIES.ns3EndDevice, lorasim: SENSITIVITIES.loRaSim },
} as const;
