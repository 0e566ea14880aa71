/** Columns of records: typed arrays, a place for each record. */
import type { Fold } from './fold.ts';

export type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/** Copy of a column with a larger capacity; new places are 0. */
export function grown<C extends Column>(column: C, places: number): C {
  const larger = new (column.constructor as new (length: number) => C)(places);
  larger.set(column);
  return larger;
}

/** Folds the first `places` numbers of a column, whole ones, under its name. */
export function foldColumn(fold: Fold, name: string, column: Column, places: number): void {
  fold.addText(name);
  fold.addNumber(places);
  for (let place = 0; place < places; place++) fold.addNumber(column[place]!);
}
