/**
 * Checks of device groups of both services and reliable downlink jobs: the devices and gateways
 * they name; what the platform would refuse at run time is reported before.
 */
import { GATEWAYS } from '../../core/update-service/gateway-choice.ts';
import { type Complaint, unknownName } from '../language/complaint.ts';
import {
  DEVICES_MAX,
  type Member,
  type Named,
  nearestMember,
  type Report,
  type Roll,
} from '../language/members.ts';
import { readQuantity } from '../language/quantity.ts';
import type { Covers } from './delegation-check.ts';
import type { Subscribers } from './subscriber-check.ts';
import { unknownMember } from './unknown-member.ts';

/** What entries are checked against. */
export interface Known {
  /** Devices and gateways of the start. */
  readonly devices: Roll;
  readonly gateways: Roll;
  readonly subscribers: Subscribers;
  /** Of the run, as it is written. */
  readonly duration: unknown;
}

/** Gateways that a group may list (firmware update service). */
const GROUP_GATEWAYS_MAX = GATEWAYS.most;
const ANY = { least: 0, most: Number.MAX_SAFE_INTEGER };

export function checkGroups(
  groups: readonly Named[],
  { devices, gateways, subscribers }: Known,
  covers: Covers,
  report: Report,
): void {
  let members = 0;
  for (const group of groups) {
    const chosen = checkDevices(group, 'group', devices, subscribers, report, covers);
    members += checkClasses(group, chosen, report);
    checkGateways(group, chosen, gateways, subscribers, report);
  }
  if (members <= DEVICES_MAX) return;
  const what = `${members} members of groups are too many`;
  report(['groups'], { what, allowed: `at most ${DEVICES_MAX} in all groups` });
}

/** Device groups of management: of one's own devices alone. */
export function checkEndDeviceGroups(
  groups: readonly Named[],
  { devices, subscribers }: Known,
  report: Report,
): void {
  let members = 0;
  for (const group of groups) {
    if (group.entry.devices === undefined) continue;
    members += countOf(checkDevices(group, 'group', devices, subscribers, report));
  }
  if (members <= DEVICES_MAX) return;
  const what = `${members} members of groups are too many`;
  report(['endDeviceGroups'], { what, allowed: `at most ${DEVICES_MAX} in all of them` });
}

/** Gateway groups: of one's own gateways alone. */
export function checkGatewayGroups(
  groups: readonly Named[],
  { gateways, subscribers }: Known,
  report: Report,
): void {
  let members = 0;
  for (const group of groups) {
    const own = gateways.members.filter((each) => !subscribers.areApart(each, group));
    const given = group.entry.gateways;
    const all = own.reduce((sum, { count = 1 }) => sum + count, 0);
    members += given === 'all' ? all : countGateways(group, gateways, subscribers, report);
    if (given !== 'all' || all > 0) continue;
    const what = `the group "${group.name}" has no gateway`;
    const allowed = 'at least one gateway at the start';
    report([...group.path, 'gateways'], { what, allowed });
  }
  if (members <= DEVICES_MAX) return;
  const what = `${members} gateways of groups are too many`;
  report(['gatewayGroups'], { what, allowed: `at most ${DEVICES_MAX} in all of them` });
}

export function checkJobs(
  jobs: readonly Named[],
  groups: readonly Named[],
  { devices, subscribers, duration }: Known,
  report: Report,
): void {
  let targets = 0;
  for (const job of jobs) {
    checkTime(job, duration, report);
    findNamed('group', 'device group', groups, job, subscribers, report);
    if (job.entry.devices === undefined) continue;
    targets += countOf(checkDevices(job, 'job', devices, subscribers, report));
  }
  if (targets <= DEVICES_MAX) return;
  const what = `${targets} devices of jobs are too many`;
  report(['reliableDownlinks'], { what, allowed: `at most ${DEVICES_MAX} in all jobs` });
}

/** What is created while the run lasts. */
export function checkTime({ path, entry }: Named, duration: unknown, report: Report): void {
  const end = readQuantity(duration ?? '1 d', 'duration', ANY);
  const at = readQuantity(entry.at ?? '0 s', 'duration', ANY);
  if (!end.ok || !at.ok || at.value <= end.value) return;
  const what = `${String(entry.at)} is after the end of the run`;
  report([...path, 'at'], { what, allowed: `at most ${String(duration ?? '1 d')}` });
}

/** What an entry names under this key is there, and its subscriber's; or one of every world. */
export function findNamed(
  key:
    | 'image'
    | 'group'
    | 'serviceProfile'
    | 'decoderType'
    | 'outputProfile'
    | 'gatewayProfile'
    | 'deviceGroup'
    | 'gatewayGroup'
    | 'credentials'
    | 'population',
  kind: string,
  things: readonly Named[],
  user: Named,
  subscribers: Subscribers,
  report: Report,
  usual: readonly string[] = [],
): void {
  const { path, entry } = user;
  const word = entry[key];
  if (typeof word !== 'string') return;
  const thing = things.find(({ name }) => name === word);
  if (thing === undefined && usual.includes(word)) return;
  if (thing === undefined) {
    const names = [...things.map(({ name }) => name), ...usual];
    report([...path, key], () => unknownName(word, kind, names));
  } else if (subscribers.areApart(thing, user)) {
    report([...path, key], () => subscribers.foreign(word, thing, user, kind, things));
  }
}

// ── names ──────────────────────────────────────────────────────────────────────────────────────

/** The same without a number. */
export const checkOwnDevices = (
  user: Named,
  { devices, subscribers }: Known,
  report: Report,
  kind: 'group' | 'policy' = 'group',
): number => countOf(checkDevices(user, kind, devices, subscribers, report));

/** Gateways that an entry names, of its subscriber alone. */
export function checkOwnGateways(
  user: Named,
  { gateways, subscribers }: Known,
  report: Report,
): void {
  const words: readonly unknown[] = Array.isArray(user.entry.gateways) ? user.entry.gateways : [];
  for (const [index, word] of words.entries()) {
    if (typeof word !== 'string') continue;
    const at = [...user.path, 'gateways', index];
    const member = gateways.named(word) ?? gateways.meant(word)?.member;
    if (member === undefined) report(at, () => unknownGateway(word, gateways));
    else if (subscribers.areApart(member, user)) {
      report(at, () => subscribers.foreign(word, member, user, 'gateway', gateways.members));
    }
  }
}

/**
 * Number of devices of a group at the start, each counted once; undefined: that cannot be known.
 */
export function sizeOf(
  group: Named,
  { devices, subscribers }: Pick<Known, 'devices' | 'subscribers'>,
): number | undefined {
  const given = group.entry.devices;
  const words: readonly unknown[] = Array.isArray(given) ? given : [];
  const wholes = new Set(
    given === 'all'
      ? devices.members.filter((member) => !subscribers.areApart(member, group))
      : words.flatMap((word) => devices.named(String(word)) ?? []),
  );
  const singles = new Set<string>();
  for (const word of words) {
    if (devices.named(String(word)) !== undefined) continue;
    const one = devices.meant(String(word));
    if (one === undefined) return undefined;
    if (!wholes.has(one.member)) singles.add(one.name);
  }
  let size = singles.size;
  for (const { count = 1 } of wholes) size += count;
  return size === 0 || size === Infinity ? undefined : size;
}

/** The number of members, those that are named twice counted twice. */
function checkClasses(group: Named, chosen: readonly Chosen[], report: Report): number {
  const { path, name, entry } = group;
  const filled = chosen.filter(({ count }) => count > 0);
  const classes = [...new Set(filled.map(({ kind }) => kind))].sort();
  // Devices of class B are spoken to as those of class A are.
  if (entry.class === undefined && classes.includes('C') && classes.length > 1) {
    const listed = `${classes.slice(0, -1).join(', ')} and ${classes.at(-1)}`;
    const what = `the group "${name}" mixes classes ${listed}`;
    report([...path, 'devices'], { what, allowed: 'A and B, or C alone, or class: A or C' });
  }
  return countOf(chosen);
}

/** How many they are; 0 when that cannot be read. */
function countOf(chosen: readonly Chosen[]): number {
  const total = chosen.reduce((sum, { count }) => sum + count, 0);
  return total === Infinity ? 0 : total;
}

/**
 * Devices that an entry of a group or a job names: devices of the start, owned by its subscriber;
 * `covers`: or delegated to it.
 */
function checkDevices(
  user: Named,
  kind: 'group' | 'job' | 'policy',
  devices: Roll,
  subscribers: Subscribers,
  report: Report,
  covers?: Covers,
): readonly Chosen[] {
  const { path, name, entry } = user;
  const given = entry.devices;
  const words: readonly unknown[] = Array.isArray(given) ? given : [];
  const found = words.flatMap((word, index) => {
    if (typeof word !== 'string') return [];
    const one = populationOrDevice(word, devices);
    const at = [...path, 'devices', index];
    if (one === undefined) report(at, () => unknownMember(word, devices));
    else if (subscribers.areApart(one.member, user)) {
      const [owner, to] = [subscribers.of(one.member), subscribers.of(user)];
      if (covers?.has(word, one.member, owner, to)) return [{ ...one, isDelegated: true as const }];
      const { members } = devices;
      report(at, () => subscribers.foreign(word, one.member, user, 'device', members));
    }
    return one === undefined ? [] : [one];
  });
  const own = devices.members.filter((member) => !subscribers.areApart(member, user));
  const chosen = given === 'all' ? own.map(wholeOf) : found;
  const total = chosen.reduce((sum, { count }) => sum + count, 0);
  if (total === 0 && (given === 'all' || (words.length > 0 && found.length === words.length))) {
    const what = `the ${kind} "${name}" has no device`;
    report([...path, 'devices'], { what, allowed: 'at least one device at the start' });
  }
  return chosen;
}

interface Chosen {
  readonly member: Member;
  readonly count: number;
  readonly kind: unknown;
  /** It is another subscriber's, who delegates it. */
  readonly isDelegated?: true;
}

function wholeOf(member: Member): Chosen {
  const { count = 1, entry } = member;
  return { member, count, kind: entry.class ?? 'A' };
}

function populationOrDevice(word: string, devices: Roll): Chosen | undefined {
  const whole = devices.named(word);
  if (whole !== undefined) return wholeOf(whole);
  const member = devices.meant(word)?.member;
  return member && { ...wholeOf(member), count: 1 };
}

/** They are of the start, and of the group's subscriber, or of one that delegates a member. */
function checkGateways(
  group: Named,
  chosen: readonly Chosen[],
  gateways: Roll,
  subscribers: Subscribers,
  report: Report,
): void {
  const isTheirs = (gateway: Member) =>
    chosen.some(({ isDelegated, member }) => isDelegated && !subscribers.areApart(member, gateway));
  const total = countGateways(group, gateways, subscribers, report, isTheirs);
  if (total <= GROUP_GATEWAYS_MAX) return;
  const what = `${total} gateways are too many for a group`;
  const allowed = `at most ${GROUP_GATEWAYS_MAX}, or none for an automatic choice`;
  report([...group.path, 'gateways'], { what, allowed });
}

/**
 * How many gateways the entry of a group names: they are of the start, and its subscriber's, or it
 * may have them all the same.
 */
function countGateways(
  group: Named,
  gateways: Roll,
  subscribers: Subscribers,
  report: Report,
  mayHave: (gateway: Member) => boolean = () => false,
): number {
  const { path, entry } = group;
  const words: readonly unknown[] = Array.isArray(entry.gateways) ? entry.gateways : [];
  let total = 0;
  for (const [index, word] of words.entries()) {
    if (typeof word !== 'string') continue;
    const at = [...path, 'gateways', index];
    const whole = gateways.named(word);
    const member = whole ?? gateways.meant(word)?.member;
    if (member === undefined) {
      report(at, () => unknownGateway(word, gateways));
      continue;
    }
    if (subscribers.areApart(member, group) && !mayHave(member)) {
      const { members } = gateways;
      report(at, () => subscribers.foreign(word, member, group, 'gateway', members));
    }
    const count = whole === undefined ? 1 : (whole.count ?? 1);
    if (count !== Infinity) total += count;
  }
  return total;
}

export function unknownGateway(word: string, { members: gateways }: Roll): Complaint {
  const meant = nearestMember(word, gateways);
  const known = gateways.slice(0, 40).map(({ name }) => name);
  const what = `"${word}" is not a gateway of the start`;
  return { what, allowed: known.join(', '), ...(meant && { meant }) };
}
