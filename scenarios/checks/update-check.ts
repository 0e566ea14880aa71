/**
 * Checks of what a scenario has of the firmware update service against one another, the devices and
 * the region: what the platform would refuse at run time is reported before. Images, campaigns and
 * managed campaigns are checked here, groups and jobs in group-check.ts.
 */

import { inferVersion } from '../../core/base/firmware-versions.ts';
import { NATIVE_DECODERS } from '../../core/management/decoders/decoder-types.ts';
import { GATEWAY_MODELS } from '../../core/management/gateways/models.ts';
import { RULES } from '../../core/update-service/campaigns/settings.ts';
import { deviceEui, gatewayEui } from '../filling/identity.ts';
import { listOf, type Member, mapOf, type Named, type Report, Roll } from '../language/members.ts';
import type { Path } from '../language/problem.ts';
import { readQuantity } from '../language/quantity.ts';
import { givenTo, IMAGE_BYTES_MAX } from '../schema/update-schema.ts';
import { checkAlerts } from './alert-check.ts';
import { checkPolicies } from './configuration-check.ts';
import { Covers, checkDelegation } from './delegation-check.ts';
import { checkOutputProfiles, checkReceivers } from './delivery-check.ts';
import { checkFollowUps } from './follow-up-check.ts';
import { checkFragments, type ImageSize } from './fragment-check.ts';
import {
  checkEndDeviceGroups,
  checkGatewayGroups,
  checkGroups,
  checkJobs,
  checkTime,
  findNamed,
  type Known,
  unknownGateway,
} from './group-check.ts';
import { checkMulticastGroups } from './multicast-check.ts';
import { checkCampaignAir, liftsDwell, regionOf } from './regional-check.ts';
import type { Subscribers } from './subscriber-check.ts';

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
const ANY = { least: 0, most: Number.MAX_SAFE_INTEGER };

/** `warn` takes what is allowed, but not wise. */
export function checkUpdates(
  scenario: Readonly<Record<string, unknown>>,
  facts: UpdateFacts,
  report: Report,
  warn: Report,
): void {
  const { duration } = scenario;
  const listed = (list: NamedList, kind: string) => named(scenario[list], list, kind, report);
  const rolls = {
    devices: new Roll(facts.devices, deviceEui),
    gateways: new Roll(facts.gateways, gatewayEui),
  };
  const known = { ...rolls, subscribers: facts.subscribers, duration };
  const images = listed('images', 'image');
  const groups = listed('groups', 'device group');
  const delegations = listed('delegations', 'delegation');
  for (const delegation of delegations) {
    checkTime(delegation, duration, report);
    checkDelegation(delegation, rolls.devices, facts.subscribers, report);
  }
  const covers = new Covers(delegations, rolls.devices, facts.subscribers);
  checkGroups(groups, known, covers, report);
  const profiles = {
    serviceProfile: listed('serviceProfiles', 'service profile'),
    decoderType: listed('decoderTypes', 'decoder type'),
    outputProfile: listed('outputProfiles', 'output profile'),
  };
  checkOutputProfiles(profiles.outputProfile, report);
  checkReceivers(listed('receivers', 'receiver'), report);
  for (const device of facts.devices) checkProfiles(device, profiles, facts.subscribers, report);
  const gatewayProfiles = listed('gatewayProfiles', 'gateway profile');
  for (const gateway of facts.gateways) {
    checkModel(gateway, gatewayProfiles, facts.subscribers, report);
  }
  const listedGroups = listed('endDeviceGroups', 'device group of management');
  checkEndDeviceGroups(listedGroups, known, report);
  const policies = listed('configurationPolicies', 'policy');
  checkPolicies(policies, listedGroups, profiles.decoderType, known, report);
  const gatewayGroups = listed('gatewayGroups', 'gateway group');
  checkGatewayGroups(gatewayGroups, known, report);
  const delivery = {
    credentials: listed('credentials', 'set of credentials'),
    destinations: listed('destinations', 'destination'),
    alerts: listed('alerts', 'alert'),
  };
  checkAlerts({ ...delivery, gatewayGroups }, known, report);
  const multicastGroups = listed('multicastGroups', 'multicast group');
  checkMulticastGroups(multicastGroups, known, regionOf(scenario), report);
  checkJobs(listed('reliableDownlinks', 'job'), groups, known, report);
  checkManaged(listed('managedCampaigns', 'managed campaign'), images, known, report);
  const sizes = checkImages(images, facts.fileBytes, report);
  const air = { plan: regionOf(scenario), lifted: liftsDwell(scenario) };
  const campaigns = listed('campaigns', 'campaign');
  checkFollowUps(scenario, campaigns, groups, known, report);
  for (const campaign of campaigns) {
    checkTime(campaign, duration, report);
    checkStartAndGroup(campaign, report);
    findNamed('image', 'image', images, campaign, facts.subscribers, report);
    findNamed('group', 'device group', groups, campaign, facts.subscribers, report);
    checkVersion(campaign, report);
    checkDelays(campaign, report);
    checkCampaignAir(campaign, air.plan, air.lifted, report);
    checkFragments(campaign, sizes, air, report, warn);
  }
}

type Profiles = Readonly<
  Record<'serviceProfile' | 'decoderType' | 'outputProfile', readonly Named[]>
>;

/** What the devices of a population refer to; a decoder type may be that of every world. */
function checkProfiles(
  device: Member,
  { serviceProfile, decoderType, outputProfile }: Profiles,
  subscribers: Subscribers,
  report: Report,
): void {
  const find = (
    key: keyof Profiles,
    kind: string,
    things: readonly Named[],
    usual?: readonly string[],
  ) => findNamed(key, kind, things, device, subscribers, report, usual);
  find('serviceProfile', 'service profile', serviceProfile);
  find('outputProfile', 'output profile', outputProfile);
  const { decoderType: word } = device.entry;
  if (NATIVE_DECODERS.some((each) => each === word)) return;
  find('decoderType', 'decoder type', decoderType, NATIVE_DECODERS);
}

/** The model of a gateway, which may be one that every world has. */
function checkModel(
  gateway: Member,
  profiles: readonly Named[],
  subscribers: Subscribers,
  report: Report,
): void {
  const usual = GATEWAY_MODELS.map(({ Name }) => Name);
  findNamed('gatewayProfile', 'gateway profile', profiles, gateway, subscribers, report, usual);
}

type NamedList =
  | 'images'
  | 'groups'
  | 'endDeviceGroups'
  | 'gatewayGroups'
  | 'multicastGroups'
  | 'serviceProfiles'
  | 'gatewayProfiles'
  | 'decoderTypes'
  | 'outputProfiles'
  | 'configurationPolicies'
  | 'credentials'
  | 'destinations'
  | 'alerts'
  | 'receivers'
  | 'campaigns'
  | 'delegations'
  | 'reliableDownlinks'
  | 'managedCampaigns';

/** Entries with a name; one name for two is reported. */
function named(value: unknown, list: NamedList, kind: string, report: Report): Named[] {
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

// ── campaigns ────────────────────────────────────────────────────────────────────────────────────

/** A start lies after the creation, and a given EUI demands address and key. */
function checkStartAndGroup({ path, entry }: Named, report: Report): void {
  const at = readQuantity(entry.at ?? '0 s', 'duration', ANY);
  const start = readQuantity(entry.scheduled_start_at, 'duration', ANY);
  if (entry.after === undefined && at.ok && start.ok && start.value <= at.value) {
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

/** The expected version comes from the image's name when nobody gives it. */
function checkVersion({ path, entry }: Named, report: Report): void {
  const { image, expected_version: expected } = entry;
  if (expected === undefined && typeof image === 'string' && !inferVersion(image).ok) {
    const what = `no version can be inferred from "${image}"`;
    const allowed = 'expected_version beside it, or a name such as meter-1.2.0.bin';
    report([...path, 'image'], { what, allowed });
  }
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

// ── managed campaigns ────────────────────────────────────────────────────────────────────────────

function checkManaged(
  campaigns: readonly Named[],
  images: readonly Named[],
  { gateways, subscribers, duration }: Known,
  report: Report,
): void {
  for (const campaign of campaigns) {
    checkTime(campaign, duration, report);
    checkEnd(campaign, report);
    findNamed('image', 'image', images, campaign, subscribers, report);
    checkWatched(campaign, gateways, subscribers, report);
    checkVersion(campaign, report);
  }
}

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
