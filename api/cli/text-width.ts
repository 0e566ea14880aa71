/**
 * How wide a text stands on a terminal, for what yargs lays out: in the bundle it takes the place
 * of the package `string-width` (api/bundle.mjs). It measures our own words, in which a letter is
 * one column wide; what others write is in tables, which measure it with that package.
 */
import { stripVTControlCharacters } from 'node:util';

export function textWidth(text: string): number {
  return [...stripVTControlCharacters(text)].length;
}
