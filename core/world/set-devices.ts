/**
 * When devices took in what sets them as is desired: what the radio knows, and the platform only
 * believes to know. For results alone.
 */

/** Plain data: by DevEUI, the rollout whose downlink it was, and when, µs. */
export type SavedSetDevices = readonly (readonly [devEui: string, SetBy])[];

interface SetBy {
  readonly rollout: string;
  readonly atUs: number;
}

export class SetDevices {
  #byDevice = new Map<string, SetBy>();

  /** A device has received a downlink of a rollout, and is set as is desired now, or not. */
  note(devEui: string, rollout: string, isSet: boolean, nowUs: number): void {
    const known = this.#byDevice.get(devEui);
    if (!isSet) this.#byDevice.delete(devEui);
    else if (known?.rollout !== rollout) this.#byDevice.set(devEui, { rollout, atUs: nowUs });
  }

  /** Instants of those that still are set so, ascending, µs. */
  instants(isSet: (devEui: string) => boolean): number[] {
    const remaining = [...this.#byDevice].filter(([devEui]) => isSet(devEui));
    return remaining.map(([, { atUs }]) => atUs).sort((a, b) => a - b);
  }

  save(): SavedSetDevices {
    return [...this.#byDevice];
  }

  load(saved: SavedSetDevices): void {
    this.#byDevice = new Map(saved);
  }
}
