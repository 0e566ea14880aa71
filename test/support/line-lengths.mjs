/**
 * The part of `npm run lint` that Biome has no rule for: a line of source has at most 100 columns,
 * comments and strings included. A title of a test may be longer where it names operations and
 * rules. `node test/support/line-lengths.mjs [path …]` looks at the files that are given, or at all
 * `.ts`, `.tsx` and `.mjs` files below this folder; ends with 1 when a line is too long.
 */
import { readdirSync, readFileSync } from 'node:fs';

const MOST_COLUMNS = 100;
/** A title names all operations that it is about, however many (operations-page.ts). */
const NAMING =
  /^\s*((it|describe)(\.each\(.*\))?\(|[\])]+\()?['`][a-z]\w*(\.\w+)?(, | and | to |: )/;
/** Made by machines. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'dist', 'out', 'coverage', 'generated']);

const sourcesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '.' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : sourcesIn(path);
    return /\.(tsx?|mjs)$/.test(path) ? [path] : [];
  });

/** Complaints with path, line and column of the first character that is too much. */
const longLines = (path) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line, i) => {
      if (NAMING.test(line) && path.endsWith('.test.ts')) return [];
      const columns = [...line].length;
      return columns > MOST_COLUMNS
        ? [`${path}:${i + 1}:${MOST_COLUMNS + 1} has ${columns} columns; at most ${MOST_COLUMNS}`]
        : [];
    });

const paths = process.argv.slice(2);
const complaints = (paths.length > 0 ? paths : sourcesIn('.')).flatMap(longLines);
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) process.exitCode = 1;
