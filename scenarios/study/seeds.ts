/** Which seeds a study runs its scenario with. */

/** As many as one study may have. */
export const SEEDS_MAX = 10_000;

/**
 * The seed of replicate 1, 2, 3 … of a root seed: of both and nothing else, so that variants have
 * the same luck, and a study that is extended keeps what it has. The first is the root's own.
 */
export const replicateSeed = (root: string, replicate: number): string =>
  replicate === 1 ? root : `${root}/${replicate}`;

/** Whether a seed is one of these. */
export const isReplicateOf = (root: string, seed: string): boolean =>
  seed === root || (seed.startsWith(`${root}/`) && /^\d+$/.test(seed.slice(root.length + 1)));

export type SeedsAsked =
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'listed'; readonly seeds: readonly string[] };

const RANGE = /^(\d{1,9})\.\.(\d{1,9})$/;

/**
 * `20` is a count, `1..20` and `a,b,c` are seeds themselves; undefined: neither. A count may be of
 * more than there may be.
 */
export function readSeeds(word: string): SeedsAsked | undefined {
  const count = word.trim() === '' ? Number.NaN : Number(word);
  if (Number.isSafeInteger(count) && /^[\d.e+]+$/i.test(word)) return { kind: 'count', count };
  const [, from, to] = RANGE.exec(word) ?? [];
  if (from !== undefined && to !== undefined) {
    const first = Number(from);
    const length = Number(to) - first + 1;
    if (length < 1) return undefined;
    if (length > SEEDS_MAX) return { kind: 'count', count: length };
    return { kind: 'listed', seeds: Array.from({ length }, (_, at) => String(first + at)) };
  }
  const seeds = word.split(',').map((each) => each.trim());
  if (seeds.length < 2 || seeds.includes('') || new Set(seeds).size < seeds.length) {
    return undefined;
  }
  return { kind: 'listed', seeds };
}
