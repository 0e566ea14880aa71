/**
 * Subscribers: who asks, and whose the devices and gateways are. Every resource belongs to a
 * subscriber and is visible only to it (docs/operations.md, E58).
 *
 * A subscriber is an id, any text. What nobody else owns belongs to the default subscriber: that
 * of scenarios.
 */

import type { Brand } from '../../sim/base/brand.ts';
import type { Result } from '../../sim/base/result.ts';
import type { Fields } from '../../sim/base/rows/fields.ts';
import type { NetworkView } from '../../sim/contract/view.ts';
import type { Permission } from '../rows/permissions.ts';
import { CachedFold, type Cell, type Fold, FoldSum, foldField, newCell } from './fold.ts';
import { type OwnedRun, OwnedRuns } from './owned-runs.ts';
import { copyPlain } from './plain.ts';
import { fieldsReader } from './reading.ts';

export const DEFAULT_SUBSCRIBER = 'default';

/** The view of one subscriber: what resources get. Only `ownView` makes it. */
export type OwnView = Brand<NetworkView, 'OwnView'>;

/** What was admitted carries who asks. */
export interface AdmittedCaller {
  /** The subscriber, whose things are meant. */
  readonly by: string;
  /** Id of its user or application that asks; its first user when absent. */
  readonly as?: string;
}

/** Commands and queries also carry the caller's permissions; only admission reads them. */
export interface Caller extends AdmittedCaller {
  /** All when absent. */
  readonly permissions?: readonly Permission[];
}

/** Rows of who asks. */
const CALLER = {
  by: { type: 'text', required: true, is: 'The subscriber who asks.' },
  as: { type: 'text', is: 'Id of its user or application that asks.' },
  permissions: { type: 'list', of: { type: 'text' }, most: 100, is: 'What the caller may do.' },
} as const satisfies Fields;

/** Who asks, of a command or query that somebody gave. */
export const readCaller = fieldsReader(CALLER, {
  path: '',
  name: 'asker',
  failure: 'asker.malformed',
}) as (input: object) => Result<Caller>;

/** What a resource gets beside a command or query. */
export interface Asking {
  /** The subscriber who asks. */
  readonly by: string;
  /** Id of its user or application that asks; absent: its first user. */
  readonly as?: string;
  /** Virtual time, µs. */
  readonly nowUs: number;
  /** The network, as far as it is the subscriber's. */
  readonly view: OwnView;
}

export type Thing = 'device' | 'gateway';

/** Plain data: EUIs with their owners; those of the default subscriber need no entry. */
export interface PlannedOwners {
  readonly devices: readonly OwnedRun[];
  readonly gateways: readonly OwnedRun[];
  /** Whose each device type is, by its row; those that are not named, or '', are everybody's. */
  readonly deviceTypes?: readonly string[];
}

/** A subscriber that a plan has: plain data, which resources understand by their own rows. */
export interface PlannedSubscriber {
  readonly id: string;
  /** The id when absent. */
  readonly name?: string;
  /** Where it is; what is absent is empty. */
  readonly address?: { readonly [field: string]: string };
  /** Its user, where that differs from the usual one. */
  readonly user?: { readonly [field: string]: string };
  /** Applications besides the first; each name stands once. */
  readonly applications?: readonly PlannedApplication[];
  /** Roles of its own; each name stands once, and is none of those that everybody has. */
  readonly roles?: readonly PlannedRole[];
}

export interface PlannedApplication {
  readonly name: string;
  /** Names of roles. */
  readonly roles: readonly string[];
}

export interface PlannedRole {
  readonly name: string;
  readonly permissions: readonly Permission[];
}

/** Plain data. */
export interface SavedOwners {
  readonly planned: PlannedOwners;
  /** What is not as it was planned, in the order of EUIs. */
  readonly changed: PlannedOwners;
  readonly subscribers: readonly PlannedSubscriber[];
}

/** Owners of things of one kind. Those that were planned cost what their runs do. */
class OwnersOf {
  #planned = new OwnedRuns([]);
  readonly #plannedFold = new CachedFold();
  /** Where it is not as planned: owner by EUI. */
  readonly #changed = new Map<string, Cell<OwnedRun>>();
  readonly #sum = new FoldSum<OwnedRun>((fold, run) => foldField(fold, 'owned', run));

  ownerOf(eui: string): string {
    const changed = this.#changed;
    const owner = changed.size > 0 ? changed.get(eui)?.record[1] : undefined;
    return owner ?? this.#plannedOwnerOf(eui);
  }

  plan(runs: readonly OwnedRun[]): void {
    const isPlanned = ([eui]: OwnedRun) => this.#planned.ownerOf(eui) !== undefined;
    for (const [eui, owner] of runs.filter(isPlanned)) this.note(eui, owner);
    const others = runs.filter((run) => run[1] !== DEFAULT_SUBSCRIBER && !isPlanned(run));
    this.#planned = new OwnedRuns([...this.planned, ...others]);
    this.#plannedFold.changed();
  }

  note(eui: string, owner: string): void {
    const cell = this.#changed.get(eui);
    if (cell !== undefined) this.#sum.forget(cell);
    this.#changed.delete(eui);
    if (this.#plannedOwnerOf(eui) === owner) return;
    const changed = newCell([eui, owner] as const);
    this.#changed.set(eui, changed);
    this.#sum.note(changed);
  }

  fold(fold: Fold, name: string): void {
    if (!this.#planned.isEmpty) {
      this.#plannedFold.into(fold, (own) => foldField(own, name, this.planned));
    }
    this.#sum.into(fold, name);
  }

  get planned(): readonly OwnedRun[] {
    return this.#planned.save();
  }

  get changed(): readonly OwnedRun[] {
    const changed = [...this.#changed.values()].map(({ record }) => record);
    return changed.sort(([a], [b]) => (a < b ? -1 : 1));
  }

  load(planned: readonly OwnedRun[], changed: readonly OwnedRun[]): void {
    for (const eui of [...this.#changed.keys()]) this.note(eui, this.#plannedOwnerOf(eui));
    this.#planned = new OwnedRuns(planned);
    this.#plannedFold.changed();
    for (const [eui, owner] of changed) this.note(eui, owner);
  }

  #plannedOwnerOf(eui: string): string {
    return this.#planned.ownerOf(eui) ?? DEFAULT_SUBSCRIBER;
  }
}

/** Owners of devices and gateways, and who there is from the start. */
export class Owners {
  readonly #of = { device: new OwnersOf(), gateway: new OwnersOf() };
  #subscribers: readonly PlannedSubscriber[] = [{ id: DEFAULT_SUBSCRIBER }];

  #deviceTypes: readonly string[] = [];

  /** Whose things are when they come; what was planned before has changed. */
  plan({ devices, gateways, deviceTypes }: PlannedOwners): void {
    if (deviceTypes !== undefined) this.#deviceTypes = [...deviceTypes];
    this.#of.device.plan(devices);
    this.#of.gateway.plan(gateways);
    const known = new Set(this.#subscribers.map(({ id }) => id));
    const others = [...devices, ...gateways].map(([, owner]) => owner);
    const added = [...new Set(others)].filter((owner) => !known.has(owner));
    if (added.length > 0)
      this.#subscribers = [...this.#subscribers, ...added.map((id) => ({ id }))];
  }

  /** Who a plan names, in its order; they stand in the place of the default subscriber. */
  planSubscribers(subscribers: readonly PlannedSubscriber[]): void {
    this.#subscribers = subscribers;
  }

  /**
   * Subscribers of the plan: those that it names, and owners of its things. A new array after each
   * addition.
   */
  get subscribers(): readonly PlannedSubscriber[] {
    return this.#subscribers;
  }

  owns(subscriber: string, thing: Thing, eui: string): boolean {
    return this.ownerOf(thing, eui) === subscriber;
  }

  ownerOf(thing: Thing, eui: string): string {
    return this.#of[thing].ownerOf(eui);
  }

  /** Whether the device type in this row is the subscriber's, or everybody's. */
  showsType(subscriber: string, row: number): boolean {
    const owner = this.#deviceTypes[row] ?? '';
    return owner === '' || owner === subscriber;
  }

  note(subscriber: string, thing: Thing, eui: string): void {
    this.#of[thing].note(eui, subscriber);
  }

  /** What nobody owns is the default subscriber's. */
  forget(thing: Thing, eui: string): void {
    this.note(DEFAULT_SUBSCRIBER, thing, eui);
  }

  fold(fold: Fold): void {
    this.#of.device.fold(fold, 'devices');
    this.#of.gateway.fold(fold, 'gateways');
  }

  get planned(): PlannedOwners {
    const { device, gateway } = this.#of;
    const types = this.#deviceTypes.length === 0 ? {} : { deviceTypes: [...this.#deviceTypes] };
    return { devices: device.planned, gateways: gateway.planned, ...types };
  }

  save(): SavedOwners {
    const { device, gateway } = this.#of;
    const changed = { devices: device.changed, gateways: gateway.changed };
    return { planned: this.planned, changed, subscribers: copyPlain(this.#subscribers) };
  }

  load({ planned, changed, subscribers }: SavedOwners): void {
    this.#subscribers = copyPlain(subscribers);
    this.#of.device.load(planned.devices, changed.devices);
    this.#of.gateway.load(planned.gateways, changed.gateways);
    this.#deviceTypes = planned.deviceTypes ?? [];
  }
}
