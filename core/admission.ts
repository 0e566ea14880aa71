/**
 * Admission: parses a command or query by the rows of its operation, and checks that its caller
 * needs the permission for it. Nothing is decided here, and nothing is changed. What is admitted is
 * a copy in normal form, without permissions: who may do more does the same. Admitting it again
 * gives the same (docs/decisions/0038).
 */
import { fail, type Result } from '../sim/base/result.ts';
import { fieldsReader } from './base/reading.ts';
import { type AdmittedCaller, readCaller } from './base/subscribers.ts';
import { type AdmissionFailure, type ListedOperation, OPERATIONS } from './operations.ts';
import { isPermitted, isQuery, type Permission, permissionFor } from './rows/permissions.ts';

export type Admitted = { readonly kind: string } & AdmittedCaller;

/** An operation, ready to be asked for. */
interface Askable {
  readonly what: 'command' | 'query';
  /** Undefined: any known caller is permitted. */
  readonly needed: Permission | undefined;
  readonly read: ReturnType<typeof fieldsReader>;
}

const ASKABLE: ReadonlyMap<unknown, Askable> = new Map(
  Object.entries<ListedOperation>(OPERATIONS).map(
    ([kind, { verb, open, takes, permission, resource }]) => [
      kind,
      {
        what: isQuery(verb) ? 'query' : 'command',
        needed: open ? undefined : permissionFor(permission, verb),
        read: fieldsReader(takes, { path: '', name: resource, failure: 'command.malformed' }),
      },
    ],
  ),
);

/** A request as parsed by the rows of its operation and of the caller. */
export function admit(input: unknown, what: 'command' | 'query'): Result<Admitted> {
  const refuse = (code: AdmissionFailure, message: string) => fail(code, message);
  if (typeof input !== 'object' || input === null) {
    return refuse('command.malformed', `A ${what} is a map of keys and values.`);
  }
  const kind: unknown = Object.hasOwn(input, 'kind') ? (input as { kind: unknown }).kind : '';
  const operation = ASKABLE.get(kind);
  if (operation?.what !== what) return refuse('command.unknown', `There is no such ${what}.`);
  const caller = readCaller(input);
  if (!caller.ok) return caller;
  const { by, as, permissions } = caller.value;
  const { needed } = operation;
  if (needed !== undefined && !isPermitted(permissions, needed)) {
    return refuse('asker.forbidden', `${kind} needs the permission ${needed}.`);
  }
  const owner = as === undefined ? { kind, by } : { kind, by, as };
  return operation.read(input, owner) as Result<Admitted>;
}
