/** `fleetwave explain` and `fleetwave branch` on the results of runs. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../support/bundled.ts';
import { CachedProgram, type Ended } from '../support/cached-program.ts';

const LOSSY = `scenario: lossy
duration: 6 h
area: { radius: 500 m }
radio: { pathLoss: { model: constant, loss: 100 dB }, shadowing: 0 dB }
gateways: [{ name: roof }]
devices:
  - name: meter
    count: 8
    activation: abp
    joinWithin: 5 min
    traffic: { every: 10 min }
    dataRate: DR5
    frameLoss: 20 %
images: [{ name: meter-1.1.0.bin, bytes: 6 kB }]
groups: [{ name: meters, devices: [meter] }]
campaigns:
  - name: spring
    image: meter-1.1.0.bin
    group: meters
    at: 1 h
    multicast_setup_time: 2 h
    redundancy: 5 %
`;
const MORE = 'campaigns.spring.redundancy=80 %';

let folder = '';
let program: CachedProgram;
const fleetwave = (...words: readonly string[]): Promise<Ended> => program.run(...words);
const json = (...path: readonly string[]) =>
  JSON.parse(readFileSync(join(folder, ...path), 'utf8'));

beforeAll(async () => {
  bundle();
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-'));
  writeFileSync(join(folder, 'lossy.yaml'), LOSSY);
  program = await CachedProgram.in(folder);
  const words = ['run', 'lossy.yaml', '--snapshot-at', '1 h', '--no-report', '--quiet'];
  expect(await fleetwave(...words)).toMatchObject({ status: 0, stderr: '' });
  mkdirSync(join(folder, 'seeds'));
  writeFileSync(join(folder, 'seeds', 'study.json'), '{}');
});
afterAll(() => {
  program.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('fleetwave explain', () => {
  it('writes the story of one device of each cause of the latest run', async () => {
    const { status, stdout, stderr } = await fleetwave('explain', 'failed');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^meter-\d \(\w{16}, population meter\) in lossy, seed lossy, /);
    expect(stdout).toMatch(/\n\d\d:\d\d:\d\d {2,}Switched on, ABP; its clock runs /);
    expect(stdout).toMatch(/Fragments: \d+ of \d+ heard; missed: stated loss \d+\./);
    expect(stdout).toMatch(/What would have saved it: campaigns\.spring\.redundancy=\d+ %/);
  });

  it('gives the same as JSON', async () => {
    const words = ['explain', 'meter-2', '--run', 'out/lossy', '--at', '2 h', '--json'];
    const [story] = JSON.parse((await fleetwave(...words)).stdout);
    expect(story).toMatchObject({ kind: 'device', untilSeconds: 7200, endSeconds: 21600 });
    expect(story.device.name).toBe('meter-2');
  });

  it('writes the same from what was recorded as from a replay', async () => {
    const words = ['--run', 'recorded', '--json'];
    await fleetwave('run', 'lossy.yaml', '--out', 'recorded', '--quiet');
    const asked = [['failed'], ['slowest'], ['campaign', 'spring'], ['gateway', 'roof']];
    const answers = async () => {
      const all: string[] = [];
      for (const one of asked) all.push((await fleetwave('explain', ...one, ...words)).stdout);
      return all;
    };
    const recorded = await answers();
    const file = join(folder, 'recorded', 'stories.gz');
    const bytes = readFileSync(file);
    // Damaged is as good as missing.
    writeFileSync(file, bytes.subarray(0, bytes.length - 20));
    expect(await answers()).toEqual(recorded);
    rmSync(file);
    expect(await answers()).toEqual(recorded);
  });

  it('explains gateways and campaigns by name', async () => {
    const gateway = await fleetwave('explain', 'gateway', 'roof');
    expect(gateway.stdout).toMatch(/^Gateway roof \(/);
    const campaign = await fleetwave('explain', 'campaign', 'spring', '--no-what-if');
    expect(campaign.stdout).toMatch(/^Campaign spring in lossy/);
    expect(campaign.stdout).toContain('What other settings give was not computed.');
  });

  it.each([
    [['explain', 'metr-2'], '"metr-2" is no device of this run; '],
    [['explain', 'metr-2'], 'did you mean "meter-2"?'],
    [['explain', 'meter-2', '--at', '7 h'], '7 h is outside of the run; allowed: 0 s to 6 h'],
    [['explain', 'meter-2', '--at', 'noon'], '--at: "noon" is not a duration'],
    [['explain', 'gateway'], 'its name is missing'],
    [['explain', 'meter-2', 'spring'], '"meter-2" is not right; allowed: device, gateway'],
    [['explain', 'meter-2', '--run', 'seeds'], 'seeds has a study of many runs, and no run itself'],
    [['explain', 'meter-2', '--run', 'nowhere'], 'nowhere  cannot be read'],
  ])('refuses %j', async (words, complaint) => {
    const { status, stdout, stderr } = await fleetwave(...words);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(complaint);
  });
});

describe('fleetwave branch', () => {
  it('is the same world as a run with the setting, where that holds from then on', async () => {
    const { status, stdout } = await fleetwave('branch', 'out/lossy', '--at', '1 h', '--set', MORE);
    expect(status).toBe(0);
    // It began at the stored snapshot, before which nobody recorded.
    expect(existsSync(join(folder, 'out/lossy-branch/columns.json.gz'))).toBe(false);
    expect(existsSync(join(folder, 'out/lossy-branch/stories.gz'))).toBe(false);
    expect(stdout).toMatch(/campaign\.runsIt .*│ +\+/);
    await fleetwave('run', 'lossy.yaml', '--set', MORE, '--out', 'whole', '--quiet');
    expect(json('out/lossy-branch/result.json').digest).toBe(json('whole/result.json').digest);
  });

  it('has a result that is replayed and explained like any other', async () => {
    const replayed = await fleetwave('replay', 'out/lossy-branch/result.json');
    expect([replayed.status, replayed.stdout]).toEqual([
      0,
      expect.stringContaining('The digest is the same'),
    ]);
    const explained = await fleetwave('explain', 'meter-1', '--run', 'out/lossy-branch');
    expect(explained.stdout).toContain('It was updated');
  });

  it('stores snapshots beside the result, and needs none', async () => {
    const snapshots = readdirSync(join(folder, 'out/lossy/snapshots'));
    expect(snapshots.filter((file) => file.endsWith('.world'))).toHaveLength(1);
    const faults = ['--at', '2 h', '--set', 'devices.meter.frameLoss=0 %', '--out', 'b'];
    await fleetwave('branch', 'out/lossy', ...faults, '--quiet');
    expect(json('b/result.json').radio.lost.frameLoss).toBeLessThan(
      json('out/lossy/result.json').radio.lost.frameLoss,
    );
  });

  it('adds, takes and moves gateways, and changes traffic and the server', async () => {
    const sets = [
      'gateways.roof.count=3',
      'devices.meter.traffic.every=2 min',
      'server.adr=false',
    ].flatMap((set) => ['--set', set]);
    const { status } = await fleetwave('branch', 'out/lossy', '--at', '2 h', ...sets, '--out', 'c');
    expect(status).toBe(0);
    const { gateways, devices } = json('c/result.json');
    const names = gateways.map(({ name }: { name: string }) => name);
    // One that moves is in the list twice: where it stood, and where it stands.
    expect([...new Set(names)].sort()).toEqual(['roof-1', 'roof-2', 'roof-3']);
    expect(devices.messages).toBeGreaterThan(2 * json('out/lossy/result.json').devices.messages);
  });

  it.each([
    [
      'devices.meter.count=9',
      'devices and their places are fixed from the start; addDevices of the timeline adds some',
    ],
    ['devices.meter.drift=1 ppm', 'driftPpb of meter belongs to its devices from the start'],
    ['radio.shadowing=3 dB', 'the radio model is fixed from the start'],
    ['server.rx1Delay=3 s', 'rx1DelayS of the server reaches devices when they join'],
    ['duration=9 h', 'the duration of the run is fixed from the start'],
    [MORE, 'campaign spring was created before, at 1 h: a branch at that time can change it'],
  ])('refuses %s at 2 h by name, and writes nothing', async (set, why) => {
    const words = ['--at', '2 h', '--set', set, '--out', 'refused'];
    const { status, stderr } = await fleetwave('branch', 'out/lossy', ...words);
    expect(status).toBe(2);
    expect(stderr).toContain(`--set "${set}" cannot change at 2 h: ${why}; allowed then: `);
    expect(existsSync(join(folder, 'refused'))).toBe(false);
  });

  it.each([
    [['--at', '7 h', '--set', MORE], '--at: 7 h is outside of the run; allowed: after 0 s, until'],
    [['--at', '0 s', '--set', MORE], '--at: 0 s is outside of the run; allowed: after 0 s'],
    [['--at', '2 h'], 'nothing is changed; allowed: --set path=value'],
    [['--at', '2 h', '--set', 'x=1'], '"x" is not a known key here'],
    [['--at', '1 h', '--set', MORE, '--out', 'out/lossy'], 'is the folder of the run'],
  ])('refuses %j', async (words, complaint) => {
    const { status, stderr } = await fleetwave('branch', 'out/lossy', ...words);
    expect([status, stderr.includes(complaint) ? '' : stderr]).toEqual([2, '']);
  });

  it('leaves a branch in turn, and changes what the earlier one left as it was', async () => {
    const more = 'gateways.roof.count=3';
    const often = 'devices.meter.traffic.every=2 min';
    const branch = (from: string, at: string, to: string, ...set: readonly string[]) => {
      const words = set.flatMap((one) => ['--set', one]);
      return fleetwave('branch', from, '--at', at, ...words, '--out', to, '--quiet');
    };
    const read = (name: string) => json(name, 'result.json');
    await branch('out/lossy', '2 h', 'b1', more);
    await branch('b1', '3 h', 'b2', often);
    const result = read('b2');
    expect(result.manifest).toMatchObject({
      branch: { atSeconds: 7_200, set: [more] },
      laterBranches: [{ atSeconds: 10_800, set: [often] }],
    });
    expect(result.gateways).toHaveLength(read('b1').gateways.length);
    expect(result.devices.messages).toBeGreaterThan(1.5 * read('b1').devices.messages);
    // What is left at the same instant, in two steps or in one, is the same world.
    await branch('b1', '2 h', 'b3', often);
    await branch('out/lossy', '2 h', 'b4', more, often);
    expect(read('b3').digest).toBe(read('b4').digest);
    const replayed = await fleetwave('replay', 'b2/result.json');
    expect([replayed.status, replayed.stderr]).toEqual([0, '']);
    // Recorded from the start on, whatever it left.
    expect(existsSync(join(folder, 'b2', 'columns.json.gz'))).toBe(true);
    const explained = await fleetwave('explain', 'meter-1', '--run', 'b2', '--no-what-if');
    expect(explained.status).toBe(0);
  });

  it('does not leave a branch before it begins', async () => {
    await fleetwave(
      'branch',
      'out/lossy',
      '--at',
      '2 h',
      '--set',
      'server.adr=false',
      '--out',
      'b5',
      '--quiet',
    );
    const words = ['--at', '1 h', '--set', 'server.adr=true', '--out', 'b6'];
    const { status, stderr } = await fleetwave('branch', 'b5', ...words);
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining('cannot begin at 1 h; allowed: 2 h and later'),
    ]);
    expect(existsSync(join(folder, 'b6'))).toBe(false);
  });

  it('stores no snapshot outside of the run', async () => {
    const words = ['run', 'lossy.yaml', '--snapshot-at', '7 h', '--out', 'late'];
    const { status, stderr } = await fleetwave(...words);
    expect([status, stderr]).toEqual([2, expect.stringContaining('--snapshot-at: 7 h is outside')]);
  });
});
