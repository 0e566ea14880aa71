/**
 * Things that devices refer to by id: those that every world has, which are everybody's, and those
 * that a subscriber adds. What a world has by itself derives from the seed: it is in no digest and
 * in no snapshot.
 */
import type { Fold } from '../base/fold.ts';
import type { Ids } from '../base/ids.ts';
import { type Owned, Store } from '../base/store.ts';
import type { WholeWorld } from '../base/whole-world.ts';

/** What every one has. */
export interface Entry {
  readonly Id: string;
  readonly Name: string;
}

export class Catalogue<T extends Entry> {
  readonly #builtIn: readonly T[];
  readonly #added: Store<T & Owned>;
  #revision = 0;

  /** `builtIn`: what every world has, in the order in which it is listed; names are unique. */
  constructor(
    resource: string,
    { namedId }: Pick<WholeWorld, 'namedId'>,
    builtIn: readonly Omit<T, 'Id'>[] = [],
  ) {
    this.#builtIn = builtIn.map(
      (each) => ({ ...each, Id: namedId('medium', resource, `${each.Name}`) }) as unknown as T,
    );
    this.#added = new Store(resource, ({ Id }) => Id);
  }

  /** What every world has, and then what the subscriber added, in the order of the ids. */
  list(owner: string): readonly T[] {
    return [...this.#builtIn, ...this.#added.list(owner)];
  }

  /** Undefined: there is none that this subscriber sees. */
  get(id: string, owner: string): T | undefined {
    return this.#builtIn.find(({ Id }) => Id === id) ?? this.#added.get(owner, id);
  }

  /** The id that is given, or one that is free; undefined: the one that is given is taken. */
  newId(given: string | undefined, ids: Ids): string | undefined {
    if (given === undefined) return this.freeId(ids);
    return this.isTaken(given) ? undefined : given;
  }

  /** Whether a thing has this id, whosever it is. */
  isTaken(id: string): boolean {
    return this.#builtIn.some(({ Id }) => Id === id) || this.#added.ofAnybody(id) !== undefined;
  }

  freeId(ids: Ids): string {
    return ids.medium((id) => this.isTaken(id));
  }

  /** Another number whenever what was added may be another. */
  get revision(): number {
    return this.#revision;
  }

  /** Adds one, or puts it in the place of the one with its id. */
  add(owner: string, entry: T): void {
    this.#revision++;
    this.#added.put({ ...entry, owner });
  }

  remove(owner: string, id: string): void {
    this.#revision++;
    this.#added.remove(owner, id);
  }

  /** All that subscribers added. */
  added(): readonly T[] {
    return this.#added.all();
  }

  fold(fold: Fold): void {
    this.#added.saving.fold(fold);
  }

  save(): readonly (T & Owned)[] {
    return this.#added.saving.save();
  }

  load(saved: readonly (T & Owned)[]): void {
    this.#revision++;
    this.#added.saving.load(saved);
  }
}
