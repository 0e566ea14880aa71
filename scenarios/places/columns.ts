/**
 * Which column of a table holds what. Headers are taken as people write them: in any case, with
 * spaces or underscores, under a usual other name. Columns that nobody reads are no fault.
 */
import { nearest, quote, sentence } from '../language/complaint.ts';
import type { Problem } from '../language/problem.ts';
import type { PlaceTable } from './place-table.ts';

/** The columns that a kind of table may have. */
export interface KnownColumns {
  readonly names: readonly string[];
  /** Other headers for the same, as `plainHeader` writes them. */
  readonly also?: Readonly<Record<string, readonly string[]>>;
  /** Headers that may mean a column, but often mean something else: they are only suggested. */
  readonly suggested?: Readonly<Record<string, string>>;
}

export interface FoundColumns {
  readonly columnOf: ReadonlyMap<string, number>;
  /** Columns that are not read, in the order of the table. */
  readonly unused: readonly number[];
  /** Columns that stand there again under the same header. */
  readonly repeated: readonly number[];
}

const LETTERS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

/** A header in small letters and digits alone, without a unit in brackets. */
export const plainHeader = (header: string): string =>
  header
    .toLowerCase()
    .replace(/[([].*?[)\]]/g, '')
    .replace(/[äöüß]/g, (letter) => LETTERS[letter]!)
    .replace(/[^\p{L}\p{N}]/gu, '');

/** An exact header wins over another spelling, and that over another word; then the first wins. */
export function findColumns(
  headers: readonly string[],
  { names, also = {} }: KnownColumns,
): FoundColumns {
  const plain = headers.map(plainHeader);
  const columnOf = new Map<string, number>();
  for (const name of names) {
    const exact = headers.indexOf(name);
    const spellings = [plainHeader(name), ...(also[name] ?? [])];
    const other = spellings.map((word) => plain.indexOf(word)).find((column) => column >= 0);
    const column = exact >= 0 ? exact : other;
    // `EUI` of a device is its DevEUI, unless it is another column that is read already.
    if (column === undefined || [...columnOf.values()].includes(column)) continue;
    columnOf.set(name, column);
  }
  const used = new Set(columnOf.values());
  const isRepeated = (header: string, column: number) => {
    const first = headers.indexOf(header);
    return first < column && used.has(first);
  };
  const others = headers.flatMap((header, column) => (used.has(column) ? [] : [[header, column]]));
  const [repeated, unused] = [true, false].map((again) =>
    others.flatMap(([header, column]) =>
      isRepeated(header as string, column as number) === again ? [column as number] : [],
    ),
  );
  return { columnOf, unused: unused!, repeated: repeated! };
}

/** Unused columns that a note names. */
const NAMED_MAX = 12;

/** The one note about all columns that are not read, beside those in `columnOf`. */
export function noteOfUnused(
  table: PlaceTable,
  unused: readonly number[],
  { names, suggested = {} }: KnownColumns,
  columnOf: ReadonlyMap<string, number>,
): Problem | undefined {
  const [first] = unused;
  if (first === undefined) return undefined;
  const missing = names.filter((name) => !columnOf.has(name));
  const words = unused.slice(0, NAMED_MAX).map((column) => {
    const header = table.columns[column]!;
    const other = suggested[plainHeader(header)];
    const isMissing = other !== undefined && missing.includes(other);
    const meant = isMissing ? other : nearest(header, missing);
    const question = meant === undefined ? '' : ` (did you mean "${meant}"?)`;
    return quote(header) + question;
  });
  const more = unused.length - words.length;
  const list = `${words.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const they = unused.length === 1 ? 'a column that is' : 'columns that are';
  const what = `has ${they} not used: ${list}`;
  const { where, line } = table.locate(undefined, first);
  return { where, line, pointer: '', message: sentence({ what }) };
}
