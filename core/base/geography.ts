/**
 * Where on Earth a world is. Its places are metres east and north of its middle, which stands at
 * the world's origin; one projection leads from there to latitude and longitude and back: the
 * azimuthal equidistant one about the origin, on a sphere (docs/decisions/0056). Distances and
 * directions from the origin are true. Distances between two places 100 km away from it are longer
 * by 41 ppm at the most. Every place of a world has one latitude and longitude.
 */
import { atan2, cos, sin } from '../../sim/base/math.ts';

/** On Earth, degrees: north is −90 to 90, east is −180 to 180. */
export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

/** East and north of the world's middle. */
interface Place {
  readonly xMeters: number;
  readonly yMeters: number;
}

/** Where the middle of a world stands that does not say so. */
export const USUAL_ORIGIN: Coordinates = { latitude: 48, longitude: 11 };

/** Mean radius of the Earth, m (IUGG: (2a + b) / 3 of GRS 80). */
export const EARTH_METERS = 6_371_008.8;

const RADIANS = Math.PI / 180;

/** The place in a world with this origin; only the point opposite to the origin has none. */
export function placeAt({ latitude, longitude }: Coordinates, origin: Coordinates): Place {
  const { sinOf, cosOf } = turnOf(origin.latitude);
  const north = turnOf(latitude);
  const east = turnOf(longitude - origin.longitude);
  // A unit vector to the point, seen from the centre: east and north of the origin, and towards it.
  const e = north.cosOf * east.sinOf;
  const n = cosOf * north.sinOf - sinOf * north.cosOf * east.cosOf;
  const u = sinOf * north.sinOf + cosOf * north.cosOf * east.cosOf;
  const aside = Math.sqrt(e * e + n * n);
  if (aside === 0) return { xMeters: 0, yMeters: u > 0 ? 0 : Math.PI * EARTH_METERS };
  const scale = (EARTH_METERS * atan2(aside, u)) / aside;
  return { xMeters: e * scale, yMeters: n * scale };
}

/** Where on Earth a place of a world with this origin is. */
export function coordinatesOf({ xMeters, yMeters }: Place, origin: Coordinates): Coordinates {
  const distance = Math.sqrt(xMeters * xMeters + yMeters * yMeters);
  if (distance === 0) return origin;
  const { sinOf, cosOf } = turnOf(origin.latitude);
  const angle = distance / EARTH_METERS;
  const aside = sin(angle) / distance;
  const [e, n, u] = [aside * xMeters, aside * yMeters, cos(angle)];
  const up = u * sinOf + n * cosOf;
  const out = u * cosOf - n * sinOf;
  return {
    latitude: atan2(up, Math.sqrt(e * e + out * out)) / RADIANS,
    longitude: aroundEarth(origin.longitude + atan2(e, out) / RADIANS),
  };
}

const turnOf = (degrees: number) => ({
  sinOf: sin(degrees * RADIANS),
  cosOf: cos(degrees * RADIANS),
});

/** The date line is 180 east and −180 as well. */
const aroundEarth = (longitude: number): number =>
  longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude;
