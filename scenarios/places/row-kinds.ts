/**
 * Knobs that columns say: each set of them that rows have is an entry by itself, read and checked
 * as the population that it is of.
 */

import { isMap } from '../../sim/base/plain-data.ts';
import { Marks } from '../composing/layer.ts';
import { overridden } from '../composing/overrides.ts';
import type { Member, Report } from '../language/members.ts';
import { type Fault, faultsOf, type Path } from '../language/problem.ts';
import { type DeviceEntry, DevicesSchema } from '../schema/schema.ts';
import type { PlaceRows, RowKind } from './place-rows.ts';

const NOWHERE = { locate: () => ({ where: '', line: 0 }) };

/** The plain data of an entry with the knobs of a kind. */
function entryOf(entry: unknown, { knobs }: RowKind): unknown {
  let whole = entry;
  const marks = new Marks(NOWHERE);
  for (const { path, value } of knobs) {
    // A word that stands for a map, such as energy: off, makes way for one.
    const parent = isMap(whole) ? whole[path[0]!] : undefined;
    if (path.length > 1 && !isMap(parent)) whole = { ...(whole as object), [path[0]!]: {} };
    const steps = path.map((key) => ({ key, quoted: true }));
    const own = { value, source: NOWHERE, from: [], lays: false, steps };
    const written = overridden(whole, own, marks);
    if ('value' in written) whole = written.value;
  }
  return whole;
}

/** Entries of the kinds of a population’s rows, and what is wrong with the knobs that they have. */
export function kindsOf(
  member: Member,
  rows: PlaceRows,
  check: (member: Member, report: Report) => void,
): { readonly entries: readonly DeviceEntry[]; readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const faultsIn = (entry: unknown) => {
    const read = DevicesSchema.safeParse(entry);
    const found: Fault[] = read.success ? [] : faultsOf(read.error.issues, member.path);
    const report: Report = (path, complaint) => found.push({ path, complaint });
    check({ ...member, entry: entry as Member['entry'] }, report);
    return { read, found };
  };
  const own = new Set(faultsIn(member.entry).found.map(({ path }) => path.join('.')));
  const entries = rows.kinds.flatMap((kind) => {
    const { read, found } = faultsIn(entryOf(member.entry, kind));
    for (const fault of found) {
      const path = fault.path.slice(member.path.length);
      const isOwn = own.has(fault.path.join('.'));
      const column = columnAt(path, rows) ?? (isOwn ? undefined : columnIn(path, kind, rows));
      if (column === undefined) continue;
      faults.push({ ...fault, place: rows.table.locate(kind.row, column) });
    }
    return read.success ? [read.data] : [];
  });
  return { entries, faults };
}

/** The first column of a kind’s knobs within what is wrong, such as of `traffic` with a file. */
function columnIn(path: Path, { knobs }: RowKind, { columnOf }: PlaceRows): number | undefined {
  const within = knobs.find(({ path: knob }) => path.every((key, i) => knob[i] === key));
  return within === undefined ? undefined : columnOf.get(within.path.join('.'));
}

/** The column that says a knob or what it is in; undefined: what is wrong is the file’s own. */
function columnAt(path: Path, { columnOf }: PlaceRows): number | undefined {
  const names = path.map((_, i) => path.slice(0, i + 1).join('.'));
  const name = names.find((one) => columnOf.has(one));
  return name === undefined ? undefined : columnOf.get(name);
}
