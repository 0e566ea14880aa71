/** Whether a placement has a place for each thing of an entry. */

import type { Path } from '../language/problem.ts';
import { mapOf, type Report } from './members.ts';

/**
 * `placement` stands at `path` and is for `count` things, Infinity when their number cannot be
 * read. The points of a file are counted where it is read (`load.ts`).
 */
export function checkPlaces(placement: unknown, count: number, path: Path, report: Report): void {
  if (count === Infinity) return;
  const points = Array.isArray(placement) ? placement.length : undefined;
  if (points !== undefined && points < count && points > 0) {
    report(path, {
      what: `has ${points} points for ${count}`,
      allowed: `at least ${count} points`,
    });
  }
  if (mapOf(placement).at !== undefined && count > 1) {
    const what = `one point cannot be the place of ${count}`;
    report(path, { what, allowed: `a list of ${count} points, or ring, disc, grid` });
  }
}
