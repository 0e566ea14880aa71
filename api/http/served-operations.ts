/** All operations for HTTP: those of the platform, and the host's own. */
import type { FailureClasses } from '../../core/kit/failures.ts';
import {
  ADMISSION_FAILURES,
  failuresOf,
  type ListedOperation,
  OPERATIONS,
  type OperationKind,
} from '../../core/operations.ts';
import { isQuery } from '../../core/rows/permissions.ts';
import type { HostOperation } from '../host/requests/host-operation.ts';
import { JOURNAL_FAILURES } from '../host/world/durable-commands.ts';
import type { ServedOperation } from './route.ts';

export type HostOperations = { readonly [kind: string]: HostOperation };

/** The platform's operations by kind. */
export const PLATFORM: ReadonlyMap<string, ServedOperation & { readonly isQuery: boolean }> =
  new Map(
    Object.entries<ListedOperation>(OPERATIONS).map(([kind, operation]) => {
      const { permission, verb, open = false } = operation;
      const stored = isQuery(verb) ? {} : JOURNAL_FAILURES;
      const fails = { ...failuresOf(kind as OperationKind), ...stored };
      const needs = { object: permission, verb, open };
      return [kind, { ...operation, fails, needs, isQuery: isQuery(verb) }];
    }),
  );

/** An operation of the host as a route has it. */
export const hostOperations = (kind: string, operation: HostOperation): ServedOperation => ({
  ...operation,
  resource: kind.split('.')[0]!,
  fails: {
    ...READING_FAILURES,
    ...(operation.needs !== null && !isQuery(operation.needs.verb) && JOURNAL_FAILURES),
    ...operation.fails,
  },
});

/** What any field of an operation may be refused with. */
const READING_FAILURES: FailureClasses = {
  ...ADMISSION_FAILURES,
  'request.malformed': 'malformed',
};
