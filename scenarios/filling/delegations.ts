/**
 * Translates a scenario's delegations to commands, and resolves their device names.
 *
 * A population is one pattern: its DevEUIs differ in the last six digits alone (identity.ts). So a
 * record, which has 10 000 patterns at most, covers populations of any size. Devices that the
 * timeline adds to one are delegated with it.
 */
import type { TimedCommand } from '../../core/command.ts';
import type { DelegationInput } from '../../core/update-service/delegation-fields.ts';
import { instantAt } from '../language/service-input.ts';
import { ownerOf } from '../language/subscriber-knob.ts';
import type { DelegationEntry } from '../schema/delegation-schema.ts';
import { deviceEui } from './identity.ts';
import { idIn } from './ids.ts';

/** An entry of devices, as far as its DevEUIs follow from it. */
interface Population {
  readonly name: string;
  readonly count?: number | undefined;
  readonly devEui?: string | undefined;
}

/** The pattern of all DevEUIs that an entry's devices have, or will have. */
export function patternOf({ name, count, devEui }: Population): string {
  if (devEui !== undefined) return devEui.toUpperCase();
  if (count === undefined) return deviceEui(name, 1);
  return `${deviceEui(name, 1).slice(0, STEM_DIGITS)}${'.'.repeat(16 - STEM_DIGITS)}`;
}

/** Digits that all devices of an entry share. */
const STEM_DIGITS = 10;

/**
 * The pattern that a word means: of a population, of a device of the start by its name; a DevEUI
 * and a pattern are themselves.
 */
export const patternsIn = (
  populations: readonly Population[],
  devEuiOf: (name: string) => string | undefined,
): ((words: readonly string[]) => string[]) => {
  const whole = new Map(populations.map((entry) => [entry.name, patternOf(entry)]));
  return (words) => [
    ...new Set(words.map((word) => whole.get(word) ?? devEuiOf(word) ?? word.toUpperCase())),
  ];
};

/** What of a scenario says who delegates what. */
interface Delegating {
  readonly start: number;
  readonly subscribers: readonly string[];
  readonly delegations: readonly DelegationEntry[];
}

/** The loader has seen that every name is known. */
export function delegationCommands(
  scenario: Delegating,
  patterns: (words: readonly string[]) => string[],
  ids: ReadonlyMap<string, string>,
): TimedCommand[] {
  return scenario.delegations.map((entry) => {
    const delegation: DelegationInput = {
      delegate_to: entry.to,
      expires_at: instantAt(entry.expires, scenario.start),
      include_devices: patterns(entry.devices),
      exclude_devices: patterns(entry.exclude),
    };
    const id = idIn(ids, entry.name);
    const by = ownerOf(scenario, entry);
    return { atUs: entry.at, command: { kind: 'delegation.create', by, id, delegation } };
  });
}
