/** Whether a placement has a place for each thing of an entry, and one that the world has. */
import { type Coordinates, placeAt, USUAL_ORIGIN } from '../../core/base/geography.ts';
import { FARTHEST_METERS } from '../../core/simulator/fields.ts';
import { listOf, mapOf, type Report } from '../language/members.ts';
import type { Path } from '../language/problem.ts';

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
  const { at, latitude } = mapOf(placement);
  if ((at !== undefined || latitude !== undefined) && count > 1) {
    const what = `one point cannot be the place of ${count}`;
    report(path, { what, allowed: `a list of ${count} points, or ring, disc, grid` });
  }
}

/** Places on Earth, of all entries and commands of a scenario, are within the world. */
export function checkEdges(scenario: Readonly<Record<string, unknown>>, report: Report): void {
  const origin = originOf(scenario);
  for (const list of ['gateways', 'devices'] as const) {
    for (const [index, entry] of listOf(scenario[list], list).entries()) {
      checkEdge(mapOf(entry).placement, origin, [list, index, 'placement'], report);
    }
  }
  for (const [index, entry] of listOf(scenario.timeline, 'timeline').entries()) {
    for (const [verb, given] of Object.entries(mapOf(entry))) {
      const path = ['timeline', index, verb, 'placement'];
      checkEdge(mapOf(given).placement, origin, path, report);
    }
  }
}

/** The origin of a scenario, as far as it can be read. */
export function originOf(scenario: Readonly<Record<string, unknown>>): Coordinates {
  const { latitude, longitude } = { ...USUAL_ORIGIN, ...mapOf(scenario.origin) };
  const isRead = typeof latitude === 'number' && typeof longitude === 'number';
  return isRead ? { latitude, longitude } : USUAL_ORIGIN;
}

function checkEdge(placement: unknown, origin: Coordinates, path: Path, report: Report): void {
  const { latitude, longitude } = mapOf(placement);
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return;
  const { xMeters, yMeters } = placeAt({ latitude, longitude }, origin);
  if (Math.max(Math.abs(xMeters), Math.abs(yMeters)) <= FARTHEST_METERS) return;
  const what = `${latitude}, ${longitude} is beyond the world’s edge`;
  const allowed = `at most ${FARTHEST_METERS / 1_000} km from the scenario’s origin, either way`;
  report(path, { what, allowed });
}
