/**
 * Checks of a scenario's timeline: times within the run, and devices and gateways that exist
 * then.
 */

import { deviceEui, gatewayEui } from '../filling/identity.ts';
import { type Complaint, nearest, unknownName } from '../language/complaint.ts';
import { type Path, PROBLEMS_MAX } from '../language/problem.ts';
import { readQuantity } from '../language/quantity.ts';
import {
  DEVICES_MAX,
  listOf,
  type Member,
  mapOf,
  nearestMember,
  type Report,
  Roll,
} from './members.ts';
import { checkPlaces } from './placement-check.ts';

interface Entry {
  readonly path: Path;
  readonly atUs: number;
  readonly entry: Readonly<Record<string, unknown>>;
}

const ANY = { least: 0, most: Number.MAX_SAFE_INTEGER };

export function checkTimeline(
  scenario: Readonly<Record<string, unknown>>,
  devices: readonly Member[],
  gateways: readonly Member[],
  report: Report,
): void {
  const duration = readQuantity(scenario.duration ?? '1 d', 'duration', ANY);
  const entries: Entry[] = listOf(scenario.timeline, 'timeline').flatMap((item, index) => {
    const at = readQuantity(mapOf(item).at, 'duration', ANY);
    return at.ok ? { path: ['timeline', index], atUs: at.value, entry: mapOf(item) } : [];
  });
  for (const { path, atUs, entry } of entries) {
    if (!duration.ok || atUs <= duration.value) continue;
    const what = `${String(entry.at)} is after the end of the run`;
    report([...path, 'at'], { what, allowed: `at most ${String(scenario.duration ?? '1 d')}` });
  }
  const inTime = [...entries].sort((a, b) => a.atUs - b.atUs);
  checkDevices(inTime, devices, report);
  checkGateways(inTime, gateways, report);
  checkHalts(inTime, scenario.campaigns, report);
}

/** A campaign is halted, restarted and deleted after it was created. */
function checkHalts(entries: readonly Entry[], campaigns: unknown, report: Report): void {
  const beginnings = new Map<string, { readonly atUs: number; readonly told: string }>();
  for (const item of listOf(campaigns, 'campaigns')) {
    const { name, at = '0 s' } = mapOf(item);
    const time = readQuantity(at, 'duration', ANY);
    if (typeof name === 'string') {
      beginnings.set(name, { atUs: time.ok ? time.value : 0, told: String(at) });
    }
  }
  for (const { path, atUs, entry } of entries) {
    const restarted = mapOf(entry.restartCampaign).campaign;
    const named = [
      [[...path, 'haltCampaign'], entry.haltCampaign],
      [[...path, 'deleteCampaign'], entry.deleteCampaign],
      [[...path, 'restartCampaign', 'campaign'], restarted],
    ] as const;
    for (const [place, name] of named) {
      if (typeof name !== 'string') continue;
      const begins = beginnings.get(name);
      if (begins === undefined) {
        report(place, () => unknownName(name, 'campaign', [...beginnings.keys()]));
      } else if (atUs < begins.atUs) {
        const what = `the campaign "${name}" has not begun at ${String(entry.at)}`;
        report(place, { what, allowed: `from ${begins.told} on` });
      }
    }
  }
}

function checkDevices(entries: readonly Entry[], members: readonly Member[], report: Report): void {
  const present = new Registry(members, deviceEui, 'device', report);
  for (const { path, entry } of entries) {
    const added = mapOf(entry.addDevices);
    const target = mapOf(entry.downlink).to;
    if (typeof added.population === 'string') {
      present.grow(added, [...path, 'addDevices']);
    }
    if (typeof target === 'string') present.find(target, [...path, 'downlink', 'to']);
    const switched = mapOf(entry.switchClass).device;
    if (typeof switched === 'string') present.find(switched, [...path, 'switchClass', 'device']);
    const asked = mapOf(entry.macRequest).to;
    if (typeof asked === 'string') present.find(asked, [...path, 'macRequest', 'to']);
    present.remove(entry.removeDevice, [...path, 'removeDevice']);
  }
}

function checkGateways(
  entries: readonly Entry[],
  members: readonly Member[],
  report: Report,
): void {
  const present = new Registry(members, gatewayEui, 'gateway', report);
  for (const { path, entry } of entries) {
    const { name, eui } = mapOf(entry.addGateway);
    if (typeof name === 'string') present.add(name, eui, [...path, 'addGateway', 'name']);
    present.remove(entry.removeGateway, [...path, 'removeGateway']);
  }
}

/** Who is there as the timeline goes on. */
class Registry {
  private readonly roll: Roll;
  private readonly removed = new Set<string>();
  private readonly kind: string;
  private readonly report: Report;
  /** Members of all entries, those that were removed included. */
  private total: number;
  private misses = 0;

  constructor(
    members: readonly Member[],
    euiOf: (name: string, number: number) => string,
    kind: string,
    report: Report,
  ) {
    this.roll = new Roll(members, euiOf);
    this.kind = kind;
    this.report = report;
    this.total = members.reduce((sum, { count = 1 }) => sum + count, 0);
  }

  /** The plain name of the one that a name or EUI means, reported when there is none. */
  find(word: string, path: Path): string | undefined {
    const name = this.roll.meant(word)?.name;
    if (name !== undefined && !this.removed.has(name)) return name;
    const state = name === undefined ? 'is not' : 'is no longer';
    const what = `"${word}" ${state} a ${this.kind} of this scenario at that time`;
    this.report(path, { what, ...this.others(name === undefined ? word : undefined) });
    return undefined;
  }

  /** Who is there now, and who may have been meant; of more misses than are told, nothing. */
  private others(word: string | undefined): Omit<Complaint, 'what'> {
    if (++this.misses > PROBLEMS_MAX) return {};
    const { members } = this.roll;
    const meant = word === undefined ? undefined : nearestMember(word, members);
    const allowed = members.slice(0, 40).map(tellMember).join(', ');
    return { allowed, ...(meant === undefined ? {} : { meant }) };
  }

  remove(word: unknown, path: Path): void {
    if (typeof word !== 'string') return;
    const name = this.find(word, path);
    if (name !== undefined) this.removed.add(name);
  }

  /** More of an entry that counts its members. */
  grow(added: Readonly<Record<string, unknown>>, path: Path): void {
    const population = String(added.population);
    const member = this.roll.named(population);
    if (member?.count === undefined) {
      this.report([...path, 'population'], () => this.uncounted(population));
      return;
    }
    const { placement } = member.entry;
    const listed =
      Array.isArray(placement) || 'at' in mapOf(placement) || 'file' in mapOf(placement);
    if (listed && added.placement === undefined) {
      const what = `the points of "${population}" are taken by its first devices`;
      this.report(path, { what, allowed: 'a placement for the new ones' });
    }
    for (const key of ['devEui', 'appKey']) {
      if (member.entry[key] === undefined) continue;
      const what = `"${population}" has a ${key}, which cannot serve another device`;
      this.report([...path, 'population'], { what, allowed: `a population without ${key}` });
    }
    const more = typeof added.count === 'number' ? added.count : 1;
    checkPlaces(added.placement, more, [...path, 'placement'], this.report);
    this.roll.put({ ...member, count: member.count + more });
    this.total += more;
    const { total } = this;
    if (total > DEVICES_MAX && total !== Infinity) {
      const what = `${total} devices are too many`;
      this.report([...path, 'count'], { what, allowed: `at most ${DEVICES_MAX}` });
    }
  }

  private uncounted(population: string): Complaint {
    const counted = this.roll.members.filter(({ count }) => count !== undefined);
    const names = counted.map(({ name }) => name);
    const meant = nearest(population, names);
    return {
      what: `"${population}" is not a population with a count`,
      allowed: names.slice(0, 40).join(', ') || 'a population with a count',
      ...(meant === undefined ? {} : { meant }),
    };
  }

  /** One more that stands alone. */
  add(name: string, eui: unknown, path: Path): void {
    const taken = this.roll.meant(name);
    if (taken !== undefined) {
      const allowed = `a name of its own for every ${this.kind}`;
      this.report(path, { what: `the name "${name}" is taken`, allowed });
      return;
    }
    const own = typeof eui === 'string' ? eui.toUpperCase() : undefined;
    this.roll.put({ path, name, count: undefined, eui: own, entry: {} });
  }
}

function tellMember({ name, count }: Member): string {
  if (count === undefined) return name;
  if (count === 1) return `${name}-1`;
  return count === Infinity ? `${name}-1 …` : `${name}-1 … ${name}-${count}`;
}
