/** Draws of designs and resamples: by name, so that none shifts another's. */
import { entityKey, expandSeed, mix } from '../../sim/base/random.ts';

/** The draw at a place (whole, 0…2³² − 1): 32 bits, as a signed integer. */
export type Draws = (place: number) => number;

const PHI = 0x9e3779b9 | 0;

/** Each draw is a hash of seed, name and place, as those of worlds are of what they are for. */
export function namedDraws(seed: string, name: string): Draws {
  const { key0, key1 } = entityKey(expandSeed(seed), name);
  return (place) => mix((mix(Math.imul(place, PHI) ^ key0) + key1) | 0);
}
