/**
 * All that the platform's resources offer, derived from `RESOURCES`: each operation with its
 * resource, verb and fields, and the types of commands, queries, answers and failures.
 */

import type { Input } from '../sim/base/rows/fields.ts';
import type { FailureClass, FailureClasses } from './kit/failures.ts';
import type { AnswerOf, MeanwhileOf, Operation, Outcome } from './kit/resource.ts';
import { RESOURCES } from './resources.ts';
import { type CodesOf, codesOfRows } from './rows/fields.ts';
import type { PermissionObject, Verb } from './rows/permissions.ts';

type Declared = (typeof RESOURCES)[number];

export type ResourceName = Declared['name'];

/** Every resource by name. */
export type Resources = {
  readonly [Each in Declared as Each['name']]: ReturnType<Each['make']>;
};

/** An operation of a resource, as types. */
interface Typed {
  readonly kind: string;
  readonly verb: Verb;
  readonly resource: string;
  readonly asked: object;
  readonly answer: unknown;
  readonly meanwhile: unknown;
  readonly code: string;
  readonly timeline: string;
}

type OperationsOf<D> = D extends { readonly name: infer Name; readonly operations: infer All }
  ? {
      [Kind in keyof All & string]: All[Kind] extends Operation
        ? {
            readonly kind: Kind;
            readonly resource: Name;
            readonly verb: All[Kind]['verb'];
            readonly asked: { readonly kind: Kind } & Input<All[Kind]['takes']>;
            readonly answer: AnswerOf<All[Kind]>;
            readonly meanwhile: MeanwhileOf<All[Kind]>;
            readonly code: All[Kind]['fails'][number] | CodesOf<All[Kind]['takes']>;
            readonly timeline: All[Kind] extends { readonly timeline: { readonly verb: infer V } }
              ? V
              : never;
          }
        : never;
    }[keyof All & string]
  : never;

type All = OperationsOf<Declared>;
type Queries = Extract<All, { readonly verb: 'list' | 'get' }>;
type Commands = Exclude<All, Queries>;

type By<Each extends Typed, Field extends keyof Typed> = {
  readonly [One in Each as One['kind']]: One[Field];
};

/** Verbs of the timeline that operations declare. */
export type DeclaredVerb = All['timeline'];

/** Commands as a caller may give them. */
export type PlatformCommand = Commands['asked'];
/** What a subscriber may ask of the platform. */
export type PlatformQuery = Queries['asked'];

/** What an operation is answered with, and the codes of its refusals, by its kind. */
export type Answers = By<All, 'answer'>;
type Meanwhiles = By<All, 'meanwhile'>;
export type Codes = { readonly [Kind in All['kind']]: By<All, 'code'>[Kind] | AdmissionFailure };

/** Refusals before anything is decided. */
export type AdmissionFailure = keyof typeof ADMISSION_FAILURES;

export const ADMISSION_FAILURES = {
  'command.malformed': 'malformed',
  'command.unknown': 'malformed',
  'asker.malformed': 'malformed',
  'asker.forbidden': 'forbidden',
  'eui.malformed': 'malformed',
} as const satisfies FailureClasses;

/** Refusals of a world, whatever is asked of it. */
export type WorldFailure = keyof typeof WORLD_FAILURES;

export const WORLD_FAILURES = {
  'world.stopped': 'unavailable',
  'world.stepped-over': 'unavailable',
} as const satisfies FailureClasses;

/** Codes of all refusals of a platform, and of a world. */
export type PlatformFailure = All['code'] | AdmissionFailure;
export type AnyFailure = PlatformFailure | WorldFailure;

/** What an operation of some kind answers. */
export type Answered<Kind extends string> = Kind extends keyof Answers
  ? Outcome<Answers[Kind], Meanwhiles[Kind], Codes[Kind]>
  : never;

/** An operation, and the resource that it belongs to. */
export interface ListedOperation extends Operation {
  readonly resource: ResourceName;
  readonly permission: PermissionObject;
}

export type OperationKind = All['kind'];

/** By kind, in the order of the resources. */
export const OPERATIONS = Object.fromEntries(
  RESOURCES.flatMap(({ name: resource, permission, operations }) =>
    Object.entries(operations).map(([kind, row]): [string, ListedOperation] => [
      kind,
      { ...row, resource, permission },
    ]),
  ),
) as Readonly<Record<OperationKind, ListedOperation>>;

/** Fields of an operation that digests leave out, by its kind. */
const DRAWN: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<ListedOperation>(OPERATIONS).flatMap(([kind, { takes }]) => {
    const drawn = Object.keys(takes).filter((name) => takes[name]?.drawn);
    return drawn.length === 0 ? [] : [[kind, drawn] as const];
  }),
);

/** What of a command a digest has: the same requests have the same, whatever a host draws. */
export function withoutDrawn<Given extends { readonly kind: string }>(command: Given): object {
  const drawn = DRAWN.get(command.kind);
  if (drawn === undefined) return command;
  return Object.fromEntries(Object.entries(command).filter(([name]) => !drawn.includes(name)));
}

type DeclaredFailures<D> = D extends { readonly failures: infer Codes } ? keyof Codes : never;

/**
 * The class of every failure that a world answers with, by its code; one that no resource declares
 * does not compile.
 */
export const FAILURES: Readonly<Record<AnyFailure, FailureClass>> = Object.assign(
  {},
  ADMISSION_FAILURES,
  WORLD_FAILURES,
  ...RESOURCES.map(({ failures }) => failures),
) as Record<DeclaredFailures<Declared> | AdmissionFailure | WorldFailure, FailureClass>;

/**
 * Codes of all that an operation may be refused with: in admission, by its handler, and by a world
 * that has stopped. Those of admission are the ones that what it takes can give.
 */
export function codesOf(kind: OperationKind): readonly AnyFailure[] {
  const { takes, fails, open } = OPERATIONS[kind];
  const read = codesOfRows(takes, 'command.malformed');
  const forbidden = open ? [] : ['asker.forbidden'];
  const all = [...read, ...forbidden, ...fails, ...Object.keys(WORLD_FAILURES)];
  return [...new Set(all)] as AnyFailure[];
}

/**
 * The same with their classes. What is unknown to an operation that creates is so in the request's
 * own fields, which makes the request malformed (`classOf`).
 */
export function failuresOf(kind: OperationKind): FailureClasses {
  const unknown = OPERATIONS[kind].verb === 'create' ? 'malformed' : 'unknown';
  const classed = codesOf(kind).map((code) => [code, FAILURES[code]] as const);
  return Object.fromEntries(classed.map(([code, of]) => [code, of === 'unknown' ? unknown : of]));
}
