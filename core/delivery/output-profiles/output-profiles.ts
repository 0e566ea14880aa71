/**
 * Output profiles: where the data of devices goes. START HERE; entries.ts is what is stored of a
 * profile's arrays, bodies.ts what is delivered, core/delivery/deliveries/ how.
 *
 * Every accepted new data uplink of a device goes to each target of its profile. What repeats an
 * uplink, copies that come late, and joins do not: they are no uplinks of their own.
 */

import type { Json } from '../../../sim/base/json.ts';
import { andThen, fail, found, ok, type Result } from '../../../sim/base/result.ts';
import type { ReceivedUplink } from '../../../sim/contract/news.ts';
import { type Owned, Store } from '../../base/store.ts';
import type { Asking, OwnView } from '../../base/subscribers.ts';
import {
  declareResource,
  handlers,
  type Listeners,
  type Surroundings,
} from '../../kit/resource.ts';
import { responded } from '../../management/response.ts';
import type { Matter, Target } from '../deliveries/target.ts';
import { ARRAY_NAMES, type Route } from '../targets/kinds.ts';
import { type BodyNeeds, bodiesOf } from './bodies.ts';
import { countOf, type Entries, entriesOf, type GivenEntries, NO_ENTRIES } from './entries.ts';
import { FAILURES, OPERATIONS, type TARGETS } from './operations.ts';
import { responseOf } from './responses.ts';
import type { GivenProfile, ProfileResponse } from './rows.ts';
import { addressFor, routeOf, targetsOf } from './targets.ts';

/** Targets of a subscriber. */
const MOST_TARGETS = 10_000;

/** A profile as it is stored. */
export interface Profile extends Entries, Owned {
  readonly Id: string;
  readonly Name: string;
  /** How many DestinationIds it has given: none is given again. */
  readonly given: number;
}

/** What output profiles use of their surroundings and of other resources. */
export interface ProfileNeeds
  extends BodyNeeds,
    Pick<Surroundings, 'ids' | 'world' | 'watching' | 'viewOf'> {
  readonly endDevice: {
    /** The profile of a subscriber's device, by its id; '': it has none. */
    outputProfileOf(owner: string, devEui: string, view: OwnView): string;
    /** Devices that have it, in no particular order. */
    withOutputProfile(id: string, asking: Asking): readonly string[];
    giveOutputProfile(devEui: string, id: string, asking: Asking): Result<unknown>;
  };
  readonly deviceProfile: {
    /** Whether devices of some type have it by default. */
    presetsOutputProfile(owner: string, id: string): boolean;
  };
  readonly delivery: {
    emit(
      target: Target,
      what: Matter,
      body: () => Json,
      nowUs: number,
      address?: () => string,
    ): void;
    changed(target: Target, nowUs: number): void;
    removed(owner: string, targetId: string, nowUs: number): void;
  };
}

/** Codes with which targets are refused. */
type RefusedTargets = (typeof TARGETS)[number];

export class OutputProfiles {
  readonly #needs: ProfileNeeds;
  readonly #all = new Store<Profile, 'target'>('outputProfile', ({ Id }) => Id, {
    target: (profile) =>
      ARRAY_NAMES.flatMap((name) => profile[name].map(({ DestinationId }) => DestinationId)),
  });
  /** How many targets each subscriber has. */
  readonly #targets = new Map<string, number>();

  readonly handle = handlers(OPERATIONS, {
    'outputProfile.create': ({ outputProfile, id }, asking) =>
      this.#create(outputProfile, id, asking),
    'outputProfile.list': (_, { by }) =>
      ok({ OutputProfiles: this.#all.list(by).map((each): ProfileResponse => responseOf(each)) }),
    'outputProfile.get': ({ Id }, { by }) =>
      andThen(this.#known(Id, by), (it) => ok(responseOf(it))),
    'outputProfile.replace': ({ Id, outputProfile }, asking) =>
      andThen(this.#known(Id, asking.by), (known) => {
        const { Name, ...given } = outputProfile;
        return this.#change(known, Name, { ...NO_ENTRIES, ...given }, asking);
      }),
    'outputProfile.update': ({ Id, outputProfile }, asking) =>
      andThen(this.#known(Id, asking.by), (known) => {
        const { Name = known.Name, ...given } = outputProfile;
        return this.#change(known, Name, given, asking);
      }),
    'outputProfile.delete': ({ Id }, asking) =>
      andThen(this.#known(Id, asking.by), (known) => this.#delete(known, asking)),
    'outputProfile.assign': ({ Id, Devices }, asking) =>
      andThen(this.#known(Id, asking.by), () => ok(this.#assign(Id, Devices, asking))),
    'outputProfile.assignAll': ({ Id, Devices }, asking) =>
      andThen(this.#known(Id, asking.by), () => {
        const stay = new Set(Devices);
        for (const devEui of this.#needs.endDevice.withOutputProfile(Id, asking)) {
          if (!stay.has(devEui)) this.#needs.endDevice.giveOutputProfile(devEui, '', asking);
        }
        return ok(this.#assign(Id, Devices, asking));
      }),
  });

  readonly hears: Listeners = {
    uplink: ({ uplink }, { owner, nowUs }) => this.#deliver(uplink, owner, nowUs),
    deviceCreated: ({ devEui }, { owner, nowUs }) => {
      if (this.#profileOf(owner, devEui) !== undefined) this.follow(devEui, nowUs);
    },
  };

  constructor(needs: ProfileNeeds) {
    this.#needs = needs;
  }

  // ── what other resources ask ───────────────────────────────────────────────────────────────────

  /** What a subscriber sees by an id. */
  get(id: string, by: string): Profile | undefined {
    return this.#all.get(by, id);
  }

  /** A target takes nothing any more: it is paused. */
  disable(owner: string, targetId: string, _nowUs: number): void {
    const known = this.#all.by('target', targetId).find((each) => each.owner === owner);
    if (known === undefined) return;
    const arrays = ARRAY_NAMES.map((name) => [
      name,
      known[name].map((each) =>
        each.DestinationId === targetId ? { ...each, Active: false } : each,
      ),
    ]);
    this.#all.put({ ...known, ...(Object.fromEntries(arrays) as Entries) });
  }

  /** How a target is reached; undefined: nobody has it. */
  routeOf(owner: string, targetId: string): Route | undefined {
    const known = this.#all.by('target', targetId).find((each) => each.owner === owner);
    const targets = known === undefined ? [] : targetsOf(owner, known);
    const target = targets.find(({ target: { id } }) => id === targetId);
    return target && routeOf(target);
  }

  /** A device has a profile now, or none any more: its uplinks are heard while it has one. */
  follow(devEui: string, nowUs: number): void {
    const { watching } = this.#needs;
    if (this.watches(devEui)) watching.begins(devEui, nowUs);
    else watching.ends(devEui, nowUs);
  }

  watches(devEui: string): boolean {
    const owner = this.#needs.world.ownerOf('device', devEui);
    return this.#profileOf(owner, devEui) !== undefined;
  }

  // ── saving ─────────────────────────────────────────────────────────────────────────────────────

  fold = this.#all.saving.fold;
  save = () => this.#all.saving.save();

  load(saved: readonly Profile[]): void {
    this.#all.saving.load(saved);
    this.#targets.clear();
    for (const each of this.#all.all()) this.#count(each.owner, countOf(each));
  }

  // ── commands ───────────────────────────────────────────────────────────────────────────────────

  #create({ Name, ...given }: GivenProfile, id: string | undefined, { by }: Asking) {
    const isTaken = (each: string) => this.#all.ofAnybody(each) !== undefined;
    if (id !== undefined && isTaken(id)) {
      return fail('outputProfile.exists', `There is an output profile ${id}.`, '/id');
    }
    // What is refused uses up no id.
    const checked = this.#entriesOf('', given, NO_ENTRIES, 0, by);
    if (!checked.ok) return checked;
    const Id = id ?? this.#needs.ids.medium(isTaken);
    return andThen(this.#entriesOf(Id, given, NO_ENTRIES, 0, by), (entries) => {
      this.#put({ ...entries, owner: by, Id, Name });
      return ok({ Id });
    });
  }

  #change(known: Profile, Name: string, given: GivenEntries, { by, nowUs }: Asking) {
    return andThen(this.#entriesOf(known.Id, given, known, known.given, by), (entries) => {
      const after = { ...entries, owner: by, Id: known.Id, Name };
      this.#put(after, known);
      const targets = targetsOf(by, after).map(({ target }) => target);
      const stay = new Set(targets.map(({ id }) => id));
      for (const { target } of targetsOf(by, known)) {
        if (!stay.has(target.id)) this.#needs.delivery.removed(by, target.id, nowUs);
      }
      for (const target of targets) this.#needs.delivery.changed(target, nowUs);
      return responded();
    });
  }

  #delete(known: Profile, asking: Asking) {
    const { Id, owner } = known;
    const isPreset = this.#needs.deviceProfile.presetsOutputProfile(owner, Id);
    const devices = this.#needs.endDevice.withOutputProfile(Id, asking).length;
    if (isPreset || devices > 0) {
      const who = devices > 0 ? `${devices} devices` : 'devices of a type';
      return fail('outputProfile.in-use', `The output profile ${Id} is that of ${who}.`);
    }
    this.#all.remove(owner, Id);
    this.#count(owner, -countOf(known));
    for (const { target } of targetsOf(owner, known)) {
      this.#needs.delivery.removed(owner, target.id, asking.nowUs);
    }
    return responded();
  }

  #assign(id: string, devEuis: readonly string[], asking: Asking) {
    const Responses = devEuis.map((DevEUI) => {
      const given = this.#needs.endDevice.giveOutputProfile(DevEUI, id, asking);
      return { DevEUI, Response: given.ok, Error: given.ok ? '' : given.failure.message };
    });
    return { Responses };
  }

  /** What is stored of arrays that are given, with the number of ids that were given by then. */
  #entriesOf(
    id: string,
    given: GivenEntries,
    before: Entries,
    ids: number,
    by: string,
  ): Result<Entries & Pick<Profile, 'given'>, RefusedTargets> {
    let count = ids;
    const newId = () => this.#destinationId(`${id} ${++count}`);
    const read = entriesOf(given, before, newId);
    if (!read.ok) return read;
    const targets = countOf(read.value);
    if (targets === 0) {
      const message = `Give a target in at least one of ${ARRAY_NAMES.join(', ')}.`;
      return fail('outputProfile.no-target', message, '/RestParams');
    }
    const all = (this.#targets.get(by) ?? 0) + targets - countOf(before);
    if (all > MOST_TARGETS && targets > countOf(before)) {
      return fail('outputProfile.full', `${all} targets are more than ${MOST_TARGETS}.`);
    }
    return ok({ ...read.value, given: count });
  }

  /** A function of the seed, the profile and how many it has given. */
  #destinationId(name: string): string {
    const isTaken = (id: string) => this.#all.by('target', id).length > 0;
    return this.#needs.world.namedId('medium', 'outputTarget', name, isTaken);
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────

  #known(id: string, by: string) {
    return found(this.get(id, by), 'outputProfile.unknown', `No output profile is ${id}.`);
  }

  #put(profile: Profile, before: Entries = NO_ENTRIES): void {
    this.#all.put(profile);
    this.#count(profile.owner, countOf(profile) - countOf(before));
  }

  #count(owner: string, more: number): void {
    const count = (this.#targets.get(owner) ?? 0) + more;
    if (count === 0) this.#targets.delete(owner);
    else this.#targets.set(owner, count);
  }

  /** A subscriber without profiles pays nothing. */
  #profileOf(owner: string, devEui: string): Profile | undefined {
    if (!this.#targets.has(owner)) return undefined;
    const { endDevice, viewOf } = this.#needs;
    const id = endDevice.outputProfileOf(owner, devEui, viewOf(owner));
    return id === '' ? undefined : this.#all.get(owner, id);
  }

  #deliver(uplink: ReceivedUplink, owner: string, nowUs: number): void {
    const profile = this.#profileOf(owner, uplink.devEui);
    if (profile === undefined) return;
    const { devEui, fPort } = uplink;
    const bodyFor = bodiesOf(uplink, this.#needs, owner, nowUs);
    for (const each of targetsOf(owner, profile)) {
      const body = () => bodyFor(each);
      const address = () => addressFor(each, devEui, fPort);
      const what = { kind: 'uplink', about: devEui, ...(fPort >= 0 && { fPort }) } as const;
      this.#needs.delivery.emit(each.target, what, body, nowUs, address);
    }
  }
}

export const outputProfileResource = declareResource({
  name: 'outputProfile',
  is: 'Output profiles: where the data of devices is delivered, version 1.',
  permission: 'Device',
  failures: FAILURES,
  operations: OPERATIONS,
  make: (needs: ProfileNeeds) => new OutputProfiles(needs),
});
