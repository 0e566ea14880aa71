/**
 * `fleetwave study`: one digest, anyone who ran what, and whatever came between. In processes of
 * its own where that is what matters (`program`), else in one for all words (`study`).
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { decode } from '@msgpack/msgpack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DesignedStudy } from '../../core/result/designed-study.ts';
import { rowsOf } from '../reports/page.ts';
import { bundle, PROGRAM } from '../support/bundled.ts';
import { CachedProgram, type Ended } from '../support/cached-program.ts';
import { IS_LONG, itLong } from '../support/long.ts';

const TOWN = `scenario: town
duration: 20 min
area: { radius: 4 km }
devices: [{ name: meter, count: 4, joinWithin: 5 min, traffic: { every: 5 min } }]
expectations: [joined >= 50 %]
`;
const STUDY = `study: hills
scenario: town.yaml
parameters:
  hills: { set: radio.shadowing, values: [0 dB, 9 dB, 15 dB] }
replicates: 3
until: { received: 3 % }
atMost: 6
constraints: [messagesDelivered >= 50 % in 60 % of seeds]
objective: [minimise uplinks, maximise received]
`;

let root = '';
const at = (...path: readonly string[]) => join(root, ...path);
const read = (...path: readonly string[]) => readFileSync(at(...path), 'utf8');
const studyIn = (name: string): DesignedStudy => JSON.parse(read(name, 'study.json'));
const chunksIn = (name: string) =>
  existsSync(at(name, 'chunks'))
    ? readdirSync(at(name, 'chunks')).filter((each) => each.endsWith('.jsonl'))
    : [];

let stored: CachedProgram;
const study = (...words: readonly string[]): Promise<Ended> => stored.run('study', ...words);
/** In a process of its own. */
const program = (...words: readonly string[]) =>
  spawnSync(process.execPath, [PROGRAM, 'study', ...words], { cwd: root, encoding: 'utf8' });

/** A plan whose chunks are small enough to be cut into shards; its rows are the same. */
beforeAll(async () => {
  bundle();
  root = mkdtempSync(join(tmpdir(), 'fleetwave-designed-'));
  stored = await CachedProgram.in(root);
  mkdirSync(at('files'));
  writeFileSync(at('files/town.yaml'), TOWN);
  writeFileSync(at('files/hills.yaml'), STUDY);
  const planned = program('plan', 'files/hills.yaml');
  expect(planned.status, planned.stderr).toBe(0);
  writeFileSync(at('plan.json'), JSON.stringify({ ...JSON.parse(planned.stdout), chunkRuns: 2 }));
  const run = program('run', 'plan.json', '--workers', '1', '--sink', 'dir:one');
  expect(run.status, run.stderr).toBe(0);
  printed = run.stdout;
});
afterAll(() => {
  stored.stop();
  rmSync(root, { recursive: true, force: true });
});

let printed = '';
const FILES = ['study.json', 'points.csv', 'runs.csv', 'runs.msgpack'];

function expectSameAsOne(name: string): void {
  for (const file of FILES) {
    expect(readFileSync(at(name, file)).equals(readFileSync(at('one', file))), file).toBe(true);
  }
}

describe('a study', () => {
  it('ends in a table of its points, the one to take, and a digest', () => {
    expect(printed).toMatch(/^hills: 3 points, \d+ runs on 1 thread in /);
    expect(printed).toMatch(/│ → │ \d │ +\d+ dB │/);
    expect(printed).toContain(`Digest of all runs ${studyIn('one').digest}\n`);
    expect(studyIn('one')).toMatchObject({ complete: true, design: 'grid' });
    // Its rule asked for a second round at some points, and not at all of them.
    const runs = studyIn('one').points.map((point) => point.runs);
    expect(new Set(runs)).toEqual(new Set([3, 6]));
  });

  itLong('has the same files on four threads; those that are killed have two', async () => {
    const run = await study('run', 'plan.json', '--workers', '4', '--sink', 'dir:four');
    expect(run.status, run.stderr).toBe(0);
    expectSameAsOne('four');
  });

  it('has the same rows from its file as from its plan, which needs no other file', async () => {
    const run = await study(
      'run',
      'files/hills.yaml',
      '--sink',
      'dir:yaml',
      '--json',
      '--workers',
      '1',
    );
    expect(run.status, run.stderr).toBe(0);
    expect(JSON.parse(run.stdout).digest).toBe(studyIn('one').digest);
    expect(read('yaml', 'runs.csv')).toBe(read('one', 'runs.csv'));
  });

  it('runs nothing again', async () => {
    const before = chunksIn('one').map((name) => statSync(at('one/chunks', name)).mtimeMs);
    const run = await study('run', 'plan.json', '--sink', 'dir:one', '--resume', '--workers', '1');
    expect(run.stdout).toContain('(0 of them now)');
    expect(chunksIn('one').map((name) => statSync(at('one/chunks', name)).mtimeMs)).toEqual(before);
    expect((await study('status', 'one')).stdout).toMatch(
      /^hills: (\d+) of \1 runs, (\d+) of \2 chunks: whole/,
    );
    expect((await study('missing', 'one', '--shards', `${SHARDS}`)).stdout).toBe('');
  });
});

/** All seven in the long run. */
const SHARDS = IS_LONG ? 7 : 3;

describe('a folder with runs of other worlds', () => {
  const GRID = `study: grid
scenario: own.yaml
parameters: { n: { set: devices.meter.count, values: [2, 3] } }
replicates: 2
`;
  const write = (every: string, values = '[2, 3]') => {
    writeFileSync(at('own.yaml'), TOWN.replace('every: 5 min', `every: ${every}`));
    writeFileSync(at('grid.yaml'), GRID.replace('[2, 3]', values));
  };
  const messagesIn = (name: string) =>
    studyIn(name).points.map(({ runs, figures }) => [
      runs,
      figures.find((each) => each.name === 'messages')?.mean,
    ]);

  it('is not run, merged or reported on where none of them is of the study', async () => {
    write('5 min');
    expect((await study('run', 'grid.yaml', '--sink', 'old')).status).toBe(0);
    write('2 min');
    const why = 'none of the 4 runs in old is one of this study: its scenario, its seed or Fleet';
    for (const words of [['run'], ['merge'], ['merge', '--partial'], ['report', '--partial']]) {
      const [verb = '', ...options] = words;
      const { status, stderr } = await study(verb, 'grid.yaml', '--sink', 'old', ...options);
      expect([words, status, stderr]).toEqual([words, 2, expect.stringContaining(why)]);
    }
  });

  it('keeps them apart where some are, and says how many', async () => {
    write('5 min', '[3, 4]');
    const apart = '2 of the 4 runs in old are of another scenario, seed, point or build';
    const run = await study('run', 'grid.yaml', '--sink', 'old');
    expect([run.status, run.stderr]).toEqual([0, expect.stringContaining(apart)]);
    expect(await study('status', 'grid.yaml', '--sink', 'old', '--json')).toMatchObject({
      stdout: expect.stringContaining('"runs":4,"runsAsked":4'),
    });
    expect((await study('status', 'grid.yaml', '--sink', 'old')).stdout).toContain(
      '2 of the 6 runs in old are of another',
    );
    await study('run', 'grid.yaml', '--sink', 'fresh');
    expect(messagesIn('old')).toEqual(messagesIn('fresh'));
    expect(studyIn('old').digest).toBe(studyIn('fresh').digest);
  });

  it('are not merged from another folder', async () => {
    write('2 min', '[3, 4]');
    await study('run', 'grid.yaml', '--sink', 'new');
    const { length } = chunksIn('new');
    const merged = await study('merge', 'grid.yaml', '--sink', 'new', '--from', 'old');
    const why = 'none of the runs in old is one of this study';
    expect([merged.status, merged.stderr]).toEqual([2, expect.stringContaining(why)]);
    expect(chunksIn('new')).toHaveLength(length);
    write('5 min', '[3, 4]');
    const own = await study('merge', 'grid.yaml', '--sink', 'both', '--from', 'old');
    expect([own.status, own.stderr]).toEqual([
      0,
      expect.stringContaining('2 of the 6 runs in both are of another scenario'),
    ]);
    expect(studyIn('both').digest).toBe(studyIn('fresh').digest);
  });
});

describe('shards', () => {
  it('run their parts of a round, and merge puts them together', async () => {
    const shard = (index: number, sink: string) => {
      const part = ['--shard', `${index}/${SHARDS}`, '--sink', sink, '--workers', '1'];
      return study('run', 'plan.json', ...part);
    };
    for (let index = 1; index <= SHARDS; index++) await shard(index, `dir:shard-${index}`);
    const from = Array.from({ length: SHARDS }, (_, at) => ['--from', `shard-${at + 1}`]).flat();
    // The rule asks for another round, which nobody has run.
    const early = await study('merge', 'plan.json', '--sink', 'dir:all', ...from);
    expect(early.status).toBe(2);
    expect(early.stderr).toMatch(/9 of \d+ runs are there; .* --partial merges what there is/);
    const missing = (await study('missing', 'all', '--shards', `${SHARDS}`)).stdout
      .trim()
      .split('\n');
    expect(missing.length).toBeGreaterThan(0);
    for (const index of missing) await shard(Number(index), 'dir:all');
    const merged = await study('merge', 'all');
    expect(merged.status, merged.stderr).toBe(0);
    expectSameAsOne('all');
  });

  it('are reported on at any time, whole or in part', async () => {
    const whole = await study('report', 'all', '--markdown');
    expect([whole.status, whole.stdout]).toEqual([0, readFileSync(at('all/report.md'), 'utf8')]);
    rmSync(at('all/report.html'));
    expect((await study('report', 'all')).stdout).toMatch(
      /^Report: .*report\.html, .*report\.md\n$/,
    );
    expect(existsSync(at('all/report.html'))).toBe(true);
    const early = await study('report', 'plan.json', '--sink', 'dir:shard-1');
    expect(early.status).toBe(2);
    expect(early.stderr).toMatch(/--partial reports on what there is/);
    const part = await study(
      'report',
      'plan.json',
      '--sink',
      'dir:shard-1',
      '--markdown',
      '--partial',
    );
    expect([part.status, part.stdout]).toEqual([
      0,
      expect.stringContaining('Partial: 4 of 9 runs'),
    ]);
  });

  it('that landed different rows of one world are found', async () => {
    const [name] = chunksIn('shard-1');
    const file = at('shard-1/chunks', name!);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/"uplinks":\d+/, '"uplinks":999'));
    const merged = await study('merge', 'all', '--from', 'shard-1');
    expect(merged.status).toBe(2);
    expect(merged.stderr).toContain(
      `${join('shard-1/chunks', name!)}:1 is not a row as it was written`,
    );
    expect((await study('merge', 'all')).status).toBe(0);
  });
});

const ended = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => {
    child.on('exit', (code) => resolve(code));
  });

describe('a study that is killed', () => {
  const kills = IS_LONG ? 20 : 1;

  it(`at ${kills} moments continues with what has landed, and ends in the same`, async () => {
    const known = new Map<string, number>();
    let killed = 0;
    for (let life = 0; life < 4 * kills && killed < kills; life++) {
      const sink = `killed-${Math.floor(life / 3)}`;
      if (life % 3 === 0) known.clear();
      const words = ['study', 'run', 'plan.json', '--sink', `dir:${sink}`, '--workers', '2'];
      const child = spawn(process.execPath, [PROGRAM, ...words], { cwd: root });
      const wanted = chunksIn(sink).length + 1;
      while (child.exitCode === null && chunksIn(sink).length < wanted) await setTimeout(2);
      await setTimeout((life * 7) % 40);
      const isOver = child.exitCode !== null;
      child.kill('SIGKILL');
      if (!isOver) await ended(child);
      killed += isOver ? 0 : 1;
      for (const [name, inode] of known) {
        // A chunk that had landed is the same file: none of its runs was run again.
        expect(statSync(at(sink, 'chunks', name)).ino, name).toBe(inode);
      }
      for (const name of chunksIn(sink)) known.set(name, statSync(at(sink, 'chunks', name)).ino);
    }
    expect(killed).toBeGreaterThan(0);
    for (const sink of readdirSync(root).filter((each) => each.startsWith('killed-'))) {
      const last = await study('run', 'plan.json', '--sink', `dir:${sink}`, '--workers', '2');
      expect(last.status, last.stderr).toBe(0);
      expectSameAsOne(sink);
    }
  });

  it('on a disk that is full says so, keeps what it has, and goes on when there is room', async ({
    skip,
  }) => {
    mkdirSync(at('disk'));
    const mount = (...words: readonly string[]) =>
      spawnSync('mount', ['-t', 'tmpfs', ...words, 'tmpfs', at('disk')], { encoding: 'utf8' });
    const { status, stderr } = mount('-o', 'size=48k');
    skip(status !== 0, `no disk can be mounted here: ${stderr}`);
    try {
      const full = await study('run', 'plan.json', '--sink', 'dir:disk/s', '--workers', '1');
      expect(full.stderr).toContain('disk/s: cannot be written: no space is left on the device');
      expect(full.status).toBe(74);
      const landed = chunksIn('disk/s');
      expect(landed.length).toBeGreaterThan(0);
      expect(readdirSync(at('disk/s/chunks'))).toEqual(landed);
      expect(mount('-o', 'remount,size=4m').status).toBe(0);
      const more = await study('run', 'plan.json', '--sink', 'dir:disk/s', '--workers', '1');
      expect(more.status, more.stderr).toBe(0);
      expectSameAsOne('disk/s');
    } finally {
      spawnSync('umount', [at('disk')]);
    }
  });
});

/** Cells of a table without quotes in it. */
const cellsOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));

describe('the results of a study', () => {
  it('say the same in study.json, points.csv, runs.csv and runs.msgpack', () => {
    const { points, runs, study: name } = studyIn('one');
    const [head = [], ...lines] = cellsOf(read('one', 'runs.csv'));
    const columns = decode(readFileSync(at('one', 'runs.msgpack'))) as {
      readonly study: string;
      readonly point: number[];
      readonly seed: string[];
      readonly digest: string[];
      readonly figures: Record<string, (number | null)[]>;
    };
    expect(columns.study).toBe(name);
    expect(lines).toHaveLength(runs);
    // By replicates, then by points: as the seeds are counted.
    const numbers = columns.seed.map((seed) => Number(/\/(\d+)$/.exec(seed)?.[1] ?? 1));
    const places = numbers.map((number, i) => number * points.length + columns.point[i]!);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    const column = (title: string) => lines.map((cells) => cells[head.indexOf(title)]);
    expect(column('point')).toEqual(columns.point.map(String));
    expect(column('seed')).toEqual(columns.seed);
    expect(column('digest')).toEqual(columns.digest);
    const figures = points[0]!.figures.map((figure) => figure.name);
    expect(Object.keys(columns.figures)).toEqual(figures);
    expect(head.slice(5)).toEqual(figures);
    const [pointsHead = [], ...pointLines] = cellsOf(read('one', 'points.csv'));
    for (const { point, figures: reports } of points) {
      const cells = pointLines[point - 1]!;
      for (const { name: figure, mean, measured, least, greatest } of reports) {
        const own = columns.figures[figure]!.filter((_, i) => columns.point[i] === point);
        expect(column(figure).filter((_, i) => columns.point[i] === point)).toEqual(
          own.map((value) => (value === null ? '' : String(value))),
        );
        const values = own.filter((value) => value !== null);
        expect(values).toHaveLength(measured);
        expect(values.length === 0 ? null : Math.min(...values)).toBe(least);
        expect(values.length === 0 ? null : Math.max(...values)).toBe(greatest);
        const sum = values.reduce((all, value) => all + value, 0);
        if (mean !== null) expect(mean).toBeCloseTo(sum / values.length, 9);
        expect(cells[pointsHead.indexOf(figure)]).toBe(mean === null ? '' : String(mean));
      }
    }
  });

  it('have words that run the first seed of a point alone, with the same digest', () => {
    const { command } = studyIn('one').points[1]!;
    const fleetwave = `fleetwave() { '${process.execPath}' '${PROGRAM}' "$@"; }`;
    const script = `${fleetwave}; ${command} --json --no-report --out alone`;
    const { stdout, stderr } = spawnSync('sh', ['-c', script], {
      cwd: at('files'),
      encoding: 'utf8',
    });
    const [, ...lines] = cellsOf(read('one', 'runs.csv'));
    expect(stdout, stderr).not.toBe('');
    expect(lines[1]!.slice(0, 3)).toEqual(['2', '9 dB', 'town']);
    expect(JSON.parse(stdout).digest).toBe(lines[1]![3]);
  });
});

describe('a study that changes', () => {
  const changed = (name: string, text: string) => {
    writeFileSync(at('files', name), text);
    return ['run', `files/${name}`, '--sink', 'dir:grows', '--workers', '1'] as const;
  };
  const plain = STUDY.replace('until: { received: 3 % }\natMost: 6\n', '');

  it('keeps every run that it has in common with what it was', async () => {
    const first = await study(...changed('a.yaml', plain));
    expect(first.stdout, first.stderr).toMatch(/^hills: 3 points, 9 runs on/);
    const words = plain.replace('[minimise', '[maximise').replace('>= 50 %', '>= 99 %');
    const other = await study(...changed('b.yaml', words));
    expect(other.stderr).toContain('9 of 9 runs are there already');
    expect(other.stdout).toContain('9 runs (0 of them now)');
    const more = plain.replace('15 dB', '12 dB, 15 dB').replace('replicates: 3', 'replicates: 4');
    const grown = await study(...changed('c.yaml', more));
    expect(grown.stderr).toContain('9 of 16 runs are there already');
    expect(grown.stdout, grown.stderr).toContain('16 runs (7 of them now)');
    expect((await study(...changed('c.yaml', more), '--resume')).status).toBe(grown.status);
    const resumed = await study(...changed('a.yaml', plain), '--resume');
    expect(resumed.status).toBe(2);
    expect(resumed.stderr).toMatch(
      /--resume continues with the same plan, and .*plan\.json is another/,
    );
  });

  it('by a figure that no run has stored yet runs its worlds once more', async () => {
    const asked = await study(...changed('e.yaml', `${plain}figures: [energyPerDevice]\n`));
    expect(asked.stdout, asked.stderr).toMatch(/^hills: 3 points, 9 runs on/);
  });

  it('so that nothing is in common, is rather another one', async () => {
    const run = await study(...changed('d.yaml', `${plain}seed: other\n`));
    expect(run.status).toBe(2);
    expect(run.stderr).toMatch(/none of the 16 runs in grows is one of this study/);
  });
});

describe('fleetwave report of points of a study', () => {
  const report = (...words: readonly string[]) => stored.run('report', ...words);

  it('has the first beside each of the others, paired by seed, with intervals', async () => {
    const { status, stderr } = await report('one', '--points', '1,2,3', '--out', 'points.html');
    expect([status, stderr]).toEqual([0, '']);
    const page = read('points.html');
    expect(page).toContain('Point 2 (hills 9 dB) against Point 1 (hills 0 dB)');
    expect(page).toContain('Point 3 (hills 15 dB) against Point 1 (hills 0 dB)');
    expect(page.match(/Means over pairs of the same seed/g)).toHaveLength(2);
    expect(page).toContain('95 % interval');
    const seeds = studyIn('one').points.map(({ runs }) => runs);
    const pairs = Math.min(seeds[0]!, seeds[2]!);
    expect(page).toContain(`Compared by ${pairs} seeds that both have.`);
    await report('one', '--points', '1,2,3', '--out', 'again.html');
    expect(read('again.html')).toBe(page);
  });

  it('takes the means of the runs of both points', async () => {
    await report('one/study.json', '--points', '1,3', '--out', 'two.html');
    const rows = read('one', 'runs.csv')
      .trim()
      .split('\n')
      .map((line) => line.trim().split(','));
    const [head, ...runs] = rows as [string[], ...string[][]];
    const [point, seed, column] = ['point', 'seed', 'uplinks'].map((name) => head.indexOf(name));
    const valuesOf = (number: string) =>
      new Map(
        runs.flatMap((run) =>
          run[point!] === number ? [[run[seed!], Number(run[column!])] as const] : [],
        ),
      );
    const [a, b] = [valuesOf('1'), valuesOf('3')];
    const shared = [...a.keys()].filter((name) => b.has(name));
    const mean = shared.reduce((sum, name) => sum + b.get(name)!, 0) / shared.length;
    const row = rowsOf(read('two.html'), /Means over pairs/).find(([name]) => name === 'uplinks')!;
    expect(Number(row[2])).toBeCloseTo(mean, 0);
  });

  it.each([
    [['--points', '1,4'], '"1,4" is not right; allowed: two to 6 different numbers from 1 to 3'],
    [['--points', '1'], 'allowed: two to 6 different numbers'],
    [['--points', '2,2'], 'allowed: two to 6 different numbers'],
    [['--points', ''], 'allowed: two to 6 different numbers'],
  ])('refuses %j', async (words, complaint) => {
    const { status, stderr } = await report('one', ...words, '--out', 'refused.html');
    expect([status, stderr]).toEqual([2, expect.stringContaining(complaint)]);
    expect(existsSync(at('refused.html'))).toBe(false);
  });

  it('refuses a study without its runs, and what is none', async () => {
    mkdirSync(at('bare'));
    writeFileSync(at('bare/study.json'), read('one', 'study.json'));
    const words = ['--points', '1,2', '--out', 'refused.html'];
    expect((await report('bare', ...words)).stderr).toMatch(/runs\.msgpack {2}cannot be read/);
    writeFileSync(at('bare/runs.msgpack'), 'no columns');
    expect((await report('bare', ...words)).stderr).toMatch(/runs\.msgpack {2}is damaged/);
    const none = await report('files/town.yaml', ...words);
    expect([none.status, none.stderr]).toEqual([2, expect.stringContaining('is not JSON')]);
    const missing = await report('one', '--points', '1,2');
    expect(missing.stderr).toContain('--out is missing');
  });
});
