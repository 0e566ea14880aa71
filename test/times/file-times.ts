/** What each test file costs, as `test/times.json` records it (`npm run test:times`). */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const TIMES_FILE = fileURLToPath(new URL('../times.json', import.meta.url));

/** Costs of one test file, ms. */
export interface FileTimes {
  /** All threads of the test process, and the processes that the tests started. */
  readonly cpu: number;
  /** Wall time, the sum of the three parts below. */
  readonly wall: number;
  /** Loading of the file and all that it imports. */
  readonly import: number;
  /** Setup files, and hooks before and after the tests. */
  readonly setUp: number;
  readonly run: number;
  /** Part of `wall` in which the thread of the tests did nothing: timers, sockets, processes. */
  readonly waiting: number;
}

export type Times = Readonly<Record<string, FileTimes>>;

/** By path of the file below the root. Empty where nothing has been recorded. */
export function recordedTimes(): Times {
  if (!existsSync(TIMES_FILE)) return {};
  return JSON.parse(readFileSync(TIMES_FILE, 'utf8')) as Times;
}

/** One line a file in order of path, so that a change shows as the lines that it changes. */
export function timesText(times: Times): string {
  const rows = Object.entries(times).sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = rows.map(([path, row]) => `  ${JSON.stringify(path)}: ${rowText(row)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

const rowText = (row: FileTimes): string =>
  `{ ${Object.entries(row)
    .map(([name, ms]) => `"${name}": ${ms}`)
    .join(', ')} }`;

/** A file is slow for `npm run test:quick` from this CPU time on, ms. */
const SLOW_CPU_MS = 350;

export const slowFiles = (times: Times): string[] =>
  Object.keys(times).filter((path) => times[path]!.cpu >= SLOW_CPU_MS);

/** A file has grown when its share of a run is more than this many times the recorded one. */
const GROWN_TIMES = 2;
/** Shares below are noise. */
const LEAST_SHARE = 0.005;
/** A run of fewer of the recorded files says nothing about shares. */
const LEAST_COVERED = 0.5;

export interface Grown {
  readonly path: string;
  /** Of the wall time of all files in this run, and of the same files as recorded: 0…1. */
  readonly share: number;
  readonly recordedShare: number;
}

/** Files that take a larger share of a run than was recorded, largest first. */
export function grownFiles(wallMs: Readonly<Record<string, number>>, recorded: Times): Grown[] {
  const paths = Object.keys(wallMs);
  const known = paths.filter((path) => recorded[path] !== undefined);
  if (known.length < LEAST_COVERED * Object.keys(recorded).length) return [];
  const all = sum(paths, (path) => wallMs[path]!);
  const allRecorded = sum(known, (path) => recorded[path]!.wall);
  return paths
    .map((path) => ({
      path,
      share: wallMs[path]! / all,
      recordedShare: (recorded[path]?.wall ?? 0) / allRecorded,
    }))
    .filter(({ share, recordedShare }) => share > GROWN_TIMES * recordedShare + LEAST_SHARE)
    .sort((a, b) => b.share - a.share);
}

const sum = (paths: readonly string[], of: (path: string) => number): number =>
  paths.reduce((total, path) => total + of(path), 0);
