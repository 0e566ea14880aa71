/** A column of one number a row, whole, of a table that was saved: of rows alike it has one. */
import type { SavedTable } from '../../sim/kernel/columns.ts';

export function savedColumn({ rows, columns }: SavedTable, name: string): number[] {
  const kept = columns[name];
  if (kept === undefined) throw new Error(`there is no column ${name}`);
  return kept.length === rows ? [...kept] : Array.from({ length: rows }, () => kept[0]!);
}
