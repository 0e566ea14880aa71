/** All operations as the door sees them: those of the platform, and the host's own. */
import type { FailureClass } from '../../core/kit/failures.ts';
import type { Verb } from '../../core/kit/permissions.ts';
import { FAILURES, type ListedOperation, OPERATIONS } from '../../core/operations.ts';
import type { HostOperation } from './host-operation.ts';
import type { Offered } from './route.ts';

export type HostOperations = { readonly [kind: string]: HostOperation };

/** The platform's operations by kind. */
export const PLATFORM: ReadonlyMap<string, Offered & { readonly isQuery: boolean }> = new Map(
  Object.entries<ListedOperation>(OPERATIONS).map(([kind, operation]) => {
    const {
      resource,
      is,
      takes,
      answers = null,
      meanwhile,
      fails = [],
      permission,
      verb,
    } = operation;
    const classes = new Set(fails.map((code) => FAILURES[code as keyof typeof FAILURES]));
    const offered: Offered & { readonly isQuery: boolean } = {
      resource,
      is,
      takes,
      answers,
      ...(meanwhile === undefined ? {} : { meanwhile }),
      fails: [...classes].map((one) => whereGiven(one, verb)),
      needs: { object: permission, verb },
      isQuery: verb === 'list' || verb === 'get',
    };
    return [kind, offered];
  }),
);

/** An operation of the host as a route has it. */
export const hostOffered = (kind: string, operation: HostOperation): Offered => ({
  resource: kind.split('.')[0]!,
  is: operation.is,
  takes: operation.takes,
  answers: operation.answers,
  fails: [...new Set(Object.values(operation.fails))],
  needs: operation.needs,
});

/** What a creation does not find stands in its own fields. */
function whereGiven(failure: FailureClass, verb: Verb): FailureClass {
  return failure === 'unknown' && verb === 'create' ? 'malformed' : failure;
}
