/**
 * Two builds side by side: `npm run build && npm run bench:compare REV`. REV is a revision, which
 * is built once in a worktree of its own below the folder for temporary files (`git worktree prune`
 * forgets it after that is deleted), or the path of a checkout that is built. Both run the
 * scenarios of this checkout through the command line, a process a run, in turn, so that what else
 * the machine does meets both alike. A row has the medians of CPU and peak memory, and the ratio of
 * this build to the other: the mean over pairs, with the interval that has it in 95 of 100 such
 * rows.
 *
 *     --pairs=11         runs of each
 *     --only=w1,quick    rows of these names, whole or to the number
 *     --json             rows as JSON
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { HERE, isNamed, median, optionsOf, timed, withFolder } from './measured.mjs';

const run = (file, ...more) => ['run', join(HERE, 'scenarios/library', file), '--quiet', ...more];
const w1 = (devices) => run('validation/w1.yaml', '--set', `devices.device.count=${devices}`);

/** What is measured: name, words of the command line. */
const WORLDS = [
  ['version', ['--version']],
  ['validate', ['validate', join(HERE, 'scenarios/library/quickstart.yaml')]],
  ['w1 100', w1(100)],
  ['w1 1000', w1(1_000)],
  ['w1 10000', w1(10_000)],
  ['w1 100000', w1(100_000)],
  ['quickstart', run('quickstart.yaml')],
  ['five-thousand', run('campaigns/five-thousand.yaml')],
  ['ten-thousand', run('campaigns/ten-thousand.yaml')],
];

/** Student's t, 95 % of both sides, for 1, 2, … degrees of freedom; then that of the normal law. */
const STUDENT = [
  12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13, 2.12,
  2.11, 2.1, 2.09, 2.09,
];

/** The folder of a build: that of a checkout, or of a revision, which is built when it is not. */
function buildOf(named) {
  if (existsSync(join(named, 'dist/fleetwave.js'))) return resolve(named);
  const git = (...words) => execFileSync('git', words, { cwd: HERE, encoding: 'utf8' }).trim();
  const revision = git('rev-parse', '--verify', `${named}^{commit}`);
  const folder = join(tmpdir(), `fleetwave-bench-${userInfo().username}`, revision.slice(0, 12));
  if (existsSync(join(folder, 'dist/fleetwave.js'))) return folder;
  if (!existsSync(folder)) {
    mkdirSync(join(folder, '..'), { recursive: true, mode: 0o700 });
    git('worktree', 'add', '--quiet', '--detach', folder, revision);
    symlinkSync(join(HERE, 'node_modules'), join(folder, 'node_modules'));
  }
  process.stderr.write(`builds ${named} in ${folder}\n`);
  execFileSync('npm', ['run', 'build'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return folder;
}

function once(build, words) {
  return withFolder((out) => {
    const folder = words[0] === 'run' ? ['--out', out] : [];
    const program = join(build, 'dist/fleetwave.js');
    const figures = timed(process.execPath, [program, ...words, ...folder]);
    const result = join(out, 'result.json');
    const digest = existsSync(result) ? JSON.parse(readFileSync(result, 'utf8')).digest : '';
    return { ...figures, digest };
  });
}

/** Geometric mean of the ratios of pairs, and the interval around it. */
function ratioOf(pairs) {
  const logs = pairs.map(([a, b]) => Math.log(b.cpuSeconds / a.cpuSeconds));
  const mean = logs.reduce((sum, each) => sum + each, 0) / logs.length;
  const squares = logs.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / (logs.length - 1) / logs.length);
  const half = (STUDENT[logs.length - 2] ?? 1.96) * deviation;
  return { ratio: Math.exp(mean), from: Math.exp(mean - half), to: Math.exp(mean + half) };
}

function measure([name, words], builds, count) {
  // The first of each meets cold files and caches, and is not counted.
  for (const build of builds) once(build, words);
  const pairs = Array.from({ length: count }, (_, i) => {
    const turn = i % 2 === 0 ? [0, 1] : [1, 0];
    const runs = [];
    for (const each of turn) runs[each] = once(builds[each], words);
    return runs;
  });
  const medians = (figure) => [0, 1].map((each) => median(pairs.map((pair) => pair[each][figure])));
  const isSame = pairs.every(([a, b]) => a.digest === b.digest);
  const [cpuSeconds, megabytes] = [medians('cpuSeconds'), medians('megabytes')];
  return { name, cpuSeconds, megabytes, ...ratioOf(pairs), isSame };
}

function lineOf({ name, cpuSeconds, megabytes, ratio, from, to, isSame }) {
  const cells = [
    name.padEnd(16),
    ...cpuSeconds.map((each) => `${each.toFixed(2)} s`.padStart(9)),
    `${ratio.toFixed(3)}`.padStart(8),
    `  ${from.toFixed(3)}–${to.toFixed(3)}`,
    ...megabytes.map((each) => `${each.toFixed(0)} MB`.padStart(9)),
    isSame ? '  same' : '  DIFFERENT',
  ];
  return cells.join('');
}

const HEAD = 'row                 other      this   ratio  95 in 100     other     this  digest';

function main(words) {
  const [named] = words.filter((word) => !word.startsWith('--'));
  const { pairs = '11', only = '', json } = optionsOf(words);
  if (named === undefined || !(Number(pairs) >= 2)) {
    throw new Error('npm run bench:compare REV [--pairs=11], at least two');
  }
  const builds = [buildOf(named), HERE];
  const worlds = WORLDS.filter(([name]) => isNamed(name, only));
  if (!json) console.log(HEAD);
  const rows = worlds.map((world) => {
    const row = measure(world, builds, Number(pairs));
    if (!json) console.log(lineOf(row));
    return row;
  });
  if (json) console.log(JSON.stringify(rows));
}

main(process.argv.slice(2));
