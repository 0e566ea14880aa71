/** Parameters of a request of OAuth, from a form or a query (RFC 6749 §3.1, §3.2). */
import { oauthRefusal } from './oauth-refusal.ts';

export type Form = ReadonlyMap<string, string>;

/** Characters of a value; longer ones are none of ours. */
const MOST_CHARACTERS = 4096;

/**
 * Each parameter may stand once; one without a value counts as absent. `parsed` has a list where a
 * name stood twice. Throws `invalid_request`.
 */
export function readForm(parsed: unknown): Form {
  const form = new Map<string, string>();
  if (typeof parsed !== 'object' || parsed === null) return form;
  for (const [name, value] of Object.entries(parsed)) {
    if (typeof value !== 'string') {
      throw oauthRefusal('invalid_request', 'A parameter stands more than once.');
    }
    if (value.length > MOST_CHARACTERS) {
      throw oauthRefusal('invalid_request', 'A parameter is too long.');
    }
    if (value !== '') form.set(name, value);
  }
  return form;
}

/** Throws `invalid_request` if it is absent. */
export function required(form: Form, name: string): string {
  const value = form.get(name);
  if (value === undefined) throw oauthRefusal('invalid_request', `${name} is missing.`);
  return value;
}
