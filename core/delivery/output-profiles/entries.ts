/**
 * Entries of a profile's arrays: which of them were there before, and which secrets they keep.
 *
 * An entry is the one that its DestinationId names, or, without that, the first with its address
 * that no other is; else it is new. A secret is stored only where the deliveries still go to the
 * same host: otherwise a caller could redirect an unknown secret to an own host.
 */
import { fail, ok, type Result } from '../../../sim/base/result.ts';
import {
  type Effective,
  effective,
  type Field,
  type Fields,
} from '../../../sim/base/rows/fields.ts';
import { REDACTED } from '../secrets.ts';
import { withLines } from '../targets/forms.ts';
import {
  ARRAY_NAMES,
  type ArrayName,
  byArray,
  type Kinds,
  type TargetKind,
} from '../targets/kinds.ts';
import { ARRAYS, SECRETS } from './rows.ts';

/** Entries as they are stored, with their secrets. */
export type Entries = {
  readonly [E in Kinds[TargetKind]['entry'] as E['array']]: readonly Effective<E['rows']>[];
};
export type Entry = Entries[ArrayName][number];

/** One of any array, by its fields. */
type AnyEntry = Readonly<Record<string, string | boolean>> & { readonly DestinationId: string };

export const NO_ENTRIES = byArray(() => []) as Entries;

/** Arrays as they are given. */
export type GivenEntries = { readonly [Name in ArrayName]?: readonly object[] };

const OF_ARRAY = byArray((kind) => kind);

/** Where an entry goes. */
export const addressOf = (array: ArrayName, entry: Entry): string =>
  OF_ARRAY[array].address(entry as never);

/** Receiver of its secrets. */
const hostOf = (array: ArrayName, entry: AnyEntry): string => OF_ARRAY[array].host(entry as never);

/** How many targets they are. */
export const countOf = (entries: Entries): number =>
  ARRAY_NAMES.reduce((sum, name) => sum + entries[name].length, 0);

type Codes = 'outputProfile.unknown-destination' | 'outputProfile.secret';

/** Replaces the given arrays of a profile; absent ones stay. `newId` gives what is new its id. */
export function entriesOf(
  given: GivenEntries,
  before: Entries,
  newId: () => string,
): Result<Entries, Codes> {
  const after: Record<string, readonly AnyEntry[]> = {};
  for (const name of ARRAY_NAMES) {
    const array = given[name];
    const stored = before[name] as unknown as readonly AnyEntry[];
    const read = array === undefined ? ok(stored) : arrayOf(name, array, stored, newId);
    if (!read.ok) return read;
    after[name] = read.value;
  }
  return ok(after as unknown as Entries);
}

function arrayOf(
  name: ArrayName,
  given: readonly object[],
  before: readonly AnyEntry[],
  newId: () => string,
): Result<readonly AnyEntry[], Codes> {
  const entries = given.map((each) => {
    const entry = effective(ARRAYS[name], each) as unknown as AnyEntry;
    const fields = Object.entries(entry).map(([field, value]) => [
      field,
      linesIn(name, field, value),
    ]);
    return Object.fromEntries(fields) as AnyEntry;
  });
  const found = recognised(name, entries, before);
  const after: AnyEntry[] = [];
  for (const [i, entry] of entries.entries()) {
    const known = found[i];
    const at = `/${name}/${i}`;
    if (known === undefined && entry.DestinationId !== '') {
      const { DestinationId } = entry;
      const message = `No entry of ${name} has DestinationId ${DestinationId}, or two are it.`;
      return fail('outputProfile.unknown-destination', message, `${at}/DestinationId`);
    }
    const secrets = secretsOf(name, entry, known, at);
    if (!secrets.ok) return secrets;
    after.push({ ...entry, ...secrets.value, DestinationId: known?.DestinationId ?? '' });
  }
  return ok(after.map((each) => (each.DestinationId ? each : { ...each, DestinationId: newId() })));
}

/** Which entry of before each of them is, if any; no two are the same. */
function recognised(
  name: ArrayName,
  entries: readonly AnyEntry[],
  before: readonly AnyEntry[],
): readonly (AnyEntry | undefined)[] {
  const free = new Set(before);
  const take = (known: AnyEntry | undefined) => {
    if (known !== undefined) free.delete(known);
    return known;
  };
  const byId = entries.map(({ DestinationId }) =>
    take([...free].find((each) => each.DestinationId === DestinationId)),
  );
  return entries.map((entry, i) => {
    if (entry.DestinationId !== '') return byId[i];
    const address = addressOf(name, entry as never);
    return take([...free].find((each) => addressOf(name, each as never) === address));
  });
}

/** Secrets of an entry; a literal of asterisks keeps the one that there is. */
function secretsOf(
  name: ArrayName,
  entry: AnyEntry,
  known: AnyEntry | undefined,
  at: string,
): Result<Record<string, string>, 'outputProfile.secret'> {
  const secrets: Record<string, string> = {};
  for (const field of SECRETS[name]) {
    const given = `${entry[field]}`;
    if (given !== REDACTED) {
      secrets[field] = given;
      continue;
    }
    const stored = known === undefined ? '' : `${known[field]}`;
    const isSameHost = known !== undefined && hostOf(name, known) === hostOf(name, entry);
    if (stored === '' || !isSameHost) {
      const message = `${field} is ${REDACTED}, but there is none for this host to keep.`;
      return fail('outputProfile.secret', message, `${at}/${field}`);
    }
    secrets[field] = stored;
  }
  return ok(secrets);
}

/** PEM has lines, whose ends some write as two characters. */
const linesIn = (name: ArrayName, field: string, value: unknown): unknown => {
  const row: Field | undefined = (ARRAYS[name] as Fields)[field];
  return row?.type === 'text' && row.raw === true ? withLines(String(value)) : value;
};
