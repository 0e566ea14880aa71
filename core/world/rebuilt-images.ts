/** Images that sampled devices put together again, compared byte by byte with what was sent. */
import { equalBytes } from '../../sim/base/bytes.ts';

/** Blocks of a group that were rebuilt, and those that equalled the image. */
export interface Verified {
  readonly rebuilt: number;
  readonly right: number;
}

export type SavedRebuiltImages = readonly (readonly [mcAddr: number, Verified])[];

interface Image {
  readonly bytes: Uint8Array;
}

export class RebuiltImages {
  readonly #byGroup = new Map<number, Verified>();

  /**
   * A device rebuilt a block of a group, which was to become the image that is sent to it; groups
   * of deleted campaigns have none, and are forgotten when a new group begins.
   */
  compare(mcAddr: number, block: Uint8Array, imageOf: (mcAddr: number) => Image | undefined): void {
    const image = imageOf(mcAddr);
    if (image === undefined) return;
    if (!this.#byGroup.has(mcAddr)) {
      for (const group of [...this.#byGroup.keys()]) {
        if (imageOf(group) === undefined) this.#byGroup.delete(group);
      }
    }
    const { rebuilt, right } = this.of(mcAddr);
    const equal = equalBytes(block, image.bytes);
    this.#byGroup.set(mcAddr, { rebuilt: rebuilt + 1, right: right + (equal ? 1 : 0) });
  }

  of(mcAddr: number): Verified {
    return this.#byGroup.get(mcAddr) ?? { rebuilt: 0, right: 0 };
  }

  save(): SavedRebuiltImages {
    return [...this.#byGroup];
  }

  load(saved: SavedRebuiltImages): void {
    this.#byGroup.clear();
    for (const [mcAddr, images] of saved) this.#byGroup.set(mcAddr, images);
  }
}
