/** The fragments of an image, encoded when they are first asked for and kept. */
import { encodeFragments, MAX_FRAGMENT_NUMBER } from '../../sim/lorawan/fragmentation-code.ts';
import type { Plan } from './plan.ts';

/** Parity matrix of TS004-1.0.0. */
export const FRAGMENTATION_VERSION = 1;

export class FragmentSource {
  readonly #image: Uint8Array;
  #fragSize = 0;
  #fragments: readonly Uint8Array[] = [];

  constructor(image: Uint8Array) {
    this.#image = image;
  }

  /** Fragment `fragmentNumber` (from 1; coded ones above nbFrag), of fragSize bytes. */
  fragment({ nbFrag, fragSize, redundancy }: Plan, fragmentNumber: number): Uint8Array {
    if (fragSize !== this.#fragSize || fragmentNumber > this.#fragments.length) {
      const coded = Math.max(redundancy, 2 * (fragmentNumber - nbFrag));
      const count = Math.min(coded, MAX_FRAGMENT_NUMBER - nbFrag);
      this.#fragments = encodeFragments(FRAGMENTATION_VERSION, this.#image, fragSize, count);
      this.#fragSize = fragSize;
    }
    return this.#fragments[fragmentNumber - 1]!;
  }
}
