/**
 * Tables of typed columns: state that can be swept, saved, forked and folded into a digest.
 *
 * A column is `width` numbers a row in one typed array; capacity doubles, so a handler may hold a
 * column in a local, but never across a command that adds rows. Rows are numbered in order of
 * creation. An *opaque* column (bytes, caches, row numbers) stays out of the digest.
 *
 * A *seldom* column belongs to a group that few worlds need. Until its table is asked for the group
 * (`need`) it has no memory, and to a digest all its numbers are its blank; a handler that may come
 * before that tests `has`: reads beyond a column are undefined, and writes are lost.
 */
import { assert } from '../base/assert.ts';
import { cellTypeOf, type Digest, type FoldedColumn } from './digest.ts';

export type Column =
  | Float64Array
  | Int32Array
  | Uint32Array
  | Int16Array
  | Uint16Array
  | Uint8Array;

export interface ColumnSpec<C extends Column> {
  readonly make: (length: number) => C;
  /** Numbers a row. */
  readonly width: number;
  readonly opaque: boolean;
  /** Of a seldom column: its group, and what stands in it until it is written. */
  readonly group?: string;
  readonly blank?: number;
}

const spec = <C extends Column>(make: (length: number) => C): ColumnSpec<C> => ({
  make,
  width: 1,
  opaque: false,
});

/** Integers beyond 32 bits (µs); the default is 0. */
export const f64 = spec((n) => new Float64Array(n));
export const i32 = spec((n) => new Int32Array(n));
export const u32 = spec((n) => new Uint32Array(n));
export const i16 = spec((n) => new Int16Array(n));
export const u16 = spec((n) => new Uint16Array(n));
export const u8 = spec((n) => new Uint8Array(n));

export const wide = <C extends Column>(column: ColumnSpec<C>, width: number): ColumnSpec<C> => ({
  ...column,
  width,
});

export const opaque = <C extends Column>(column: ColumnSpec<C>): ColumnSpec<C> => ({
  ...column,
  opaque: true,
});

/** A column that is made with the others of its group when the table is asked for that. */
export const seldom = <C extends Column>(
  group: string,
  column: ColumnSpec<C>,
  blank = 0,
): ColumnSpec<C> => ({ ...column, group, blank });

export type Specs = Readonly<Record<string, ColumnSpec<Column>>>;
export type Columns<S extends Specs> = {
  [Name in keyof S]: S[Name] extends ColumnSpec<infer C> ? C : never;
};

/** A table as plain data: what a snapshot holds. Of a column whose rows are alike it has one. */
export interface SavedTable {
  readonly rows: number;
  readonly columns: Readonly<Record<string, Column>>;
  /** Of seldom columns, those that were made. */
  readonly groups: readonly string[];
}

/** A table as it counts its own rows. */
interface Counted {
  rows: number;
}

export class Table<S extends Specs> {
  /** The same object for good; columns in it are replaced when they grow. */
  readonly column: Columns<S>;
  /** Rows so far: a field, since a getter is a call for each look at it. */
  readonly rows: number = 0;
  #capacity: number;
  readonly #specs: S;
  readonly #folded: readonly Folded[];
  /** Groups of seldom columns that were made. */
  #groups = new Set<string>();

  constructor(specs: S, capacity = 16) {
    this.#specs = specs;
    this.#capacity = Math.max(1, capacity);
    const column: Record<string, Column> = {};
    for (const [name, spec] of Object.entries(specs)) {
      column[name] = create(spec, spec.group === undefined ? this.#capacity : 0);
    }
    // Filled name by name, a wide object is a hash table to V8; its copy has fixed offsets.
    this.column = { ...column } as Columns<S>;
    this.#folded = Object.entries(specs)
      .filter(([, { opaque }]) => !opaque)
      .map(([name, spec]) => {
        const blanks = create(spec, 1);
        const isCreated = spec.group === undefined;
        return {
          name,
          type: cellTypeOf(blanks),
          width: spec.width,
          stride: isCreated ? spec.width : 0,
          cells: isCreated ? column[name] : blanks,
          blanks,
        };
      });
  }

  /** Rows for which there is room. */
  get capacity(): number {
    return this.#capacity;
  }

  /** Appends a row of zeros and returns its number. */
  add(): number {
    if (this.rows === this.#capacity) this.reserve(2 * this.#capacity);
    return (this as Counted).rows++;
  }

  /** Grows the columns to hold this many rows in all. */
  reserve(capacity: number): void {
    if (capacity <= this.#capacity) return;
    for (const [name, spec] of Object.entries(this.#specs)) {
      if (!this.#hasColumn(spec)) continue;
      const grown = create(spec, capacity);
      grown.set((this.column as Record<string, Column>)[name]);
      this.#put(name, grown);
    }
    this.#capacity = capacity;
  }

  /** Whether the seldom columns of this group were made. */
  has(group: string): boolean {
    return this.#groups.has(group);
  }

  /** Makes the seldom columns of this group, unless that was done. */
  need(group: string): void {
    if (this.#groups.has(group)) return;
    this.#groups.add(group);
    for (const [name, spec] of Object.entries(this.#specs)) {
      if (spec.group === group) this.#put(name, create(spec, this.#capacity));
    }
  }

  /** A column was made anew, for handlers and for digests. */
  #put(name: string, values: Column): void {
    (this.column as Record<string, Column>)[name] = values;
    const folded = this.#folded.find((one) => one.name === name);
    if (folded === undefined) return;
    const isCreated = values.length > 0;
    folded.cells = isCreated ? values : folded.blanks;
    folded.stride = isCreated ? folded.width : 0;
  }

  #hasColumn({ group }: ColumnSpec<Column>): boolean {
    return group === undefined || this.#groups.has(group);
  }

  /** Folds every column of a row that decides. */
  digestRow(row: number, digest: Digest): void {
    assert(row >= 0 && row < this.rows, 'a row of the table is folded');
    digest.addRow(this.#folded, row);
  }

  save(): SavedTable {
    const columns: Record<string, Column> = {};
    for (const [name, spec] of Object.entries(this.#specs)) {
      const rows = this.#hasColumn(spec) ? this.rows : 0;
      const values = (this.column as Record<string, Column>)[name];
      const differ = areAlike(values, spec.width, rows) ? Math.min(1, rows) : rows;
      columns[name] = values.slice(0, differ * spec.width);
    }
    return { rows: this.rows, columns, groups: [...this.#groups].sort() };
  }

  load(saved: SavedTable): void {
    this.reserve(saved.rows);
    (this as Counted).rows = saved.rows;
    this.#groups = new Set(saved.groups);
    for (const [name, spec] of Object.entries(this.#specs)) {
      const from = saved.columns[name];
      assert(from !== undefined, `the snapshot has the column ${name}`);
      const fresh = create(spec, this.#hasColumn(spec) ? this.#capacity : 0);
      fresh.set(from);
      const isBlank = from.every((value) => Object.is(value, spec.blank ?? 0));
      if (from.length === spec.width && !isBlank) repeat(fresh, spec.width, saved.rows);
      this.#put(name, fresh);
    }
  }
}

/** A column that a digest folds: itself, or a row of its blanks while it is not made. */
interface Folded extends FoldedColumn {
  readonly name: string;
  readonly blanks: Column;
  stride: number;
  cells: Column;
}

/** A blank column for a number of rows. */
function create<C extends Column>({ make, width, blank = 0 }: ColumnSpec<C>, rows: number): C {
  const column = make(rows * width);
  // What was just made is zeros, and pages that nobody touches take no memory.
  if (blank !== 0) column.fill(blank);
  return column;
}

/** Whether the first rows of a column are the same to the last bit. */
function areAlike({ buffer, BYTES_PER_ELEMENT }: Column, width: number, rows: number): boolean {
  const rowBytes = width * BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(buffer, 0, rows * rowBytes);
  const words = new Uint32Array(buffer, 0, bytes.length >>> 2);
  // Whole words are four rows apart, and four times as fast.
  const begun = Math.min(bytes.length, 4 * rowBytes);
  for (let at = rowBytes; at < begun; at++) if (bytes[at] !== bytes[at - rowBytes]) return false;
  for (let at = rowBytes; at < words.length; at++) {
    if (words[at] !== words[at - rowBytes]) return false;
  }
  for (let at = Math.max(begun, 4 * words.length); at < bytes.length; at++) {
    if (bytes[at] !== bytes[at - rowBytes]) return false;
  }
  return true;
}

/** Gives the first rows of a column what stands in its first one. */
function repeat(values: Column, width: number, rows: number): void {
  for (let done = width; done < rows * width; done *= 2) {
    values.copyWithin(done, 0, Math.min(done, rows * width - done));
  }
}

/** No row: the end of a chain, or a reference that is not set. */
export const NONE = -1;

/**
 * Rows that come and go: a table with a free list threaded through its `next` column. The order of
 * the free list is part of the state, so that a fork takes the same rows.
 */
export class Pool<S extends Specs & { readonly next: ColumnSpec<Int32Array> }> {
  readonly table: Table<S>;
  readonly column: Columns<S>;
  #free = NONE;
  #live = 0;

  constructor(specs: S, capacity = 16) {
    this.table = new Table(specs, capacity);
    this.column = this.table.column;
  }

  get live(): number {
    return this.#live;
  }

  /** A row to fill, every column of it: they hold whatever stood there before. */
  take(): number {
    this.#live++;
    if (this.#free === NONE) return this.table.add();
    const row = this.#free;
    this.#free = (this.table.column.next as Int32Array)[row];
    return row;
  }

  /** Gives back a row that was taken. */
  give(row: number): void {
    assert(row >= 0 && row < this.table.rows, 'a row that is given back was taken');
    this.#live--;
    assert(this.#live >= 0, 'a pool gets back only what it handed out');
    (this.table.column.next as Int32Array)[row] = this.#free;
    this.#free = row;
  }

  save(): SavedPool {
    return { table: this.table.save(), free: this.#free, live: this.#live };
  }

  load(saved: SavedPool): void {
    this.table.load(saved.table);
    this.#free = saved.free;
    this.#live = saved.live;
  }
}

export interface SavedPool {
  readonly table: SavedTable;
  readonly free: number;
  readonly live: number;
}
