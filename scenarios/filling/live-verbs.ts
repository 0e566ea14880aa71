/**
 * Verbs of the timeline for a world that lives: names mean what the world has now, whatever added
 * it. What is no name of it is taken for an EUI or an id, and the command itself is refused where
 * there is none.
 */
import { commandFor } from '../../core/command.ts';
import type { PlatformCommand } from '../../core/operations.ts';
import { assert } from '../../sim/base/assert.ts';
import { expandSeed, type Seed } from '../../sim/base/random.ts';
import { unknownName } from '../language/complaint.ts';
import { type Placement, place } from '../language/placement.ts';
import { type Fault, faultsOf, problemsOf } from '../language/problem.ts';
import type { Site } from '../language/verb.ts';
import type { Scenario } from '../schema/schema.ts';
import {
  commandsOf,
  namesOf,
  type TimelineVerb,
  type VerbName,
  VerbSchema,
} from '../schema/timeline-schema.ts';
import { patternsIn } from './delegations.ts';
import { gatewayEui, memberNames } from './identity.ts';
import { updateIds } from './ids.ts';
import { keyCommands } from './multicast-keys.ts';
import { devicePlans } from './populate.ts';

/** Things that the world has now, of the caller. */
export interface LiveWorld {
  readonly devices: readonly {
    readonly name: string;
    readonly devEui: string;
    /** Of its population. */
    readonly typeName: string;
  }[];
  readonly gateways: readonly { readonly name: string; readonly eui: string }[];
}

export type VerbCommands =
  | { readonly ok: true; readonly verb: VerbName; readonly commands: readonly PlatformCommand[] }
  /** What is wrong, each with its place. */
  | {
      readonly ok: false;
      readonly problems: readonly { readonly pointer: string; readonly message: string }[];
    };

/**
 * Reads entries one after the other, each a map with one verb, as the timeline has it without `at`;
 * reports the commands that it becomes. Later entries know the devices that earlier ones add.
 */
export function verbReader(
  scenario: Scenario,
  seed: string,
  world: LiveWorld,
): (entry: unknown) => VerbCommands {
  const site = siteOf(scenario, expandSeed(seed), world);
  return (entry) => {
    const read = VerbSchema.safeParse(entry);
    if (!read.success) return { ok: false, problems: placed(faultsOf(read.error.issues)) };
    const unknown = unknownPopulations(scenario, read.data);
    if (unknown.length > 0) return { ok: false, problems: placed(unknown) };
    const commands = commandsOf(read.data, site);
    const { verb } = read.data;
    if (commands.some(({ afterUs }) => afterUs > 0)) return { ok: false, problems: [later(verb)] };
    const all = commands.flatMap(({ command, each }) =>
      each === undefined ? [command] : each.map((eui) => commandFor(command, eui)),
    );
    return { ok: true, verb, commands: all };
  };
}

/** What is done now has no end that it sees to itself. */
const later = (verb: VerbName) => ({
  pointer: `/${verb}`,
  message: 'what is done now ends by another call: without "for" and "spread"',
});

/** A population is of the file, whatever the world has. */
function unknownPopulations({ devices }: Scenario, { verb, given }: TimelineVerb): Fault[] {
  const known = devices.map(({ name }) => name);
  return namesOf(verb).flatMap(({ path, naming }): Fault[] => {
    if (naming !== 'growingPopulation') return [];
    const name = String((given as Readonly<Record<string, unknown>>)[path[0]!]);
    const complaint = unknownName(name, 'population', known);
    return known.includes(name) ? [] : [{ path: [verb, ...path], complaint }];
  });
}

const placed = (faults: readonly Fault[]) =>
  problemsOf(faults, { locate: () => ({ where: '', line: 0 }) }, '');

function siteOf(scenario: Scenario, random: Seed, { devices: there, gateways }: LiveWorld): Site {
  const ids = updateIds(scenario, random);
  const devices = [...there];
  const devEuiOf = new Map(devices.map(({ name, devEui }) => [name, devEui]));
  const gatewayEuiOf = new Map(gateways.map(({ name, eui }) => [name, eui]));
  const populations = new Set(scenario.devices.map(({ name }) => name));
  const membersOf = (word: string) => devices.filter(({ typeName }) => typeName === word);
  return {
    startUnixMs: scenario.start,
    devEui: (word) => devEuiOf.get(word) ?? word.toUpperCase(),
    devEuis: (word) =>
      populations.has(word)
        ? membersOf(word).map(({ devEui }) => devEui)
        : [devEuiOf.get(word) ?? word.toUpperCase()],
    gatewayEui: (word) => gatewayEuiOf.get(word) ?? word.toUpperCase(),
    gatewayEuis: (word) => {
      const entry = scenario.gateways.find(({ name }) => name === word);
      if (entry?.count === undefined) return [gatewayEuiOf.get(word) ?? word.toUpperCase()];
      return memberNames(entry, entry.count).flatMap((name) => gatewayEuiOf.get(name) ?? []);
    },
    newGatewayEui: (name) => gatewayEuiOf.get(name) ?? gatewayEui(name, 1),
    campaignId: (name) => ids.campaigns.get(name) ?? name,
    delegationId: (name) => ids.delegations.get(name) ?? name,
    jobId: (name) => ids.reliableDownlinks.get(name) ?? name,
    managedCampaignId: (name) => ids.managedCampaigns.get(name) ?? name,
    patterns: patternsIn(scenario.devices, (name) => devEuiOf.get(name)),
    // What is spread over a time is refused.
    spreadUs: (_, mostUs) => mostUs,
    point: (placement, name) =>
      (placement && place(placement, [name], random, scenario)[0]) ?? CENTRE,
    grow: growing(scenario, random, there, (added) => {
      for (const device of added) {
        devices.push(device);
        devEuiOf.set(device.name, device.devEui);
      }
    }),
  };
}

const CENTRE = { xMeters: 0, yMeters: 0 };

/**
 * Later members are numbered on behind the last one that is there; `onAdded` is called for them.
 */
function growing(
  scenario: Scenario,
  random: Seed,
  there: LiveWorld['devices'],
  onAdded: (added: LiveWorld['devices']) => void,
): Site['grow'] {
  /** Numbers of the last members, by population. */
  const lastOf = new Map<string, number>();
  return (population: string, count: number, placement: Placement | undefined) => {
    const type = scenario.devices.findIndex(({ name }) => name === population);
    const entry = scenario.devices[type];
    assert(entry !== undefined, 'a population that grows is one of the file');
    const last = lastOf.get(population) ?? lastNumber(population, entry.count ?? 1, there);
    lastOf.set(population, last + count);
    const numbers = Array.from({ length: count }, (_, index) => last + index + 1);
    // One that has no number has neither a DevEUI nor a key for others.
    const { devEui: _, appKey: __, ...shared } = { ...entry, count: entry.count ?? 1 };
    const as = { ...scenario, devices: scenario.devices.with(type, shared as typeof entry) };
    const added = devicePlans(as, type, numbers, placement ?? entry.placement, random);
    onAdded(added.map(({ name, devEui }) => ({ name, devEui, typeName: population })));
    const created = added.map((device) => ({ kind: 'device.create', device }) as const);
    return [...created, ...keyCommands(entry.multicastKeys, added)];
  };
}

/** At least what the file has, also where some of those are gone. */
const lastNumber = (population: string, count: number, there: LiveWorld['devices']): number =>
  there.reduce((most, { name }) => Math.max(most, numberIn(population, name)), count);

/** 7 of `meter-7`; 0: it is no member of the population. */
function numberIn(population: string, name: string): number {
  if (!name.startsWith(`${population}-`)) return 0;
  const digits = name.slice(population.length + 1);
  return /^\d{1,7}$/.test(digits) ? Number(digits) : 0;
}
