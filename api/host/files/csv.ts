/** Lines of CSV (RFC 4180). */

/** null and undefined leave it empty. */
export type Cell = string | number | boolean | null | undefined;

/** Without a line feed. */
export const csvLine = (cells: readonly Cell[]): string => cells.map(written).join(',');

function written(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  const text = String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
