/**
 * What others published or their programs print, as claims that Fleetwave is held to, in the order
 * in which they are shown. A claim names its source, the scenario of the library that reproduces
 * it, and how far ours may be from it.
 */
import { CAMPAIGN_CLAIMS } from './campaign-claims.ts';
import type { Claims } from './claim.ts';
import { FUOTASIM_CLAIMS } from './fuotasim-claims.ts';
import { HARDWARE_CLAIMS } from './hardware-claims.ts';
import { THEORY_CLAIMS } from './theory-claims.ts';
import { UPLINK_CLAIMS } from './uplink-claims.ts';

export const CLAIMS: readonly Claims[] = [
  ...UPLINK_CLAIMS,
  ...HARDWARE_CLAIMS,
  ...FUOTASIM_CLAIMS,
  ...CAMPAIGN_CLAIMS,
  ...THEORY_CLAIMS,
];
