/**
 * The entries of a scenario's plain data as far as they can be understood, and who is named by a
 * word.
 */
import { type Complaint, nearest } from './complaint.ts';
import type { Path } from './problem.ts';

/** Takes what is wrong at a path. */
export type Report = (path: Path, complaint: Complaint) => void;

/** Most entries of each list. */
export const ENTRIES_MAX = {
  gateways: 10_000,
  devices: 1_000,
  images: 100,
  groups: 100,
  campaigns: 1_000,
  timeline: 10_000,
  expectations: 200,
} as const;

/** Most devices of a scenario, those of the timeline included. */
export const DEVICES_MAX = 1_000_000;
export const GATEWAYS_MAX = 10_000;

/** A gateway or device entry. */
export interface Member {
  readonly path: Path;
  readonly name: string;
  /**
   * Undefined when the entry is a single thing with the plain name, Infinity when it cannot be
   * read.
   */
  readonly count: number | undefined;
  readonly eui: string | undefined;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** An image, device group or campaign. */
export interface Named {
  readonly path: Path;
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
}

export function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

export function listOf(value: unknown, list: keyof typeof ENTRIES_MAX): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, ENTRIES_MAX[list]) : [];
}

/** `name` is what an entry is called that does not say; `absent` stands for a missing list. */
export function membersOf(
  value: unknown,
  list: 'gateways' | 'devices',
  key: 'eui' | 'devEui',
  name?: string,
): Member[] {
  const entries = value === undefined && name !== undefined ? [{}] : listOf(value, list);
  return entries.flatMap((item, index) => {
    const entry = mapOf(item);
    const own = entry.name ?? name;
    if (typeof own !== 'string') return [];
    const given = entry[key];
    return {
      path: [list, index],
      name: own,
      count: entry.count === undefined ? undefined : countOf(entry.count),
      eui: typeof given === 'string' ? given.toUpperCase() : undefined,
      entry,
    };
  });
}

function countOf(given: unknown): number {
  return typeof given === 'number' && Number.isInteger(given) && given >= 0 ? given : Infinity;
}

/** The number that a member with this name has in an entry, if it is one of the entry's. */
function numberIn({ name, count }: Member, member: string): number | undefined {
  if (count === undefined) return member === name ? 1 : undefined;
  if (!member.startsWith(`${name}-`)) return undefined;
  const digits = member.slice(name.length + 1);
  const number = /^[1-9]\d{0,6}$/.test(digits) ? Number(digits) : 0;
  return number >= 1 && number <= count ? number : undefined;
}

/** The plain name of the one that a name or EUI means; `euiOf` makes EUIs that are not given. */
export function nameMeant(
  word: string,
  members: readonly Member[],
  euiOf: (name: string, number: number) => string,
): string | undefined {
  for (const member of members) {
    const number = numberIn(member, word) ?? numberOfEui(member, word.toUpperCase(), euiOf);
    if (number !== undefined) return nameOf(member, number);
  }
  return undefined;
}

function nameOf({ name, count }: Member, number: number): string {
  return count === undefined ? name : `${name}-${number}`;
}

function numberOfEui(
  { name, count = 1, eui }: Member,
  word: string,
  euiOf: (name: string, number: number) => string,
): number | undefined {
  if (!/^[0-9A-F]{16}$/.test(word)) return undefined;
  if (eui !== undefined) return eui === word ? 1 : undefined;
  const number = Number.parseInt(word.slice(10), 16);
  return number >= 1 && number <= count && euiOf(name, number) === word ? number : undefined;
}

/** The device or gateway that a word names, or the nearest one that exists. */
export function nearestMember(word: string, members: readonly Member[]): string | undefined {
  const digits = /^(.*)-(\d+)$/.exec(word);
  const names = members.map(({ name }) => name);
  const stem = nearest(digits?.[1] ?? word, names);
  const member = members.find(({ name }) => name === stem);
  if (member === undefined) return undefined;
  if (member.count === undefined) return member.name;
  const number = Math.max(1, Math.min(Number(digits?.[2] ?? 1), member.count));
  return `${member.name}-${number}`;
}
