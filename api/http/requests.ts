/** What a request gives for the fields of its operation, whose rows read it afterwards. */

import { keysOf } from '../../sim/base/json-pointer.ts';
import { fail } from '../../sim/base/result.ts';
import type { Field, Fields, Kind } from '../../sim/base/rows/fields.ts';
import { Refusal } from './refusal.ts';
import type { Binding, BodyBinding, KeyFinder } from './route.ts';

/** The parts of a request that carry fields. */
export interface Parts {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly body: unknown;
}

/** What is given, by the operation's names. */
export function givenIn(binding: Binding, parts: Parts): Record<string, unknown> {
  const { params, query, body, keys } = binding;
  const given: Record<string, unknown> = {};
  for (const [documented, name] of params) given[name] = parts.params[documented];
  for (const name in query) {
    const value = keys(parts.query, name) as string | readonly string[] | undefined;
    if (value !== undefined) given[name] = fromQuery(query[name]!, value);
  }
  refuseOtherId(binding, parts);
  if (body !== undefined) readBody(body, parts.body, given, keys);
  return given;
}

/** A body may repeat the `Id` of the path, as answers have it; another one is a mistake. */
function refuseOtherId({ params, keys }: Binding, { params: inPath, body }: Parts): void {
  if (typeof body !== 'object' || body === null) return;
  for (const [documented, name] of params) {
    if (name !== 'Id') continue;
    const id = keys(body, 'Id');
    if (id === undefined || id === null || id === inPath[documented]) continue;
    const message = `Id of the body has to be that of the path, ${inPath[documented]}, or absent.`;
    throw new Refusal(400, fail('body.other-id', message, '/Id').failure);
  }
}

/** Lists are repeated, or have commas; numbers and flags are text until now. */
function fromQuery(row: Field, value: string | readonly string[]): unknown {
  if (row.type === 'list') return [value].flat().flatMap((each) => each.split(','));
  if (typeof value !== 'string') return value;
  if (row.type === 'flag') return value === 'true' ? true : value === 'false' ? false : value;
  const isNumber = row.type === 'number' || row.type === 'whole';
  return isNumber && /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value;
}

/** No body is an empty one, which JSON's null is not. */
function readBody(
  binding: BodyBinding,
  body: unknown,
  given: Record<string, unknown>,
  keys: KeyFinder,
): void {
  const map = body === undefined ? {} : body;
  if (binding.whole !== undefined) {
    const { row, whole } = binding;
    given[whole] = row.type === 'record' ? documentedOf(row.fields, map, keys) : body;
    return;
  }
  if (typeof map !== 'object' || map === null || Array.isArray(map)) {
    throw new Refusal(400, NO_MAP.failure);
  }
  Object.assign(given, documentedOf(binding.fields, map, keys));
}

const NO_MAP = fail('body.malformed', 'The body has to be a map of keys and values.', '');

/**
 * Without what no row names and what only scenario files have, records within it, too; what is no
 * map stays what it is.
 */
function documentedOf(fields: Fields, value: unknown, keys: KeyFinder): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const given: Record<string, unknown> = {};
  for (const name in fields) {
    const row = fields[name]!;
    const found = row.only === 'scenario' ? undefined : keys(value, name);
    if (found === undefined) continue;
    given[name] = documentedIn(row, found, keys);
  }
  return given;
}

/** The same of records that are listed. */
function documentedIn(row: Kind, value: unknown, keys: KeyFinder): unknown {
  if (row.type === 'record') return documentedOf(row.fields, value, keys);
  if (row.type !== 'list' || row.of.type !== 'record' || !Array.isArray(value)) return value;
  const { fields } = row.of;
  return value.map((each) => documentedOf(fields, each, keys));
}

/**
 * The place of the request that a failure's pointer leads to, as `['body', 'devices', 0]`.
 * Undefined: the failure is about no place.
 */
export function locOf(
  { params, query, body, parts }: Binding,
  pointer: string | undefined,
): (string | number)[] | undefined {
  if (pointer === undefined) return undefined;
  const tokens = tokensOf(pointer);
  const [first] = tokens;
  for (const [documented, name] of params) {
    if (first === name) return ['path', documented, ...tokens.slice(1)];
  }
  const part = parts.get(String(first));
  if (part !== undefined) return ['body', part];
  const isQuery = body === undefined && typeof first === 'string' && Object.hasOwn(query, first);
  return [isQuery ? 'query' : 'body', ...tokens];
}

/** The keys that a pointer leads through; what may be the index of an item is a number. */
export const tokensOf = (pointer: string): (string | number)[] =>
  keysOf(pointer).map((key) => (/^(0|[1-9]\d{0,6})$/.test(key) ? Number(key) : key));
