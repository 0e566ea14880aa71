/** What a run leaves: files of its own alone, words on standard output, or why it cannot. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROGRAM } from '../support/bundled.ts';
import { CachedProgram, type Ended } from '../support/cached-program.ts';
import { HANG_MS } from '../support/cost.ts';
import { sampled } from '../support/long.ts';
import { folderWithSmall, SMALL } from '../support/small-run.ts';

let folder = '';
let stored: CachedProgram;
beforeAll(async () => {
  folder = folderWithSmall();
  stored = await CachedProgram.in(folder);
});
afterAll(() => {
  stored.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** In a process of its own where it reads something. */
const program = async (words: readonly string[], input?: string): Promise<Ended> =>
  input === undefined
    ? stored.run(...words)
    : spawnSync(process.execPath, [PROGRAM, ...words], { cwd: folder, encoding: 'utf8', input });

describe.skipIf(!existsSync('/dev/full'))('standard output on a full disk', () => {
  const WORDS = [
    ['run', 'small.yaml', '--no-report'],
    ['run', 'small.yaml', '--json', '--no-report'],
    ['validate', 'small.yaml'],
    ['--help'],
    ['--version'],
  ] as const;

  it.each(
    sampled<readonly string[]>(
      WORDS,
      (words) => words.includes('--json') || words.includes('--help'),
    ).map((words) => [words] as const),
  )('is reported on stderr, and ends %j with 74', (words) => {
    const stdio = ['ignore', openSync('/dev/full', 'w'), 'pipe'] as const;
    const ended = spawnSync(process.execPath, [PROGRAM, ...words], {
      cwd: folder,
      stdio: [...stdio],
      encoding: 'utf8',
    });
    const said = 'fleetwave: cannot write to standard output: no space is left on the device\n';
    expect([ended.status, ended.stderr]).toEqual([74, said]);
  });

  it('on stderr, too, changes no exit code and prints no stack trace', () => {
    const stdio = ['ignore', 'pipe', openSync('/dev/full', 'w')] as const;
    const words = [PROGRAM, 'run', 'none.yaml'];
    expect(spawnSync(process.execPath, words, { cwd: folder, stdio: [...stdio] }).status).toBe(2);
  });
});

it('a reader of standard output that goes away early is no fault', async () => {
  const child = spawn(process.execPath, [PROGRAM, 'schema'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  child.stdout.destroy();
  const [status] = await once(child, 'close');
  expect([status, stderr]).toEqual([0, '']);
});

describe('the folder of the results', () => {
  const files = (path: string) => readdirSync(join(folder, path)).sort();
  const OWN = [
    'columns.json.gz',
    'devices.csv',
    'host.json',
    'report.html',
    'result.json',
    'stories.gz',
  ];

  it('has no file of an earlier run that this one does not write', async () => {
    const inside = ['--logs', 'folder/log.ndjson', '--deliveries', 'folder/sub.ndjson'];
    mkdirSync(join(folder, 'folder'));
    writeFileSync(join(folder, 'folder/notes.txt'), 'mine');
    const all = ['--trace', '--pcap', 'folder/captures', ...inside];
    await program(['run', 'small.yaml', '--out', 'folder', ...all]);
    // Of frames in full there are no stories (docs/decisions/0137).
    expect(files('folder')).toEqual(
      [...OWN, '.fleetwave-files', 'captures', 'log.ndjson', 'notes.txt', 'sub.ndjson']
        .concat('trace.ndjson')
        .filter((file) => file !== 'stories.gz')
        .sort(),
    );
    expect(files('folder/captures')).toHaveLength(3);
    await program(['run', 'small.yaml', '--out', 'folder', '--no-report']);
    const left = ['captures', 'devices.csv', 'host.json', 'notes.txt', 'result.json'];
    expect(files('folder')).toEqual(left);
    expect(files('folder/captures')).toEqual([]);
  });

  it('has none of a run that was killed either', async () => {
    mkdirSync(join(folder, 'killed'));
    writeFileSync(join(folder, 'killed/trace.ndjson'), '{"kind":"upl');
    await program(['run', 'small.yaml', '--out', 'killed']);
    expect(files('killed')).toEqual(OWN);
  });

  it('keeps what a list of files names that lies elsewhere, and what made the run', async () => {
    mkdirSync(join(folder, 'list'));
    writeFileSync(join(folder, 'outside.txt'), 'mine');
    const names = ['../outside.txt', join(folder, 'outside.txt'), 'sites.csv', 'gone.txt'];
    writeFileSync(join(folder, 'list/.fleetwave-files'), JSON.stringify(names));
    writeFileSync(join(folder, 'list/sites.csv'), 'x,y\n0,0\n1,1\n2,2\n3,3\n4,4\n');
    const placed = SMALL.replace('count: 5', 'count: 5, placement: { file: sites.csv }');
    writeFileSync(join(folder, 'list/own.yaml'), placed);
    const { status } = await program(['run', 'list/own.yaml', '--out', 'list']);
    expect([status, files('list')]).toEqual([0, [...OWN, 'own.yaml', 'sites.csv'].sort()]);
    expect(readFileSync(join(folder, 'outside.txt'), 'utf8')).toBe('mine');
  });

  it.skipIf(!existsSync('/proc/self'))('is refused at once where nobody can make it', async () => {
    const began = performance.now();
    const { status, stderr } = await program(['run', 'small.yaml', '--out', '/proc/x/y']);
    expect(status).toBe(2);
    expect(stderr).toBe('/proc/x/y: cannot be written: there is no such file or folder\n');
    const captured = await program(['run', 'small.yaml', '--pcap', '/proc/x']);
    expect([captured.status, captured.stderr]).toEqual([
      2,
      '/proc/x: cannot be written: there is no such file or folder\n',
    ]);
    expect(performance.now() - began).toBeLessThan(HANG_MS);
  });

  it('and other paths are refused where they are empty', async () => {
    const { status, stderr } = await program(['run', 'small.yaml', '--out', '', '--pcap=']);
    expect([status, stderr.split('\n')]).toEqual([
      2,
      [
        'fleetwave run: --out is empty; allowed: a path',
        'fleetwave run: --pcap is empty; allowed: a path',
        '',
      ],
    ]);
  });
});

describe('a scenario on standard input', () => {
  it('runs, and produces the digest of its file', async () => {
    await program(['run', 'small.yaml', '--out', 'file', '--quiet']);
    const { status, stderr } = await program(['run', '-', '--out', 'input', '--quiet'], SMALL);
    expect([status, stderr]).toEqual([0, '']);
    const result = (of: string) => readFileSync(join(folder, of, 'result.json'), 'utf8');
    expect(result('input')).toBe(result('file'));
  });

  it('names files that lie in the working directory', async () => {
    writeFileSync(join(folder, 'here.csv'), 'x,y\n0,0\n1,1\n2,2\n3,3\n4,4\n');
    const placed = SMALL.replace('count: 5', 'count: 5, placement: { file: here.csv }');
    expect(await program(['validate', '-'], placed)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(
        /^<stdin>: good: small, 1 gateway, 5 devices in 1 population\n/,
      ),
    });
    expect(await program(['validate', '-'], placed.replace('here', 'away'))).toMatchObject({
      status: 2,
      stderr:
        '<stdin>:4:55  /devices/0/placement/file  away.csv cannot be read: ' +
        'there is no such file or folder\n',
    });
  });

  it('has its faults with line and column, and may be empty or far too long', async () => {
    expect((await program(['run', '-'], SMALL.replace('1 h', '1 parsec'))).stderr).toMatch(
      /^<stdin>:2:11 {2}\/duration {2}"1 parsec" /,
    );
    expect((await program(['run', '-'], '')).stderr).toBe(
      '<stdin>  is empty; allowed: a scenario\n',
    );
    expect(await program(['run', '-'], '#'.repeat(17 * 1024 * 1024))).toMatchObject({ status: 2 });
    expect((await program(['run', ''])).stderr).toBe(
      'fleetwave: FILE is empty; allowed: a path, or -\n',
    );
  });
});

describe('a file that a scenario names', () => {
  const faulty = async (name: string, bytes: string | Uint8Array, entry: string) => {
    writeFileSync(join(folder, name), bytes);
    writeFileSync(join(folder, 'naming.yaml'), `${SMALL}${entry}\n`);
    return (await program(['validate', 'naming.yaml'])).stderr;
  };
  const AT = 'naming.yaml:6:';

  it.each([
    [
      'sites.csv',
      'x,y\n1\n',
      'gateways: [{ name: roof, placement: { file: sites.csv } }]',
      '2:1 has 1 cells',
    ],
    [
      'sites.csv',
      'x,y\n1,1\n',
      'gateways: [{ name: roof, count: 2, placement: { file: sites.csv } }]',
      ' has 1 point ',
    ],
    ['a.bin', '', 'images: [{ name: a-1.0.0.bin, file: a.bin }]', ' has 0 bytes; allowed: 1 to '],
    ['a.js', 'function (', 'decoderTypes: [{ name: own, file: a.js }]', ' is no codec. '],
    ['a.js', Uint8Array.of(255), 'decoderTypes: [{ name: own, file: a.js }]', ' is not UTF-8 text'],
  ])('reports its faults where the scenario names it: %s', async (name, bytes, entry, fault) => {
    const stderr = await faulty(name, bytes, entry);
    expect(stderr.startsWith(AT), stderr).toBe(true);
    expect(stderr).toMatch(/^\S+:6:\d+ {2}\/\S+\/file {2}/);
    expect(stderr.split('  ')[2]?.replace(`${name}:`, `${name}`)).toContain(`${name}${fault}`);
  });

  it('is warned of where its name promises Intel HEX, and is sent as it is', async () => {
    const entry = 'images: [{ name: a-1.0.0.hex, file: a.hex }]';
    const [at, pointer, warning] = (await faulty('a.hex', ':0', entry)).split('  ');
    expect([at, pointer]).toEqual([
      expect.stringMatching(/^warning: naming.yaml:6:/),
      '/images/0/file',
    ]);
    expect(warning).toMatch(
      /^a-1\.0\.0\.hex is no Intel HEX, and is sent as it is: Line 1, column /,
    );
    expect(await faulty('a.hex', ':00000001FF\n', entry)).toMatch(/no Intel HEX.* has no data/);
    expect(await faulty('a.hex', ':0100000042BD\n:00000001FF\n', entry)).toBe('');
    expect(await faulty('a.bin', ':0', entry.replaceAll('hex', 'bin'))).toBe('');
  });
});
