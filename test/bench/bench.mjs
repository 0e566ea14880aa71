/**
 * The table of docs/performance.md: `npm run build && npm run bench`. Whole processes of the
 * command line, and loops in a process that is warm: medians of CPU seconds, the peak memory, and
 * each time as a multiple of a yardstick in the same rounds, the bound of W1 in C++
 * (`bound/w1.cpp`) with 100 000 devices for an hour. W1 is held against the bound of its own size
 * too. Rounds go through all rows in turn, so that what else the machine does meets all of them.
 *
 *     --runs=5               rounds
 *     --only=quickstart,w1   rows of these names, whole or to the number
 *     --write                into docs/performance.md
 *     --json                 rows as JSON
 */
import { join } from 'node:path';
import {
  builtBound,
  HERE,
  isNamed,
  machine,
  median,
  optionsOf,
  timed,
  withFolder,
  writePart,
} from './measured.mjs';

const library = (file) => join(HERE, 'scenarios/library', file);

const run = (file, ...more) => ({
  words: (out) => ['dist/fleetwave.js', 'run', library(file), '--quiet', '--out', out, ...more],
});

const w1 = (devices) => ({
  name: `w1 ${devices}`,
  ...run('validation/w1.yaml', '--set', `devices.device.count=${devices}`),
  bound: devices,
});

const warm = (what, devices, told) => ({
  name: `${what} ${devices}`,
  words: () => ['test/bench/warm.mjs', what, `${devices}`],
  told,
});

const perSecond = ({ uplinksPerSecond }) => `${Math.round(uplinksPerSecond / 1000)} k uplinks/s`;
const saved = ({ saveSeconds, restoreSeconds }) =>
  `save ${saveSeconds.toFixed(2)} s, restore ${restoreSeconds.toFixed(2)} s`;

const again = ({ first, warm: last, ofLoop }) =>
  `first ${first.toFixed(2)} s, warm ${last.toFixed(2)} s, ${ofLoop.toFixed(2)} of its loop`;

const ROWS = [
  { name: 'version', words: () => ['dist/fleetwave.js', '--version'] },
  ...[100, 1_000, 10_000, 100_000].map(w1),
  { name: 'quickstart', ...run('quickstart.yaml') },
  { name: 'five-thousand', ...run('campaigns/five-thousand.yaml') },
  { name: 'ten-thousand', ...run('campaigns/ten-thousand.yaml') },
  warm('loop', 10_000, perSecond),
  warm('loop', 100_000, perSecond),
  warm('snapshot', 100_000, saved),
  { name: 'runs 60', words: () => ['test/bench/runs.mjs', '60'], told: again },
];

const YARDSTICK = 100_000;
const HOUR_S = '3600';

/** All runs of all rows; of the bound, those of the sizes that are asked for. */
function measure(rows, runs, out, bound) {
  const sizes = [YARDSTICK, ...rows.flatMap((row) => row.bound ?? [])];
  const found = new Map(rows.map((row) => [row, []]));
  const bounds = new Map(sizes.map((devices) => [devices, []]));
  for (let round = 0; round < runs; round++) {
    for (const devices of bound === undefined ? [] : bounds.keys()) {
      bounds.get(devices).push(timed(bound, [`${devices}`, HOUR_S]).cpuSeconds);
    }
    for (const [row, all] of found) {
      process.stderr.write(`round ${round + 1} of ${runs}: ${row.name}\n`);
      all.push(timed(process.execPath, row.words(out)));
    }
  }
  return { found, bounds };
}

/** Times below one are too near what the system counts by, a hundredth of a second. */
const times = (seconds, of) => (of >= 0.02 ? (seconds / of).toFixed(1) : '–');

function figuresOf(row, all, bounds) {
  const seconds = all.map(({ cpuSeconds }) => cpuSeconds);
  const middle = all.find(({ cpuSeconds }) => cpuSeconds === median(seconds));
  return {
    name: row.name,
    cpuSeconds: median(seconds),
    least: Math.min(...seconds),
    most: Math.max(...seconds),
    megabytes: median(all.map(({ megabytes }) => megabytes)),
    yardsticks: times(median(seconds), median(bounds.get(YARDSTICK))),
    ofBound: row.bound === undefined ? '' : times(median(seconds), median(bounds.get(row.bound))),
    told: row.told?.(JSON.parse(middle.printed)) ?? '',
  };
}

const HEAD = [
  'row',
  'CPU, s',
  'least to most',
  'peak, MB',
  'yardsticks',
  'of its bound',
  'reported',
];

function lineOf({ name, cpuSeconds, least, most, megabytes, yardsticks, ofBound, told }) {
  const [cpu, from, to] = [cpuSeconds, least, most].map((each) => each.toFixed(2));
  return [name, cpu, `${from}–${to}`, megabytes.toFixed(0), yardsticks, ofBound, told];
}

const table = (lines) =>
  [HEAD, HEAD.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function main({ runs = '5', only = '', write, json }) {
  const rows = ROWS.filter(({ name }) => isNamed(name, only));
  if (rows.length === 0) throw new Error(`no row is called ${only}`);
  const { figures, yardstick } = withFolder((folder) => {
    const bound = builtBound(folder);
    const { found, bounds } = measure(rows, Number(runs), join(folder, 'out'), bound);
    if (bound === undefined) for (const all of bounds.values()) all.push(0);
    const each = [...found].map(([row, all]) => figuresOf(row, all, bounds));
    return { figures: each, yardstick: median(bounds.get(YARDSTICK)) };
  });
  if (json) return console.log(JSON.stringify({ figures, yardstick }));
  const measuredBy =
    yardstick > 0
      ? `The yardstick took ${yardstick.toFixed(2)} s.`
      : 'There is no g++ here, and so no yardstick.';
  const kind = Number(runs) === 1 ? 'One run of each.' : `Medians of ${runs} runs.`;
  const head = `${machine()}.\n${kind} ${measuredBy}`;
  const text = `${head}\n\n${table(figures.map(lineOf))}`;
  console.log(text);
  if (write) writePart('bench', text);
}

process.chdir(HERE);
main(optionsOf(process.argv.slice(2)));
