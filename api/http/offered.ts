/** All operations as the door sees them: those of the platform, and the host's own. */
import type { FailureClass, FailureClasses } from '../../core/kit/failures.ts';
import type { Verb } from '../../core/kit/permissions.ts';
import {
  ADMISSION_FAILURES,
  FAILURES,
  type ListedOperation,
  OPERATIONS,
} from '../../core/operations.ts';
import { WORLD_FAILURES } from '../../core/world/guard.ts';
import type { HostOperation } from '../host/host-operation.ts';
import type { Offered } from './route.ts';

export type HostOperations = { readonly [kind: string]: HostOperation };

/** The platform's operations by kind. */
export const PLATFORM: ReadonlyMap<string, Offered & { readonly isQuery: boolean }> = new Map(
  Object.entries<ListedOperation>(OPERATIONS).map(([kind, operation]) => {
    const { permission, verb, fails, ...rest } = operation;
    const classes = fails.map((code) => [code, whereGiven(FAILURES[code as Code], verb)] as const);
    const isQuery = verb === 'list' || verb === 'get';
    const needs = { object: permission, verb };
    return [kind, { ...rest, fails: Object.fromEntries(classes), needs, isQuery }];
  }),
);

/** All that a world answers with. */
export const PLATFORM_FAILURES: FailureClasses = { ...FAILURES, ...WORLD_FAILURES };

/** What every operation of the host may refuse with, beside what it declares. */
export const HOST_FAILURES: FailureClasses = {
  ...ADMISSION_FAILURES,
  'request.malformed': 'malformed',
};

type Code = keyof typeof FAILURES;

/** An operation of the host as a route has it. */
export const hostOffered = (kind: string, operation: HostOperation): Offered => ({
  resource: kind.split('.')[0]!,
  ...operation,
});

/** What a creation does not find stands in its own fields. */
function whereGiven(failure: FailureClass, verb: Verb): FailureClass {
  return failure === 'unknown' && verb === 'create' ? 'malformed' : failure;
}
