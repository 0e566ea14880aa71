/**
 * The entries of a scenario's plain data as far as they can be understood, and who is named by a
 * word.
 */
import { type Complaint, nearest } from './complaint.ts';
import type { PlaceRow } from './placement.ts';
import type { Path } from './problem.ts';

/** Takes what is wrong at a path; what takes time to word is worded when it is shown. */
export type Report = (path: Path, complaint: Complaint | (() => Complaint)) => void;

/** Most entries of each list. */
export const ENTRIES_MAX = {
  subscribers: 1_000,
  accounts: 1_000,
  roles: 1_000,
  applications: 10_000,
  gateways: 10_000,
  devices: 1_000,
  images: 100,
  groups: 100,
  endDeviceGroups: 10_000,
  gatewayGroups: 10_000,
  multicastGroups: 10_000,
  serviceProfiles: 10_000,
  gatewayProfiles: 10_000,
  decoderTypes: 10_000,
  outputProfiles: 10_000,
  configurationPolicies: 100,
  credentials: 10_000,
  destinations: 10_000,
  alerts: 10_000,
  receivers: 10_000,
  campaigns: 1_000,
  delegations: 1_000,
  reliableDownlinks: 1_000,
  managedCampaigns: 1_000,
  timeline: 20_000,
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
  /** What a file says of its things. */
  readonly rows?: readonly PlaceRow[] | undefined;
}

/** An image, device group, campaign, managed campaign or reliable downlink job. */
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
  rowsOf: (entry: unknown) => readonly PlaceRow[] | undefined = () => undefined,
): Member[] {
  const entries = value === undefined && name !== undefined ? [{}] : listOf(value, list);
  return entries.flatMap((item, index) => {
    const entry = mapOf(item);
    const own = entry.name ?? name;
    if (typeof own !== 'string') return [];
    // Without a count it is that of the file, which was not read yet.
    const { count = mapOf(entry.placement).file === undefined ? undefined : Infinity } = entry;
    const isCount = typeof count === 'number' && Number.isInteger(count) && count >= 0;
    const given = entry[key];
    return {
      path: [list, index],
      name: own,
      // A count that is wrong is reported as such, and bounds no names here.
      count: count === undefined || isCount ? count : Infinity,
      eui: typeof given === 'string' ? given.toUpperCase() : undefined,
      entry,
      rows: rowsOf(entry),
    };
  });
}

/** Digits of a made EUI that all members of an entry share; the others are the number. */
const STEM_DIGITS = 10;

/** Who is meant by a name or an EUI, found without a search through all entries. */
export class Roll {
  readonly #euiOf: (name: string, number: number) => string;
  readonly #byName = new Map<string, Member>();
  readonly #byEui = new Map<string, Member>();
  readonly #byStem = new Map<string, Member>();
  /** Members that files name, or give an EUI. */
  readonly #byRow = new Map<string, { readonly name: string; readonly member: Member }>();

  /** `euiOf` makes EUIs that are not given. */
  constructor(members: readonly Member[], euiOf: (name: string, number: number) => string) {
    this.#euiOf = euiOf;
    for (const member of members) if (!this.#byName.has(member.name)) this.put(member);
  }

  get members(): readonly Member[] {
    return [...this.#byName.values()];
  }

  /** The entry of this name; of several with one name, which is a fault, the first. */
  named(name: string): Member | undefined {
    return this.#byName.get(name);
  }

  /** Adds an entry, or puts it in the place of the one with its name. */
  put(member: Member): void {
    const { name, eui } = member;
    this.#byName.set(name, member);
    if (eui !== undefined) this.#byEui.set(eui, member);
    else this.#byStem.set(this.#euiOf(name, 1).slice(0, STEM_DIGITS), member);
    for (const [index, row] of (member.rows ?? []).entries()) {
      if (row.name === undefined && row.eui === undefined) continue;
      const one = { name: nameOf(member, index + 1), member };
      if (row.name !== undefined) this.#byRow.set(row.name, one);
      if (row.eui !== undefined) this.#byRow.set(row.eui, one);
    }
  }

  /** The plain name of the one that a name or EUI means, and its entry. */
  meant(word: string): { readonly name: string; readonly member: Member } | undefined {
    const ofRow = this.#byRow.get(word) ?? this.#byRow.get(word.toUpperCase());
    return ofRow ?? this.#meantByName(word) ?? this.#meantByEui(word.toUpperCase());
  }

  #meantByName(word: string) {
    const single = this.#byName.get(word);
    if (single !== undefined && single.count === undefined) return { name: word, member: single };
    const [, stem = '', digits] = /^(.*)-([1-9]\d{0,6})$/.exec(word) ?? [];
    const member = this.#byName.get(stem);
    const isMember =
      member?.count !== undefined &&
      Number(digits) <= member.count &&
      member.rows?.[Number(digits) - 1]?.name === undefined;
    return isMember ? { name: word, member } : undefined;
  }

  #meantByEui(word: string) {
    if (!/^[0-9A-F]{16}$/.test(word)) return undefined;
    const single = this.#byEui.get(word);
    if (single !== undefined) return { name: nameOf(single, 1), member: single };
    const member = this.#byStem.get(word.slice(0, STEM_DIGITS));
    const number = Number.parseInt(word.slice(STEM_DIGITS), 16);
    if (member === undefined || number < 1 || number > (member.count ?? 1)) return undefined;
    return { name: nameOf(member, number), member };
  }
}

function nameOf({ name, count, rows }: Member, number: number): string {
  const own = rows?.[number - 1]?.name;
  if (own !== undefined) return own;
  return count === undefined ? name : `${name}-${number}`;
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
