/** A column of a table that was saved, whole: one of nothing but zeros is kept as an empty one. */
import type { SavedTable } from '../../sim/kernel/columns.ts';

export function savedColumn({ rows, columns }: SavedTable, name: string): number[] {
  const kept = columns[name];
  if (kept === undefined) throw new Error(`there is no column ${name}`);
  return kept.length > 0 ? [...kept] : Array.from({ length: rows }, () => 0);
}
