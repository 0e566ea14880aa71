/** A column of one number a row, whole, of a table that was saved: of rows alike it has one. */
import type { SavedTable } from '../../sim/kernel/columns.ts';

export function savedColumn({ rows, columns }: SavedTable, name: string): number[] {
  const stored = columns[name];
  if (stored === undefined) throw new Error(`there is no column ${name}`);
  return stored.length === rows ? [...stored] : Array.from({ length: rows }, () => stored[0]!);
}
