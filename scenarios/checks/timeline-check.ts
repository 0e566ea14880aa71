/**
 * Checks of a scenario's timeline: times within the run, and devices and gateways that exist
 * then.
 */

import { deviceEui, gatewayEui } from '../filling/identity.ts';
import { type Complaint, nearest, unknownName } from '../language/complaint.ts';
import {
  DEVICES_MAX,
  ENTRIES_MAX,
  listOf,
  type Member,
  mapOf,
  nearestMember,
  type Report,
  Roll,
} from '../language/members.ts';
import type { Naming } from '../language/naming.ts';
import { type Path, PROBLEMS_MAX } from '../language/problem.ts';
import { readQuantity } from '../language/quantity.ts';
import { broughtBy } from '../schema/command-schema.ts';
import { namesOf, timesOf, VERB_NAMES } from '../schema/timeline-schema.ts';
import { checkFaultChannels } from './fault-check.ts';
import { firstOfChain } from './follow-up-check.ts';
import { checkPlaces } from './placement-check.ts';
import type { Subscribers } from './subscriber-check.ts';

interface Entry {
  readonly path: Path;
  readonly atUs: number;
  readonly entry: Readonly<Record<string, unknown>>;
}

const ANY = { least: 0, most: Number.MAX_SAFE_INTEGER };

interface TimelineFacts {
  readonly devices: readonly Member[];
  readonly gateways: readonly Member[];
  readonly subscribers: Subscribers;
  /** Those that the network uses. */
  readonly channels: readonly { readonly frequencyHz: number }[];
}

export function checkTimeline(
  scenario: Readonly<Record<string, unknown>>,
  { devices, gateways, subscribers, channels }: TimelineFacts,
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
  checkFaultChannels(scenario.timeline, channels, report);
  const repeated = duration.ok ? repetitions(entries, duration.value, report) : entries;
  const there: There = {
    devices: new Registry(devices, deviceEui, 'device', report),
    gateways: new Registry(gateways, gatewayEui, 'gateway', report),
    campaigns: new Begun(scenario.campaigns, 'campaigns', 'campaign', report),
    delegations: new Begun(scenario.delegations, 'delegations', 'delegation', report),
    jobs: new Begun(scenario.reliableDownlinks, 'reliableDownlinks', 'job', report),
    managed: new Begun(scenario.managedCampaigns, 'managedCampaigns', 'managed campaign', report),
    subscribers,
  };
  for (const { path, atUs, entry } of repeated.sort((a, b) => a.atUs - b.atUs)) {
    for (const verb of VERB_NAMES) {
      const given = entry[verb];
      const time: Time = { atUs, written: String(entry.at) };
      for (const { path: below, naming } of namesOf(verb)) {
        const word = below[0] === undefined ? given : mapOf(given)[below[0]];
        if (typeof word !== 'string') continue;
        LOOKS[naming](there, word, [...path, verb, ...below], mapOf(given), time);
      }
      if (verb === 'command') noteBrought(there, mapOf(given));
    }
  }
}

/** Entries at each of their times; what would be too many stands once. */
function repetitions(entries: readonly Entry[], endUs: number, report: Report): Entry[] {
  return entries.flatMap((one) => {
    const { path, atUs: at, entry } = one;
    const [every, until] = [durationOf(entry.every), durationOf(entry.until)];
    if (every === undefined) {
      if (entry.until === undefined) return [one];
      const what = 'an end of what is done once';
      report([...path, 'until'], { what, allowed: 'every, such as 1 w, beside it' });
      return [one];
    }
    if (until !== undefined && until < at) {
      const what = `${String(entry.until)} is before the first time, ${String(entry.at)}`;
      report([...path, 'until'], { what, allowed: `at least ${String(entry.at)}` });
      return [one];
    }
    const times = (endUs - at) / every + 1;
    if (times > ENTRIES_MAX.timeline) {
      const what = `every ${String(entry.every)} is ${Math.floor(times)} times`;
      report([...path, 'every'], {
        what,
        allowed: `at most ${ENTRIES_MAX.timeline} times in a run`,
      });
      return [one];
    }
    return timesOf({ at, every, ...(until && { until }) }, endUs).map((atUs) => ({ ...one, atUs }));
  });
}

function durationOf(written: unknown): number | undefined {
  const read = written === undefined ? undefined : readQuantity(written, 'duration', ANY);
  return read?.ok && read.value > 0 ? read.value : undefined;
}

/** What a command brings may be named from then on, by its EUI. */
function noteBrought(there: There, command: Readonly<Record<string, unknown>>): void {
  const brought = broughtBy(command);
  if (brought !== undefined) there[`${brought.thing}s`].bring(brought.eui);
}

/** Who is there as the timeline goes on. */
interface There {
  readonly devices: Registry;
  readonly gateways: Registry;
  readonly campaigns: Begun;
  readonly delegations: Begun;
  readonly jobs: Begun;
  readonly managed: Begun;
  readonly subscribers: Subscribers;
}

/** An instant, and how the file writes it. */
interface Time {
  readonly atUs: number;
  readonly written: string;
}

/** Looks up what a word names, and notes what the entry does to it. `path` is that of the word. */
type Look = (
  there: There,
  word: string,
  path: Path,
  /** The map that the word stands in; empty when it stands alone. */
  given: Readonly<Record<string, unknown>>,
  time: Time,
) => void;

const LOOKS: Readonly<Record<Naming, Look>> = {
  device: ({ devices }, word, path) => devices.find(word, path),
  devices: ({ devices }, word, path) => devices.findSome(word, path),
  leavingDevice: ({ devices }, word, path) => devices.remove(word, path),
  growingPopulation: ({ devices }, _, path, given) => devices.grow(given, path.slice(0, -1)),
  gateway: ({ gateways }, word, path) => gateways.find(word, path),
  gateways: ({ gateways }, word, path) => gateways.findSome(word, path),
  leavingGateway: ({ gateways }, word, path) => gateways.remove(word, path),
  newGateway: ({ gateways }, word, path, { eui }) => gateways.add(word, eui, path),
  campaign: ({ campaigns }, word, path, _, time) => campaigns.find(word, path, time),
  delegation: ({ delegations }, word, path, _, time) => delegations.find(word, path, time),
  job: ({ jobs }, word, path, _, time) => jobs.find(word, path, time),
  managedCampaign: ({ managed }, word, path, _, time) => managed.find(word, path, time),
  subscriber: ({ subscribers }, word, path) => subscribers.find(word, path),
  caller: ({ subscribers }, word, path) => subscribers.findCaller(word, path),
};

/** A campaign, a delegation or a job is ended or changed after it was created. */
class Begun {
  readonly #begins = new Map<string, Time>();
  readonly #kind: string;
  readonly #report: Report;

  constructor(
    entries: unknown,
    list: 'campaigns' | 'delegations' | 'reliableDownlinks' | 'managedCampaigns',
    kind: string,
    report: Report,
  ) {
    this.#kind = kind;
    this.#report = report;
    const items = listOf(entries, list).map(mapOf);
    for (const item of items) {
      const { name } = item;
      // What follows another can be called off once the first of its chain is created.
      const { at = '0 s' } = firstOfChain(item, items);
      const time = readQuantity(at, 'duration', ANY);
      if (typeof name !== 'string') continue;
      this.#begins.set(name, { atUs: time.ok ? time.value : 0, written: String(at) });
    }
  }

  find(name: string, path: Path, { atUs, written }: Time): void {
    const begins = this.#begins.get(name);
    if (begins === undefined) {
      this.#report(path, () => unknownName(name, this.#kind, [...this.#begins.keys()]));
    } else if (atUs < begins.atUs) {
      const what = `the ${this.#kind} "${name}" has not begun at ${written}`;
      this.#report(path, { what, allowed: `from ${begins.written} on` });
    }
  }
}

/** The devices or gateways that are there as the timeline goes on. */
class Registry {
  private readonly roll: Roll;
  private readonly removed = new Set<string>();
  /** EUIs that commands brought, and whether they are still there only the world knows. */
  private readonly brought = new Set<string>();
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

  /**
   * The plain name of the one that a name or EUI means, reported when there is none; what a command
   * brought has no name.
   */
  find(word: string, path: Path): string | undefined {
    if (this.brought.has(word.toUpperCase())) return undefined;
    const name = this.roll.meant(word)?.name;
    if (name !== undefined && !this.removed.has(name)) return name;
    const state = name === undefined ? 'is not' : 'is no longer';
    const what = `"${word}" ${state} a ${this.kind} of this scenario at that time`;
    this.report(path, { what, ...this.others(name === undefined ? word : undefined) });
    return undefined;
  }

  /** Finds a population or an entry of gateways, or one as `find` does. */
  findSome(word: string, path: Path): void {
    if (this.roll.named(word) === undefined) this.find(word, path);
  }

  /** Who is there now, and who may have been meant; of more misses than are shown, nothing. */
  private others(word: string | undefined): Omit<Complaint, 'what'> {
    if (++this.misses > PROBLEMS_MAX) return {};
    const isThere = ({ name, count }: Member) => count !== undefined || !this.removed.has(name);
    const members = this.roll.members.filter(isThere);
    const meant = word === undefined ? undefined : nearestMember(word, members);
    const allowed =
      members
        .slice(0, 40)
        .flatMap((member) => membersInWords(member, this.removed))
        .slice(0, 40)
        .join(', ') || `none, since no ${this.kind} is left`;
    return { allowed, ...(meant === undefined ? {} : { meant }) };
  }

  remove(word: string, path: Path): void {
    const name = this.find(word, path);
    if (name !== undefined) this.removed.add(name);
  }

  /** One comes by a command, if the world does not refuse it. */
  bring(eui: string): void {
    this.brought.add(eui);
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
      Array.isArray(placement) ||
      ['at', 'file', 'latitude'].some((each) => each in mapOf(placement));
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
    // One that was taken down comes back under its name, as the next of that name.
    if (taken !== undefined && this.removed.delete(taken.name)) return;
    if (taken !== undefined) {
      const allowed = `a name of its own for every ${this.kind}`;
      this.report(path, { what: `the name "${name}" is taken`, allowed });
      return;
    }
    const own = typeof eui === 'string' ? eui.toUpperCase() : undefined;
    this.roll.put({ path, name, count: undefined, eui: own, entry: {} });
  }
}

/** Those of an entry who are there, as runs of their numbers. */
function membersInWords({ name, count }: Member, removed: ReadonlySet<string>): string[] {
  if (count === undefined) return [name];
  const gone = [...removed]
    .filter((one) => one.startsWith(`${name}-`))
    .map((one) => Number(one.slice(name.length + 1)))
    .filter((number) => number >= 1 && number <= count)
    .sort((a, b) => a - b);
  const runs: string[] = [];
  let from = 1;
  for (const next of [...gone, count + 1]) {
    if (next > from) runs.push(runInWords(name, from, next - 1));
    from = next + 1;
  }
  return runs;
}

function runInWords(name: string, from: number, to: number): string {
  if (from === to) return `${name}-${from}`;
  return to === Infinity ? `${name}-${from} …` : `${name}-${from} … ${name}-${to}`;
}
