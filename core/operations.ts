/**
 * All that the platform's resources offer, derived from `RESOURCES`: each operation with its
 * resource and verb, and the types of commands, queries and answers. The test of isolation walks
 * the table.
 */
import type { OperationsOf } from './kit/handlers.ts';
import type { CommandsOf, QueriesOf, Verb } from './kit/resource.ts';
import { RESOURCES } from './resources.ts';

type Declared = (typeof RESOURCES)[number];

export type ResourceName = Declared['name'];

/** Every resource by name. */
export type Resources = {
  readonly [Each in Declared as Each['name']]: ReturnType<Each['make']>;
};

type Commands = OperationsOf<CommandsOf<Resources[ResourceName]>>;
type Queries = OperationsOf<QueriesOf<Resources[ResourceName]>>;

/** Commands that the platform decides. */
export type PlatformCommand = Commands['asked'];

/** What a command is answered with, by its kind. */
export type PlatformCommandAnswers = {
  readonly [Each in Commands as Each['kind']]: Each['answer'];
};

/** What a subscriber may ask of the platform. */
export type PlatformQuery = Queries['asked'];

/** What a query is answered with, by its kind: the documented shapes of the services. */
export type QueryAnswers = { readonly [Each in Queries as Each['kind']]: Each['answer'] };

/** Codes of refusals. */
export type PlatformFailure = (Commands | Queries)['code'];

export interface Operation {
  readonly resource: ResourceName;
  readonly verb: Verb;
}

export type OperationKind = (Commands | Queries)['kind'];

/** By kind, in the order of the resources. */
export const OPERATIONS = Object.fromEntries(
  RESOURCES.flatMap(({ name: resource, verbs }) =>
    Object.entries(verbs).map(([kind, verb]): [string, Operation] => [kind, { resource, verb }]),
  ),
) as Readonly<Record<OperationKind, Operation>>;
