/** A column of one number a row of a table that was saved, whole: rows that are alike are kept as one. */
import type { SavedTable } from '../../sim/kernel/columns.ts';

export function savedColumn({ rows, columns }: SavedTable, name: string): number[] {
  const kept = columns[name];
  if (kept === undefined) throw new Error(`there is no column ${name}`);
  return kept.length === rows ? [...kept] : Array.from({ length: rows }, () => kept[0]!);
}
