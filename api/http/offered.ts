/** All operations as the door sees them: those of the platform, and the host's own. */
import type { FailureClass, FailureClasses } from '../../core/kit/failures.ts';
import type { Verb } from '../../core/kit/permissions.ts';
import {
  ADMISSION_FAILURES,
  codesOf,
  FAILURES,
  type ListedOperation,
  OPERATIONS,
  type OperationKind,
} from '../../core/operations.ts';
import type { HostOperation } from '../host/host-operation.ts';
import type { Offered } from './route.ts';

export type HostOperations = { readonly [kind: string]: HostOperation };

/** The platform's operations by kind. */
export const PLATFORM: ReadonlyMap<string, Offered & { readonly isQuery: boolean }> = new Map(
  Object.entries<ListedOperation>(OPERATIONS).map(([kind, operation]) => {
    const { permission, verb } = operation;
    const codes = codesOf(kind as OperationKind).map((code) => [code, classIn(verb, code)]);
    const isQuery = verb === 'list' || verb === 'get';
    const needs = { object: permission, verb };
    return [kind, { ...operation, fails: Object.fromEntries(codes), needs, isQuery }];
  }),
);

/** What a creation does not find stands in its own fields. */
function classIn(verb: Verb, code: keyof typeof FAILURES): FailureClass {
  const given = FAILURES[code];
  return given === 'unknown' && verb === 'create' ? 'malformed' : given;
}

/** An operation of the host as a route has it. */
export const hostOffered = (kind: string, operation: HostOperation): Offered => ({
  ...operation,
  resource: kind.split('.')[0]!,
  fails: { ...READING_FAILURES, ...operation.fails },
});

/** What any field of an operation may be refused with. */
const READING_FAILURES: FailureClasses = {
  ...ADMISSION_FAILURES,
  'request.malformed': 'malformed',
};
