/** The outline of a map: lines of a GeoJSON file (RFC 7946), in the plane of a world. */
import * as z from 'zod';
import { type Coordinates, placeAt } from '../../core/base/geography.ts';
import { sentence } from '../language/complaint.ts';
import type { Problem } from '../language/problem.ts';
import type { Outline } from '../schema/report-schema.ts';
import { offsetIn, placeOfOffset } from './json-places.ts';

const POSITION = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)], z.number());
const LINE = z.array(POSITION);
const GEOMETRY = z.discriminatedUnion('type', [
  z.object({ type: z.literal('LineString'), coordinates: LINE }),
  z.object({ type: z.literal('MultiLineString'), coordinates: z.array(LINE) }),
  z.object({ type: z.literal('Polygon'), coordinates: z.array(LINE) }),
  z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(LINE)) }),
]);
type Geometry = z.infer<typeof GEOMETRY>;
const FEATURE = z.object({ type: z.literal('Feature'), geometry: GEOMETRY });
const COLLECTION = z.object({
  type: z.literal('FeatureCollection'),
  features: z.array(FEATURE),
});

export const OUTLINE_ALLOWED = 'GeoJSON of lines and polygons (RFC 7946)';
/** Points of all lines; a map of a country has fewer. */
const POINTS_MOST = 20_000;

/** In whole m from the middle of a world, or what is wrong with the text of this file. */
export function readOutline(file: string, text: string, origin: Coordinates): Outline | Problem {
  const wrong = (place: string, what: string, allowed: string): Problem => {
    return { where: place, line: 0, pointer: '', message: sentence({ what, allowed }) };
  };
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return wrong(file, 'is not JSON', OUTLINE_ALLOWED);
  }
  const read = formOf(document).safeParse(document);
  if (!read.success) {
    const path =
      read.error.issues[0]?.path.map((key) => (typeof key === 'number' ? key : `${String(key)}`)) ??
      [];
    const { line, column } = placeOfOffset(text, offsetIn(text, path));
    return wrong(`${file}:${line}:${column}`, 'is not right', OUTLINE_ALLOWED);
  }
  const lines = geometriesOf(read.data).flatMap(linesOf);
  const points = lines.reduce((sum, line) => sum + line.length, 0);
  if (points > POINTS_MOST) {
    return wrong(file, `has ${points} points`, `at most ${POINTS_MOST}`);
  }
  return lines.map((line) =>
    line.map(([longitude, latitude]) => {
      const { xMeters, yMeters } = placeAt({ latitude, longitude }, origin);
      return [Math.round(xMeters), Math.round(yMeters)] as const;
    }),
  );
}

type File = Geometry | z.infer<typeof FEATURE> | z.infer<typeof COLLECTION>;

/** By its type, so that what is wrong is found where it stands. */
function formOf(document: unknown): z.ZodType<File> {
  const { type } = (document ?? {}) as { readonly type?: unknown };
  if (type === 'FeatureCollection') return COLLECTION;
  return type === 'Feature' ? FEATURE : GEOMETRY;
}

function geometriesOf(file: File): readonly Geometry[] {
  if (file.type === 'FeatureCollection') return file.features.map(({ geometry }) => geometry);
  return file.type === 'Feature' ? [file.geometry] : [file];
}

function linesOf(geometry: Geometry): readonly (readonly z.infer<typeof POSITION>[])[] {
  if (geometry.type === 'LineString') return [geometry.coordinates];
  return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : geometry.coordinates;
}
