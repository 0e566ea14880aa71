/** The word of a study file that says which points are run. */
import { isMap } from '../../sim/base/plain-data.ts';
import { quote, type Reading, read, refuse } from '../language/complaint.ts';
import { BELOW_FOLDER } from '../language/paths.ts';

export type Design =
  | { readonly kind: 'grid' | 'list' | 'oneAtATime' }
  | { readonly kind: 'latinHypercube' | 'sobol'; readonly points: number }
  | { readonly kind: 'points'; readonly file: string };

const ALLOWED =
  'grid, list, oneAtATime, {latinHypercube: 2 to 10000}, {sobol: 8 to 4096} or {points: file.csv}';

/** Base points of a Sobol' design are a power of two. */
const isPowerOfTwo = (value: number): boolean => (value & (value - 1)) === 0;

export function readDesign(input: unknown): Reading<Design> {
  if (input === 'grid' || input === 'list' || input === 'oneAtATime') return read({ kind: input });
  const [entry, more] = isMap(input) ? Object.entries(input) : [];
  if (entry === undefined || more !== undefined) {
    return refuse(`${quote(input)} is not a design`, ALLOWED);
  }
  const [kind, given] = entry;
  const points = typeof given === 'number' && Number.isInteger(given) ? given : 0;
  if (kind === 'latinHypercube' && points >= 2 && points <= 10_000) return read({ kind, points });
  if (kind === 'sobol' && points >= 8 && points <= 4096) {
    if (isPowerOfTwo(points)) return read({ kind, points });
    return refuse(`${points} base points are not right here`, 'a power of two, 8 to 4096');
  }
  const range = kind === 'sobol' ? 'a power of two, 8 to 4096' : '{latinHypercube: 2 to 10000}';
  if (kind === 'latinHypercube' || kind === 'sobol') {
    return refuse(`${quote(given)} is no number of points of ${kind}`, range);
  }
  const isTable = typeof given === 'string' && BELOW_FOLDER.test(given) && given.endsWith('.csv');
  if (kind === 'points' && isTable) return read({ kind, file: given });
  return refuse(`${quote(input)} is not a design`, ALLOWED);
}
