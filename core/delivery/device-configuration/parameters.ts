/** Parameters of configurations: whether they are the same, and what reports add to one another. */

import type { Json, JsonObject } from '../../../sim/base/json.ts';
import { isJsonObject } from '../../../sim/base/json.ts';

/** Whether two values are the same, whatever the order of their keys. */
function sameJson(one: Json, other: Json): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false;
    return one.every((each, i) => sameJson(each, other[i] as Json));
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && sameJson(one[key]!, other[key]!));
}

/** Whether every parameter that is desired is reported with the same value; others may be, too. */
export const isReflected = (desired: JsonObject, reported: JsonObject): boolean =>
  Object.entries(desired).every(
    ([name, value]) => Object.hasOwn(reported, name) && sameJson(value, reported[name]!),
  );

/** Parameters that are stored of a device at most, and characters of them. */
const MOST_PARAMETERS = 256;
const MOST_CHARACTERS = 16_384;

/**
 * Merges a report into a configuration: each parameter has its latest value. A report beyond the
 * limits is ignored: the configuration stays as it was.
 */
export function merged(reported: JsonObject, response: JsonObject): JsonObject {
  if (isReflected(response, reported)) return reported;
  const both = { ...reported, ...response };
  const isMuch = Object.keys(both).length > MOST_PARAMETERS || sizeOf(both) > MOST_CHARACTERS;
  return isMuch ? reported : both;
}

/** Characters of a configuration as text. */
export const sizeOf = (config: JsonObject): number => JSON.stringify(config).length;
