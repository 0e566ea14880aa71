/** Things of all lists as a fleet: its region, its network, its populations with their names. */

import { quote, sentence } from '../../scenarios/language/complaint.ts';
import { type RegionName, region } from '../../sim/lorawan/region.ts';
import { placeOf } from './check-places.ts';
import { isMeant, type Profile } from './profiles.ts';
import type { NetworkSettings } from './regions.ts';
import { type ListFault, RowFault } from './table.ts';
import type { Thing } from './things.ts';

/** A device or gateway with the name that it has here. */
export interface Named {
  readonly thing: Thing;
  /** '' where its population numbers it. */
  readonly name: string;
}

export interface Population {
  readonly name: string;
  /** What the lists call it; '' where they do not say. */
  readonly title: string;
  /** Knobs that all of its devices share. */
  readonly knobs: Readonly<Record<string, string | number>>;
  /** Knobs that each row has for itself. */
  readonly columns: readonly string[];
  readonly members: readonly Named[];
  /** Where there is no list but a profile. */
  readonly count: number | undefined;
}

export interface Fleet {
  readonly region: RegionName;
  readonly settings: NetworkSettings;
  readonly gateways: readonly Named[];
  readonly populations: readonly Population[];
  readonly notes: readonly string[];
}

/** Devices of a profile that comes without a list. */
const PROFILE_DEVICES = 10;
/** More types than these are not what devices have in common. */
const TYPES_MAX = 100;

export function fleetOf(
  things: readonly Thing[],
  profiles: readonly Profile[],
  asked: RegionName | undefined,
): Fleet | ListFault {
  const name = regionOf(things, profiles, asked);
  if (typeof name !== 'string') return name;
  const notes: string[] = [];
  const own = profiles
    .filter((each) => each.region === undefined || each.region === name)
    .map((each) => withinPower(each, name, notes));
  if (own.length > 0 && own.length < profiles.length) {
    const count = profiles.length - own.length;
    notes.push(`${count} ${count === 1 ? 'profile is' : 'profiles are'} of another region`);
  }
  if (own.length === 0 && profiles.length > 0) notes.push(noneOf(name, profiles));
  const devices = things.filter(({ kind }) => kind === 'devices');
  if (devices.length === 0 && own.length === 0) {
    return { file: profiles[0]?.file ?? '', line: 0, message: noneOf(name, profiles) };
  }
  const gateways = things.filter(({ kind }) => kind === 'gateways');
  const profileOf = (type: string) =>
    own.find((profile) => isMeant(profile, type)) ?? (own.length === 1 ? own[0] : undefined);
  const populations =
    devices.length === 0
      ? own.map((profile) => ofProfile(profile))
      : populationsOf(devices, profileOf, notes);
  const used =
    devices.length === 0
      ? own
      : own.filter((profile) => devices.some(({ type }) => profileOf(type) === profile));
  for (const profile of own) {
    if (!used.includes(profile)) notes.push(`the profile ${quote(profile.title)} fits no device`);
  }
  return {
    region: name,
    settings: settingsOf(things, used, notes),
    gateways: named(gateways, 'gateways', notes),
    populations: withOwnNames(populations),
    notes,
  };
}

function noneOf(name: RegionName, profiles: readonly Profile[]): string {
  const regions = [...new Set(profiles.flatMap((each) => each.region ?? []))].join(', ');
  return sentence({ what: `no profile is of ${name}`, allowed: `--region with one of ${regions}` });
}

/** Profiles are made for several regions, and some name more power than this one allows. */
function withinPower(profile: Profile, name: RegionName, notes: string[]): Profile {
  const asked = Number.parseFloat(String(profile.knobs.maxEirp ?? '0'));
  const most = region(name).maxEirpCentiDbm / 100;
  if (asked <= most) return profile;
  const what = `${quote(profile.title)} radiates ${asked} dBm, and ${name} allows ${most} dBm`;
  notes.push(`${what}, which its devices have here`);
  return { ...profile, knobs: { ...profile.knobs, maxEirp: `${most} dBm` } };
}

/** The one that is asked for, else that of all lists, else that of all profiles, else EU868. */
function regionOf(
  things: readonly Thing[],
  profiles: readonly Profile[],
  asked: RegionName | undefined,
): RegionName | ListFault {
  if (asked !== undefined) return asked;
  const first = things.find(({ region }) => region !== undefined);
  if (first?.region !== undefined) {
    const { region } = first.region;
    const other = things.find((each) => each.region !== undefined && each.region.region !== region);
    if (other === undefined) return region;
    const what = `is of ${other.region?.region}, and ${placeOf(first)} of ${region}`;
    const allowed = 'one region; --region takes one for all';
    return new RowFault(other.table, other.row, sentence({ what, allowed }));
  }
  const regions = [...new Set(profiles.flatMap(({ region }) => region ?? []))];
  const [only, another] = regions;
  if (another === undefined) return only ?? 'EU868';
  const what = `profiles are of ${regions.join(', ')}`;
  const message = sentence({ what, allowed: 'one region; --region chooses it' });
  return { file: profiles[0]!.file, line: 0, message };
}

/** What most devices need of the network; others are noted. */
function settingsOf(
  things: readonly Thing[],
  profiles: readonly Profile[],
  notes: string[],
): NetworkSettings {
  const votes = new Map<string, Map<string, number>>();
  const vote = (settings: NetworkSettings, weight: number) => {
    for (const [key, value] of Object.entries(settings)) {
      const of = votes.get(key) ?? new Map<string, number>();
      const text = JSON.stringify(value);
      of.set(text, (of.get(text) ?? 0) + weight);
      votes.set(key, of);
    }
  };
  const seen = new Map<NetworkSettings, number>();
  for (const { region, rx1Delay } of things) {
    if (region !== undefined) seen.set(region.settings, (seen.get(region.settings) ?? 0) + 1);
    if (rx1Delay !== '') vote({ rx1Delay }, 1);
  }
  for (const [settings, weight] of seen) vote(settings, weight);
  for (const { settings } of profiles) vote(settings, 1);
  const chosen = [...votes].map(([key, of]) => {
    const [most, ...others] = [...of].sort((a, b) => b[1] - a[1]).map(([text]) => text);
    if (others.length > 0) {
      notes.push(`${key} is ${most} of the network; others have ${others.join(', ')}`);
    }
    return [key, JSON.parse(most!)] as const;
  });
  return Object.fromEntries(chosen);
}

const ofProfile = ({ title, knobs }: Profile): Population => ({
  name: identifier(title, 'device'),
  title,
  knobs,
  columns: [],
  members: [],
  count: PROFILE_DEVICES,
});

/** A population for each type. */
function populationsOf(
  devices: readonly Thing[],
  profileOf: (type: string) => Profile | undefined,
  notes: string[],
): Population[] {
  const types = new Set(devices.map(({ type }) => type));
  const isType = types.size <= Math.min(TYPES_MAX, Math.max(10, devices.length / 2));
  if (!isType) {
    notes.push(`${types.size} types of ${devices.length} devices are one population`);
  }
  const byType = new Map<string, Thing[]>();
  for (const device of devices) {
    const type = isType ? device.type : '';
    const members = byType.get(type);
    if (members === undefined) byType.set(type, [device]);
    else members.push(device);
  }
  const names = new Map(named(devices, 'devices', notes).map((each) => [each.thing, each]));
  return [...byType].map(([title, members]) => {
    const profile = profileOf(title);
    const { shared, columns } = sharedKnobs(members);
    return {
      name: identifier(title, 'device'),
      title,
      // What a row does not say is the profile's.
      knobs: { ...profile?.knobs, ...shared },
      columns,
      members: members.map((thing) => names.get(thing)!),
      count: undefined,
    };
  });
}

/** Knobs with one value in all rows stand in the entry, others in columns of the file. */
function sharedKnobs(members: readonly Thing[]) {
  const values = new Map<string, Set<string>>();
  for (const { knobs } of members) {
    for (const [knob, value] of Object.entries(knobs)) {
      const of = values.get(knob);
      if (of === undefined) values.set(knob, new Set([value]));
      else of.add(value);
    }
  }
  const shared: Record<string, string> = {};
  const columns: string[] = [];
  for (const [knob, of] of values) {
    const [value] = of;
    const isEverywhere = of.size === 1 && members.every(({ knobs }) => knobs[knob] === value);
    if (isEverywhere) shared[knob] = value!;
    else columns.push(knob);
  }
  return { shared, columns };
}

/** Most names that are listed with their places because they are there twice. */
const LISTED_MAX = 12;

/** One that another thing has already gets the next free number. */
function named(things: readonly Thing[], kind: string, notes: string[]): Named[] {
  const first = new Map<string, Thing>();
  for (const thing of things) if (!first.has(thing.name)) first.set(thing.name, thing);
  const latest = new Map<string, number>();
  const renamed: string[] = [];
  let more = 0;
  const all = things.map((thing): Named => {
    const { name } = thing;
    if (name === '' || first.get(name) === thing) return { thing, name };
    let number = (latest.get(name) ?? 1) + 1;
    while (first.has(numbered(name, number))) number++;
    latest.set(name, number);
    const own = numbered(name, number);
    first.set(own, thing);
    if (renamed.length < LISTED_MAX) {
      const places = `${placeOf(first.get(name)!)} and ${placeOf(thing)}`;
      renamed.push(`${quote(name)} at ${places} (the latter is ${quote(own)} here)`);
    } else more++;
    return { thing, name: own };
  });
  if (renamed.length > 0) {
    const others = more > 0 ? ` and ${more} more` : '';
    notes.push(`${kind} with one name: ${renamed.join(', ')}${others}`);
  }
  return all;
}

const NAME_LENGTH = 80;

function numbered(name: string, number: number): string {
  const suffix = `-${number}`;
  return name.slice(0, NAME_LENGTH - suffix.length) + suffix;
}

const LETTERS: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  ø: 'oe',
  å: 'aa',
  œ: 'oe',
  ł: 'l',
  '₂': '2',
};

/** An identifier of a scenario: small letters, digits and dashes, a letter first. */
export function identifier(title: string, otherwise: string): string {
  const letters = title
    .toLowerCase()
    .replace(/[äöüßæøåœł₂]/g, (letter) => LETTERS[letter] ?? '')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  if (letters === '') return otherwise;
  return /^[a-z]/.test(letters) ? letters : `${otherwise}-${letters}`;
}

/** Titles that differ in signs alone get a letter behind. */
function withOwnNames(populations: readonly Population[]): Population[] {
  const taken = new Set<string>();
  return populations.map((population) => {
    const { name: given } = population;
    let name = given;
    for (let more = 0; taken.has(name); more++) name = `${given}-${letterOf(more)}`;
    taken.add(name);
    return { ...population, name };
  });
}

/** a, b, …, z, aa, ab, … */
const letterOf = (index: number): string =>
  (index >= 26 ? letterOf(Math.floor(index / 26) - 1) : '') +
  String.fromCharCode(97 + (index % 26));
