/**
 * Names and EUIs that things have by their place in a scenario: the same in every seed and every
 * order.
 */

import { mix } from '../../sim/base/random.ts';
import type { Placement, PlaceRow } from '../language/placement.ts';

/**
 * An entry without a count is one thing with the plain name; else its things are numbered from
 * 1.
 */
export function memberName(name: string, count: number | undefined, number: number): string {
  return count === undefined ? name : `${name}-${number}`;
}

/** What a file says of the things of an entry, in their order. */
export const rowsOf = (placement: Placement | undefined): readonly PlaceRow[] =>
  (placement?.by === 'points' ? placement.rows : undefined) ?? [];

/** Names of the things of an entry: as a file has them, else numbered. */
export function memberNames(
  entry: { readonly name: string; readonly placement?: Placement | undefined },
  count: number | undefined,
): string[] {
  const rows = rowsOf(entry.placement);
  return Array.from(
    { length: count ?? 1 },
    (_, index) => rows[index]?.name ?? memberName(entry.name, count, index + 1),
  );
}

/** Locally administered EUI-64 prefixes, so that no made EUI is a registered one. */
const DEVICE_PREFIX = '02';
const GATEWAY_PREFIX = '06';
const GROUP_PREFIX = '0A';

/**
 * 16 upper-case hexadecimal digits: prefix, 32 bits from the population's name, 24 bits of the
 * number.
 */
export function deviceEui(population: string, number: number): string {
  // One string: a sum of strings would keep its parts, of each of very many devices.
  return [DEVICE_PREFIX, hash(population), hex(number, 6)].join('');
}

export function gatewayEui(entry: string, number: number): string {
  return GATEWAY_PREFIX + hash(entry) + hex(number, 6);
}

/** Of a multicast group. */
export const multicastGroupEui = (name: string): string => GROUP_PREFIX + hash(name) + hex(1, 6);

/** Where the addresses of multicast groups are looked for, from here on. */
export const multicastAddressPlace = (name: string): number =>
  Number.parseInt(hash(name), 16) & 0xffff;

function hash(name: string): string {
  let word = mix(name.length);
  for (let i = 0; i < name.length; i++) word = mix(Math.imul(word, 31) + name.charCodeAt(i));
  return hex(word >>> 0, 8);
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}
