/**
 * Two builds side by side: `node test/bench/worlds.mjs [--pairs=5] [--only=word] <A> [<B>]`.
 *
 * A and B are checkouts that were built (`tsc -b && node api/bundle.mjs`); B is this one when left
 * out. Both run the scenarios of A, the older, through the command line: a process a run, the
 * builds in turn, so that what else the machine does meets both alike. A row has medians: CPU of
 * both in user mode, their ratio, the peak memory; and whether both came to the same digest.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('../..', import.meta.url));
const run = (file, ...more) => ['run', file, '--quiet', ...more];
const W1 = 'validation/w1.yaml';

/** What is measured: name, words of the command line. */
const WORLDS = [
  ['version', ['--version']],
  ['validate', ['validate', 'quickstart.yaml']],
  ['w1 1', run(W1, '--set', 'devices.0.count=1')],
  ['w1 1000', run(W1, '--set', 'devices.0.count=1000')],
  ['w1 10000', run(W1, '--set', 'devices.0.count=10000')],
  ['quickstart', run('quickstart.yaml')],
  ['five-thousand', run('campaigns/five-thousand.yaml')],
  ['ten-thousand', run('campaigns/ten-thousand.yaml')],
];

/** Runs `build` in a process of its own, under GNU time. */
function once(build, words) {
  const out = mkdtempSync(join(tmpdir(), 'worlds-'));
  const folder = words[0] === 'run' ? ['--out', out] : [];
  const command = [join(build, 'dist/fleetwave.js'), ...words, ...folder];
  const timed = spawnSync('/usr/bin/time', ['-f', '%U %M', process.execPath, ...command], {
    encoding: 'utf8',
  });
  if (timed.status === null || timed.status === 2) throw new Error(timed.stderr);
  const [seconds, kilobytes] = timed.stderr.trim().split('\n').at(-1).split(' ').map(Number);
  const digest = folder.length === 0 ? '' : digestIn(out);
  rmSync(out, { recursive: true });
  return { seconds, megabytes: kilobytes / 1024, digest };
}

const digestIn = (folder) => JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')).digest;

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

function measure([name, words], builds, pairs) {
  const library = join(builds[0], 'scenarios/library');
  const placed = words.map((word) => (word.endsWith('.yaml') ? join(library, word) : word));
  const runs = builds.map(() => []);
  for (let pair = 0; pair < pairs; pair++) {
    builds.forEach((build, i) => {
      runs[i].push(once(build, placed));
    });
  }
  const [a, b] = runs.map((all) => ({
    seconds: median(all.map((one) => one.seconds)),
    megabytes: median(all.map((one) => one.megabytes)),
    digest: all[0].digest,
  }));
  const cells = [
    name.padEnd(16),
    `${a.seconds.toFixed(2)} s`.padStart(9),
    `${b.seconds.toFixed(2)} s`.padStart(9),
    (b.seconds / a.seconds).toFixed(2).padStart(7),
    `${a.megabytes.toFixed(0)} MB`.padStart(8),
    `${b.megabytes.toFixed(0)} MB`.padStart(8),
    a.digest === b.digest ? '  same' : '  DIFFERENT',
  ];
  process.stdout.write(`${cells.join('')}\n`);
}

function main(words) {
  const option = (name, other) =>
    words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? other;
  const named = words.filter((word) => !word.startsWith('--')).map((path) => resolve(path));
  const builds = [named[0] ?? HERE, named[1] ?? HERE];
  process.stdout.write('world                A         B     B/A   peak A  peak B  digest\n');
  for (const world of WORLDS.filter(([name]) => name.includes(option('only', '')))) {
    measure(world, builds, Number(option('pairs', '5')));
  }
}

main(process.argv.slice(2));
