/** Compiled code is stored between processes, and believed only where it is whole and our own. */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { codeFolder, runCached } from '../../../api/host/process/compiled-code.ts';

const root = mkdtempSync(join(tmpdir(), 'fleetwave-code-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const SCRIPT = `const answers = ${JSON.stringify(Array.from({ length: 200 }, (_, i) => i))};
exports.answer = () => answers.reduce((sum, each) => sum + each, 0);
exports.loaded = async () => typeof (await importPackage('pino')).default;`;

let home: string;
let script: string;
let folder: string;
beforeEach(() => {
  home = mkdtempSync(join(root, 'home-'));
  folder = codeFolder({ XDG_CACHE_HOME: home }) ?? '';
  script = join(home, 'script-1.cjs');
  writeFileSync(script, SCRIPT);
});

interface Exports {
  answer(): number;
  loaded(): Promise<string>;
}

/** Runs the script as a process would; the file of the code is there afterwards. */
function run(use = 'run'): number {
  const { exports, keep } = runCached<Exports>(script, use, folder);
  const answer = exports.answer();
  keep();
  return answer;
}

const store = () =>
  readdirSync(folder)
    .filter((name) => name.includes('.code'))
    .map((name) => join(folder, name));
/** Changes whenever the file is written: what is written is another file. */
const written = () => store().map((file) => lstatSync(file).ino);

describe('code of a script', () => {
  it('is stored after the first process, and used by the next', () => {
    expect(run()).toBe(19_900);
    const before = written();
    expect(before).toHaveLength(1);
    expect(run()).toBe(19_900);
    expect(written()).toEqual(before);
  });

  it('imports packages when it needs them, stored or not', async () => {
    for (let process = 0; process < 3; process++) {
      const { exports, keep } = runCached<Exports>(script, 'run', folder);
      expect(await exports.loaded()).toBe('function');
      keep();
    }
    expect(written()).toHaveLength(1);
  });

  it('is stored under the name of build, use, Node.js and the engine with its flags', () => {
    run();
    expect(readdirSync(folder)[0]).toMatch(
      new RegExp(
        `^script-1-run-${process.version.replaceAll('.', '\\.')}-${process.arch}(-\\w+)?\\.code$`,
      ),
    );
  });

  it('is stored for each use by itself, as each compiles other functions', () => {
    run();
    run('validate');
    expect(store()).toHaveLength(2);
    const before = written();
    run();
    run('validate');
    expect(written()).toEqual(before);
  });

  it.each([
    ['in its middle', (bytes: Buffer) => bytes.fill(0xff, bytes.length / 2, bytes.length / 2 + 8)],
    ['at its end', (bytes: Buffer) => bytes.subarray(0, bytes.length - 100)],
    ['wholly', () => Buffer.alloc(0)],
  ])('that is damaged %s is not used, and made again', (_where, damage) => {
    run();
    const [file] = store() as [string];
    const whole = readFileSync(file);
    const damaged = Buffer.from(damage(Buffer.from(whole)));
    writeFileSync(file, damaged);
    expect(run()).toBe(19_900);
    expect(readFileSync(file).equals(damaged)).toBe(false);
  });

  it('that others may write is not used, and replaced by a file of our own', () => {
    run();
    const [file] = store() as [string];
    chmodSync(file, 0o666);
    run();
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
  });

  it('is not read through a link', () => {
    run();
    const [file] = store() as [string];
    const elsewhere = join(home, 'elsewhere');
    writeFileSync(elsewhere, readFileSync(file), { mode: 0o600 });
    rmSync(file);
    symlinkSync(elsewhere, file);
    run();
    expect(lstatSync(file).isSymbolicLink()).toBe(false);
  });

  it('is thirty-two files at most; the oldest are removed', () => {
    for (let i = 0; i < 36; i++) {
      const old = join(folder, `old-${i}.code`);
      writeFileSync(old, '');
      utimesSync(old, 1_000 + i, 1_000 + i);
    }
    run();
    expect(store()).toHaveLength(32);
    expect(readdirSync(folder)).toContain('old-35.code');
    expect(readdirSync(folder)).not.toContain('old-4.code');
  });
});

describe('the folder of compiled code', () => {
  it('is the user’s own, and nobody else may look into it', () => {
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
    expect(codeFolder({ HOME: home })).toBe(join(home, '.cache', 'fleetwave'));
  });

  it('is nowhere where it is not wanted', () => {
    const asked = (more: object) => codeFolder({ XDG_CACHE_HOME: home, ...more });
    expect(asked({ FLEETWAVE_COMPILE_CACHE: '0' })).toBeUndefined();
    expect(asked({ NODE_DISABLE_COMPILE_CACHE: '1' })).toBeUndefined();
  });

  it('is nowhere where the home cannot be written, or is a file', () => {
    expect(codeFolder({ HOME: '/proc' })).toBeUndefined();
    expect(codeFolder({ HOME: script })).toBeUndefined();
  });

  it('is nowhere where others may write it, or what it would stand in', () => {
    chmodSync(folder, 0o777);
    expect(codeFolder({ XDG_CACHE_HOME: home })).toBeUndefined();
    const open = join(home, 'open');
    mkdirSync(open);
    chmodSync(open, 0o777);
    expect(codeFolder({ XDG_CACHE_HOME: open })).toBeUndefined();
  });

  it('is nowhere where a link stands in its place', () => {
    const linked = mkdtempSync(join(root, 'linked-'));
    symlinkSync(folder, join(linked, 'fleetwave'));
    expect(codeFolder({ XDG_CACHE_HOME: linked })).toBeUndefined();
  });
});

describe('the command line', () => {
  const W1 = ['scenarios/library/validation/w1.yaml', '--set', 'devices.device.count=5'];
  /** Resolves to what a run says, and its exit code. */
  const started = (out: string, env: NodeJS.ProcessEnv = {}, more: readonly string[] = []) =>
    new Promise<string>((resolve) => {
      const of = ['run', ...W1, '--json', '--out', join(home, out), ...more];
      const words = ['dist/fleetwave.js', ...of];
      const child = spawn(process.execPath, words, {
        env: { ...process.env, XDG_CACHE_HOME: home, ...env },
      });
      const said: Buffer[] = [];
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (part: Buffer) => said.push(part));
      }
      child.on('close', (code) => resolve(`${code} ${Buffer.concat(said).toString()}`));
    });
  const bare = (text: string) => text.replace(/"host":.*/, '');

  it('has equal output with and without cached code, in two processes, and homeless', async () => {
    const [first, second] = await Promise.all([started('a'), started('b')]);
    const third = await started('c');
    const without = await started('d', { FLEETWAVE_COMPILE_CACHE: '0' });
    const homeless = await started('e', { XDG_CACHE_HOME: '', HOME: '/proc' });
    expect(first).toMatch(/^1 \{"version":/);
    for (const each of [second, third, without, homeless]) expect(bare(each)).toBe(bare(first));
    expect(store().length).toBeGreaterThan(0);
    expect(store().filter((file) => /\.code\.\d+$/.test(file))).toEqual([]);
  });

  /** What `airtime` says on both streams, with the answer of a process apart. */
  const airtime = (more: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const words = ['dist/fleetwave.js', 'airtime', '--sf', '7', '--bytes', '20', ...more];
    const { stdout, stderr, status } = spawnSync(process.execPath, words, {
      env: { ...process.env, XDG_CACHE_HOME: home, ...env },
      encoding: 'utf8',
    });
    return { answer: `${status} ${stdout}`, said: stderr };
  };

  it('ignores a cache that is damaged or others’, and says so with --verbose alone', () => {
    const first = airtime(['--verbose']);
    expect(first.answer).toMatch(/^0 Frame +SF7/);
    expect(first.said).toBe('');
    const [file] = store() as [string];
    const damage = () => writeFileSync(file, readFileSync(file).fill(0xff, 1_000, 1_010));
    damage();
    expect(airtime(['--verbose'])).toEqual({
      answer: first.answer,
      said: `fleetwave: ${file}: ignored: it is damaged\n`,
    });
    expect(airtime(['--verbose']).said).toBe('');
    damage();
    expect(airtime([])).toEqual({ answer: first.answer, said: '' });
    chmodSync(file, 0o666);
    expect(airtime(['--verbose']).said).toBe(
      `fleetwave: ${file}: ignored: others may have written it\n`,
    );
    chmodSync(folder, 0o777);
    expect(airtime(['--verbose'])).toEqual({
      answer: first.answer,
      said: `fleetwave: ${folder}: ignored: it is no folder of yours alone\n`,
    });
  });

  it('answers without a home that can be written, and says so with --verbose', () => {
    const { answer } = airtime([]);
    const homeless = { XDG_CACHE_HOME: '', HOME: '/proc' };
    const { answer: same, said } = airtime(['--verbose'], homeless);
    expect(same).toBe(answer);
    expect(said).toMatch(/^fleetwave: \/proc\/\.cache\/fleetwave: ignored: .+\n$/);
    expect(airtime([], homeless)).toEqual({ answer, said: '' });
  });

  it('ends whole answers in a pipe that is read late', async () => {
    const words = ['dist/fleetwave.js', 'schema'];
    const child = spawn(process.execPath, words, {
      env: { ...process.env, XDG_CACHE_HOME: home },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const parts: Buffer[] = [];
    for await (const part of child.stdout) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    // More than a pipe holds.
    expect(text.length).toBeGreaterThan(200_000);
    expect(() => JSON.parse(text) as unknown).not.toThrow();
  });

  it('keeps that of the threads of a study', async () => {
    const study = ['--seeds', '2', '--workers', '2'];
    const names = () => store().map((file) => basename(file));
    const digest = (text: string) => /"digest":"(\w+)"/.exec(text)?.[1];
    const first = await started('a', {}, study);
    expect(digest(first)).toBeDefined();
    expect(names()).toEqual([
      expect.stringMatching(/^studies-[\w-]{8}-run-v[\w.-]+\.code$/),
      expect.stringMatching(/^study-thread-[\w-]{8}-study-v[\w.-]+\.code$/),
    ]);
    const before = written();
    expect(digest(await started('b', {}, study))).toBe(digest(first));
    expect(written()).toEqual(before);
  });

  it('keeps that of a long run for the next', async () => {
    const long = ['--set', 'devices.device.count=1800', '--set', 'duration=1 min'];
    await started('a', {}, long);
    const before = written();
    await started('b', {}, long);
    expect(written()).toEqual(before);
  });
});
