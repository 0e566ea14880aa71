/** Resolves names in a scenario's entries to EUIs of devices and gateways of the start. */
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import type { Placement } from '../language/placement.ts';
import { ownerOf } from '../language/subscriber-knob.ts';
import type { GroupMembers } from '../language/update-readers.ts';
import type { Scenario } from '../schema/schema.ts';
import { memberNames } from './identity.ts';
import { typeEntries } from './types.ts';

/** DevEUIs of the devices that a subscriber's entry names. */
export function devicesIn(
  scenario: Scenario,
  network: NetworkPlan,
): (words: GroupMembers, subscriber: string) => string[] {
  const devEuis = named(
    network.devices.map(({ name, devEui }) => [name, devEui]),
    scenario.devices,
  );
  const typesAre = typeEntries(scenario).map((entry) => entry && ownerOf(scenario, entry));
  const allOf = (subscriber: string) =>
    network.devices.filter(({ type }) => typesAre[type] === subscriber).map(({ devEui }) => devEui);
  return (words, subscriber) => (words === 'all' ? allOf(subscriber) : meant(words, devEuis));
}

/** The same of gateways. */
export function gatewaysIn(
  scenario: Scenario,
  network: NetworkPlan,
): (words: GroupMembers, subscriber: string) => string[] {
  const { gateways } = scenario;
  const euis = named(
    network.gateways.map(({ name, eui }) => [name, eui]),
    gateways,
  );
  const allOf = (subscriber: string) =>
    gateways
      .filter((entry) => ownerOf(scenario, entry) === subscriber)
      .flatMap(({ name }) => euis.get(name) ?? []);
  return (words, subscriber) => (words === 'all' ? allOf(subscriber) : meant(words, euis));
}

/** EUIs by the name of a thing, and by the name of the entry that it comes from. */
function named(
  things: readonly (readonly [name: string, eui: string])[],
  entries: readonly {
    readonly name: string;
    readonly count?: number | undefined;
    readonly placement?: Placement | undefined;
  }[],
): Map<string, readonly string[]> {
  const euisOf = new Map(things.map(([name, eui]) => [name, [eui]]));
  for (const entry of entries) {
    const { name, count } = entry;
    if (count === undefined) continue;
    const members = memberNames(entry, count);
    euisOf.set(
      name,
      members.flatMap((member) => euisOf.get(member) ?? []),
    );
  }
  return euisOf;
}

/** Each EUI once, in the order of the words; a word that is no name is the EUI itself. */
function meant(words: readonly string[], euis: ReadonlyMap<string, readonly string[]>): string[] {
  return [...new Set(words.flatMap((word) => euis.get(word) ?? [word.toUpperCase()]))];
}
