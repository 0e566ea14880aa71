/**
 * Which firmware devices of campaigns ran before they activated an image: what the radio knows, and
 * the update service only hears of where an answer gets through. For results alone.
 */

/** Plain data: by DevEUI, the activations in their order. */
export type SavedActivatedImages = readonly (readonly [devEui: string, readonly Activation[]])[];

interface Activation {
  readonly atUs: number;
  /** FWversion until then, unsigned 32 bits. */
  readonly before: number;
}

/** Number of stored devices from which those outside of campaigns are dropped. */
const FEW = 1_024;

export class ActivatedImages {
  #byDevice = new Map<string, readonly Activation[]>();

  /**
   * A device runs another firmware than `before`. Those of devices that no campaign has are not
   * stored, and forgotten in the end.
   */
  note(devEui: string, before: number, nowUs: number, isMember: (devEui: string) => boolean): void {
    if (!isMember(devEui)) return;
    const known = this.#byDevice.get(devEui) ?? [];
    this.#byDevice.set(devEui, [...known, { atUs: nowUs, before }]);
    const { size } = this.#byDevice;
    if (known.length > 0 || size < FEW || !isPowerOfTwo(size)) return;
    for (const each of [...this.#byDevice.keys()]) {
      if (!isMember(each)) this.#byDevice.delete(each);
    }
  }

  /**
   * FWversions that a device ran from an instant on and before another one, the oldest first: at
   * least one, which is `now` where it has activated nothing since.
   */
  within(devEui: string, sinceUs: number, untilUs: number, now: number): readonly number[] {
    const known = this.#byDevice.get(devEui) ?? [];
    const within = known.filter(({ atUs }) => atUs >= sinceUs && atUs < untilUs);
    const later = known.find(({ atUs }) => atUs >= untilUs);
    return [...within.map(({ before }) => before), later?.before ?? now];
  }

  save(): SavedActivatedImages {
    return [...this.#byDevice];
  }

  load(saved: SavedActivatedImages): void {
    this.#byDevice = new Map(saved);
  }
}

const isPowerOfTwo = (count: number): boolean => (count & (count - 1)) === 0;
