/** The scope of a token: names of permissions, of those that the account has. */
import { PERMISSIONS, type Permission } from '../../../core/rows/permissions.ts';
import { fail, ok, type Result } from '../../../sim/base/result.ts';
import type { Form } from './form.ts';

type Scope = readonly Permission[] | undefined;

const WRONG = 'A word of the scope is no permission, or none that the account has.';

/** Who has permissions. */
interface Holder {
  readonly permissions: readonly Permission[];
}

/** Absent: all that the account has. */
export function readScope(form: Form, { permissions }: Holder): Result<Scope, 'invalid_scope'> {
  const words = new Set(form.get('scope')?.split(' ').filter(Boolean));
  if (words.size === 0) return ok(undefined);
  const scope = PERMISSIONS.filter((each) => words.has(each) && permissions.includes(each));
  return scope.length === words.size ? ok(scope) : fail('invalid_scope', WRONG);
}
