/** Plain data as JSON has it, such as somebody gives (the kind `json` of rows/fields.ts). */
import { isMap } from './plain-data.ts';

/** Plain data, as JSON has it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export const isJsonObject = (value: Json | undefined): value is JsonObject => isMap(value);

/** Of plain data that somebody gives. */
export const MOST_JSON = { values: 10_000, depth: 16 } as const;

/**
 * A copy that shares nothing with what is given; undefined: it is no plain data, or more than may
 * be given. Plain data are maps, lists, well-formed text, finite numbers, flags and null; a key
 * whose value is undefined is left out. The key `__proto__` may not stand in it.
 */
export function jsonCopy(value: object, depth: number = MOST_JSON.depth): JsonObject | undefined {
  const left = { values: MOST_JSON.values };
  const copy = copyOf(value, depth, left);
  return copy as JsonObject | undefined;
}

/** The same of a text in JSON: what is parsed is shared with nobody. */
export function parseJson(text: string): Json | undefined {
  const value = JSON.parse(text) as Json;
  // Half a pair is always written as an escape: keys and texts are looked through where one stands.
  if (/\\u|__proto__/.test(text)) return jsonCopy({ value }, MOST_JSON.depth + 1)?.value;
  return fits(value, MOST_JSON.depth, { values: MOST_JSON.values - 1 }) ? value : undefined;
}

function fits(value: Json, depth: number, left: { values: number }): boolean {
  if (left.values-- <= 0) return false;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.every((each: Json) => fits(each, depth - 1, left));
  const map = value as JsonObject;
  for (const key in map) if (!fits(map[key]!, depth - 1, left)) return false;
  return true;
}

const UNPAIRED = /\p{Surrogate}/u;

function copyOf(value: unknown, depth: number, left: { values: number }): Json | undefined {
  if (left.values-- <= 0) return undefined;
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return UNPAIRED.test(value) ? undefined : value;
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : undefined; // −0 is 0
  if (typeof value !== 'object' || depth === 0) return undefined;
  if (Array.isArray(value)) return listOf(value, depth, left);
  return isPlain(value) ? mapOf(value, depth, left) : undefined;
}

function listOf(list: readonly unknown[], depth: number, left: { values: number }) {
  const copies: Json[] = [];
  for (let i = 0; i < list.length; i++) {
    const copy = copyOf(list[i], depth - 1, left);
    if (copy === undefined) return undefined;
    copies.push(copy);
  }
  return copies;
}

function mapOf(map: object, depth: number, left: { values: number }): JsonObject | undefined {
  const copies: Record<string, Json> = {};
  for (const [key, each] of Object.entries(map)) {
    if (each === undefined) continue;
    if (key === '__proto__' || UNPAIRED.test(key)) return undefined;
    const copy = copyOf(each, depth - 1, left);
    if (copy === undefined) return undefined;
    copies[key] = copy;
  }
  return copies;
}

/** A map of keys and values, whatever realm it is of; no bytes, no date. */
const isPlain = (value: object): boolean =>
  Object.prototype.toString.call(value) === '[object Object]';
