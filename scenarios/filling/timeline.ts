/** A scenario's timeline to commands with their stamps, in the order of time. */

import type { Owners } from '../../core/base/subscribers.ts';
import type { Command, TimedCommand } from '../../core/command.ts';
import type { PlatformCommand } from '../../core/operations.ts';
import { assert } from '../../sim/base/assert.ts';
import { DrawPurpose, draw, entityKey, type Seed, toUnit } from '../../sim/base/random.ts';
import type { DevicePlan, NetworkPlan } from '../../sim/plan/network-plan.ts';
import { type Placement, type Point, place } from '../language/placement.ts';
import type { Later, Site } from '../language/verb.ts';
import { type Brought, broughtBy } from '../schema/command-schema.ts';
import type { Scenario } from '../schema/schema.ts';
import { commandsOf, timesOf } from '../schema/timeline-schema.ts';
import { callersOf } from './callers.ts';
import { policyCommands } from './configuration-policies.ts';
import { delegationCommands, patternsIn } from './delegations.ts';
import { gatewayEui, memberNames } from './identity.ts';
import { idIn, updateIds } from './ids.ts';
import { asLongAsTheySay, type Step } from './lasting-faults.ts';
import { keyCommands } from './multicast-keys.ts';
import { profileCommands } from './profiles.ts';
import { updateCommands } from './updates.ts';

/** Makes the members of a population with these numbers. */
type Add = (
  type: number,
  numbers: readonly number[],
  placement: Placement | undefined,
) => readonly DevicePlan[];

/**
 * The loader has seen that every device and gateway named here exists at its time. `owners` knows
 * those of the start, and learns whose the later ones are.
 */
export function timelineOf(
  scenario: Scenario,
  network: NetworkPlan,
  owners: Owners,
  add: Add,
  random: Seed,
): TimedCommand[] {
  const ids = updateIds(scenario, random);
  /** EUIs by the names that things have by then. */
  const euisOf = {
    device: new Map(network.devices.map(({ name, devEui }) => [name, devEui])),
    gateway: new Map(network.gateways.map(({ name, eui }) => [name, eui])),
  };
  /** Where the gateways of the start stand. */
  const placeOf = new Map<string, Point>(network.gateways.map((one) => [one.name, one]));
  const patterns = patternsIn(scenario.devices, (name) => euisOf.device.get(name));
  const delegations = delegationCommands(scenario, patterns, ids.delegations);
  const updates = updateCommands(scenario, network, random, ids, delegations);
  const profiles = atStart(profileCommands(scenario, network.gateways, ids, random));
  // Policies come after what devices refer to, and before what is desired at the start.
  const policies = atStart(policyCommands(scenario, network, ids, random));
  const members = membersThen(scenario, (name) => site.devEui(name));
  const gateways = gatewaysThen(scenario, (name) => site.gatewayEui(name));
  const site: Site = {
    startUnixMs: scenario.start,
    devEui: (word) => euisOf.device.get(word) ?? word.toUpperCase(),
    devEuis: (word) => members.meant(word),
    gatewayEui: (word) => euisOf.gateway.get(word) ?? word.toUpperCase(),
    gatewayEuis: (word) => gateways.meant(word),
    newGatewayEui: (name) => euisOf.gateway.get(name) ?? gatewayEui(name, 1),
    campaignId: (name) => idIn(ids.campaigns, name),
    delegationId: (name) => idIn(ids.delegations, name),
    patterns,
    jobId: (name) => idIn(ids.reliableDownlinks, name),
    managedCampaignId: (name) => idIn(ids.managedCampaigns, name),
    spreadUs: spreadAt(0, random),
    point: (placement, name) =>
      placement === undefined
        ? (placeOf.get(name) ?? CENTRE)
        : (place(placement, [name], random, scenario)[0] ?? CENTRE),
    grow: growing(scenario, members.sizes, add),
  };
  const callerOf = callersOf(scenario, owners, site);
  /** EUIs of what the file itself has by then. */
  const ofFile = {
    device: new Set(euisOf.device.values()),
    gateway: new Set(euisOf.gateway.values()),
  };
  /**
   * Later entries may name what an entry brings; what a command brings, by its EUI alone, and it
   * changes nothing of what the file names itself.
   */
  const note = ({ thing, eui, name }: Brought, by: string, byCommand: boolean): void => {
    if (!byCommand) {
      euisOf[thing].set(name, eui);
      ofFile[thing].add(eui);
    } else if (ofFile[thing].has(eui)) return;
    owners.note(by, thing, eui);
  };
  const entries = scenario.timeline
    .flatMap((entry) => timesOf(entry, scenario.duration).map((atUs) => ({ entry, atUs })))
    .sort((a, b) => a.atUs - b.atUs)
    .flatMap(({ entry, atUs }) => {
      const by = callerOf(entry);
      return commandsOf(entry, { ...site, spreadUs: spreadAt(atUs, random) }).map((later): Step => {
        const { command } = later;
        const brought = broughtBy(command);
        if (brought !== undefined) note(brought, by, entry.verb === 'command');
        members.note(entry.verb, command, brought?.eui);
        gateways.note(entry.verb, command, brought?.eui);
        return stepOf(later, atUs, by);
      });
    });
  // Sorting keeps the order of equal times, so updates come before the timeline's own entries.
  return [...profiles, ...updates, ...policies, ...asLongAsTheySay(entries)].sort(byTime);
}

/** A command of an entry at its time, with its caller. */
function stepOf(later: Later, atUs: number, by: string): Step {
  const { afterUs, command, each } = later;
  const timed = { atUs: atUs + afterUs, command: { ...command, by } };
  return { timed: each === undefined ? timed : { ...timed, each }, later };
}

const atStart = (commands: readonly Command[]): TimedCommand[] =>
  commands.map((command) => ({ atUs: 0, command }));

const byTime = (a: TimedCommand, b: TimedCommand): number => a.atUs - b.atUs;

/** Where each device stands within the spread of what is done to many at an instant. */
const spreadAt =
  (atUs: number, random: Seed): Site['spreadUs'] =>
  (devEui, mostUs) => {
    const { key0, key1 } = entityKey(random, `spread ${devEui} ${atUs}`);
    return Math.floor(toUnit(draw(key0, key1, DrawPurpose.startInstant, 0)) * mostUs);
  };

/** Makes further members of a population; `sizes`, of each population by now, grow with them. */
function growing({ devices: populations }: Scenario, sizes: number[], add: Add): Site['grow'] {
  return (population, count, placement) => {
    const type = populations.findIndex(({ name }) => name === population);
    const entry = populations[type];
    assert(entry !== undefined, 'the loader has seen that the population exists');
    const size = sizes[type]!;
    sizes[type] = size + count;
    const numbers = Array.from({ length: count }, (_, index) => size + index + 1);
    const devices = add(type, numbers, placement);
    const created = devices.map((device) => ({ kind: 'device.create', device }) as const);
    return [...created, ...keyCommands(entry.multicastKeys, devices)];
  };
}

/** Who is in the populations as the timeline goes on. */
function membersThen(scenario: Scenario, devEui: (name: string) => string) {
  const { devices } = scenario;
  /** Of each population by now. */
  const sizes = devices.map(({ count = 1 }) => count);
  const those = new Remaining();
  return {
    sizes,
    /** DevEUIs of those of a population that are there, or of one device. */
    meant(word: string): readonly string[] {
      const type = devices.findIndex(({ name }) => name === word);
      const population = devices[type];
      if (population?.count === undefined) return [devEui(word)];
      return those.of(word, sizes[type]!, () => memberNames(population, sizes[type]!).map(devEui));
    },
    /** A command may be refused: whether what it names is gone, only the world knows. */
    note(verb: string, command: PlatformCommand, brought: string | undefined): void {
      if (brought !== undefined) those.add(brought);
      if (verb === 'removeDevice' && 'devEui' in command) those.remove(command.devEui);
    },
  };
}

/** Which gateways of the scenario's entries are there as the timeline continues. */
function gatewaysThen({ gateways }: Scenario, euiOf: (name: string) => string) {
  const those = new Remaining();
  return {
    /** EUIs of those of an entry that are there, or of one gateway. */
    meant(word: string): readonly string[] {
      const entry = gateways.find(({ name }) => name === word);
      const count = entry?.count;
      if (entry === undefined || count === undefined) return [euiOf(word)];
      return those.of(word, count, () => memberNames(entry, count).map(euiOf));
    },
    note(verb: string, command: PlatformCommand, brought: string | undefined): void {
      if (brought !== undefined) those.add(brought);
      if (verb === 'removeGateway' && 'eui' in command) those.remove(String(command.eui));
    },
  };
}

/** EUIs of groups but for those that were removed: one list for a group until that changes. */
class Remaining {
  readonly #removed = new Set<string>();
  readonly #lists = new Map<string, { readonly size: number; readonly euis: readonly string[] }>();

  of(group: string, size: number, all: () => readonly string[]): readonly string[] {
    const known = this.#lists.get(group);
    if (known?.size === size) return known.euis;
    const euis = all().filter((one) => !this.#removed.has(one));
    this.#lists.set(group, { size, euis });
    return euis;
  }

  /** A name may mean another one from now on. */
  add(eui: string): void {
    this.#removed.delete(eui);
    this.#lists.clear();
  }

  remove(eui: string): void {
    this.#removed.add(eui);
    this.#lists.clear();
  }
}

const CENTRE: Point = { xMeters: 0, yMeters: 0 };
