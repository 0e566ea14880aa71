/** The seed of the law tests: the same in every run, unless another is asked for. */

const USUAL_SEED = 42;

/**
 * `wish` is the variable FLEETWAVE_SEED: empty for the usual seed, a whole number of 32 bits with
 * sign, or `fresh` for one that no run had before. Throws on anything else.
 */
export function chooseSeed(wish: string | undefined): number {
  if (wish === undefined || wish === '') return USUAL_SEED;
  if (wish === 'fresh') return Math.floor(Math.random() * 2 ** 31);
  const seed = Number(wish);
  if ((seed | 0) !== seed) {
    throw new Error(`FLEETWAVE_SEED is ${wish}, not fresh or a whole number of 32 bits`);
  }
  return seed;
}
