/**
 * What it costs to listen: CPU time of a scenario in which nobody hears of frames, of the same one
 * in which the platform keeps its records of them, and of one with a port that counts all news.
 *
 * Run: `npx tsc -b && node test/bench/news.mjs [--pairs=5] [scenario.yaml [override …]]`
 *
 * A process a run, both in turn, so that what else the machine does meets both alike; the row has
 * medians, the ratio pair by pair. With `--as=nobody`, `--as=records` or `--as=everybody` it is one
 * run in this process, which `--cpu-prof` then describes.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { World } from '../../dist/core/world/world.js';
import { libraryWorld } from '../../dist/test/support/library.js';

const words = process.argv.slice(2);
const option = (name) => words.find((word) => word.startsWith(`--${name}=`))?.split('=')[1];
const [file = 'quickstart.yaml', ...settings] = words.filter((word) => !word.startsWith('--'));

const cpuSeconds = () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

function once(as) {
  const { plan, seed } = libraryWorld(file, settings);
  const heard = {};
  const news = ({ kind }) => {
    heard[kind] = (heard[kind] ?? 0) + 1;
  };
  const listening = { nobody: {}, records: { records: true }, everybody: { news } };
  const world = World.create(plan, seed, { records: false, ...listening[as] });
  const before = cpuSeconds();
  world.runUntil(world.endUs);
  const seconds = +(cpuSeconds() - before).toFixed(3);
  return { as, seconds, events: world.events, digest: world.digest().outcome, heard };
}

function pairs(count) {
  const self = fileURLToPath(import.meta.url);
  const run = (as) =>
    JSON.parse(
      execFileSync(process.execPath, [self, `--as=${as}`, file, ...settings], { encoding: 'utf8' }),
    );
  const kinds = ['nobody', 'records', 'everybody'];
  const rows = Array.from({ length: count }, () => kinds.map(run));
  const seconds = (which) => median(rows.map((row) => row[which].seconds));
  const ratio = (which) =>
    +median(rows.map((row) => row[which].seconds / row[0].seconds)).toFixed(3);
  const [first] = rows[0];
  return {
    scenario: [file, ...settings].join(' '),
    seconds: Object.fromEntries(kinds.map((kind, i) => [kind, seconds(i)])),
    ratios: { records: ratio(1), everybody: ratio(2) },
    same: rows.flat().every(({ digest, events }) => {
      return digest === first.digest && events === first.events;
    }),
    heard: rows[0][2].heard,
  };
}

const as = option('as');
console.log(JSON.stringify(as === undefined ? pairs(Number(option('pairs') ?? 5)) : once(as)));
