/**
 * What a resource of the platform is, and how its module declares it. `core/resources.ts` lists the
 * declarations; platform, commands, queries and operations are derived from that list.
 */
import type { NetworkView, ReceivedUplink } from '../network-face.ts';
import type { Fold } from './fold.ts';
import type { AnyHandlers } from './handlers.ts';
import type { Draws, Ids } from './ids.ts';
import type { Outbox } from './outbox.ts';

/**
 * What an operation does. `list` answers with what the asker has; `get`, `change` and `delete` name
 * one thing, which is unknown when it is another subscriber's; `own` acts on the asker's things
 * only, and is never refused because another has some. `list` and `get` are queries, the others
 * are commands.
 */
export type Verb = 'create' | 'list' | 'get' | 'change' | 'delete' | 'own';

/** What the platform calls of every resource. */
export interface Resource {
  readonly commands?: AnyHandlers;
  readonly queries?: AnyHandlers;
  /** An uplink of a watched device, or on one of the declared ports of any device. */
  onUplink?(owner: string, uplink: ReceivedUplink): void;
  /** The network view does not know the device any more. */
  onDeviceRemoved?(owner: string, devEui: string, nowUs: number): void;
  /** Folds every live record in the order of identity; a resource without records folds nothing. */
  fold(fold: Fold): void;
  /** Plain data that shares nothing with the resource. */
  save(): unknown;
  /** Puts saved data in the place of all records. */
  load(saved: unknown): void;
}

/** What the platform gives to every resource. Other resources stand beside it, by name. */
export interface Surroundings {
  readonly ids: Ids;
  readonly outbox: Outbox;
  readonly draws: Draws;
  /** The network as far as it is the subscriber's. */
  viewOf(subscriber: string): NetworkView;
}

type HandlersIn<Made, Field extends 'commands' | 'queries'> = Made extends {
  readonly [Each in Field]: infer Given;
}
  ? Given
  : Record<never, never>;

/** The handlers of a resource's commands and queries. */
export type CommandsOf<Made> = HandlersIn<Made, 'commands'>;
export type QueriesOf<Made> = HandlersIn<Made, 'queries'>;

/** A resource as its module declares it, once. */
export interface ResourceDeclaration<Name extends string, Needs, Made extends Resource> {
  readonly name: Name;
  /** The verb of each command and query. */
  readonly verbs: Readonly<Record<keyof CommandsOf<Made>, Verb>> &
    Readonly<Record<keyof QueriesOf<Made>, 'list' | 'get'>>;
  /** FPorts on which `onUplink` hears every device, watched or not. */
  readonly ports?: readonly number[];
  /**
   * `needs` is what the resource uses of its surroundings and, by name, of other resources. Those
   * may be made later than this one: a constructor keeps `needs` and does not call it.
   */
  readonly make: (needs: Needs) => Made;
}

/** Checks a declaration and keeps its types. */
export const declareResource = <const Name extends string, Needs, Made extends Resource>(
  declaration: ResourceDeclaration<Name, Needs, Made>,
): ResourceDeclaration<Name, Needs, Made> => declaration;
