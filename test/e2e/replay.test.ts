/** `fleetwave replay`: a result.json is enough to run its world again. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../../reports/version.ts';
import { bundle, PROGRAM } from '../support/bundled.ts';
import { CachedProgram, type Ended } from '../support/cached-program.ts';

const TOWN = `scenario: town
duration: 3 h
area: { radius: 1 km }
devices:
  - { name: meter, placement: { file: sites.csv }, count: 4, traffic: { every: 10 min } }
images: [{ name: meter-1.2.0.bin, file: meter.bin }]
groups: [{ name: meters, devices: all }]
campaigns: [{ name: spring, image: meter-1.2.0.bin, group: meters }]
`;
/** A binary file that is no UTF-8, an override that a shell would take apart, a seed as well. */
const IMAGE = Uint8Array.from({ length: 900 }, (_, at) => (at * 37) % 256);
const WORDS = ['--set', 'radio.shadowing=3 dB', "--seed=it's $HOME", '--frames', 'real'];

let folder = '';
const at = (...path: readonly string[]) => join(folder, ...path);
const read = (...path: readonly string[]) => readFileSync(at(...path), 'utf8');
let stored: CachedProgram;
const fleetwave = (...words: readonly string[]): Promise<Ended> => stored.run(...words);

/** The result of the town, changed. */
function changed(name: string, change: (text: string) => string): string {
  writeFileSync(at(name), change(read('result/result.json')));
  return name;
}

beforeAll(async () => {
  bundle();
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-'));
  stored = await CachedProgram.in(folder);
  mkdirSync(at('one/deep'), { recursive: true });
  writeFileSync(at('one/deep/town.yaml'), TOWN);
  writeFileSync(at('one/deep/sites.csv'), 'x,y\n0,0\n100,0\n0,100\n300,300\n');
  writeFileSync(at('one/deep/meter.bin'), IMAGE);
  const run = await fleetwave('run', 'one/deep/town.yaml', ...WORDS, '--out', 'result', '--quiet');
  expect([run.status, run.stderr]).toEqual([0, '']);
});
afterAll(() => {
  stored.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the manifest of a result', () => {
  it('has the texts as they were read, other files as base64, overrides and the seed', () => {
    const { manifest, seed } = JSON.parse(read('result/result.json'));
    expect(manifest).toEqual({
      scenario: TOWN,
      files: [
        { path: 'sites.csv', text: read('one/deep/sites.csv') },
        { path: 'meter.bin', base64: Buffer.from(IMAGE).toString('base64') },
      ],
      set: ['radio.shadowing=3 dB', 'frames=real'],
      seed: "it's $HOME",
    });
    expect(seed).toBe(manifest.seed);
  });

  it('is the same wherever the file lies, and whatever it is called', async () => {
    mkdirSync(at('two'));
    writeFileSync(at('two/other.yaml'), TOWN);
    for (const file of ['sites.csv', 'meter.bin']) {
      writeFileSync(at('two', file), readFileSync(at('one/deep', file)));
    }
    await fleetwave('run', './two/other.yaml', ...WORDS, '--out', 'again', '--quiet');
    expect(read('again/result.json')).toBe(read('result/result.json'));
    expect(read('again/report.html')).toBe(read('result/report.html'));
  });
});

describe('fleetwave replay', () => {
  it('runs the same world, though the files of the scenario are gone', async () => {
    const { digest } = JSON.parse(read('result/result.json'));
    mkdirSync(at('else'), { recursive: true });
    const words = [PROGRAM, 'replay', '../result/result.json'];
    const run = spawnSync(process.execPath, words, { cwd: at('else'), encoding: 'utf8' });
    expect([run.status, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toBe(`town: The digest is the same: ${digest}.\n`);
    const quiet = await fleetwave('replay', 'result/result.json', '--quiet');
    expect([quiet.status, quiet.stdout, quiet.stderr]).toEqual([0, '', '']);
  });

  it('ends with 1 and both digests where they differ', async () => {
    const { digest } = JSON.parse(read('result/result.json'));
    const other = changed('other.json', (text) => text.replace(digest, '0123456789abcdef'));
    const sentence = `The digest differs: 0123456789abcdef in other.json, ${digest} now.\n`;
    const run = await fleetwave('replay', other);
    expect([run.status, run.stdout]).toEqual([1, `town: ${sentence}`]);
    const quiet = await fleetwave('replay', other, '--quiet');
    expect([quiet.status, quiet.stdout, quiet.stderr]).toEqual([1, '', sentence]);
    const json = await fleetwave('replay', other, '--json');
    expect(json.status).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      recorded: '0123456789abcdef',
      digest,
      equal: false,
    });
  });

  it('says that a result is of another version, and tries it', async () => {
    const old = changed('old.json', (text) =>
      text.replace(`"version": "${VERSION}"`, '"version": "0.0.9"'),
    );
    const run = await fleetwave('replay', old);
    expect(run.status).toBe(0);
    expect(run.stderr).toBe(
      `old.json is of Fleetwave 0.0.9, and this is ${VERSION}: its worlds may be others.\n`,
    );
  });

  it('stops a run that was stopped where it was', async () => {
    const trace = at('stopped/trace.ndjson');
    const long = ['--set', 'duration=3650 d', '--trace', '--no-report', '--out', 'stopped'];
    const child = spawn(process.execPath, [PROGRAM, 'run', 'one/deep/town.yaml', ...long], {
      cwd: folder,
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    const size = () => statSync(trace, { throwIfNoEntry: false })?.size ?? 0;
    while (size() === 0 && child.exitCode === null) await setTimeout(10);
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    const { complete, digest } = JSON.parse(read('stopped/result.json'));
    expect(complete).toBe(false);
    expect((await fleetwave('replay', 'stopped/result.json')).stdout).toBe(
      `town: The digest is the same: ${digest}.\n`,
    );
  });

  it.each([
    ['no file', () => 'none.json', 'none.json  cannot be read: there is no such file or folder'],
    ['no JSON', () => changed('a.json', (text) => `{\n"a" ${text}`), 'a.json:2:5  is not JSON: '],
    ['half of it', () => changed('b.json', (text) => text.slice(0, 90)), 'b.json:7:'],
    [
      'the result of an older version',
      () => changed('c.json', (text) => text.replace('"manifest"', '"made"')),
      'c.json  /manifest  is missing; allowed: what fleetwave run writes of its scenario, ',
    ],
    [
      'a digest that is none',
      () => changed('d.json', (text) => text.replace('"digest": "', '"digest": "x')),
      'd.json  /digest  is not right; allowed: 16 hexadecimal digits',
    ],
    [
      'a file without its bytes',
      () => changed('e.json', (text) => text.replace('"base64": "', '"base64": "?')),
      'e.json  /manifest/files/1/base64  is not right; allowed: base64',
    ],
    [
      'a scenario with a fault, reported by its line',
      () => changed('f.json', (text) => text.replace('duration: 3 h', 'duration: 3 m')),
      'f.json: scenario.yaml:2:11  /duration  ',
    ],
    [
      'a file left out',
      () => changed('g.json', (text) => text.replace('"path": "sites', '"path": "places')),
      'g.json: scenario.yaml:5:39  /devices/0/placement/file  sites.csv is not among the ',
    ],
  ])('ends with 2 and the place on %s', async (_, make, sentence) => {
    const { status, stdout, stderr } = await fleetwave('replay', make());
    expect(stderr.startsWith(sentence), stderr).toBe(true);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect([status, stdout]).toEqual([2, '']);
  });
});

describe('the report', () => {
  it('has a command that runs the same world from the text that it shows', () => {
    const { digest, manifest } = JSON.parse(read('result/result.json'));
    const page = read('result/report.html').replaceAll('&#39;', "'").replaceAll('&quot;', '"');
    expect(page).toContain('<code>fleetwave replay result.json</code>');
    expect(page).toContain(`<code>${manifest.scenario}</code>`);
    expect(page).toContain(`<code>${manifest.files[0].text}</code>`);
    expect(page).toContain('meter.bin, 900 bytes');
    const command = /<code>fleetwave (run scenario\.yaml .*?)<\/code>/.exec(page)![1]!;
    writeFileSync(at('one/deep/scenario.yaml'), manifest.scenario);
    const cwd = at('one/deep');
    execFileSync('sh', ['-c', `'${process.execPath}' '${PROGRAM}' ${command} --quiet`], { cwd });
    expect(JSON.parse(read('one/deep/out/town/result.json')).digest).toBe(digest);
  });
});
