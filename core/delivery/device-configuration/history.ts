/**
 * How reported configurations have changed, a list a device, the latest last. Of a device 1 000
 * changes are stored, and a number of characters for all devices of a subscriber. Beyond that, the
 * device without a change for the longest time loses its oldest one.
 */
import { assert } from '../../../sim/base/assert.ts';
import type { JsonObject } from '../../../sim/base/json.ts';
import { copyPlain } from '../../base/plain.ts';
import { sizeOf } from './parameters.ts';

/** Changes that are stored of a device. */
const MOST_CHANGES = 1_000;
/** Characters of configurations that are stored of all devices of a subscriber. */
const MOST_OF_OWNER = 20_000_000;

export interface Change {
  /** From 1, unique in the world, growing. */
  readonly number: number;
  readonly config: JsonObject;
  readonly atUs: number;
}

interface StoredChange extends Change {
  readonly size: number;
}

/** Plain data: devices by the time of their latest change, the latest last. */
export interface SavedHistory {
  readonly latest: number;
  readonly devices: readonly (readonly [owner: string, devEui: string, readonly StoredChange[]])[];
}

interface OfOwner {
  /** By DevEUI, the latest change last. */
  readonly devices: Map<string, StoredChange[]>;
  size: number;
}

export class ConfigurationHistory {
  readonly #owners = new Map<string, OfOwner>();
  readonly #mostOfOwner: number;
  #latest = 0;

  constructor(mostOfOwner = MOST_OF_OWNER) {
    this.#mostOfOwner = mostOfOwner;
  }

  /** A device's configuration has become another one. */
  add(owner: string, devEui: string, config: JsonObject, atUs: number): void {
    const own = this.#owners.get(owner) ?? { devices: new Map<string, StoredChange[]>(), size: 0 };
    this.#owners.set(owner, own);
    const changes = own.devices.get(devEui) ?? [];
    own.devices.delete(devEui);
    own.devices.set(devEui, changes);
    const size = sizeOf(config);
    changes.push({ number: ++this.#latest, config, atUs, size });
    own.size += size;
    if (changes.length > MOST_CHANGES) dropOldest(own, devEui, changes);
    while (own.size > this.#mostOfOwner) {
      const [[first, oldest]] = own.devices as Iterable<[string, StoredChange[]]> as [
        [string, StoredChange[]],
      ];
      dropOldest(own, first, oldest);
    }
  }

  /** A device's changes, the latest first. */
  of(owner: string, devEui: string): readonly Change[] {
    return (this.#owners.get(owner)?.devices.get(devEui) ?? []).toReversed();
  }

  forget(owner: string, devEui: string): void {
    const own = this.#owners.get(owner);
    const changes = own?.devices.get(devEui);
    if (own === undefined || changes === undefined) return;
    for (const { size } of changes) own.size -= size;
    own.devices.delete(devEui);
    if (own.devices.size === 0) this.#owners.delete(owner);
  }

  save(): SavedHistory {
    const devices = [...this.#owners].flatMap(([owner, own]) =>
      Array.from(own.devices, ([devEui, changes]) => [owner, devEui, changes] as const),
    );
    return copyPlain({ latest: this.#latest, devices });
  }

  load(saved: SavedHistory): void {
    this.#owners.clear();
    this.#latest = saved.latest;
    for (const [owner, devEui, changes] of saved.devices) {
      const own = this.#owners.get(owner) ?? {
        devices: new Map<string, StoredChange[]>(),
        size: 0,
      };
      this.#owners.set(owner, own);
      own.devices.set(devEui, copyPlain([...changes]));
      for (const { size } of changes) own.size += size;
    }
  }
}

function dropOldest(own: OfOwner, devEui: string, changes: StoredChange[]): void {
  const oldest = changes.shift();
  assert(oldest !== undefined, 'what is stored of a device is at least one change');
  own.size -= oldest.size;
  if (changes.length === 0) own.devices.delete(devEui);
}
