/** Where on Earth places are (docs/decisions/0056). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Coordinates,
  coordinatesOf,
  EARTH_METERS,
  placeAt,
  USUAL_ORIGIN,
} from '../../core/base/geography.ts';
import { FARTHEST_METERS } from '../../core/simulator/fields.ts';

const latitude = fc.double({ min: -90, max: 90, noNaN: true });
const longitude = fc.double({ min: -180, max: 180, noNaN: true });
const coordinates = fc.record({ latitude, longitude });
const meters = fc.double({ min: -FARTHEST_METERS, max: FARTHEST_METERS, noNaN: true });
const place = fc.record({ xMeters: meters, yMeters: meters });

const RADIANS = Math.PI / 180;

/** Unit vector from the Earth's centre. */
const vectorOf = ({ latitude, longitude }: Coordinates) => {
  const [north, east] = [latitude * RADIANS, longitude * RADIANS];
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
};

/** Metres on the sphere: by the chord, which is exact where places are near. */
const apart = (one: Coordinates, other: Coordinates): number => {
  const [a, b] = [vectorOf(one), vectorOf(other)];
  const chord = Math.hypot(...a.map((each, i) => each - b[i]!));
  return 2 * EARTH_METERS * Math.asin(Math.min(1, chord / 2));
};

describe('a place of a world', () => {
  it('has one latitude and longitude, which lead back to it: 1 µm of 10 km, 1 cm at all', () =>
    fc.assert(
      fc.property(coordinates, place, (origin, at) => {
        const there = coordinatesOf(at, origin);
        expect(Math.abs(there.latitude)).toBeLessThanOrEqual(90);
        expect(Math.abs(there.longitude)).toBeLessThanOrEqual(180);
        const back = placeAt(there, origin);
        const error = Math.hypot(back.xMeters - at.xMeters, back.yMeters - at.yMeters);
        expect(error).toBeLessThan(0.01);
        const near = { xMeters: at.xMeters / 1_000, yMeters: at.yMeters / 1_000 };
        const again = placeAt(coordinatesOf(near, USUAL_ORIGIN), USUAL_ORIGIN);
        expect(Math.hypot(again.xMeters - near.xMeters, again.yMeters - near.yMeters)).toBeLessThan(
          1e-6,
        );
      }),
    ));

  it('is as far from the middle as on the sphere, wherever the origin is', () =>
    fc.assert(
      fc.property(coordinates, coordinates, (origin, there) => {
        const { xMeters, yMeters } = placeAt(there, origin);
        const distance = apart(origin, there);
        // At the other end of the Earth the chord reports little.
        fc.pre(distance < 19_000_000);
        expect(Math.abs(Math.hypot(xMeters, yMeters) - distance)).toBeLessThan(0.1);
      }),
    ));

  it.each([
    ['north', { latitude: 49, longitude: 11 }, 0, 1],
    ['south', { latitude: 47, longitude: 11 }, 0, -1],
    ['east', { latitude: 48, longitude: 11.001 }, 1, 0],
    ['west', { latitude: 48, longitude: 10.999 }, -1, 0],
  ] as const)('lies %s of the middle where it does on Earth', (_, there, east, north) => {
    const { xMeters, yMeters } = placeAt(there, USUAL_ORIGIN);
    const distance = Math.hypot(xMeters, yMeters);
    expect(xMeters / distance).toBeCloseTo(east, 4);
    expect(yMeters / distance).toBeCloseTo(north, 4);
  });

  it('is a degree of latitude for 111.195 km, and by the cosine for one of longitude', () => {
    const degree = EARTH_METERS * RADIANS;
    expect(placeAt({ latitude: 49, longitude: 11 }, USUAL_ORIGIN).yMeters).toBeCloseTo(degree, 6);
    const east = placeAt({ latitude: 48, longitude: 11.0001 }, USUAL_ORIGIN).xMeters;
    expect(east).toBeCloseTo(degree * 1e-4 * Math.cos(48 * RADIANS), 6);
  });

  it('lies beyond a pole, and beyond the date line, as on Earth', () => {
    const north = { latitude: 89, longitude: 20 };
    const over = coordinatesOf({ xMeters: 0, yMeters: 2 * EARTH_METERS * RADIANS }, north);
    expect(over.latitude).toBeCloseTo(89, 9);
    expect(over.longitude).toBeCloseTo(-160, 9);
    const fiji = { latitude: -17, longitude: 179.99 };
    const { xMeters } = placeAt({ latitude: -17, longitude: -179.99 }, fiji);
    expect(xMeters).toBeCloseTo(0.02 * RADIANS * EARTH_METERS * Math.cos(17 * RADIANS), 2);
    expect(coordinatesOf({ xMeters, yMeters: 0 }, fiji).longitude).toBeCloseTo(-179.99, 6);
  });

  it('is the middle at the origin, to the last bit', () =>
    fc.assert(
      fc.property(coordinates, (origin) => {
        const { xMeters, yMeters } = placeAt(origin, origin);
        expect(Math.hypot(xMeters, yMeters)).toBeLessThan(1e-8);
        expect(coordinatesOf({ xMeters: 0, yMeters: 0 }, origin)).toEqual(origin);
      }),
    ));
});
