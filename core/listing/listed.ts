/**
 * A list of very many entries: those that a filter wants, in their order, a page of them, with the
 * fields of a mask. It is made in steps of some milliseconds from columns that do not change
 * (docs/decisions/0055).
 */

import type { Fields } from '../../sim/base/rows/fields.ts';
import { Slices, type Steps } from '../base/in-steps.ts';
import { formatInstant } from '../base/instant.ts';
import type { Cell, Column, ColumnsBy } from './cells.ts';
import { type Filter, NO_FILTER } from './filters.ts';
import { type Order, sorting } from './order.ts';

/** Entries of a page at most. */
export const MOST_PER_PAGE = 1_000;

/** Comparisons that one step of a filter makes, about. */
const TESTS_PER_STEP = 50_000;
/** Entries that one slice has. */
const PER_SLICE = 256;

/** Fields and rows to be listed. */
export interface Listing {
  readonly fields: Fields;
  readonly count: number;
  /** Not looked at before `ready` is done. */
  readonly columns: ColumnsBy;
  readonly ready: () => Steps<void>;
  readonly filter: Filter;
  readonly order: Order;
  /** Fields in the response. */
  readonly mask: readonly string[];
  /** From 1. */
  readonly page: number;
  /** Null: all entries are one page. */
  readonly pageSize: number | null;
  /** Receives all wanted rows in their order, once they are sorted. */
  readonly onSorted?: ((rows: Uint32Array) => void) | undefined;
}

/** How many entries there are; and those of a page, put in order as one asks for them. */
export function* listed(listing: Listing): Steps<{ total: number; entries: Slices<object> }> {
  const { fields, columns, ready, filter, order, mask, page, pageSize, onSorted } = listing;
  if (filter !== NO_FILTER) yield* ready();
  const rows = yield* filtered(listing);
  const size = pageSize ?? rows.length;
  const from = (page - 1) * size;
  const entries = new Slices(function* () {
    for (const _ of ready()) yield [];
    const entryOf = entryMaker(fields, mask, columns);
    const wanted = yield* inOrder(rows, order, columns);
    onSorted?.(wanted);
    const until = Math.min(wanted.length, from + size);
    for (let at = from; at < until; at += PER_SLICE) {
      yield Array.from(wanted.subarray(at, Math.min(until, at + PER_SLICE)), entryOf);
    }
  });
  return { total: rows.length, entries };
}

/** Empty slices, as long as it takes. */
function* inOrder(rows: Uint32Array, order: Order, columns: ColumnsBy) {
  const steps = sorting(rows.slice(), order.over(columns));
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    yield [];
  }
}

function* filtered({ count, filter, columns }: Listing): Steps<Uint32Array> {
  const rows = new Uint32Array(count);
  const isWanted = filter.over(columns);
  const perStep = Math.max(1, Math.floor(TESTS_PER_STEP / filter.cost));
  let wanted = 0;
  for (let row = 0; row < count; row++) {
    if (isWanted(row)) rows[wanted++] = row;
    if ((row + 1) % perStep === 0) yield;
  }
  return rows.subarray(0, wanted);
}

/** Builds the response of a row. */
export function entryMaker(
  fields: Fields,
  mask: readonly string[],
  columns: ColumnsBy,
): (row: number) => object {
  const cells = mask.map((name) => {
    const column = columns(name);
    return [name, fields[name]!.type === 'instant' ? instantsOf(column) : column] as const;
  });
  return (row) => {
    const entry: Record<string, Cell> = {};
    for (const [name, column] of cells) entry[name] = column(row);
    return entry;
  };
}

/** Instants as they are reported; neighbours often have the same one. */
function instantsOf(column: Column): Column {
  let [latest, text] = [Number.NaN, ''];
  return (row) => {
    const unixMs = column(row) as number | null;
    if (unixMs === null) return null;
    if (unixMs !== latest) [latest, text] = [unixMs, formatInstant(unixMs)];
    return text;
  };
}
