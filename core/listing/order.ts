/**
 * The order of a list: keys such as `-last_uplink,name`, and last what makes it total. Texts are
 * compared by their UTF-16 units, choices by the order of their words; what is null comes last.
 */
import { fail, ok, type Result } from '../../sim/base/result.ts';
import type { Fields } from '../../sim/base/rows/fields.ts';
import type { Steps } from '../base/in-steps.ts';
import { type Column, type ColumnsBy, namesOf, orMeant, quoted, sortOf } from './cells.ts';

/** Rows that one step sorts, or puts in their place. */
const PER_STEP = 4_096;

/** A field, and whether its greatest come first. */
export interface Key {
  readonly name: string;
  readonly descending: boolean;
}

/** Less than 0: the first row stands before the second one. */
export type Compare = (one: number, other: number) => number;

export interface Order {
  /** Each field once. */
  readonly keys: readonly Key[];
  over(columns: ColumnsBy): Compare;
}

/** The order in which the rows stand. */
export const ORDER_OF_ROWS: Order = { keys: [], over: () => (one, other) => one - other };

/**
 * Reads the keys of lists whose entries have these fields; `last` are the keys by which no two rows
 * are equal. Groups have no order.
 */
export function orderReader<const Code extends string>(
  fields: Fields,
  last: readonly string[],
  code: Code,
  at: string,
): (keys: readonly string[]) => Result<Order, Code> {
  const names = namesOf(fields).filter((name) => sortOf(fields[name]!) !== 'groups');
  return (given) => {
    const keys: Key[] = [];
    for (const [i, key] of given.entries()) {
      const descending = key.startsWith('-');
      const name = descending ? key.slice(1) : key;
      if (!names.includes(name)) {
        const says = `There is no order by ${quoted(name)}; allowed: ${names.join(', ')}`;
        const other = orMeant(name, names);
        return fail(code, `${says}${other === '' ? '.' : other}`, `${at}/${i}`);
      }
      keys.push({ name, descending });
    }
    const all = [...keys, ...last.map((name) => ({ name, descending: false }))];
    const distinct = all.filter(({ name }, i) => all.findIndex((key) => key.name === name) === i);
    return ok({ keys: distinct, over: (columns) => comparing(fields, distinct, columns) });
  };
}

/** By the first of these keys in which two rows differ. */
function comparing(fields: Fields, keys: readonly Key[], columns: ColumnsBy): Compare {
  const compares = keys.map(({ name, descending }) =>
    comparingBy(valuesOf(fields, name, columns(name)), descending ? -1 : 1),
  );
  return (one, other) => {
    for (const compare of compares) {
      const way = compare(one, other);
      if (way !== 0) return way;
    }
    return 0;
  };
}

/** Cells that `<` puts in order, but for null. */
function valuesOf(fields: Fields, name: string, column: Column): Column {
  const row = fields[name]!;
  if (row.type !== 'choice') return column;
  const places = new Map(row.words.map((word, i) => [word, i]));
  return (at) => places.get(column(at) as string) ?? null;
}

function comparingBy(value: Column, sign: number): Compare {
  return (one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === b) return 0;
    if (a === null) return 1;
    if (b === null) return -1;
    return a < b ? -sign : sign;
  };
}

/** Sorts rows where they stand: runs first, which are then merged. Equal rows keep their order. */
export function* sorting(rows: Uint32Array, compare: Compare): Steps<Uint32Array> {
  for (let from = 0; from < rows.length; from += PER_STEP) {
    if (from > 0) yield;
    rows.subarray(from, from + PER_STEP).sort(compare);
  }
  let sorted = rows;
  let spare: Uint32Array = new Uint32Array(rows.length);
  for (let run = PER_STEP; run < rows.length; run *= 2) {
    yield* merging(sorted, spare, run, compare);
    [sorted, spare] = [spare, sorted];
  }
  return sorted;
}

/** Merges neighbouring runs of equal length into another column. */
function* merging(
  from: Uint32Array,
  to: Uint32Array,
  run: number,
  compare: Compare,
): Steps<undefined> {
  for (let start = 0; start < from.length; start += 2 * run) {
    const middle = Math.min(from.length, start + run);
    const end = Math.min(from.length, middle + run);
    let [left, right] = [start, middle];
    for (let at = start; at < end; at++) {
      const isLeft = right === end || (left < middle && compare(from[left]!, from[right]!) <= 0);
      to[at] = isLeft ? from[left++]! : from[right++]!;
      if (at % PER_STEP === 0) yield;
    }
  }
  return undefined;
}
