/**
 * Checks of images, device groups, campaigns, managed campaigns and reliable downlink jobs against
 * one another, the devices and the region: what the platform would refuse at run time is reported
 * before.
 */
import { RULES } from '../../core/update-service/campaigns/settings.ts';
import { GATEWAYS } from '../../core/update-service/device-groups.ts';
import { inferVersion } from '../../core/update-service/versions.ts';
import { deviceEui, gatewayEui } from '../filling/identity.ts';
import { type Complaint, unknownName } from '../language/complaint.ts';
import type { Path } from '../language/problem.ts';
import { readQuantity } from '../language/quantity.ts';
import { givenTo, IMAGE_BYTES_MAX } from '../language/update-schema.ts';
import { Covers, checkDelegation } from './delegation-check.ts';
import { checkFragments, type ImageSize } from './fragment-check.ts';
import {
  DEVICES_MAX,
  listOf,
  type Member,
  mapOf,
  type Named,
  nearestMember,
  type Report,
  Roll,
} from './members.ts';
import { checkCampaignAir, liftsDwell, regionOf } from './regional-check.ts';
import type { Subscribers } from './subscriber-check.ts';
import { unknownMember } from './unknown-member.ts';

/** Bytes of a file next to the scenario; undefined when it was not read yet. */
export type FileBytes = (path: string) => number | undefined;

export interface UpdateFacts {
  readonly devices: readonly Member[];
  readonly gateways: readonly Member[];
  readonly subscribers: Subscribers;
  readonly fileBytes: FileBytes;
}

/** Most bytes of all images together. */
const IMAGES_BYTES_MAX = 4 * IMAGE_BYTES_MAX;
/** Gateways that a group may list (firmware update service). */
const GROUP_GATEWAYS_MAX = GATEWAYS.most;
const ANY = { least: 0, most: Number.MAX_SAFE_INTEGER };

/** `warn` takes what is allowed, but not wise. */
export function checkUpdates(
  scenario: Readonly<Record<string, unknown>>,
  { devices, gateways, subscribers, fileBytes }: UpdateFacts,
  report: Report,
  warn: Report,
): void {
  const images = named(scenario.images, 'images', 'image', report);
  const groups = named(scenario.groups, 'groups', 'device group', report);
  const campaigns = named(scenario.campaigns, 'campaigns', 'campaign', report);
  const delegations = named(scenario.delegations, 'delegations', 'delegation', report);
  const jobs = named(scenario.reliableDownlinks, 'reliableDownlinks', 'job', report);
  const plan = regionOf(scenario);
  const sizes = checkImages(images, fileBytes, report);
  let members = 0;
  const deviceRoll = new Roll(devices, deviceEui);
  const gatewayRoll = new Roll(gateways, gatewayEui);
  for (const delegation of delegations) {
    checkTime(delegation, scenario.duration, report);
    checkDelegation(delegation, deviceRoll, subscribers, report);
  }
  const covers = new Covers(delegations, deviceRoll, subscribers);
  for (const group of groups) {
    const chosen = checkDevices(group, 'group', deviceRoll, subscribers, report, covers);
    members += checkClasses(group, chosen, report);
    checkGateways(group, chosen, gatewayRoll, subscribers, report);
  }
  if (members > DEVICES_MAX) {
    const what = `${members} members of groups are too many`;
    report(['groups'], { what, allowed: `at most ${DEVICES_MAX} in all groups` });
  }
  let targets = 0;
  for (const job of jobs) {
    checkTime(job, scenario.duration, report);
    findNamed('group', 'device group', groups, job, subscribers, report);
    if (job.entry.devices === undefined) continue;
    targets += countOf(checkDevices(job, 'job', deviceRoll, subscribers, report));
  }
  if (targets > DEVICES_MAX) {
    const what = `${targets} devices of jobs are too many`;
    report(['reliableDownlinks'], { what, allowed: `at most ${DEVICES_MAX} in all jobs` });
  }
  const managed = named(scenario.managedCampaigns, 'managedCampaigns', 'managed campaign', report);
  for (const campaign of managed) {
    checkTime(campaign, scenario.duration, report);
    checkEnd(campaign, report);
    findNamed('image', 'image', images, campaign, subscribers, report);
    checkWatched(campaign, gatewayRoll, subscribers, report);
    checkVersion(campaign, report);
  }
  for (const campaign of campaigns) {
    checkTime(campaign, scenario.duration, report);
    checkStartAndGroup(campaign, report);
    checkNames(campaign, { images, groups }, subscribers, report);
    checkVersion(campaign, report);
    checkDelays(campaign, report);
    checkCampaignAir(campaign, plan, liftsDwell(scenario), report);
    checkFragments(campaign, sizes, { plan, lifted: liftsDwell(scenario) }, report, warn);
  }
}

/** Entries with a name; one name for two is reported. */
function named(
  value: unknown,
  list:
    | 'images'
    | 'groups'
    | 'campaigns'
    | 'delegations'
    | 'reliableDownlinks'
    | 'managedCampaigns',
  kind: string,
  report: Report,
): Named[] {
  const first = new Map<string, Path>();
  return listOf(value, list).flatMap((item, index) => {
    const entry = mapOf(item);
    const { name } = entry;
    const path = [list, index];
    if (typeof name !== 'string') return [];
    const other = first.get(name);
    if (other === undefined) first.set(name, path);
    else {
      const what = `the name "${name}" is taken by /${other.join('/')}`;
      report([...path, 'name'], { what, allowed: `a name of its own for every ${kind}` });
    }
    return [{ path, name, entry }];
  });
}

// ── images ───────────────────────────────────────────────────────────────────────────────────────

function checkImages(
  images: readonly Named[],
  fileBytes: FileBytes,
  report: Report,
): Map<string, ImageSize> {
  const sizes = new Map<string, ImageSize>();
  let sum = 0;
  for (const { path, name, entry } of images) {
    const given = readQuantity(entry.bytes, 'size', ANY);
    const { file } = entry;
    if (given.ok && /\.hex$/.test(name)) {
      const what = `${name} is an Intel HEX file, which is no random bytes`;
      report([...path, 'bytes'], { what, allowed: 'file, or a name that ends in .bin or .sfb' });
    }
    const bytes = given.ok ? given.value : typeof file === 'string' ? fileBytes(file) : undefined;
    if (bytes === undefined) continue;
    sizes.set(name, bytes);
    sum += bytes;
    if (given.ok || (bytes >= 1 && bytes <= IMAGE_BYTES_MAX)) continue;
    const what = `${String(file)} has ${bytes} bytes`;
    report([...path, 'file'], { what, allowed: `1 to ${IMAGE_BYTES_MAX} bytes (4 MiB)` });
  }
  if (sum > IMAGES_BYTES_MAX) {
    const what = `${sum} bytes of images are too many`;
    report(['images'], { what, allowed: `at most ${IMAGES_BYTES_MAX} bytes (16 MiB) in all` });
  }
  return sizes;
}

// ── device groups ────────────────────────────────────────────────────────────────────────────────

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
 * Whom the entry of a group or a job names: they are of the start, and its subscriber's; `covers`:
 * or delegated to it.
 */
function checkDevices(
  user: Named,
  kind: 'group' | 'job',
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
    const isTheirs = ({ isDelegated, member: device }: Chosen) =>
      isDelegated === true && !subscribers.areApart(device, member);
    if (subscribers.areApart(member, group) && !chosen.some(isTheirs)) {
      const { members } = gateways;
      report(at, () => subscribers.foreign(word, member, group, 'gateway', members));
    }
    const count = whole === undefined ? 1 : (whole.count ?? 1);
    if (count !== Infinity) total += count;
  }
  if (total <= GROUP_GATEWAYS_MAX) return;
  const what = `${total} gateways are too many for a group`;
  const allowed = `at most ${GROUP_GATEWAYS_MAX}, or none for an automatic choice`;
  report([...path, 'gateways'], { what, allowed });
}

function unknownGateway(word: string, { members: gateways }: Roll): Complaint {
  const meant = nearestMember(word, gateways);
  const known = gateways.slice(0, 40).map(({ name }) => name);
  const what = `"${word}" is not a gateway of the start`;
  return { what, allowed: known.join(', '), ...(meant && { meant }) };
}

// ── campaigns ────────────────────────────────────────────────────────────────────────────────────

function checkTime({ path, entry }: Named, duration: unknown, report: Report): void {
  const end = readQuantity(duration ?? '1 d', 'duration', ANY);
  const at = readQuantity(entry.at ?? '0 s', 'duration', ANY);
  if (!end.ok || !at.ok || at.value <= end.value) return;
  const what = `${String(entry.at)} is after the end of the run`;
  report([...path, 'at'], { what, allowed: `at most ${String(duration ?? '1 d')}` });
}

/** A start lies after the creation, and a given EUI demands address and key. */
function checkStartAndGroup({ path, entry }: Named, report: Report): void {
  const at = readQuantity(entry.at ?? '0 s', 'duration', ANY);
  const start = readQuantity(entry.scheduled_start_at, 'duration', ANY);
  if (at.ok && start.ok && start.value <= at.value) {
    const what = `${String(entry.scheduled_start_at)} is not after the creation`;
    report([...path, 'scheduled_start_at'], {
      what,
      allowed: `above ${String(entry.at ?? '0 s')}`,
    });
  }
  for (const [key, needed] of RULES.needs) {
    if (entry[key] === undefined || entry[needed] !== undefined) continue;
    const others = RULES.needs.flatMap(([one, other]) => (one === key ? [other] : []));
    report([...path, key], {
      what: `${key} is given without ${needed}`,
      allowed: `${others.join(' and ')} beside it`,
    });
  }
}

function checkNames(
  campaign: Named,
  { images, groups }: { readonly images: readonly Named[]; readonly groups: readonly Named[] },
  subscribers: Subscribers,
  report: Report,
): void {
  findNamed('image', 'image', images, campaign, subscribers, report);
  findNamed('group', 'device group', groups, campaign, subscribers, report);
}

/** What an entry names under this key is there, and its subscriber's. */
function findNamed(
  key: 'image' | 'group',
  kind: string,
  things: readonly Named[],
  user: Named,
  subscribers: Subscribers,
  report: Report,
): void {
  const { path, entry } = user;
  const word = entry[key];
  if (typeof word !== 'string') return;
  const thing = things.find(({ name }) => name === word);
  if (thing === undefined) {
    const names = things.map(({ name }) => name);
    report([...path, key], () => unknownName(word, kind, names));
  } else if (subscribers.areApart(thing, user)) {
    report([...path, key], () => subscribers.foreign(word, thing, user, kind, things));
  }
}

/** The expected version comes from the image's name when nobody gives it. */
function checkVersion({ path, entry }: Named, report: Report): void {
  const { image, expected_version: expected } = entry;
  if (expected === undefined && typeof image === 'string' && !inferVersion(image).ok) {
    const what = `no version can be inferred from "${image}"`;
    const allowed = 'expected_version beside it, or a name such as meter-1.2.0.bin';
    report([...path, 'image'], { what, allowed });
  }
}

// ── managed campaigns ────────────────────────────────────────────────────────────────────────────

/** It ends after its creation. */
function checkEnd({ path, entry }: Named, report: Report): void {
  const at = readQuantity(entry.at ?? '0 s', 'duration', ANY);
  const end = readQuantity(entry.run_until, 'duration', ANY);
  if (!at.ok || !end.ok || end.value > at.value) return;
  const what = `${String(entry.run_until)} is not after the creation`;
  report([...path, 'run_until'], { what, allowed: `above ${String(entry.at ?? '0 s')}` });
}

/** It watches one gateway of its subscriber. */
function checkWatched(
  campaign: Named,
  gateways: Roll,
  subscribers: Subscribers,
  report: Report,
): void {
  const { path, entry } = campaign;
  const { gateway: word } = entry;
  if (typeof word !== 'string') return;
  const at = [...path, 'gateway'];
  const whole = gateways.named(word);
  const member = whole ?? gateways.meant(word)?.member;
  if (member === undefined) return report(at, () => unknownGateway(word, gateways));
  if (subscribers.areApart(member, campaign)) {
    const { members } = gateways;
    return report(at, () => subscribers.foreign(word, member, campaign, 'gateway', members));
  }
  const { count = 1 } = whole ?? {};
  if (count <= 1 || count === Infinity) return;
  const what = `"${word}" is ${count} gateways`;
  report(at, { what, allowed: `one of them, such as ${word}-1` });
}

function checkDelays({ path, entry }: Named, report: Report): void {
  for (const [longer, than] of RULES.longer) {
    const [more, less] = [givenTo(longer, entry), givenTo(than, entry)];
    if (more === undefined || less === undefined || more > less) continue;
    const given = entry[longer] === undefined ? than : longer;
    const what = `${String(entry[given])} makes ${longer} no longer than ${than}`;
    report([...path, given], { what, allowed: `${longer} above ${than}` });
  }
}
