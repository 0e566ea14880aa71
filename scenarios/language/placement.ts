/** Where things stand: the ways a scenario may say it, and the points they come to. */
import * as z from 'zod';
import { type Coordinates, placeAt, USUAL_ORIGIN } from '../../core/base/geography.ts';
import { AssertionFailed, assert } from '../../sim/base/assert.ts';
import { cos, sin } from '../../sim/base/math.ts';
import { DrawPurpose, draw, entityKey, type Seed, toUnit } from '../../sim/base/random.ts';
import { quote, type Reading, read, refuse } from './complaint.ts';
import { count, measure, plainNumber, text } from './kinds.ts';
import { complain, leaf, list, maybe, needed, record } from './knob.ts';
import { quantity } from './quantity.ts';

/** Metres east and north of the area's centre. */
export interface Point {
  readonly xMeters: number;
  readonly yMeters: number;
}

export type Area =
  | { readonly shape: 'disc'; readonly radiusMeters: number }
  | { readonly shape: 'rectangle'; readonly widthMeters: number; readonly heightMeters: number };

/** What a file says of one thing. */
export interface PlaceRow {
  /** Absent: the file has the thing, but not its place. */
  readonly point?: Point;
  readonly name?: string;
  /** 16 upper-case hexadecimal digits. */
  readonly eui?: string;
  /** 32 upper-case hexadecimal digits. */
  readonly appKey?: string;
  /** Index of the entry that it is of; absent: that of its population. */
  readonly kind?: number;
}

export type Placement =
  | {
      readonly by: 'points';
      /** Undefined: somewhere in the area. */
      readonly points: readonly (Point | undefined)[];
      /** What a file says of each besides. */
      readonly rows?: readonly PlaceRow[];
      /** Entries of populations as rows have them, by `PlaceRow.kind`. */
      readonly kinds?: readonly object[];
    }
  | { readonly by: 'file'; readonly path: string }
  | { readonly by: 'coordinates'; readonly coordinates: Coordinates }
  | { readonly by: 'ring'; readonly radiusMeters: number; readonly centre: Point }
  | { readonly by: 'disc'; readonly radiusMeters: number; readonly centre: Point }
  | {
      readonly by: 'grid';
      readonly columns: number;
      readonly spacingMeters: number;
      readonly centre: Point;
    };

const CENTRE: Point = { xMeters: 0, yMeters: 0 };
const coordinate = quantity('length', '-1000 km', '1000 km');
const A_POINT = 'two lengths such as [1 km, -500 m]';

function readPoint(input: unknown): Reading<Point> {
  if (input === undefined) return refuse('is missing', A_POINT);
  if (!Array.isArray(input) || input.length !== 2) {
    return refuse(`${quote(input)} is not a point`, A_POINT);
  }
  const x = coordinate(input[0]);
  if (!x.ok) return x;
  const y = coordinate(input[1]);
  return y.ok ? read({ xMeters: x.value, yMeters: y.value }) : y;
}

const point = leaf(readPoint, {
  type: 'array',
  items: { type: ['string', 'number'] },
  minItems: 2,
  maxItems: 2,
  examples: [['1 km', '-500 m']],
});

const length = measure('length', '0 m', '1000 km');

const grid = record({
  columns: needed(count(1, 1_000_000), { is: 'Places in a row.' }),
  spacing: needed(measure('length', '1 m', '100 km'), { is: 'Distance of neighbours.' }),
});

const ways = record({
  at: maybe(point, { is: 'One point: [east, north] of the area’s centre.' }),
  ring: maybe(length, { is: 'Evenly spaced on a circle of this radius, the first in the east.' }),
  disc: maybe(length, { is: 'Uniformly at random in a disc of this radius.' }),
  grid: maybe(grid, { is: 'In rows, from the south-west, the whole grid centred.' }),
  file: maybe(
    text(/^(?!\/)(?!.*\.\.)[\w./ -]{1,200}$/, 'a path below the scenario file’s folder'),
    {
      is:
        'A CSV or GeoJSON file of places, with columns for names, EUIs and some knobs; the ' +
        'count is that of its rows when absent.',
    },
  ),
  latitude: maybe(plainNumber(-90, 90), {
    is: 'Degrees north, beside longitude: one point on Earth, by the scenario’s origin.',
  }),
  longitude: maybe(plainNumber(-180, 180), { is: 'Degrees east, beside latitude.' }),
  centre: maybe(point, { is: 'Centre of a ring, disc or grid; the area’s centre when absent.' }),
});

/** A list of points, or a map with one way: `at`, `ring`, `disc`, `grid`, `file`, or on Earth. */
export const placement = z.union([
  list(point, 1, 1_000_000, 'points').transform((points): Placement => ({ by: 'points', points })),
  ways.transform((given, context): Placement => {
    const chosen = choose(given);
    if (chosen.ok) return chosen.value;
    const { what, allowed = '' } = chosen.complaint;
    return complain(context, given, what, allowed);
  }),
]);

const ONE_WAY = 'exactly one of at, ring, disc, grid, file, or latitude and longitude';

function choose(given: z.output<typeof ways>): Reading<Placement> {
  const { at, ring, disc, grid, file, latitude, longitude, centre = CENTRE } = given;
  const ways: Placement[] = [];
  if (at !== undefined) ways.push({ by: 'points', points: [at] });
  if (file !== undefined) ways.push({ by: 'file', path: file });
  if (ring !== undefined) ways.push({ by: 'ring', radiusMeters: ring, centre });
  if (disc !== undefined) ways.push({ by: 'disc', radiusMeters: disc, centre });
  if (grid !== undefined) {
    ways.push({ by: 'grid', columns: grid.columns, spacingMeters: grid.spacing, centre });
  }
  if (latitude !== undefined && longitude !== undefined) {
    ways.push({ by: 'coordinates', coordinates: { latitude, longitude } });
  } else if (latitude !== undefined || longitude !== undefined) {
    return refuse('has one of latitude and longitude', 'both of them');
  }
  const [only, more] = ways;
  if (only === undefined) return refuse('does not say where', ONE_WAY);
  if (more !== undefined) return refuse('says where in more than one way', ONE_WAY);
  if (given.centre !== undefined && !('centre' in only)) {
    return refuse('a centre has no meaning here', 'a centre beside ring, disc or grid');
  }
  return read(only);
}

/** Where a world is, and how large. */
interface Surroundings {
  /** Where things stand whose place a file does not have. */
  readonly area: Area;
  readonly origin?: Coordinates;
}

/**
 * The places of `names` in their order, in a world with this origin. The loader has read files and
 * seen that points suffice.
 */
export function place(
  placement: Placement,
  names: readonly string[],
  seed: Seed,
  { area, origin = USUAL_ORIGIN }: Surroundings,
): Point[] {
  switch (placement.by) {
    case 'points': {
      const { points } = placement;
      assert(points.length >= names.length, 'a list of points has one for every name');
      return names.map((name, index) => points[index] ?? placeInArea(area, name, seed));
    }
    case 'file':
      throw new AssertionFailed(
        `broken invariant: the points of ${placement.path} are read before they are used`,
      );
    case 'coordinates': {
      const { xMeters, yMeters } = placeAt(placement.coordinates, origin);
      return names.map(() => shift(CENTRE, xMeters, yMeters));
    }
    case 'ring':
      return names.map((_, index) => {
        const turn = (2 * Math.PI * index) / names.length;
        return shift(
          placement.centre,
          placement.radiusMeters * cos(turn),
          placement.radiusMeters * sin(turn),
        );
      });
    case 'disc':
      return names.map((name) => {
        const inside = randomInDisc(placement.radiusMeters, name, seed);
        return shift(placement.centre, inside.xMeters, inside.yMeters);
      });
    case 'grid':
      return names.map((_, index) => gridPoint(placement, index, names.length));
  }
}

function gridPoint(grid: Extract<Placement, { by: 'grid' }>, index: number, total: number): Point {
  const rows = Math.ceil(total / grid.columns);
  const columns = Math.min(grid.columns, total);
  const column = index % grid.columns;
  const row = Math.floor(index / grid.columns);
  return shift(
    grid.centre,
    (column - (columns - 1) / 2) * grid.spacingMeters,
    (row - (rows - 1) / 2) * grid.spacingMeters,
  );
}

/** Uniformly at random in the whole area, by the thing's name. */
export function placeInArea(area: Area, name: string, seed: Seed): Point {
  if (area.shape === 'disc') return randomInDisc(area.radiusMeters, name, seed);
  const { across, along } = random(name, seed);
  return {
    xMeters: toMillimetres((across - 0.5) * area.widthMeters),
    yMeters: toMillimetres((along - 0.5) * area.heightMeters),
  };
}

function randomInDisc(radiusMeters: number, name: string, seed: Seed): Point {
  const { across, along } = random(name, seed);
  const radius = radiusMeters * Math.sqrt(across);
  const turn = 2 * Math.PI * along;
  return shift(CENTRE, radius * cos(turn), radius * sin(turn));
}

function random(name: string, seed: Seed): { across: number; along: number } {
  const { key0, key1 } = entityKey(seed, name);
  return {
    across: toUnit(draw(key0, key1, DrawPurpose.placement, 0)),
    along: toUnit(draw(key0, key1, DrawPurpose.placement, 1)),
  };
}

const GOLDEN_TURN = Math.PI * (3 - Math.sqrt(5));
/**
 * Steps of the additive recurrence that fills a square most evenly (the plastic number, Roberts
 * 2018).
 */
const STEP_ACROSS = 0.7548776662466927;
const STEP_ALONG = 0.5698402909980532;

/**
 * The `index`-th of `total` points that cover the area evenly; a single one stands in the
 * centre.
 */
export function spreadInArea(area: Area, index: number, total: number): Point {
  if (total === 1) return CENTRE;
  if (area.shape === 'disc') {
    const radius = area.radiusMeters * Math.sqrt((index + 0.5) / total);
    return shift(CENTRE, radius * cos(index * GOLDEN_TURN), radius * sin(index * GOLDEN_TURN));
  }
  const across = (0.5 + STEP_ACROSS * index) % 1;
  const along = (0.5 + STEP_ALONG * index) % 1;
  return shift(CENTRE, (across - 0.5) * area.widthMeters, (along - 0.5) * area.heightMeters);
}

function shift(from: Point, xMeters: number, yMeters: number): Point {
  return {
    xMeters: toMillimetres(from.xMeters + xMeters),
    yMeters: toMillimetres(from.yMeters + yMeters),
  };
}

/** Places are given to the millimetre, so that plans read well and a sign of zero never matters. */
function toMillimetres(meters: number): number {
  return Math.round(meters * 1000) / 1000 + 0;
}
