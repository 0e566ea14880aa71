/** States of a world that somebody may go back to, or start from. */
import type { Content } from '../../../core/base/contents.ts';
import { World } from '../../../core/world/world.ts';
import { runInSlices } from '../clock/steps-in-slices.ts';
import type { Begun, Origins, Past } from './replay.ts';

/** A saved state of a world, as listed in its history. */
export interface PastState extends Past {
  /** How often the world had been restored. */
  readonly life: number;
}

/** Before anything has happened. */
export const BEGINNING: PastState = { commands: [], standsAtUs: 0, life: 0 };

/** Which state it is: within a life, commands and time only grow. */
export interface StatePlace {
  readonly life: number;
  /** How many commands have led to it. */
  readonly commands: number;
  /** Where it stands, µs. */
  readonly atUs: number;
}

/** A world that stands still. */
export interface Saved {
  readonly bytes: Uint8Array;
  readonly contents: readonly Content[];
  /** Its outcome. */
  readonly digest: string;
}

/** Caches of what pasts lead to: what is not there is simulated again. */
export interface States {
  put(place: StatePlace, saved: Saved): Promise<void>;
  /** The latest state in a past; undefined: there is none. */
  latestIn(origins: Origins, past: PastState): Promise<Begun | undefined>;
  /** The others go: those of no past, and old ones of this one. */
  keepOnly(present: PastState, named: readonly PastState[]): Promise<void>;
}

export const placeOf = ({ life, commands, standsAtUs }: PastState): StatePlace => ({
  life,
  commands: commands.length,
  atUs: standsAtUs,
});

export const keyOf = ({ life, commands, atUs }: StatePlace): string =>
  `${life}-${commands}-${atUs}`;

export const placeIn = (key: string): StatePlace | undefined => {
  const [, life, commands, atUs] = /^(\d+)-(\d+)-(\d+)$/.exec(key) ?? [];
  if (atUs === undefined) return undefined;
  return { life: Number(life), commands: Number(commands), atUs: Number(atUs) };
};

/** Of these, those that lie in a past, the latest one last. */
export const placesOf = (past: PastState, keys: readonly string[]): readonly StatePlace[] =>
  keys
    .flatMap((key) => placeIn(key) ?? [])
    .filter((place) => isIn(past, place))
    .sort(byTime);

const isIn = (past: PastState, { life, commands, atUs }: StatePlace): boolean =>
  life === past.life && commands <= past.commands.length && atUs <= past.standsAtUs;

const byTime = (one: StatePlace, other: StatePlace): number =>
  one.commands - other.commands || one.atUs - other.atUs;

/** Unnamed states retained of the present life. */
const LATEST_STORED = 2;

/** Which of these keys have a stored state. */
export function storedOf(
  keys: readonly string[],
  present: PastState,
  named: readonly PastState[],
): ReadonlySet<string> {
  const latest = placesOf(present, keys).slice(-LATEST_STORED);
  return new Set([...latest, ...named.map(placeOf)].map(keyOf));
}

/** The world that was saved; undefined: it is not that one. */
export async function worldOf(
  { plan, seed, options }: Origins,
  {
    bytes,
    contents,
    digest,
  }: Omit<Saved, 'contents'> & {
    readonly contents: (sha256: string) => Uint8Array | undefined;
  },
): Promise<World | undefined> {
  const beside = { ...options, contents, checksum: false };
  const world = await runInSlices(World.fromBytesInSteps(plan, seed, bytes, beside));
  if (!world.ok) return undefined;
  const outcome = await runInSlices(world.value.outcomeInSteps());
  return outcome === digest ? world.value : undefined;
}

/** Of a world that ends with its process: they cost memory, not time. */
export class MemoryStates implements States {
  readonly #saved = new Map<string, Saved>();

  async put(place: StatePlace, saved: Saved): Promise<void> {
    this.#saved.set(keyOf(place), saved);
  }

  async latestIn(origins: Origins, past: PastState): Promise<Begun | undefined> {
    const place = placesOf(past, [...this.#saved.keys()]).at(-1);
    const saved = place && this.#saved.get(keyOf(place));
    if (place === undefined || saved === undefined) return undefined;
    const bytesOf = new Map(saved.contents.map(({ sha256, bytes }) => [sha256, bytes]));
    const world = await worldOf(origins, { ...saved, contents: (sha256) => bytesOf.get(sha256) });
    return world && { world, commands: place.commands };
  }

  async keepOnly(present: PastState, named: readonly PastState[]): Promise<void> {
    const stored = storedOf([...this.#saved.keys()], present, named);
    for (const key of this.#saved.keys()) if (!stored.has(key)) this.#saved.delete(key);
  }
}
