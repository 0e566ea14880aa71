/**
 * What is wrong between the rows of lists: EUIs that are there twice, latitude and longitude that
 * are swapped, points far from the rest; and where the middle of a fleet is.
 */

import { placeAt } from '../../core/base/geography.ts';
import { sentence } from '../../scenarios/language/complaint.ts';
import type { RegionName } from '../../sim/lorawan/region.ts';
import type { Degrees } from './degrees.ts';
import { type ListFault, RowFault } from './table.ts';
import type { Thing } from './things.ts';

/** A thing with its fault; those with one are left out where the user says so. */
export interface Found {
  readonly thing: Thing;
  readonly message: () => string;
}

export const placeOf = ({ table, row }: Thing): string => `${table.file}:${table.lineOf(row)}`;

export const asFault = ({ thing: { table, row }, message }: Found): ListFault =>
  new RowFault(table, row, message);

/** Each EUI after its first row. */
export function findDuplicates(things: readonly Thing[]): Found[] {
  const first = new Map<string, Thing>();
  return things.flatMap((thing) => {
    const { eui, kind } = thing;
    if (eui === '') return [];
    const key = `${kind} ${eui}`;
    const other = first.get(key);
    if (other === undefined) {
      first.set(key, thing);
      return [];
    }
    const message = () => {
      const what = `EUI ${eui} is that of ${placeOf(other)} already`;
      return sentence({ what, allowed: 'one row for each EUI' });
    };
    return [{ thing, message }];
  });
}

/** Fewer points than these have no middle to be far from. */
const POINTS_MIN = 4;
/** A fleet may spread to this distance, whatever its points are. */
const NEAR_METERS = 100_000;
/** … and to this multiple of the median distance from its middle. */
const TIMES_HALF = 20;

/** Things far from the rest; those near it with latitude and longitude swapped are named so. */
export function findFarAway(
  things: readonly Thing[],
  farthestMeters: number | undefined,
): readonly Found[] {
  const placed = things.flatMap((thing) =>
    thing.place !== null && 'latitude' in thing.place ? [{ thing, at: thing.place }] : [],
  );
  if (placed.length < POINTS_MIN) return [];
  const middle = middleOf(placed.map(({ at }) => at));
  const distances = placed.map(({ at }) => distanceOf(at, middle));
  const half = median(distances);
  const most = farthestMeters ?? Math.max(NEAR_METERS, TIMES_HALF * half);
  return placed.flatMap(({ thing, at }, i) => {
    const meters = distances[i]!;
    if (meters <= most) return [];
    return [{ thing, message: () => farAway(at, middle, meters, most) }];
  });
}

function farAway(at: Degrees, middle: Degrees, meters: number, most: number): string {
  const { latitude, longitude } = at;
  const isPossible = Math.abs(longitude) <= 90;
  const swapped = { latitude: longitude, longitude: latitude };
  if (isPossible && distanceOf(swapped, middle) <= most) {
    const what = `latitude ${latitude} and longitude ${longitude} seem to be swapped`;
    return sentence({ what, allowed: 'a place near the rest, where it is the other way round' });
  }
  const what = `stands ${kilometres(meters)} from the middle of the lists`;
  return sentence({ what, allowed: `at most ${kilometres(most)}; --farthest takes another limit` });
}

const kilometres = (meters: number): string => `${Math.round(meters / 1000)} km`;

/** Where most networks of a region are, for regions of one continent. */
const CONTINENTS: Partial<Readonly<Record<RegionName, Continent>>> = {
  EU868: { name: 'Europe', south: 34, north: 72, west: -25, east: 45 },
  US915: { name: 'North America', south: 13, north: 72, west: -170, east: -50 },
  KR920: { name: 'Korea', south: 33, north: 39, west: 124, east: 132 },
};

interface Continent {
  readonly name: string;
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
}

/**
 * A note where all places are far from their region, and would be in it the other way round. It is
 * no fault: EU868, for one, is the plan of other continents, too.
 */
export function swappedThroughout(
  { latitude, longitude }: Degrees,
  region: RegionName,
): string | undefined {
  const continent = CONTINENTS[region];
  if (continent === undefined) return undefined;
  const { name, south, north, west, east } = continent;
  const isIn = (lat: number, lon: number) =>
    lat >= south && lat <= north && lon >= west && lon <= east;
  if (isIn(latitude, longitude) || !isIn(longitude, latitude)) return undefined;
  return (
    `the middle of the lists, ${latitude}, ${longitude}, is not in ${name}, and would be with ` +
    'latitude and longitude swapped; --map latitude=HEADER and --map longitude=HEADER swap them'
  );
}

/** The median of both, which one swapped point does not move. */
export function middleOf(points: readonly Degrees[]): Degrees {
  return {
    latitude: rounded(median(points.map(({ latitude }) => latitude))),
    longitude: rounded(median(points.map(({ longitude }) => longitude))),
  };
}

/** To some ten metres. */
const rounded = (degrees: number): number => Math.round(degrees * 1e4) / 1e4;

export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[(sorted.length - 1) >> 1] ?? 0;
}

export function distanceOf(point: Degrees, middle: Degrees): number {
  const { xMeters, yMeters } = placeAt(point, middle);
  return Math.hypot(xMeters, yMeters);
}
