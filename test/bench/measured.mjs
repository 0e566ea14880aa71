/** What benches share: a command in a process of its own, as the system accounts for it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const HERE = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a command under GNU time: CPU seconds of user and system, peak memory, what it printed. */
export function timed(program, words) {
  const command = ['-f', '%U %S %M', program, ...words];
  const run = spawnSync('/usr/bin/time', command, { encoding: 'utf8', maxBuffer: 1 << 28 });
  // A scenario whose expectations do not hold at this size has run all the same.
  if (run.status !== 0 && run.status !== 1) {
    throw new Error(run.error?.message ?? `${words.join(' ')}: ${run.stderr}`);
  }
  const [user, system, kilobytes] = run.stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return { cpuSeconds: user + system, megabytes: kilobytes / 1024, printed: run.stdout };
}

/** Does something with a folder that is there for so long. */
export function withFolder(act) {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwave-bench-'));
  try {
    return act(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Exponent of the power law through the points, by least squares on logarithms. */
export function slope(points) {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)]);
  const mean = (i) => logs.reduce((sum, point) => sum + point[i], 0) / logs.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const over = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return over / logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

/** Options of the form --name=value or --name value; `true` where no value follows. */
export function optionsOf(words) {
  const options = {};
  words.forEach((word, at) => {
    const [, name, value] = /^--([\w-]+)(?:=(.*))?$/.exec(word) ?? [];
    if (name === undefined) return;
    const next = words[at + 1];
    options[name] = value ?? (next === undefined || next.startsWith('--') ? true : next);
  });
  return options;
}

/** Whether a row is among those of `--only`, which names some whole, or to the number. */
export const isNamed = (name, only) =>
  only === '' || only.split(',').some((word) => `${name} `.startsWith(`${word} `));

export function machine() {
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  const [{ model }] = cpus();
  const engine = `Node.js ${process.versions.node}, V8 ${process.versions.v8}`;
  return `${cpus().length} × ${model.trim()}, ${gibibytes} GiB, ${process.platform}, ${engine}`;
}

/** The bound in C++, built into the folder; undefined where no g++ is. */
export function builtBound(folder) {
  const program = join(folder, 'w1');
  const source = join(HERE, 'test/bench/bound/w1.cpp');
  try {
    execFileSync('g++', ['-O3', '-o', program, source], { stdio: 'pipe' });
    return program;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Replaces the part of docs/performance.md that stands between the marks of this name. */
export function writePart(name, text) {
  const page = join(HERE, 'docs/performance.md');
  const [begin, end] = [`<!-- measured: ${name} -->`, `<!-- end: ${name} -->`];
  const [before, rest] = readFileSync(page, 'utf8').split(begin);
  const [, after] = rest?.split(end) ?? [];
  if (after === undefined) throw new Error(`docs/performance.md has no marks of ${name}`);
  writeFileSync(page, `${before}${begin}\n\n${text}\n\n${end}${after}`);
}
