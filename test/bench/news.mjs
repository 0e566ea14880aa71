/**
 * What it costs to listen: CPU time of a scenario in which nobody hears news of the network, and
 * of the same one with a port that counts them.
 *
 * Run: `npx tsc -b && node test/bench/news.mjs [--pairs=5] [scenario.yaml [override …]]`
 *
 * A process a run, both in turn, so that what else the machine does meets both alike; the row has
 * medians, the ratio pair by pair. With `--as=nobody` or `--as=everybody` it is one run in this
 * process, which `--cpu-prof` then describes.
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
  const world = World.create(plan, seed, as === 'everybody' ? { news } : {});
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
  const rows = Array.from({ length: count }, () => [run('nobody'), run('everybody')]);
  const seconds = (which) => rows.map((row) => row[which].seconds);
  return {
    scenario: [file, ...settings].join(' '),
    nobody: median(seconds(0)),
    everybody: median(seconds(1)),
    ratio: +median(rows.map(([a, b]) => b.seconds / a.seconds)).toFixed(3),
    same: rows.every(([a, b]) => a.digest === b.digest && a.events === b.events),
    heard: rows[0][1].heard,
  };
}

const as = option('as');
console.log(JSON.stringify(as === undefined ? pairs(Number(option('pairs') ?? 5)) : once(as)));
