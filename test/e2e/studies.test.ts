/** `fleetwave run --seeds` and `fleetwave diff`, as a user calls them. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { diff } from '../../api/cli/diff.ts';
import { digestOfRows } from '../../api/host/files/seeds-file.ts';
import type { StudyResult } from '../../core/result/study.ts';
import { bundle, PROGRAM } from '../support/bundled.ts';
import { CachedProgram, type Ended } from '../support/cached-program.ts';
import { itLong } from '../support/long.ts';

const TOWN = `scenario: town
duration: 1 h
area: { radius: 3 km }
devices: [{ name: meter, count: 6, joinWithin: 5 min, traffic: { every: 5 min } }]
expectations: [joined >= 99 %, messages >= 60 in 50 % of seeds]
`;

let folder = '';
const at = (...path: readonly string[]) => join(folder, ...path);
const read = (...path: readonly string[]) => readFileSync(at(...path), 'utf8');
let stored: CachedProgram;
const fleetwave = (...words: readonly string[]): Promise<Ended> => stored.run(...words);
const studyIn = (name: string): StudyResult => JSON.parse(read(name, 'study.json'));

beforeAll(async () => {
  bundle();
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-studies-'));
  stored = await CachedProgram.in(folder);
  writeFileSync(at('town.yaml'), TOWN);
});

let printed: string | undefined;
/** What the study of six seeds on two threads has printed; it is run once, into `two`. */
async function two(): Promise<string> {
  if (printed !== undefined) return printed;
  const run = await fleetwave('run', 'town.yaml', '--seeds', '6', '--workers', '2', '--out', 'two');
  // On standard error a slow machine has lines of progress.
  expect(run.status, run.stderr).toBe(0);
  printed = run.stdout;
  return printed;
}
afterAll(() => {
  stored.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A study with these rows, as it is written. */
const written = (study: {
  readonly rows: readonly object[];
  readonly [field: string]: unknown;
}): string => JSON.stringify({ ...study, digest: digestOfRows(study.rows as never) });

describe('fleetwave run --seeds', () => {
  it('reports every figure and expectation in one table, with seeds and digest', async () => {
    const summary = await two();
    const { digest } = studyIn('two');
    expect(summary).toMatch(/^town: 6 seeds on 2 threads in /);
    expect(summary).toMatch(/│ uplinks +│ +[\d.]+ │ +[\d.]+ … [\d.]+ │/);
    expect(summary).toMatch(/│ ✓ joined >= 99 % +│/);
    expect(summary).toMatch(/│ {3}in 6 of 6 seeds \(of all seeds 61\.0.% … 100.%\)/);
    expect(summary).toContain(`Seeds town, town/2, town/3 … town/6; digest of all ${digest}\n`);
  });

  it('gives the same files on one thread, two and four', async () => {
    await two();
    for (const workers of ['1', '4']) {
      await fleetwave('run', 'town.yaml', '--seeds', '6', '--workers', workers, '--out', 'other');
      for (const file of ['study.json', 'seeds.csv']) {
        expect(read('other', file)).toBe(read('two', file));
      }
    }
  });

  it('has worlds that --seed runs alone, with the same digest and figures', async () => {
    await two();
    const { rows } = studyIn('two');
    const third = rows[2]!;
    const words = ['--seed', 'town/3', '--json', '--no-report', '--out', 'alone'];
    const alone = JSON.parse((await fleetwave('run', 'town.yaml', ...words)).stdout);
    expect(third).toMatchObject({ seed: 'town/3', digest: alone.digest });
    expect(third).toMatchObject({ figures: { uplinks: alone.radio.uplinks } });
  });

  it('writes a row a seed, and removes what an earlier run left', async () => {
    await two();
    const [head, ...rows] = read('two/seeds.csv').trimEnd().split('\n');
    expect(head).toMatch(/^seed,digest,error,campaign\.runsIt,/);
    expect(head).toMatch(/,joined >= 99 %,messages >= 60 in 50 % of seeds$/);
    expect(rows.map((row) => row.split(',')[0])).toEqual(studyIn('two').rows.map((r) => r.seed));
    await fleetwave('run', 'town.yaml', '--no-report', '--quiet', '--out', 'again');
    await fleetwave(
      'run',
      'town.yaml',
      '--seeds',
      '7..8',
      '--workers',
      '1',
      '--quiet',
      '--out',
      'again',
    );
    expect([existsSync(at('again/result.json')), existsSync(at('again/study.json'))]).toEqual([
      false,
      true,
    ]);
    expect(studyIn('again').rows.map(({ seed }) => seed)).toEqual(['7', '8']);
  });

  it('ends with 1 where an expectation fails in more seeds than it may', async () => {
    const expectations = ['messages >= 1e6 in 0 % of seeds', 'messages >= 1e6 in 1 % of seeds'];
    const set = `expectations=[${expectations.join(', ')}]`;
    const run = await fleetwave(
      'run',
      'town.yaml',
      '--seeds',
      '2',
      '--workers',
      '1',
      '--quiet',
      '--set',
      set,
    );
    expect([run.status, run.stdout]).toEqual([1, '']);
    expect(run.stderr).toBe('fails: messages >= 1e6 in 1 % of seeds (held in 0 of 2 seeds)\n');
  });

  it('prints one JSON document with --json', async () => {
    const run = await fleetwave('run', 'town.yaml', '--seeds', '2', '--workers', '1', '--json');
    const document = JSON.parse(run.stdout);
    expect(document).toMatchObject({ scenario: 'town', seeds: 2, complete: true });
    expect(document.host.workers).toBe(1);
    expect(document.rows[0]).toEqual({ seed: 'town', digest: expect.any(String) });
    expect(document.warnings[0]).toMatch(/^2 seeds: /);
  });

  it('refuses more than there may be, with what they would take, and writes nothing', async () => {
    const { status, stderr } = await fleetwave(
      'run',
      'town.yaml',
      '--seeds',
      '1e9',
      '--out',
      'never',
    );
    expect(status).toBe(2);
    expect(stderr).toMatch(/^fleetwave run: --seeds "1e9" is not right; allowed: how many \(1 to /);
    expect(stderr).toMatch(/; these worlds would take about .*d .*h on /);
    expect(existsSync(at('never'))).toBe(false);
  });

  itLong('keeps the seeds that were run when Ctrl-C ends it', async () => {
    const words = ['run', 'town.yaml', '--seeds', '4', '--workers', '2', '--out', 'stopped'];
    const child = spawn(process.execPath, [PROGRAM, ...words, '--set', 'duration=3650 d'], {
      cwd: folder,
      stdio: 'pipe',
    });
    let said = '';
    let isAsked = false;
    child.stderr.on('data', (text) => {
      said += text;
      // It has reported what it will cost, and runs. A second signal would end it at once.
      if (isAsked || !said.includes('take about')) return;
      isAsked = true;
      setTimeout(() => child.kill('SIGINT'), 300);
    });
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(130);
    expect(said).toContain('Stopped before the end: 0 of 4 seeds were run.');
    expect(studyIn('stopped')).toMatchObject({ complete: false, seeds: 4, rows: [] });
  });
});

/** In this process, with what it prints. */
async function comparison(a: string, b: string) {
  const written: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  try {
    return { status: await diff({ a: at(a), b: at(b) }), stdout: written.join('') };
  } finally {
    spy.mockRestore();
  }
}

describe('fleetwave diff', () => {
  it('reports what two runs differ by, from when on, and by which event', async () => {
    for (const seed of ['a', 'b']) {
      await fleetwave('run', 'town.yaml', '--seed', seed, '--trace', '--no-report', '--out', seed);
    }
    const { status, stdout } = await comparison('a', 'b/result.json');
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /^A: .*a\/result\.json, seed a, digest [0-9a-f]{16}\nB: .*b\/result\.json, /,
    );
    expect(stdout).toContain('They differ by the seed (a, b).');
    expect(stdout).toMatch(/│ uplinks +│ +\d+ │ +\d+ │ +[+−]\d+ │/);
    expect(stdout).toMatch(/First by time: between .* and .* \(/);
    expect(stdout).toMatch(
      /First event that differs, line 2 of the traces: deviceStarts at 0.s, by/,
    );
    expect(stdout).toMatch(/\n {2}powerOnAtUs: \d+ in A, \d+ in B\n/);
    const same = await comparison('a', 'a');
    expect(same.status).toBe(0);
    expect(same.stdout).toContain('should be equal.\nThe worlds are the same: digest ');
  });

  it('pairs two studies by seed, and reports what differs beyond chance', async () => {
    await two();
    const words = ['--seeds', '6', '--set', 'devices.meter.count=24', '--workers', '1'];
    await fleetwave('run', 'town.yaml', ...words, '--out', 'more', '--quiet');
    const { status, stdout } = await comparison('two', 'more');
    expect(status).toBe(1);
    expect(stdout).toContain('They differ by overrides (none; devices.meter.count=24).');
    expect(stdout).toContain('6 pairs by seed, 0 of them the same world.');
    expect(stdout).toMatch(/│ messages +│ .* │ +differs │/);
    expect(stdout).toMatch(/figures differ beyond chance: .*messages/);
    const same = await comparison('two', 'two');
    expect([same.status, same.stdout.split('\n').at(-2)]).toEqual([
      0,
      'All worlds of the pairs are the same.',
    ]);
  });

  it('names seeds whose worlds should be equal and are not', async () => {
    await two();
    const study = studyIn('two') as unknown as {
      rows: { digest: string; figures: object }[];
    };
    const [first] = study.rows;
    Object.assign(first!, { digest: '0'.repeat(16), figures: { ...first!.figures, uplinks: 1 } });
    writeFileSync(at('damaged.json'), written({ ...study, version: '0.1.0' }));
    const { status, stdout } = await comparison('two', 'damaged.json');
    expect(status).toBe(1);
    expect(stdout).toContain(
      'The world of seed town should be the same, and differs in uplinks first.',
    );
  });

  it('refuses a study with a changed digit', async () => {
    await two();
    const text = read('two', 'study.json');
    const other = text.replace(
      /("uplinks": ?)(\d)/,
      (_, name, digit) => name + ((+digit + 1) % 10),
    );
    expect(other).not.toBe(text);
    writeFileSync(at('changed.json'), other);
    await expect(comparison('two', 'changed.json')).rejects.toThrow(
      'has rows that were changed since',
    );
  });

  it('names a seed whose world broke in one of them', async () => {
    await two();
    const study = studyIn('two') as unknown as { rows: { seed: string }[] };
    const rows = study.rows.map((row, at) => (at === 3 ? { seed: row.seed, error: 'Out.' } : row));
    writeFileSync(at('broken.json'), written({ ...study, version: '0.1.0', rows }));
    const { status, stdout } = await comparison('two', 'broken.json');
    expect(status).toBe(1);
    expect(stdout).toContain('The world of seed town/4 broke in B: Out.\n');
    expect(stdout).not.toContain('without the other');
    expect((await comparison('broken.json', 'broken.json')).status).toBe(0);
  });

  it.each([
    ['two', 'alone', 'alone/result.json is of one seed, and the other of several; allowed: '],
    ['two', 'none', 'none  cannot be read: there is no such file or folder'],
    ['two', 'town.yaml', 'town.yaml  is not JSON: '],
    ['two', '', '  has neither result.json nor study.json; allowed: a result.json or study.json'],
    ['two', 'again', 'have no seed in common; allowed: studies with the same --seeds'],
  ])('refuses %s and %s', async (a, b, complaint) => {
    await two();
    await expect(comparison(a, b)).rejects.toThrow(complaint);
  });
});
