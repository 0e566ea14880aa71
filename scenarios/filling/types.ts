/** Device types of a world: its populations, those of every world, and what rows of files make. */
import type { DeviceEntry, Scenario } from '../schema/schema.ts';
import { USUAL_ENTRIES } from './usual-types.ts';

/** Entries that the rows of a file make of a population; they have its name. */
export function kindsOf({ placement }: DeviceEntry): readonly DeviceEntry[] {
  return placement?.by === 'points' ? ((placement.kinds ?? []) as readonly DeviceEntry[]) : [];
}

/** Of each type after those of the populations and of every world, its entry and population. */
export function kindTypes({ devices }: Scenario): { of: DeviceEntry; entry: DeviceEntry }[] {
  return devices.flatMap((of) => kindsOf(of).map((entry) => ({ of, entry })));
}

/** The population of each type; undefined: that of every world. */
export function typeEntries(scenario: Scenario): (DeviceEntry | undefined)[] {
  const usual = USUAL_ENTRIES.map(() => undefined);
  return [...scenario.devices, ...usual, ...kindTypes(scenario).map(({ of }) => of)];
}

/** The type of a kind of a population, which is a row of the scenario. */
export function typeOfKind({ devices }: Scenario, population: number, kind: number): number {
  const before = devices.slice(0, population).reduce((sum, one) => sum + kindsOf(one).length, 0);
  return devices.length + USUAL_ENTRIES.length + before + kind;
}
