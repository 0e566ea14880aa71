/** The outline of a map: lines of a GeoJSON file (RFC 7946), in the plane of a run. */
import * as z from 'zod';
import { placeAt, USUAL_ORIGIN } from '../../../core/base/geography.ts';
import type { RunInput } from '../files/diff-inputs.ts';
import { type Faults, problem, readJson } from '../files/recorded-run.ts';
import { recordedWorld } from './recorded-world.ts';

type Point = readonly [x: number, y: number];
type Line = readonly Point[];

const POSITION = z.array(z.number()).min(2);
const LINE = z.array(POSITION);
const GEOMETRY = z.discriminatedUnion('type', [
  z.object({ type: z.literal('LineString'), coordinates: LINE }),
  z.object({ type: z.literal('MultiLineString'), coordinates: z.array(LINE) }),
  z.object({ type: z.literal('Polygon'), coordinates: z.array(LINE) }),
  z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(LINE)) }),
]);
type Geometry = z.infer<typeof GEOMETRY>;
const FEATURE = z.object({ type: z.literal('Feature'), geometry: GEOMETRY });
const FILE = z.union([
  GEOMETRY,
  FEATURE,
  z.object({ type: z.literal('FeatureCollection'), features: z.array(FEATURE) }),
]);

const ALLOWED = 'GeoJSON of lines and polygons (RFC 7946)';
/** Points of all lines; a map of a country has fewer. */
const POINTS_MOST = 20_000;

/** In m from the middle of the run's world. */
export function outlineIn(
  path: string,
  { path: result, run }: RunInput,
): Faults | { lines: Line[] } {
  const read = readJson(path, ALLOWED);
  if ('faults' in read) return read;
  const parsed = FILE.safeParse(read.document);
  if (!parsed.success) return problem(path, `is not right; allowed: ${ALLOWED}`);
  const world = recordedWorld(result, run.manifest);
  if ('faults' in world) return world;
  const origin = world.run.trunk.origin ?? USUAL_ORIGIN;
  const positions = geometriesOf(parsed.data).flatMap(linesOf);
  const points = positions.reduce((sum, line) => sum + line.length, 0);
  if (points > POINTS_MOST) {
    return problem(path, `has ${points} points; allowed: at most ${POINTS_MOST}`);
  }
  return {
    lines: positions.map((line) =>
      line.map(([longitude = 0, latitude = 0]): Point => {
        const { xMeters, yMeters } = placeAt({ latitude, longitude }, origin);
        return [Math.round(xMeters), Math.round(yMeters)];
      }),
    ),
  };
}

function geometriesOf(file: z.infer<typeof FILE>): readonly Geometry[] {
  if (file.type === 'FeatureCollection') return file.features.map(({ geometry }) => geometry);
  return file.type === 'Feature' ? [file.geometry] : [file];
}

function linesOf(geometry: Geometry): readonly number[][][] {
  if (geometry.type === 'LineString') return [geometry.coordinates];
  return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : geometry.coordinates;
}
