/**
 * What no single entry can show: names and EUIs that occur twice, sums, commands for unknown
 * devices. It reads the file's plain data, so that its findings come together with the schema's;
 * what an entry says wrongly by itself is left to the schema.
 */

import { complaintAbout, readExpectation } from '../expectations/expectations.ts';
import { figuresOf, type Names } from '../expectations/figures.ts';
import { deviceEui, gatewayEui, memberName } from '../filling/identity.ts';
import {
  DEVICES_MAX,
  GATEWAYS_MAX,
  listOf,
  type Member,
  mapOf,
  membersOf,
  type Report,
  Roll,
} from '../language/members.ts';
import type { Fault } from '../language/problem.ts';
import type { PlaceFiles } from '../places/place-files.ts';
import { kindsOf } from '../places/row-kinds.ts';
import type { DeviceEntry } from '../schema/schema.ts';
import { checkAccounts } from './account-check.ts';
import {
  checkAir,
  checkBackOff,
  checkFirstFrame,
  checkLiftedDwell,
  uplinkDwellOf,
} from './device-air-check.ts';
import { checkEdges, checkPlaces } from './placement-check.ts';
import { checkChannels, checkServer, regionOf } from './regional-check.ts';
import { checkSettings } from './settings-check.ts';
import { Subscribers } from './subscriber-check.ts';
import { checkTimeline } from './timeline-check.ts';
import { checkUpdates, type FileBytes } from './update-check.ts';

interface Findings {
  readonly faults: readonly Fault[];
  /** What is allowed, but not wise. */
  readonly warnings: readonly Fault[];
  /** Entries that rows of files make of an entry of the plain data. */
  readonly kinds: ReadonlyMap<unknown, readonly DeviceEntry[]>;
}

/** What the check needs of files. */
export interface CheckedFiles {
  readonly fileBytes: FileBytes;
  readonly places: PlaceFiles;
}

export function crossCheck(value: unknown, { fileBytes, places }: CheckedFiles): Findings {
  const faults: Fault[] = [];
  const warnings: Fault[] = [];
  const report: Report = (path, complaint) => faults.push({ path, complaint });
  const warn: Report = (path, complaint) => warnings.push({ path, complaint });
  const kinds = new Map<unknown, readonly DeviceEntry[]>();
  const scenario = mapOf(value);
  const gateways = membersOf(
    scenario.gateways,
    'gateways',
    'eui',
    'gateway',
    (entry) => places.rowsOf(entry, 'gateways')?.rows,
  );
  const devices = membersOf(
    scenario.devices,
    'devices',
    'devEui',
    undefined,
    (entry) => places.rowsOf(entry, 'devices')?.rows,
  );
  checkNames(gateways, 'gateway', report);
  checkNames(devices, 'device', report);
  checkRows(gateways, 'gateway', report);
  checkRows(devices, 'device', report);
  checkEuis(gateways, gatewayEui, 'eui', report);
  checkEuis(devices, deviceEui, 'devEui', report);
  checkSum(devices, DEVICES_MAX, 'devices', report);
  checkSum(gateways, GATEWAYS_MAX, 'gateways', report);
  for (const member of [...gateways, ...devices]) checkSingle(member, report);
  for (const { count = 1, entry, path } of [...gateways, ...devices]) {
    checkPlaces(entry.placement, count, [...path, 'placement'], report);
  }
  checkEdges(scenario, report);
  const plan = regionOf(scenario);
  const channels = checkChannels(scenario.channels, plan, report);
  const dwell = uplinkDwellOf(mapOf(scenario.server), plan);
  const checkOne = (member: Member, to: Report) => {
    checkAir(member, plan, channels, dwell, to);
    checkSettings(member, to);
  };
  for (const member of devices) {
    checkOne(member, report);
    checkFirstFrame(scenario, member, plan, warn);
    checkLiftedDwell(member, plan, dwell, warn);
    const rows = places.rowsOf(member.entry, 'devices');
    if (!rows?.kinds.length) continue;
    const { entries, faults: ofRows } = kindsOf(member, rows, checkOne);
    faults.push(...ofRows);
    kinds.set(member.entry, entries);
  }
  checkBackOff(scenario, devices, plan, channels, warn);
  checkServer(scenario.server, plan, report);
  const subscribers = new Subscribers(scenario, report, warn);
  subscribers.check(scenario);
  checkAccounts(scenario, report);
  checkTimeline(scenario, { devices, gateways, subscribers, channels }, report);
  checkUpdates(scenario, { devices, gateways, subscribers, fileBytes }, report, warn);
  checkExpectations(scenario.expectations, namesOf(scenario, devices, gateways), report);
  return { faults, warnings, kinds };
}

/** What expectations of a document without a fault may name. */
export function namesIn(document: unknown): Names {
  const scenario = mapOf(document);
  const devices = membersOf(scenario.devices, 'devices', 'devEui');
  const gateways = membersOf(scenario.gateways, 'gateways', 'eui', 'gateway');
  return namesOf(scenario, devices, gateways);
}

/** What expectations may name. */
function namesOf(
  scenario: Readonly<Record<string, unknown>>,
  devices: readonly Member[],
  gateways: readonly Member[],
): Names {
  const listed = (list: 'campaigns' | 'managedCampaigns' | 'receivers' | 'reliableDownlinks') =>
    listOf(scenario[list], list).flatMap((item) => {
      const { name } = mapOf(item);
      return typeof name === 'string' ? [name] : [];
    });
  return {
    populations: devices.map(({ name }) => name),
    gateways: gatewayNames(gateways),
    campaigns: listed('campaigns'),
    followUps: listOf(scenario.campaigns, 'campaigns').flatMap((item) => {
      const { name, after } = mapOf(item);
      return typeof name === 'string' && after !== undefined ? [name] : [];
    }),
    jobs: listed('reliableDownlinks'),
    managedCampaigns: listed('managedCampaigns'),
    receivers: listed('receivers'),
  };
}

function checkNames(members: readonly Member[], kind: string, report: Report): void {
  const first = new Map<string, Member>();
  for (const member of members) {
    const other = first.get(member.name);
    if (other === undefined) {
      first.set(member.name, member);
      continue;
    }
    const what = `the name "${member.name}" is taken by /${other.path.join('/')}`;
    report([...member.path, 'name'], {
      what,
      allowed: `a name of its own for every ${kind} entry`,
    });
  }
  // A single thing may not bear a name that a numbered one has, such as meter-3.
  for (const member of members) {
    const numbered = /^(.+)-([1-9]\d{0,6})$/.exec(member.count === undefined ? member.name : '');
    const other = first.get(numbered?.[1] ?? '');
    if (other?.count === undefined || Number(numbered?.[2]) > other.count) continue;
    const what = `the name "${member.name}" is that of a ${kind} of /${other.path.join('/')}`;
    report([...member.path, 'name'], { what, allowed: `a name of its own for every ${kind}` });
  }
}

/** Names and EUIs that files give are nobody else's. */
function checkRows(members: readonly Member[], kind: string, report: Report): void {
  const owners = new Map<string, Member>();
  const roll = new Roll(
    members.map((member) => ({ ...member, rows: undefined })),
    kind === 'gateway' ? gatewayEui : deviceEui,
  );
  const there = { roll, byName: new Map(members.map((member) => [member.name, member])) };
  for (const member of members) {
    const { rows = [], path, count = 1 } = member;
    for (const [index, row] of rows.slice(0, count).entries()) {
      // A device may be called by its own EUI.
      for (const word of row.name === row.eui ? [row.name] : [row.name, row.eui]) {
        if (word === undefined) continue;
        const other = owners.get(word) ?? takenBy(word, member, index, there);
        owners.set(word, member);
        if (other === undefined) continue;
        const place = `/${other.path.join('/')}`;
        const what = `${word}, of row ${index + 1} of its file, is taken by ${place}`;
        const allowed = `a name and an EUI of its own for every ${kind}`;
        report([...path, 'placement'], { what, allowed });
      }
    }
  }
}

/** Whose a word is that no row gives; a number that a row has a name for is nobody's. */
function takenBy(
  word: string,
  own: Member,
  row: number,
  { roll, byName }: { readonly roll: Roll; readonly byName: ReadonlyMap<string, Member> },
): Member | undefined {
  const one = roll.meant(word);
  if (one === undefined) return undefined;
  const { member, name } = one;
  const number = Number(/-(\d+)$/.exec(name)?.[1] ?? 0);
  const isNamed = byName.get(member.name)?.rows?.[number - 1]?.name !== undefined;
  const isOwn = member.name === own.name && name === `${own.name}-${row + 1}`;
  return isOwn || isNamed ? undefined : member;
}

/**
 * Made EUIs of one entry differ in the last six digits only, so ten digits stand for a whole
 * entry.
 */
function checkEuis(
  members: readonly Member[],
  create: (name: string, number: number) => string,
  key: string,
  report: Report,
): void {
  const owners = new Map<string, Member>();
  const stems = new Map<string, Member>();
  for (const member of members) {
    const { eui } = member;
    const owner = eui === undefined ? stems.get(stemOf(member, create)) : owners.get(eui);
    if (eui === undefined) stems.set(stemOf(member, create), member);
    else owners.set(eui, member);
    if (owner !== undefined && owner.name !== member.name) reportEui(member, owner, key, report);
  }
  for (const [eui, member] of owners) {
    const owner = stems.get(eui.slice(0, 10));
    const number = Number.parseInt(eui.slice(10), 16);
    if (owner === undefined || number < 1 || number > (owner.count ?? 1)) continue;
    reportEui(member, owner, key, report);
  }
}

function stemOf({ name }: Member, create: (name: string, number: number) => string): string {
  return create(name, 1).slice(0, 10);
}

function reportEui(member: Member, owner: Member, key: string, report: Report): void {
  const place = `/${owner.path.join('/')}`;
  if (member.eui === undefined) {
    const what = `the name "${member.name}" makes the EUIs of ${place}`;
    report([...member.path, 'name'], { what, allowed: 'another name' });
    return;
  }
  const what = `the EUI ${member.eui} is taken by ${place}`;
  report([...member.path, key], { what, allowed: 'an EUI of its own for every one' });
}

function checkSum(members: readonly Member[], most: number, things: string, report: Report): void {
  const sum = members.reduce((total, { count = 1 }) => total + (count === Infinity ? 0 : count), 0);
  if (sum > most)
    report([things], { what: `${sum} ${things} are too many`, allowed: `at most ${most}` });
}

/** EUIs and keys of their own make sense for one thing only. */
function checkSingle({ count = 1, entry, path }: Member, report: Report): void {
  for (const key of ['eui', 'devEui', 'appKey']) {
    if (entry[key] === undefined || count <= 1 || count === Infinity) continue;
    const what = `one ${key} cannot serve ${count}`;
    report([...path, key], { what, allowed: `${key} only without a count or with count 1` });
  }
}

function checkExpectations(value: unknown, names: Names, report: Report): void {
  const entries = listOf(value, 'expectations');
  if (entries.length === 0) return;
  const figures = figuresOf(names);
  for (const [index, entry] of entries.entries()) {
    const expectation = readExpectation(entry);
    const complaint = expectation.ok ? complaintAbout(expectation.value, figures) : undefined;
    if (complaint !== undefined) report(['expectations', index], complaint);
  }
}

/** At most as many as there may be gateways, whatever the entries count. */
function gatewayNames(gateways: readonly Member[]): string[] {
  const names: string[] = [];
  for (const { name, count } of gateways) {
    const most = Math.min(count ?? 1, GATEWAYS_MAX - names.length);
    for (let number = 1; number <= most; number++) names.push(memberName(name, count, number));
  }
  return names;
}
