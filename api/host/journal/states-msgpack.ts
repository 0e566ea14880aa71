/**
 * Snapshots of a stored world as files: caches of what its journal leads to. Without them a start
 * takes longer, and nothing else differs.
 */
import { decode, encode } from '@msgpack/msgpack';
import type { World } from '../../../core/world/world.ts';
import type { Begun, Origins } from '../replay/replay.ts';
import {
  keyOf,
  type PastState,
  placesOf,
  type Saved,
  type StatePlace,
  type States,
  storedOf,
  worldOf,
} from '../replay/saved-states.ts';
import type { StoredContents } from './contents.ts';
import type { SealedFiles } from './sealed-files.ts';

interface StateFile {
  /** Which program wrote it. */
  readonly build: string;
  readonly digest: string;
  /** SHA-256 of contents that it names. */
  readonly contents: readonly string[];
  readonly bytes: Uint8Array;
}

export class StoredStates implements States {
  readonly #files: SealedFiles;
  readonly #contents: StoredContents;
  readonly #build: string;

  /** States of another `build` are none of ours. */
  constructor(files: SealedFiles, contents: StoredContents, build: string) {
    this.#files = files;
    this.#contents = contents;
    this.#build = build;
  }

  async put(place: StatePlace, { bytes, contents, digest }: Saved): Promise<void> {
    await this.#contents.put(contents);
    const named = contents.map(({ sha256 }) => sha256);
    const file: StateFile = { build: this.#build, digest, contents: named, bytes };
    await this.#files.put(keyOf(place), encode(file));
  }

  /** The latest that is whole. */
  async latestIn(origins: Origins, past: PastState): Promise<Begun | undefined> {
    const places = placesOf(past, await this.#files.list());
    for (const place of places.toReversed()) {
      const world = await this.#read(origins, place);
      if (world !== undefined) return { world, commands: place.commands };
    }
    return undefined;
  }

  async keepOnly(present: PastState, named: readonly PastState[]): Promise<void> {
    const names = await this.#files.list();
    const stored = storedOf(names, present, named);
    for (const name of names) if (!stored.has(name)) await this.#files.remove(name);
  }

  async #read(origins: Origins, place: StatePlace): Promise<World | undefined> {
    const open = await this.#files.get(keyOf(place));
    const file = open && (decode(open) as StateFile);
    if (file === undefined || file.build !== this.#build) return undefined;
    const missing = await this.#contents.read(file.contents);
    if (missing.length > 0) return undefined;
    return await worldOf(origins, { ...file, contents: this.#contents.get });
  }
}
