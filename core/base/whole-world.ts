/** View of the whole world for resources, across all owners of devices and gateways. */
import type { NetworkView } from '../../sim/contract/view.ts';
import type { Coordinates } from './geography.ts';
import { type Draws, type IdForm, idFrom } from './ids.ts';
import type { Owners, PlannedSubscriber, Thing } from './subscribers.ts';

export interface WholeWorld {
  /** Whether it has a device or gateway with this EUI. */
  has(thing: Thing, eui: string): boolean;
  /** Whose it is: for those alone who say who may do what with another's devices. */
  ownerOf(thing: Thing, eui: string): string;
  /** A thing that is about to come is the subscriber's from now on. */
  claim(subscriber: string, thing: Thing, eui: string): void;
  /** EUIs of all gateways in service, of all owners, in no particular order. */
  gateways(): readonly string[];
  /** Among worlds of the same plan and seed; '': it is alone. */
  readonly id: string;
  /** Where on Earth its middle is. */
  readonly origin: Coordinates;
  /** Draws for the place of an entity: pure functions of the seed and its name. */
  placeDraws(entity: string): Draws;
  /**
   * The id of what derives from the plan: a pure function of the seed, the resource and the name,
   * and of what is taken.
   */
  namedId(form: IdForm, resource: string, name: string, isTaken?: (id: string) => boolean): string;
  /** Who there is by the plan, in its order; another list once that is more. */
  readonly subscribers: readonly PlannedSubscriber[];
}

/** Draws of a platform: pure functions of the seed, of a name, and of a counter. */
export interface PlatformDraws {
  /** What resources draw, one after the other, and their ids likewise. */
  readonly stream: Draws;
  readonly ids: Draws;
  /** For the places of things, and for ids of what derives from the plan. */
  readonly placeOf: (entity: string) => Draws;
  readonly nameOf: (entity: string) => Draws;
}

/** Has no state of its own. */
export const wholeWorldOf = (
  view: NetworkView,
  owners: Owners,
  { placeOf, nameOf }: PlatformDraws,
  origin: Coordinates,
  id = '',
): WholeWorld => ({
  id,
  gateways: () => view.gateways().map(({ eui }) => eui),
  origin,
  has: (thing, eui) => view[thing](eui) !== undefined,
  ownerOf: (thing, eui) => owners.ownerOf(thing, eui),
  claim: (subscriber, thing, eui) => owners.note(subscriber, thing, eui),
  placeDraws: placeOf,
  namedId: (form, resource, name, isTaken) => idFrom(nameOf(`${resource} ${name}`), form, isTaken),
  get subscribers() {
    return owners.subscribers;
  },
});
