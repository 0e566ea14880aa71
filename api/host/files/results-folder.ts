/** The folder of a run's results: no file of an earlier run stays beside them. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import * as z from 'zod';

/** Names that a run gives its files; whatever is called so in the folder is of a run. */
export const RESULT_FILES = {
  result: 'result.json',
  host: 'host.json',
  report: 'report.html',
  devices: 'devices.csv',
  columns: 'columns.json.gz',
  stories: 'stories.gz',
  trace: 'trace.ndjson',
  logs: 'logs.ndjson',
  study: 'study.json',
  seeds: 'seeds.csv',
} as const;

/** Remembers the files of a run that have other names, such as captures: a list in JSON. */
const LIST = '.fleetwave-files';

/**
 * Removes what an earlier run wrote, also where it never came to its end. `open` are paths that
 * the present run writes already, `needed` those that it was made of.
 */
export function removeEarlier(
  folder: string,
  { open, needed }: { readonly open: readonly string[]; readonly needed: readonly string[] },
): void {
  const stored = new Set([...open, ...needed].map((path) => resolve(path)));
  for (const name of [...Object.values(RESULT_FILES), ...listed(folder)]) {
    const path = resolve(folder, name);
    if (!stored.has(path)) rmSync(path, { force: true });
  }
  remember(folder, open);
}

/** Rewrites the folder at each call; files outside of it are left alone. */
export function remember(folder: string, paths: readonly string[]): void {
  const inside = paths.map((path) => relative(folder, path)).filter(isInside);
  const others = inside.filter((path) => !(Object.values(RESULT_FILES) as string[]).includes(path));
  if (others.length === 0) rmSync(join(folder, LIST), { force: true });
  else writeFileSync(join(folder, LIST), `${JSON.stringify(others, null, 2)}\n`);
}

const PATHS = z.array(z.string());

/** Nothing of a list that is none, and nothing that leads out of the folder. */
function listed(folder: string): string[] {
  let text: string;
  try {
    text = readFileSync(join(folder, LIST), 'utf8');
  } catch {
    // There is none, as a rule; what cannot be read cannot be removed either.
    return [];
  }
  const read = PATHS.safeParse(jsonOf(text));
  return read.success ? read.data.filter(isInside) : [];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The list of a run that was killed while it wrote it.
    return undefined;
  }
}

const isInside = (path: string): boolean =>
  path !== '' && !isAbsolute(path) && !path.split(sep).includes('..');
