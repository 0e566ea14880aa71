/** The fragments of an image, encoded when they are first asked for and stored. */
import { encodeFragments, MAX_FRAGMENT_NUMBER } from '../../../sim/lorawan/fragmentation-code.ts';
import type { Plan } from './plan.ts';

export class FragmentSource {
  readonly #image: Uint8Array;
  #fragSize = 0;
  #version: 1 | 2 = 1;
  #fragments: readonly Uint8Array[] = [];

  constructor(image: Uint8Array) {
    this.#image = image;
  }

  /** Fragment `fragmentNumber` (from 1; coded ones above nbFrag), of fragSize bytes. */
  fragment({ nbFrag, fragSize, redundancy, version }: Plan, fragmentNumber: number): Uint8Array {
    const isOther = fragSize !== this.#fragSize || version !== this.#version;
    if (isOther || fragmentNumber > this.#fragments.length) {
      const coded = Math.max(redundancy, 2 * (fragmentNumber - nbFrag));
      const count = Math.min(coded, MAX_FRAGMENT_NUMBER - nbFrag);
      this.#fragments = encodeFragments(version, this.#image, fragSize, count);
      this.#fragSize = fragSize;
      this.#version = version;
    }
    return this.#fragments[fragmentNumber - 1]!;
  }

  /** They are encoded again when they are asked for. */
  forget(): void {
    this.#fragments = [];
  }
}
