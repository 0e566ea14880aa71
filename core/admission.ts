/**
 * What may be asked at all: a command or query is read by the rows of its operation, and its asker
 * needs the permission for it. Nothing is decided here, and nothing is changed. What is admitted is
 * a copy in normal form; admitting it again gives the same (docs/decisions/0038).
 */
import { fail, ok, type Result } from '../sim/base/result.ts';
import { type Asker, readAsker } from './base/subscribers.ts';
import { type Fields, readFields } from './kit/fields.ts';
import { isPermitted, permissionFor } from './kit/permissions.ts';
import { type AdmissionFailure, type ListedOperation, OPERATIONS } from './operations.ts';

export type Admitted = { readonly kind: string } & Asker;

/** What is asked, as the rows of its operation and of the asker read it. */
export function admit(input: unknown, what: 'command' | 'query'): Result<Admitted> {
  const refuse = (code: AdmissionFailure, message: string) => fail(code, message);
  if (typeof input !== 'object' || input === null) {
    return refuse('command.malformed', `A ${what} is a map of keys and values.`);
  }
  const kind: unknown = Object.hasOwn(input, 'kind') ? (input as { kind: unknown }).kind : '';
  const operation = typeof kind === 'string' ? operationOf(kind) : undefined;
  if (operation === undefined || isQuery(operation) !== (what === 'query')) {
    return refuse('command.unknown', `There is no such ${what}.`);
  }
  const asker = readAsker(input);
  if (!asker.ok) return asker;
  const { verb, takes, permission, resource } = operation;
  const needed = permissionFor(permission, verb);
  if (!isPermitted(asker.value.permissions, needed)) {
    return refuse('asker.forbidden', `${kind} needs the permission ${needed}.`);
  }
  const at = { path: '', name: resource, failure: 'command.malformed' };
  const read = readFields(takes as Fields, input, at);
  return read.ok ? ok({ kind: kind as string, ...asker.value, ...read.value }) : (read as never);
}

const operationOf = (kind: string): ListedOperation | undefined =>
  Object.hasOwn(OPERATIONS, kind) ? OPERATIONS[kind as keyof typeof OPERATIONS] : undefined;

const isQuery = ({ verb }: ListedOperation): boolean => verb === 'list' || verb === 'get';
