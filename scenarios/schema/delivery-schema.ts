/**
 * Where data goes: output profiles with their targets, and the receivers of the world that answer
 * at their addresses.
 */
import type * as z from 'zod';
import { ARRAYS, type GivenProfile } from '../../core/delivery/output-profiles/rows.ts';
import { BEHAVIOUR, MOST_PHASES, PHASE, RECEIVER } from '../../core/delivery/receivers/rows.ts';
import {
  type ArrayName,
  KINDS,
  type Kinds,
  TARGET_KINDS,
  type TargetKind,
} from '../../core/delivery/targets/kinds.ts';
import type { Field, Fields } from '../../sim/base/rows/fields.ts';
import { fieldKnobs } from '../language/field-knob.ts';
import { knob, list, needed, record } from '../language/knob.ts';
import { name } from '../language/readers.ts';
import { subscriber } from '../language/subscriber-knob.ts';

// ── output profiles ──────────────────────────────────────────────────────────────────────────────

type EntryKinds = Kinds[TargetKind]['entry'];
type Knobs = { readonly [E in EntryKinds as E['knob']]: E['array'] };

/** Arrays of the service by the knobs that they are in files. */
export const TARGET_LISTS = Object.fromEntries(
  TARGET_KINDS.map((kind) => [KINDS[kind].entry.knob, KINDS[kind].entry.array]),
) as Knobs;

const MOST_ENTRIES = 100;

/** `url`, `outputFormat`: fields of the service as files write them. */
const knobOf = (field: string): string =>
  /^[A-Z]+$/.test(field) ? field.toLowerCase() : field[0]!.toLowerCase() + field.slice(1);

/** What a file says of a target: the service gives ids, and what is empty may be left out. */
const fieldsOf = (array: ArrayName): readonly (readonly [string, Field])[] =>
  Object.entries<Field>(ARRAYS[array]).filter(([field]) => field !== 'DestinationId');

/** What knobs read is put by field into what the service takes: their own types say no more. */
const knobsOf = fieldKnobs as (rows: Fields) => Record<string, z.ZodType>;

function entryOf(array: ArrayName) {
  const rows = fieldsOf(array).map(([field, row]): [string, Field] => {
    const { default: usual, ...rest } = row;
    return [knobOf(field), usual === '' ? withoutEmpty(rest as Field) : row];
  });
  return record(knobsOf(Object.fromEntries(rows)));
}

const withoutEmpty = (row: Field): Field =>
  row.type === 'choice' ? { ...row, words: row.words.filter((word) => word !== '') } : row;

const targets = (array: ArrayName, is: string) =>
  knob(list(entryOf(array), 0, MOST_ENTRIES, 'targets'), [], {
    is,
    source: 'data delivery: Output profile',
  });

const [FIRST] = TARGET_KINDS;
const WITH_ONE = '; one of these lists has a target at least.';

/** A list for each kind of target. */
const LISTS = Object.fromEntries(
  TARGET_KINDS.map((kind) => {
    const { knob, array, is } = KINDS[kind].entry;
    return [knob, targets(array, kind === FIRST ? is.replace(/[.]$/, WITH_ONE) : is)];
  }),
) as { readonly [Knob in keyof Knobs]: ReturnType<typeof targets> };

export const OutputProfile = record({
  name: needed(name(), { is: 'Its name, and what its id derives from.' }),
  ...LISTS,
  subscriber,
});

type TargetEntry = Readonly<Record<string, unknown>>;
export type ProfileEntry = { readonly name: string } & {
  readonly [Knob in keyof typeof TARGET_LISTS]: readonly TargetEntry[];
};

/** As the service takes it. */
export function outputProfileOf({ name: Name, ...lists }: ProfileEntry): GivenProfile {
  const arrays = Object.entries(TARGET_LISTS).map(([knob, array]) => [
    array,
    lists[knob as keyof typeof TARGET_LISTS].map((entry) => {
      const fields = fieldsOf(array).map(([field]) => [field, entry[knobOf(field)]] as const);
      return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
    }),
  ]);
  return { Name, ...Object.fromEntries(arrays) } as GivenProfile;
}

// ── receivers ────────────────────────────────────────────────────────────────────────────────────

const Phase = record(fieldKnobs(PHASE));

export const Receiver = record({
  name: needed(name(), { is: 'Its name.' }),
  ...fieldKnobs({ at: RECEIVER.at, ...BEHAVIOUR }),
  phases: knob(list(Phase, 0, MOST_PHASES, 'phases'), [], { is: RECEIVER.phases.is }),
  subscriber,
});
