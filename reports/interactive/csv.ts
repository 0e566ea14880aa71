/** Rows as CSV (RFC 4180). */
const quoted = (cell: string | number | null): string => {
  const text = cell === null ? '' : String(cell);
  // A spreadsheet takes a text that begins so for a formula (OWASP, CSV injection).
  const safe = typeof cell === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export type Row = readonly (string | number | null)[];

/** Lines end as RFC 4180 has it. */
export const csvOf = (rows: readonly Row[]): string =>
  rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
