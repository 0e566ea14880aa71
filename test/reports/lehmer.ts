/** Chance for samples that never change: Park and Miller's generator. */

/** Numbers in 0…1. */
export function lehmer(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
