/** Plain data: what resources save and load, and copies of it that share nothing. */

/**
 * A copy, all the way down, of records, arrays, typed arrays and primitive values; what is
 * `Lasting` is shared.
 */
export function copyPlain<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  // Not slice(): of a Node.js Buffer that is a view of the same bytes.
  if (value instanceof Uint8Array) return new Uint8Array(value) as T;
  if (ArrayBuffer.isView(value)) return (value as unknown as Float64Array).slice() as T;
  if (Array.isArray(value)) return value.map(copyPlain) as T;
  if (value instanceof Lasting) return value;
  const copy: Record<string, unknown> = { ...(value as object) };
  for (const key in copy) {
    const each = copy[key];
    if (typeof each === 'object' && each !== null) copy[key] = copyPlain(each);
  }
  return copy as T;
}

/**
 * Plain data that nobody changes once it is made, typed arrays within it among that: copies of what
 * holds it share it.
 */
export abstract class Lasting {}
