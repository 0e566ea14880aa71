/**
 * The statuses that the specifications themselves give an operation, by its row, whatever the
 * product declares: how it succeeds, and the errors that they name at it. What they say of every
 * operation (400, 401, 403, and 404 for a name in the path) is added for all.
 */
import { DOCUMENTED_ROWS, type DocumentedRow } from './documented-rows.ts';

/** Rows that answer otherwise than by 200. */
const OTHERWISE: Readonly<Record<number, readonly number[]>> = {
  2: [202],
  4: [200, 202],
  5: [202],
  6: [204, 409],
  7: [202, 409],
  8: [200, 202],
  14: [204, 409],
  18: [200, 404],
  23: [201],
  27: [204],
  30: [204, 409],
  31: [201],
  32: [204],
  35: [201],
  37: [204, 409],
  38: [204],
  40: [204],
  44: [204],
  45: [200, 409],
  46: [200, 409],
  51: [204],
  67: [200, 409],
  74: [200, 402],
  88: [200, 409],
  98: [200, 409],
  116: [201],
  121: [201],
  124: [204],
  126: [201],
  129: [204],
  131: [201],
  134: [204],
  135: [200, 409],
  136: [200, 412],
  137: [200, 409],
  138: [200, 412],
  142: [202, 204, 409],
  143: [204],
};

/** One's own account and permissions: nobody is forbidden to look at them. */
const EVERYBODYS = [52, 56];

/** What a row has to be seen to answer. */
export function documentedStatuses({ row, path }: DocumentedRow): readonly number[] {
  const forbidden = EVERYBODYS.includes(row) ? [] : [403];
  const unknown = path.includes('{') ? [404] : [];
  return [...(OTHERWISE[row] ?? [200]), 400, 401, ...forbidden, ...unknown].sort((a, b) => a - b);
}

/** Of statuses by row, what the specifications give and nobody has seen, a line each. */
export const unseen = (seen: ReadonlyMap<number, readonly number[]>): readonly string[] =>
  DOCUMENTED_ROWS.flatMap((each) =>
    documentedStatuses(each)
      .filter((status) => !seen.get(each.row)?.includes(status))
      .map((status) => `row ${each.row}, ${each.method} ${each.path}: ${status} was never seen`),
  );
