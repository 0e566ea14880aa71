/**
 * Arguments of the public face: what does not fit is a `RangeError` that says what would. Inside
 * the house such values are broken invariants; here they come from someone else's program.
 */
import { isWholeWithin, isWithin } from '../base/rows/range.ts';

/** What is wrong with a value that has to be a whole number in a range; undefined when nothing. */
export function wholeFault(
  name: string,
  value: unknown,
  least: number,
  most: number,
): string | undefined {
  if (isWholeWithin(value, { least, most })) return undefined;
  return `${name} is a whole number from ${least} to ${most}, not ${shown(value)}`;
}

/** The value, when it is a whole number from `least` to `most`. */
export function whole(name: string, value: number, least: number, most: number): number {
  refuse(wholeFault(name, value, least, most));
  return value;
}

/** The value, when it is a finite number from `least` to `most`. */
export function within(name: string, value: number, least: number, most: number): number {
  const fits = Number.isFinite(value) && isWithin(value, { least, most });
  refuse(fits ? undefined : `${name} is a number from ${least} to ${most}, not ${shown(value)}`);
  return value;
}

/** The value, when it is one of these. */
export function oneOf<T>(name: string, value: T, allowed: readonly T[]): T {
  const words = allowed.map((each) => (typeof each === 'string' ? `'${each}'` : `${each}`));
  const list = `${words.slice(0, -1).join(', ')} or ${words[words.length - 1]}`;
  refuse(allowed.includes(value) ? undefined : `${name} is ${list}, not ${shown(value)}`);
  return value;
}

export const MAX_U16 = 0xffff;
export const MAX_U24 = 0xffffff;
export const MAX_U32 = 0xffffffff;

/** A copy of the bytes, so that neither side sees what the other writes later. */
export function bytesOf(name: string, value: Uint8Array, least: number, most: number): Uint8Array {
  refuse(bytesFault(name, value, least, most));
  return new Uint8Array(value);
}

/** Problem of a value that must have a number of bytes; undefined: none. */
export function bytesFault(
  name: string,
  value: unknown,
  least: number,
  most: number,
): string | undefined {
  const isBytes = value instanceof Uint8Array;
  if (isBytes && isWithin(value.length, { least, most })) return undefined;
  const range = least === most ? `${least}` : `${least} to ${most}`;
  return `${name} is a Uint8Array of ${range} bytes, not ${shown(value)}`;
}

/** Throws when there is something to say. */
export function refuse(fault: string | undefined): void {
  if (fault !== undefined) throw new RangeError(fault);
}

/** A value in an error: short, and never the content of bytes. */
export function shown(value: unknown): string {
  if (value === undefined) return 'left out';
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'string') return value.length > 40 ? 'a longer text' : `'${value}'`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' ? 'a function' : `${String(value)}`;
}
