/**
 * The command line as its users meet it. The bundled program has a process of its own where that
 * matters (`program`), else one that has loaded it once for all words (`fleetwave`).
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { progressLine, type Running, secondsLeft } from '../../api/cli/progress.ts';
import { VERSION } from '../../reports/version.ts';
import { PROGRAM } from '../support/bundled.ts';
import { CachedProgram, type Ended } from '../support/cached-program.ts';
import { readPcap } from '../support/pcap.ts';
import { folderWithSmall, SMALL } from '../support/small-run.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

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

const program = (...words: readonly string[]): Ended =>
  spawnSync(process.execPath, [PROGRAM, ...words], { cwd: folder, encoding: 'utf8' });

const fleetwave = (...words: readonly string[]): Promise<Ended> => stored.run(...words);

const read = (...path: readonly string[]) => readFileSync(join(folder, ...path), 'utf8');

/** What is reported of a run before it. */
const SESSION =
  'campaign spring: 5 devices, created at 1 h; its session begins at about 2 h 12 min\n';
const costOf = (uplinks: number) =>
  `a run takes about 1 s of CPU time and 100 MB: ${uplinks} uplinks\n`;

describe('fleetwave', () => {
  it('prints its version, which is that of the package', () => {
    const { stdout, status } = program('--version');
    expect([stdout, status]).toEqual([`${VERSION}\n`, 0]);
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(version).toBe(VERSION);
  });

  it('is a program of its own', () => {
    expect(readFileSync(PROGRAM, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(statSync(PROGRAM).mode & 0o111).toBe(0o111);
  });

  it('helps with its commands', () => {
    const { stdout, status } = program('--help');
    expect(status).toBe(0);
    const commands = ['run', 'validate', 'schema', 'fidelity', 'airtime', 'fragments', 'plan'];
    for (const command of commands) {
      expect(stdout).toContain(`fleetwave ${command}`);
    }
  });

  it.each([
    [
      [],
      'fleetwave: name a command; allowed: init, import, run, study, worker, diff, report, explain, ',
    ],
    [['rnu', 'small.yaml'], 'fleetwave: "rnu" is not a command; allowed: init, import, run, '],
    [['run'], 'fleetwave run: FILE is missing (scenario file (YAML); '],
    [['run', 'small.yaml', '--sede', '4'], 'fleetwave run: --sede is not an option; did'],
    [['run', 'small.yaml', '--frames', 'none'], 'fleetwave run: --frames "none" is not right; '],
    [
      ['run', 'small.yaml', '--seed', ''],
      '--seed is not right; allowed: 1 to 200 characters on one line',
    ],
    [['run', 'small.yaml', '--set', 'duration'], '--set duration  is not an override; '],
    [
      ['run', 'small.yaml', '--seed', 'a', '--seed', 'b'],
      'fleetwave run: --seed is given more than once',
    ],
    [['run', 'none.yaml'], 'none.yaml  cannot be read: there is no such file or folder'],
    [['run', '.'], '.  cannot be read: it is a folder'],
    [['run', 'small.yaml', '--out', 'small.yaml/x'], 'small.yaml/x: cannot be written: '],
    [
      ['run', 'small.yaml', '--set', 'devices.meter.adr=maybe'],
      '--set devices.meter.adr=maybe  /devices/0/adr  "maybe" is neither true nor false',
    ],
    [['validate', 'none.yaml'], 'none.yaml  cannot be read: there is no such file or folder'],
    [
      ['airtime', '--sf', '13', '--bytes', '5'],
      '--sf "13" is not right; allowed: a whole number from 5 to 12',
    ],
    [['airtime', '--sf', '7'], 'fleetwave airtime: --bytes is missing (PHY'],
    [['plan', '--devices', '9'], 'fleetwave plan: --image is missing; allowed: '],
  ])('ends with 2 and a sentence, without a stack trace, on %j', async (words, sentence) => {
    const { status, stdout, stderr } = await fleetwave(...words);
    expect(stderr.startsWith(sentence), stderr).toBe(true);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect([status, stdout]).toEqual([2, '']);
  });
});

const UPDATE = `scenario: update
duration: 8 h
area: { radius: 1 km }
radio: { shadowing: 0 dB }
devices: [{ name: meter, count: 5, joinWithin: 1 min, traffic: { every: 10 min } }]
images: [{ name: meter-1.2.0.bin, bytes: 12.8 kB }]
groups: [{ name: meters, devices: all }]
campaigns: [{ name: spring, image: meter-1.2.0.bin, group: meters, at: 1 h, frag_size: 40 B }]
expectations: [spring.updated = 100 %]
`;
const BAD_SIZE =
  '12800 B are 320 fragments of 40 B: of multiples of 64 from 192 on, but powers of two, some ' +
  'pairs can hardly be rebuilt when both are lost; did you mean "41 B"?';

describe('a run with a firmware update', () => {
  beforeAll(() => writeFileSync(join(folder, 'update.yaml'), UPDATE));

  it('shows the campaign in its summary, and warns of what is not wise', async () => {
    const { status, stdout, stderr } = await fleetwave('run', 'update.yaml');
    expect([status, stderr]).toEqual([0, SESSION]);
    expect(stdout).toMatch(
      /│ Campaign +│ Runs it │ Confirmed │ In progress │ Failed │ 90 % after +│/,
    );
    expect(stdout).toMatch(/│ spring +│ 5 of 5 +│ 5 +│ 0 +│ 0 +│ \d.* │/);
    expect(stdout).toMatch(/│ Finished, 1 round │ +│/);
    expect(stdout).toContain(`Warning: /campaigns/0/frag_size: ${BAD_SIZE}\n`);
    expect(JSON.parse(read('out/update/result.json')).warnings).toHaveLength(1);
  });

  it('shows whose the campaign is, where the file names subscribers', async () => {
    const owned = ['subscribers=[south]', 'duration=2 h', 'expectations=[]'];
    const { stdout } = await fleetwave(
      'run',
      'update.yaml',
      ...owned.flatMap((one) => ['--set', one]),
    );
    expect(stdout).toMatch(/│ Campaign +│ Subscriber │ Runs it +│ Confirmed │/);
    expect(stdout).toMatch(/│ spring +│ south +│ /);
  });

  it('lists reasons of failures, a line each', async () => {
    const set = [
      '--set',
      'campaigns.spring.at=7 h',
      '--set',
      'timeline=[{at: 7.5 h, haltCampaign: spring}]',
    ];
    const { status, stdout } = await fleetwave('run', 'update.yaml', '--no-report', ...set);
    expect(status).toBe(1);
    expect(stdout).toMatch(/│ spring +│ 0 of 5 +│ 0 +│ 0 +│ 5 +│ – +│/);
    expect(stdout).toMatch(/│ Halted, 1 round +│ +│ +│ +│ Halted: 5 +│ +│/);
  });

  it('has the campaign in its JSON document, every completion in result.json', async () => {
    const run = await fleetwave('run', 'update.yaml', '--json', '--no-report', '--out', 'updated');
    expect([run.status, run.stderr]).toEqual([0, '']);
    const { campaigns, warnings } = JSON.parse(run.stdout);
    expect(campaigns).toMatchObject([
      { name: 'spring', stage: 'FINISHED', devices: 5, success: 5, failed: 0, nbFrag: 320 },
    ]);
    expect(campaigns[0]).toMatchObject({ sent: 416, redundancy: 96, failures: {} });
    expect(campaigns[0].t50).toBeLessThanOrEqual(campaigns[0].t90);
    expect(warnings).toEqual([`/campaigns/0/frag_size: ${BAD_SIZE}`]);
    const whole = JSON.parse(read('updated/result.json')).campaigns[0];
    const { completionSeconds, ...shown } = whole;
    expect(campaigns).toEqual([shown]);
    expect(completionSeconds).toHaveLength(5);
  });

  it('leaves out of its JSON only series, budgets, map, manifest and completions', async () => {
    const words = ['update.yaml', '--json', '--no-report', '--out', 'followed'];
    const more = [
      'campaigns=[{name: spring, image: meter-1.2.0.bin, group: meters, at: 1 h}, ' +
        '{name: next, image: meter-1.2.0.bin, group: meters, after: spring}]',
    ];
    const { stdout } = await fleetwave('run', ...words, ...more.map((one) => `--set=${one}`));
    const { host: _, ...document } = JSON.parse(stdout);
    const {
      manifest: _m,
      series: _s,
      budgets: _b,
      scenario,
      ...whole
    } = JSON.parse(read('followed/result.json'));
    delete whole.devices.map;
    for (const campaign of whole.campaigns) delete campaign.completionSeconds;
    expect(document).toEqual({ ...whole, scenario: scenario.name });
    expect(document.followUps).toMatchObject([{ name: 'next', after: 'spring' }]);
  });

  it('has beacons and energy in its JSON, as in result.json, where there are some', async () => {
    const words = ['update.yaml', '--json', '--no-report', '--out', 'class-b'];
    const plain = JSON.parse((await fleetwave('run', ...words)).stdout);
    expect([plain.beacons, plain.energy]).toEqual([undefined, undefined]);
    const classB = [
      'gateways=[{ name: mast, gps: true }]',
      'devices.meter.class=B',
      'devices.meter.energy={}',
    ];
    const set = classB.map((setting) => `--set=${setting}`);
    const { beacons, energy } = JSON.parse((await fleetwave('run', ...words, ...set)).stdout);
    expect(beacons.lookedFor).toBeGreaterThan(0);
    const whole = JSON.parse(read('class-b/result.json'));
    expect({ beacons, energy }).toEqual({ beacons: whole.beacons, energy: whole.energy });
  });

  it('rebuilds every image with --verify-images, to the same end', async () => {
    const campaignOf = async (...words: readonly string[]) => {
      const changed = ['devices.meter.count=210', 'campaigns.spring.multicast_setup_time=3 h'];
      const set = changed.map((setting) => `--set=${setting}`);
      const run = await fleetwave('run', 'update.yaml', '--json', '--no-report', ...set, ...words);
      return JSON.parse(run.stdout).campaigns[0];
    };
    const all = await campaignOf('--verify-images');
    const sample = await campaignOf();
    expect(all.success).toBeGreaterThan(200);
    expect(all.verified.rebuilt).toBeGreaterThanOrEqual(all.success);
    expect(all.verified.right).toBe(all.verified.rebuilt);
    expect(sample.verified.rebuilt).toBeGreaterThanOrEqual(16);
    expect(sample.verified.rebuilt).toBeLessThan(100);
    expect(sample.verified.right).toBe(sample.verified.rebuilt);
    expect({ ...sample, verified: undefined }).toEqual({ ...all, verified: undefined });
  });

  it('takes an image from a file, and refuses one that is too large unread', async () => {
    writeFileSync(join(folder, 'meter.bin'), new Uint8Array(2_000_000).fill(7));
    const set = ['--set', 'images=[{name: meter-1.2.0.bin, file: meter.bin}]'];
    const more = ['--set', 'campaigns.spring.frag_size=200 B'];
    expect((await fleetwave('validate', 'update.yaml', ...set, ...more)).stderr).toBe('');
    writeFileSync(join(folder, 'meter.bin'), new Uint8Array(4 * 1024 * 1024 + 1));
    expect((await fleetwave('validate', 'update.yaml', ...set, ...more)).stderr).toBe(
      `--set ${set[1]}  /images/0/file  meter.bin has 4194305 bytes; ` +
        'allowed: at most 4194304 bytes (4 MiB)\n',
    );
  });

  it('counts what updates and reaches devices, each where there is some', async () => {
    const managed = 'name: m, image: meter-1.2.0.bin, gateway: gateway, include_versions: [1.0.0]';
    const job =
      'name: j, devices: all, downlink_hex: "01", downlink_fport: 1, ' +
      'expected_uplink_hex: "01", expected_uplink_fport: 1';
    const sections = [`managedCampaigns=[{${managed}}]`, `reliableDownlinks=[{${job}}]`];
    const set = sections.flatMap((section) => ['--set', section]);
    const { stdout } = await fleetwave('validate', 'update.yaml', ...set);
    expect(stdout).toBe(
      'update.yaml: good: update, 1 gateway, 5 devices in 1 population, 1 campaign, ' +
        `1 managed campaign, 1 reliable downlink job\n${SESSION}${costOf(248)}`,
    );
  });

  it('is validated with its warnings', async () => {
    const answer = await fleetwave('validate', 'update.yaml');
    expect([answer.status, answer.stdout, answer.stderr]).toEqual([
      0,
      'update.yaml: good: update, 1 gateway, 5 devices in 1 population, 1 campaign\n' +
        `${SESSION}${costOf(248)}`,
      `warning: update.yaml:8:88  /campaigns/0/frag_size  ${BAD_SIZE}\n`,
    ]);
    expect(JSON.parse((await fleetwave('validate', 'update.yaml', '--json')).stdout)).toEqual({
      file: 'update.yaml',
      valid: true,
      variants: [],
      problems: [],
      warnings: [
        { where: 'update.yaml:8:88', pointer: '/campaigns/0/frag_size', message: BAD_SIZE },
      ],
    });
  });
});

describe('the progress of a run', () => {
  const world = (campaigns: ReturnType<Running['progress']>['campaigns']): Running => ({
    nowUs: 1,
    endUs: 8,
    events: 20_000,
    progress: () => ({ campaigns }),
  });

  it('counts the devices updated over all campaigns, from the first on', () => {
    expect(progressLine(world([]))).toBe('12.5 % of the virtual time, 20000 events');
    expect(
      progressLine(
        world([
          { devices: 1000, success: 12 },
          { devices: 5, success: 5 },
        ]),
      ),
    ).toBe('12.5 % of the virtual time, 20000 events, 17 of 1005 devices updated');
  });

  it('says how long it takes yet, and no number where nobody knows', () => {
    expect(secondsLeft(95)).toMatch(/^1.min 35.s$/);
    expect([Number.NaN, Number.POSITIVE_INFINITY].map(secondsLeft)).toEqual(['a while', 'a while']);
  });
});

describe('fleetwave run', () => {
  it('ends with 0, a summary and its files when every expectation holds', () => {
    const { status, stdout, stderr } = program('run', 'small.yaml');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/Seed small, digest [0-9a-f]{16}/);
    expect(stdout).toContain('The expectation holds.');
    for (const file of ['result.json', 'host.json', 'report.html', 'devices.csv']) {
      expect(stdout).toContain(join('out/small', file));
      expect(existsSync(join(folder, 'out/small', file))).toBe(true);
    }
    expect(existsSync(join(folder, 'out/small/trace.ndjson'))).toBe(false);
  });

  it('has nothing of the host in its result and report: they are equal byte for byte', async () => {
    await fleetwave('run', 'small.yaml', '--out', 'first');
    await fleetwave('run', 'small.yaml', '--out', 'second', '--trace');
    expect(read('second/result.json')).toBe(read('first/result.json'));
    expect(read('second/report.html')).toBe(read('first/report.html'));
    expect(read('second/devices.csv')).toBe(read('first/devices.csv'));
    expect(Object.keys(JSON.parse(read('first/host.json')))).toEqual([
      'wallSeconds',
      'cpuSeconds',
      'maxRssBytes',
      'node',
    ]);
  });

  it('ends with 1 when an expectation does not hold', async () => {
    const wish = 'expectations=[joined >= 99 %, messages > 1000]';
    const { status, stdout } = await fleetwave('run', 'small.yaml', '--no-report', '--set', wish);
    expect(status).toBe(1);
    expect(stdout).toMatch(/✓ holds │ joined >= 99 % /);
    expect(stdout).toMatch(/✗ fails │ messages > 1000 /);
    const quiet = await fleetwave('run', 'small.yaml', '--no-report', '--quiet', '--set', wish);
    expect([quiet.status, quiet.stdout]).toEqual([1, '']);
    expect(quiet.stderr).toMatch(/^fails: messages > 1000 \(was \d+\)\n$/);
  });

  it('prints one JSON document and nothing else with --json', () => {
    const run = program('run', 'small.yaml', '--json', '--seed', '007', '--out', 'json');
    expect([run.status, run.stderr]).toEqual([0, '']);
    expect(run.stdout.trim().split('\n')).toHaveLength(1);
    const document = JSON.parse(run.stdout);
    expect(document).toMatchObject({
      version: VERSION,
      scenario: 'small',
      seed: '007',
      digest: expect.stringMatching(/^[0-9a-f]{16}$/),
      complete: true,
      virtualSeconds: 3600,
      campaigns: [],
      expectations: [{ expectation: 'joined >= 99 %', actual: 1, holds: true }],
      host: { node: process.version, wallSeconds: expect.any(Number) },
    });
    expect(document.radio.uplinks).toBeGreaterThan(0);
    expect(document.gateways).toHaveLength(1);
    expect(document.devices.total).toBe(5);
    expect(JSON.parse(read('json/result.json')).digest).toBe(document.digest);
  });

  it('has another digest with another seed, and the same with frames real or counted', async () => {
    const digest = async (...words: readonly string[]) => {
      const { stdout } = await fleetwave('run', 'small.yaml', '--json', '--no-report', ...words);
      return JSON.parse(stdout).digest;
    };
    const usual = await digest();
    expect(await digest('--seed', 'small')).toBe(usual);
    expect(await digest('--seed', 'other')).not.toBe(usual);
    expect(await digest('--frames', 'real')).toBe(usual);
    expect(await digest('--frames', 'counted')).toBe(usual);
  });

  it('writes the logs of the platform to a file, and changes nothing else', async () => {
    await fleetwave('run', 'small.yaml', '--no-report', '--out', 'unlogged');
    const { status, stdout } = await fleetwave(
      'run',
      'small.yaml',
      '--logs',
      'logs.ndjson',
      '--out',
      'logged',
    );
    expect(status).toBe(0);
    expect(stdout).toContain('logs.ndjson');
    expect(read('logged/result.json')).toBe(read('unlogged/result.json'));
    const entries = read('logs.ndjson')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { radio } = JSON.parse(read('logged/result.json'));
    const ups = entries.filter(({ MessageType }) => ['0', '2', '4'].includes(MessageType));
    expect(ups.length).toBe(radio.received);
    expect(new Set(entries.map(({ Subscriber }) => Subscriber))).toEqual(new Set(['default']));
    const times = entries.map(({ Timestamp }) => Date.parse(Timestamp));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    const few = ['--set', 'records.inRuns=true', '--set', 'records.logEntries=3'];
    await fleetwave('run', 'small.yaml', '--no-report', '--out', 'few', ...few);
    expect(read('few/logs.ndjson').trimEnd().split('\n')).toEqual(
      read('logs.ndjson').trimEnd().split('\n').slice(-3),
    );
  });

  it('ends with 2 where the logs cannot be written', async () => {
    const { status, stderr } = await fleetwave(
      'run',
      'small.yaml',
      '--logs',
      'no/such/folder.ndjson',
    );
    expect([status, stderr]).toEqual([2, expect.stringContaining('cannot be written')]);
  });

  it('traces every event of the air as a JSON document a line', async () => {
    await fleetwave('run', 'small.yaml', '--trace', '--no-report', '--out', 'traced');
    const rows = read('traced/trace.ndjson')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { radio, devices } = JSON.parse(read('traced/result.json'));
    const count = (kind: string) => rows.filter((row) => row.kind === kind).length;
    expect(count('deviceStarts')).toBe(devices.total);
    expect(count('uplinkEnds')).toBe(radio.uplinks);
    for (const { atUs } of rows) expect(Number.isInteger(atUs)).toBe(true);
  });

  it('traces beacons that devices heard, also those that only the result asks for', async () => {
    const lamps = '{ name: lamp, class: B, count: 3, joinWithin: 1 min }';
    const file = `scenario: b\nduration: 1 h\ngateways: [{ gps: true }]\ndevices: [${lamps}]\n`;
    writeFileSync(join(folder, 'beacons.yaml'), file);
    const run = await fleetwave(
      'run',
      'beacons.yaml',
      '--trace',
      '--no-report',
      '--out',
      'beacons',
    );
    expect([run.status, run.stderr]).toEqual([0, '']);
    expect(read('beacons/trace.ndjson')).toContain('"kind":"beaconDecided"');
  });

  it('writes captures of real frames with --pcap, which change nothing else', async () => {
    const words = ['run', 'small.yaml', '--no-report', '--pcap', 'captures'];
    const { status, stdout, stderr } = await fleetwave(...words, '--set', 'frames=counted');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/\nFrames of this run were real, as captures need them \(--pcap\)\.\n$/);
    const air = readPcap(readFileSync(join(folder, 'captures/air.pcap')));
    const { radio, downlinks, frames, digest } = JSON.parse(read('out/small/result.json'));
    expect(air).toHaveLength(radio.uplinks + downlinks.sent);
    expect(frames).toBe('real');
    const plain = JSON.parse(
      (await fleetwave('run', 'small.yaml', '--json', '--no-report')).stdout,
    );
    expect(digest).toBe(plain.digest);
  });

  it('refuses --pcap of counted frames, and a folder that cannot be', async () => {
    const counted = await fleetwave('run', 'small.yaml', '--pcap', 'none', '--frames', 'counted');
    expect(counted.stderr).toMatch(/^fleetwave: --pcap needs real frames: .*"--frames counted"\n$/);
    const file = await fleetwave('run', 'small.yaml', '--pcap', 'small.yaml/captures');
    expect(file.stderr).toMatch(/^small\.yaml\/captures: cannot be written: /);
    expect([counted.status, file.status]).toEqual([2, 2]);
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });

  it('takes every override that is given', async () => {
    const more = ['--set', 'devices.meter.count=7', '--set', 'duration=2 h', '--set=region=EU868'];
    const { stdout } = await fleetwave('run', 'small.yaml', '--json', '--no-report', ...more);
    expect(JSON.parse(stdout)).toMatchObject({ virtualSeconds: 7200, devices: { total: 7 } });
  });

  it.skipIf(!existsSync('/dev/full'))('ends with 74 and a sentence when the disk is full', () => {
    mkdirSync(join(folder, 'full'));
    symlinkSync('/dev/full', join(folder, 'full/trace.ndjson'));
    const run = program('run', 'small.yaml', '--trace', '--no-report', '--out', 'full');
    expect(run.stderr).toBe(
      'full/trace.ndjson: cannot be written: no space is left on the device\n',
    );
    expect([run.status, run.stdout]).toEqual([74, '']);
  });

  it.skipIf(!existsSync('/dev/full'))(
    'names the file of logs that the disk has no place for',
    () => {
      const run = program(
        'run',
        'small.yaml',
        '--no-report',
        '--out',
        'full',
        '--logs',
        '/dev/full',
      );
      expect(run.stderr).toBe('/dev/full: cannot be written: no space is left on the device\n');
      expect([run.status, run.stdout]).toEqual([74, '']);
    },
  );

  it('leaves a pipe or a device in its place where a ready file is to stand there', () => {
    const pipe = join(folder, 'pipe');
    spawnSync('mkfifo', [pipe]);
    const served = program('serve', '--ephemeral', '--port', '0', '--ready-file', pipe, '--quiet');
    expect(served.stderr).toContain(
      `${pipe}: cannot be written: it is a device or a pipe, and no file\n`,
    );
    expect([served.status, statSync(pipe).isFIFO()]).toEqual([2, true]);
  });

  it('names a folder, or a file, whose symbolic links lead in a circle, and says so', async () => {
    symlinkSync('circle', join(folder, 'circle'));
    const circle = 'its symbolic links lead in a circle\n';
    for (const options of [
      ['--out', 'circle'],
      ['--out', 'circle/below'],
      ['--logs', 'circle'],
      ['--deliveries', 'circle'],
      ['--pcap', 'circle'],
    ]) {
      const { status, stderr } = await fleetwave('run', 'small.yaml', '--no-report', ...options);
      expect([status, stderr]).toEqual([2, `${options[1]}: cannot be written: ${circle}`]);
    }
    const { status, stderr } = await fleetwave('validate', 'circle');
    expect([status, stderr]).toEqual([2, `circle  cannot be read: ${circle}`]);
  });

  it('reads the points that a scenario names next to it', async () => {
    writeFileSync(join(folder, 'sites.csv'), 'x,y\n0,0\n100,0\n0,100\n1,1\n2,2\n');
    const set = 'devices.meter.placement={file: sites.csv}';
    expect((await fleetwave('validate', 'small.yaml', '--set', set)).status).toBe(0);
    const missing = await fleetwave(
      'validate',
      'small.yaml',
      '--set',
      set.replace('sites', 'none'),
    );
    expect(missing.stderr).toBe(
      `--set ${set.replace('sites', 'none')}  /devices/0/placement/file  ` +
        'none.csv cannot be read: there is no such file or folder\n',
    );
  });
});

describe('a run that is stopped', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s ends with %d and a partial result that says so', async (signal, code) => {
    const trace = join(folder, signal, 'trace.ndjson');
    const words = ['run', 'small.yaml', '--trace', '--json', '--no-report', '--out', signal];
    const long = ['--set', 'duration=3650 d', '--set', 'devices.meter.count=200'];
    const child = spawn(process.execPath, [PROGRAM, ...words, ...long], { cwd: folder });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    const ended = new Promise((resolve) => child.on('close', resolve));
    // What is in the trace was written by a world that runs.
    const runs = () => existsSync(trace) && statSync(trace).size > 0;
    while (!runs() && child.exitCode === null) await setTimeout(10);
    child.kill(signal);
    expect(await ended).toBe(code);
    expect(stderr).toBe('Stopped before the end: the result is partial.\n');
    const document = JSON.parse(stdout);
    expect(document.complete).toBe(false);
    expect(document.virtualSeconds).toBeLessThan(3650 * 86_400);
    expect(JSON.parse(read(signal, 'result.json')).complete).toBe(false);
  });
});

describe('fleetwave validate', () => {
  it('says in a line that a scenario is good', async () => {
    const { status, stdout, stderr } = await fleetwave('validate', 'small.yaml');
    expect([status, stdout, stderr]).toEqual([
      0,
      `small.yaml: good: small, 1 gateway, 5 devices in 1 population\n${costOf(38)}`,
      '',
    ]);
  });

  it('reports all faults at once, for people and for programs', async () => {
    writeFileSync(join(folder, 'bad.yaml'), SMALL.replace('1 h', '1 km').replace('join', 'joni'));
    const answer = await fleetwave('validate', 'bad.yaml');
    expect([answer.status, answer.stdout]).toEqual([2, '']);
    expect(answer.stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^bad\.yaml:2:11 {2}\/duration {2}"1 km" is a length/),
      expect.stringMatching(
        /^bad\.yaml:4:36 {2}\/devices\/0\/joniWithin .*did you mean "joinWithin"/,
      ),
    ]);
    const listed = await fleetwave('validate', 'bad.yaml', '--json');
    expect(JSON.parse(listed.stdout)).toMatchObject({
      file: 'bad.yaml',
      valid: false,
      problems: [{ where: 'bad.yaml:2:11', pointer: '/duration' }, { where: 'bad.yaml:4:36' }],
    });
  });
});

describe('fleetwave schema', () => {
  it('prints a JSON Schema', () => {
    const { status, stdout } = program('schema');
    expect(status).toBe(0);
    expect(JSON.parse(stdout).$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  });
});

describe('fleetwave fidelity', () => {
  it('shows published figures beside ours, as a table and as JSON, and writes pages', async () => {
    const out = join(folder, 'fidelity');
    const shown = await fleetwave('fidelity', 'fragmentation', '--out', out);
    expect(shown.status).toBe(0);
    expect(shown.stdout).toContain('All 9 published figures of 1 source are met.');
    expect(readdirSync(out).sort()).toEqual(['fidelity.html', 'fidelity.json', 'fidelity.md']);
    const json = await fleetwave('fidelity', 'fragmentation', '--json');
    const { holds, blocks } = JSON.parse(json.stdout);
    expect([holds, blocks[0].rows.length]).toEqual([true, 9]);
    expect(JSON.parse(readFileSync(join(out, 'fidelity.json'), 'utf8'))).toEqual(blocks);
  });

  it.each([
    [['alhoa'], '"alhoa" is no source; allowed: aloha, capture, ns3, ns3-confirmed, ns3-rates, '],
    [['aloha', '--seeds', '0'], '--seeds'],
  ])('ends with 2 for %j', async (words, message) => {
    const { status, stderr } = await fleetwave('fidelity', ...words);
    expect([status, stderr.includes(message)]).toEqual([2, true]);
  });
});

describe('fleetwave airtime', () => {
  it.each([
    [7, 13, [], 46_336],
    [12, 13, [], 1_155_072],
    [12, 23, [], 1_482_752],
    [12, 33, ['--downlink'], 1_810_432],
    [9, 128, ['--downlink'], 676_864],
    [12, 66, ['--bw', '500', '--downlink'], 616_448],
  ])('of SF%d and %d bytes %j is %d µs', async (sf, bytes, more, timeOnAirUs) => {
    const words = ['--sf', String(sf), '--bytes', String(bytes), '--json', ...more];
    expect(JSON.parse((await fleetwave('airtime', ...words)).stdout)).toMatchObject({
      timeOnAirUs,
    });
  });

  it('is printed as a table', async () => {
    const { stdout, status } = await fleetwave(
      'airtime',
      '--sf',
      '9',
      '--bytes',
      '128',
      '--downlink',
    );
    expect(status).toBe(0);
    expect(stdout).toBe(
      'Frame               SF9, 125 kHz, 4/5\n' +
        'PHYPayload          128 B, downlink, without payload CRC\n' +
        'Symbol              4.096 ms\n' +
        'Preamble            50.176 ms\n' +
        'Payload             153 symbols\n' +
        'Time on air         676.864 ms\n' +
        'Lowest SNR          -12.5 dB\n' +
        'Sensitivity         -129.53 dBm at a noise figure of 6 dB\n' +
        'At 1 % duty cycle   every 67.686 s at most\n' +
        'At 10 % duty cycle  every 6.769 s at most\n',
    );
  });
});
