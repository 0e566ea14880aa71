/**
 * Applications by subscriber and id. What a plan has is derived, and stands in the store only once
 * it has changed.
 */

import { fail, ok } from '../../../sim/base/result.ts';
import type { Ids } from '../../base/ids.ts';
import { Store } from '../../base/store.ts';
import type { WholeWorld } from '../../base/whole-world.ts';
import { ADMINISTRATOR, type Roles } from './roles.ts';
import type { Subscriber, Subscribers } from './subscribers.ts';

/** Most applications of a subscriber. */
const MOST_APPLICATIONS = 10_000;

/** An application as it is known; what is as it was planned is in no store. */
export interface Application {
  readonly owner: string;
  readonly id: string;
  readonly name: string;
  /** Client id. */
  readonly uuid: string;
  /** Ids of roles, each once. */
  readonly roles: readonly string[];
  /** What its secret is verified by; '': a host has that of the start. */
  readonly verifier: string;
  /** Secrets that it had before this one. */
  readonly secretsBefore: number;
  /** It was planned, and is deleted. */
  readonly gone?: true;
}

export interface RecordsNeeds {
  readonly ids: Ids;
  readonly world: WholeWorld;
  readonly subscriber: Subscribers;
  readonly role: Roles;
}

export class ApplicationRecords {
  readonly #needs: RecordsNeeds;
  readonly #store = new Store<Application, 'uuid'>(
    'applications',
    ({ id }) => id,
    { uuid: ({ uuid }) => [uuid] },
    (application) => ({ ...application, verifier: '' }),
  );
  readonly #planned = new WeakMap<Subscriber, readonly Application[]>();
  /** Planned applications by client id, of as many subscribers as were looked at. */
  #byUuid = new Map<string, Application>();
  #looked: readonly Subscriber[] = [];
  #lookedAt = 0;

  constructor(needs: RecordsNeeds) {
    this.#needs = needs;
  }

  get saving() {
    return this.#store.saving;
  }

  get(owner: string, id: string): Application | undefined {
    const stored = this.#store.get(owner, id) ?? this.#plannedWith(owner, id);
    return stored?.gone ? undefined : stored;
  }

  /** By their ids. */
  list(owner: string): readonly Application[] {
    const stored = this.#store.list(owner);
    const others = this.#plannedOf(owner).filter(
      ({ id }) => this.#store.get(owner, id) === undefined,
    );
    const all = [...stored.filter(({ gone }) => !gone), ...others];
    return all.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** The one that it has from the start; undefined once that is deleted. */
  first(owner: string): Application | undefined {
    return this.get(owner, this.#plannedOf(owner)[0]!.id);
  }

  byUuid(uuid: string): Application | undefined {
    const stored = this.#store.by('uuid', uuid)[0] ?? this.#plannedByUuid(uuid);
    return stored?.gone ? undefined : stored;
  }

  /** One of no plan: with this id, or with one that is free. */
  add(given: Omit<Application, 'id' | 'uuid' | 'secretsBefore' | 'gone'>, id: string | undefined) {
    const { owner } = given;
    if (this.#store.count(owner) >= MOST_APPLICATIONS) {
      return fail('application.full', `There are ${MOST_APPLICATIONS} applications.`);
    }
    const isTaken = (other: string) => this.#isTaken(owner, other);
    if (id !== undefined && isTaken(id)) {
      return fail('application.exists', `There is an application ${id}.`, '/id');
    }
    const { ids } = this.#needs;
    const uuid = ids.uuid((other) => this.byUuid(other) !== undefined);
    const created = { ...given, id: id ?? ids.medium(isTaken), uuid, secretsBefore: 0 };
    this.put(created);
    return ok(created);
  }

  put(application: Application): void {
    this.#store.put(application);
  }

  remove(application: Application): void {
    const { owner, id } = application;
    const isPlanned = this.#plannedWith(owner, id) !== undefined;
    if (isPlanned) this.#store.put({ ...application, verifier: '', gone: true });
    else this.#store.remove(owner, id);
  }

  // ── what a plan has ────────────────────────────────────────────────────────────────────────────

  /** Whether it is there or was planned. */
  #isTaken(owner: string, id: string): boolean {
    return (this.#store.get(owner, id) ?? this.#plannedWith(owner, id)) !== undefined;
  }

  #plannedWith(owner: string, id: string): Application | undefined {
    return this.#plannedOf(owner).find((each) => each.id === id);
  }

  /** The first one may do all; its client id is a function of how many subscribers came before. */
  #plannedOf(owner: string): readonly Application[] {
    const { world, subscriber, role } = this.#needs;
    const ownerId = subscriber.of(owner);
    const known = this.#planned.get(ownerId);
    if (known !== undefined) return known;
    const { ordinal, planned, name: own, secretVerifier } = ownerId;
    const named = [
      {
        name: own,
        as: '',
        uuid: ordinal < 0 ? `${owner}/` : String(ordinal),
        roles: [ADMINISTRATOR],
      },
      ...(planned.applications ?? []).map(({ name, roles }) => {
        return { name, as: name, uuid: `${owner}/${name}`, roles };
      }),
    ];
    const all: Application[] = [];
    const isTaken = (id: string) => all.some((each) => each.id === id);
    for (const { name, as, uuid, roles } of named) {
      all.push({
        owner,
        id: world.namedId('medium', 'application', `${owner}/${as}`, isTaken),
        name,
        uuid: world.namedId('uuid', 'application', uuid),
        roles: roles.map((each) => role.idOf(owner, each)),
        verifier: as === '' ? secretVerifier : '',
        secretsBefore: 0,
      });
    }
    this.#planned.set(ownerId, all);
    return all;
  }

  /** Each subscriber is looked at once, until others stand in their place. */
  #plannedByUuid(uuid: string): Application | undefined {
    const { all } = this.#needs.subscriber;
    if (this.#looked !== all) {
      this.#looked = all;
      this.#lookedAt = 0;
      this.#byUuid = new Map();
    }
    while (this.#lookedAt < all.length) {
      for (const each of this.#plannedOf(all[this.#lookedAt++]!.id)) {
        this.#byUuid.set(each.uuid, each);
      }
    }
    return this.#byUuid.get(uuid);
  }
}
