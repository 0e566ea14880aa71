/** What the schema of a body says of a value, and what the rows of its operation say of it. */

import { FAMILIES } from '../../../api/http/families.ts';
import { Refusal } from '../../../api/http/refusal.ts';
import { givenIn, locOf } from '../../../api/http/requests.ts';
import { bindingOf } from '../../../api/http/route.ts';
import { PLATFORM } from '../../../api/http/served-operations.ts';
import { fieldsReader } from '../../../core/base/reading.ts';
import { jsonCopy } from '../../../sim/base/json.ts';
import type { Fields, Kind } from '../../../sim/base/rows/fields.ts';
import { isInstant } from '../../../sim/base/utc.ts';

/** Reads a body by rows; undefined: they take it. Else the way to what they refuse. */
export type RowsOf = (body: unknown) => readonly (string | number)[] | undefined;

export interface Bodied {
  readonly kind: string;
  readonly read: RowsOf;
  /** Of the body. */
  readonly row: Kind;
}

/** Operations of the platform, and of a host, that take JSON. */
export function bodiedOperations(host: Readonly<Record<string, { takes: Fields }>>): Bodied[] {
  return FAMILIES.flatMap(({ routes }) => routes).flatMap((route) => {
    const takes = (PLATFORM.get(route.kind) ?? host[route.kind]!).takes;
    const binding = bindingOf(route, takes);
    if (binding.body === undefined || route.upload) return [];
    const read = fieldsReader(takes, { path: '', name: 'request', failure: 'malformed' });
    const params = Object.fromEntries(
      [...binding.params].map(([name, field]) => [name, somethingOf(takes[field]!)]),
    );
    const readBody: RowsOf = (body) => {
      try {
        const result = read(givenIn(binding, { params, query: {}, body }));
        return result.ok ? undefined : (locOf(binding, result.failure.path) ?? ['body']).slice(1);
      } catch (error) {
        if (error instanceof Refusal) return [];
        throw error;
      }
    };
    const { body } = binding;
    const row: Kind = body.whole === undefined ? { type: 'record', fields: body.fields } : body.row;
    return [{ kind: route.kind, read: readBody, row }];
  });
}

/** Any id, any EUI, or a word that may be chosen. */
const somethingOf = (row: Kind): string => (row.type === 'choice' ? row.words[0]! : '0'.repeat(16));

/**
 * Why rows may refuse what the schema takes: what JSON Schema has no keyword for, or has one that
 * says something else.
 */
export const REASONS: Readonly<Record<string, (kind: Kind, value: unknown) => boolean>> = {
  'a text has no control characters and no unpaired surrogates': (kind, value) =>
    kind.type === 'text' && typeof value === 'string' && /\p{Cc}|\p{Surrogate}/u.test(value),
  'a rule of the row, which its description reports': (kind, value) =>
    'rule' in kind && kind.allowed !== undefined && kind.rule?.(value as never) === false,
  'an instant has no leap second, and is of the years 1970 to 9999': (kind, value) =>
    kind.type === 'instant' && typeof value === 'string' && !isInstant(value),
  'an instant has at most 60 characters': (kind, value) =>
    kind.type === 'instant' && typeof value === 'string' && value.length > 60,
  'plain data has that many values at most, and is so deep at most': (kind, value) =>
    kind.type === 'json' && isPlainObject(value) && jsonCopy(value) === undefined,
};

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const IN_TWO_CASES = 'hexadecimal digits in two cases are one value';

const hasInTwoCases = (value: unknown): boolean =>
  Array.isArray(value) &&
  new Set(value.map((each) => String(each).toUpperCase())).size < new Set(value).size;

/** The reasons that hold at the end of a way, or at what one of several kinds says of it. */
export function reasonsAt(
  kind: Kind,
  value: unknown,
  [key, ...rest]: readonly (string | number)[],
): string[] {
  if (kind.type === 'either')
    return kind.kinds.flatMap((each) =>
      reasonsAt(each, value, key === undefined ? [] : [key, ...rest]),
    );
  if (key === undefined) {
    const own = Object.entries(REASONS).filter(([, holds]) => holds(kind, value));
    const one = kind.type === 'list' && kind.orOne ? reasonsAt(kind.of, value, []) : [];
    return [...own.map(([reason]) => reason), ...one];
  }
  const inner = (value as Record<string | number, unknown> | undefined)?.[key];
  if (kind.type === 'list') {
    const twice = kind.unique && hasInTwoCases(value) ? [IN_TWO_CASES] : [];
    return [...twice, ...reasonsAt(kind.of, inner, rest)];
  }
  if (kind.type === 'record' && kind.fields[key] !== undefined) {
    return reasonsAt(kind.fields[key], inner, rest);
  }
  return kind.type === 'map' ? reasonsAt(kind.of, inner, rest) : [];
}
