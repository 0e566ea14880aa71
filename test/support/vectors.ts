/** Reference vectors: the checked-in copies in test/vectors, whose README names their origin. */
import { readFileSync } from 'node:fs';

/** The parsed content of `test/vectors/<name>.json`. */
export function vectors<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8')) as T;
}
