/** Knobs of what the page of a run shows beside its result. */

import { text } from '../language/kinds.ts';
import { maybe, record } from '../language/knob.ts';
import { BELOW_FOLDER, BELOW_FOLDER_ALLOWED } from '../language/paths.ts';

/** Lines, whole m from the middle of the world. */
export type Outline = readonly (readonly (readonly [x: number, y: number])[])[];

/** Lines of a map: named by their file, and then read. */
export type OutlineEntry =
  | { readonly by: 'file'; readonly path: string }
  | { readonly by: 'lines'; readonly lines: Outline };

const outline = text(BELOW_FOLDER, BELOW_FOLDER_ALLOWED).transform(
  (path: string): OutlineEntry => ({ by: 'file', path }),
);

export const Report = record({
  outline: maybe(outline, {
    is:
      'GeoJSON file whose lines and polygons the map of the page draws, such as a coast or a ' +
      'border; relative to this file.',
    source: 'RFC 7946',
  }),
});
