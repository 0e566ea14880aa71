/**
 * How records go into a digest: field by field, by name, in the order of the names. A field at its
 * empty value (absent, null, false, 0, '', an empty list or map) folds nothing, so a record that
 * gets another field keeps its digest until the field says something.
 */

import { hashOf } from './hash.ts';

/** What folds: `Digest` does. */
export interface Fold {
  addNumber(value: number): void;
  addText(text: string): void;
  /** One of the same kind that nothing was folded into yet. */
  empty(): Fold;
  /** What was folded so far, in 16 hexadecimal digits. */
  hex(): string;
  /** The same as two words of 32 bits; each depends on every bit of it. */
  mixed(): readonly [low: number, high: number];
}

/** Fold of a record, computed for the first digest and cached until the record changes. */
export class CachedFold {
  #hex = '';

  /** The record is not what it was. */
  changed(): void {
    this.#hex = '';
  }

  /** `make` folds the whole record. */
  into(fold: Fold, make: (fold: Fold) => void): void {
    if (this.#hex === '') {
      const own = fold.empty();
      make(own);
      this.#hex = own.hex();
    }
    fold.addText(this.#hex);
  }
}

/** A record, and what it folds to while the sum has it. */
export interface Cell<T> {
  record: T;
  isSummed: boolean;
  /** Signed 32 bits. */
  low: number;
  high: number;
}

export const newCell = <T>(record: T): Cell<T> => ({ record, isSummed: false, low: 0, high: 0 });

/**
 * What a set of records folds to: how many they are, and the sum of what each of them folds to. A
 * sum has no order, so a change costs what changed. The records that changed are folded when a
 * digest is asked for; who asks when does not show.
 */
export class FoldSum<T> {
  readonly #make: (fold: Fold, record: T) => void;
  #records = 0;
  /** Signed 32 bits. */
  #low = 0;
  #high = 0;
  /** Those that the sum has not as they are. */
  readonly #open = new Set<Cell<T>>();

  /** `make` folds a whole record. */
  constructor(make: (fold: Fold, record: T) => void) {
    this.#make = make;
  }

  /** The cell is new, or its record is not what it was. */
  note(cell: Cell<T>): void {
    this.#take(cell);
    this.#open.add(cell);
  }

  /** The cell is gone. */
  forget(cell: Cell<T>): void {
    this.#take(cell);
    this.#open.delete(cell);
  }

  /** Folds under a name; no record folds nothing. */
  into(fold: Fold, name: string): void {
    for (const cell of this.#open) {
      const own = fold.empty();
      this.#make(own, cell.record);
      [cell.low, cell.high] = own.mixed();
      cell.isSummed = true;
      this.#add(1, cell.low, cell.high);
    }
    this.#open.clear();
    const sum = [this.#records, this.#low, this.#high];
    foldField(fold, name, this.#records === 0 ? [] : sum);
  }

  #take(cell: Cell<T>): void {
    if (cell.isSummed) this.#add(-1, -cell.low, -cell.high);
    cell.isSummed = false;
  }

  #add(records: number, low: number, high: number): void {
    this.#records += records;
    this.#low = (this.#low + low) | 0;
    this.#high = (this.#high + high) | 0;
  }
}

/** Folds plain data under a name; what is empty folds nothing. */
export function foldField(fold: Fold, name: string, value: unknown): void {
  if (isEmpty(value)) return;
  fold.addText(name);
  foldValue(fold, value);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return true;
  if (value === 0 || value === '') return true;
  if (value instanceof Uint8Array || Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** More bytes than this fold by their hash. */
const SHORT_BYTES = 64;

/** Lists count their entries, empty ones too: the place of an entry has a meaning. */
function foldValue(fold: Fold, value: unknown): void {
  if (value instanceof Uint8Array && value.length > SHORT_BYTES) {
    fold.addText(hashOf(value));
  } else if (value instanceof Uint8Array || Array.isArray(value)) {
    fold.addNumber(value.length);
    for (let i = 0; i < value.length; i++) foldValue(fold, value[i]);
  } else if (typeof value === 'object' && value !== null) {
    const fields = value as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(fields).sort()) foldField(fold, name, fields[name]);
    fold.addText(END);
  } else if (Number.isSafeInteger(value)) {
    fold.addNumber(value as number);
  } else {
    fold.addText(`${value}`);
  }
}

/** No field has this name: it ends a record, so that two records are not one. */
const END = '.';
