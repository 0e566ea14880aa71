/** Which gateways heard a device, and how strongly: a word each. */
import { assert } from '../base/assert.ts';

/** Gateways remembered per device. */
export const HEARD_BY = 4;

/** A level takes 15 bits of a word, from −200 dBm on, and a gateway the 17 above (0092). */
const LEVELS = 0x8000;
const LEAST_HEARD_CENTI_DBM = -20_000;

/**
 * A gateway and the level at which it heard a device, 1/100 dBm, as a word that is not 0. What
 * fades to −200 dBm and below counts as just above.
 */
export function heardWord(gateway: number, levelCentiDbm: number): number {
  const above = Math.max(1, levelCentiDbm - LEAST_HEARD_CENTI_DBM);
  assert(above < LEVELS, 'a gateway hears 127 dBm at most');
  assert(gateway < 0x2_0000, 'a network has 131 072 gateways in its life');
  return gateway * LEVELS + above;
}

export const heardGateway = (word: number): number => word >>> 15;

/** That of a word that is 0 is below all others. */
export const heardLevel = (word: number): number => (word & (LEVELS - 1)) + LEAST_HEARD_CENTI_DBM;
