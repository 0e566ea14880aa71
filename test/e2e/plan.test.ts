/** `fleetwave plan`: what it says and refuses, the file that it writes, the world beside it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readScenario } from '../../scenarios/texts.ts';
import { said } from '../support/said.ts';

const folder = mkdtempSync(join(tmpdir(), 'fleetwave-plan-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const plan = (...words: readonly string[]) => said('plan', ...words);
const SMALL = ['--devices', '100', '--image', '6kB'];

const plain = (text: string) => text.replaceAll('\u202f', ' ');

describe('fleetwave plan', () => {
  it('reports settings with what chose them, figures, a paragraph and changes', async () => {
    const { status, stdout } = await plan('--devices', '20000', '--image', '60kB');
    expect(status).toBe(0);
    const text = plain(stdout);
    expect(text).toContain('20 000 devices, 60 000 B, EU868: 99.2 % have the image 1 d 15 h after');
    expect(text).toMatch(/│ Data rate +│ DR3 \(SF9, 125 kHz\) +│ that of ping slots/);
    expect(text).toMatch(/│ Frames lost +│ 10.0 % \(default\) +│ each way; --loss/);
    expect(text).toMatch(/│ Fragments +│ 536 +│ 32 B of padding/);
    expect(text).toMatch(/│ Redundancy +│ 83 \(15.5 %\)/);
    expect(text).toMatch(/│ Time-out +│ 14: 4 h 33 min +│ McClassCSessionReq: 2\^TimeOut s/);
    expect(text).toMatch(/The image is 536 fragments at DR3, and 83 coded ones beside/);
    expect(text).toMatch(/│ --rx2-dr +│ DR1 +│/);
    expect(text.split('\n').filter((line) => line.length > 140)).toEqual([]);
  });

  it('takes sizes, data rates, shares and times as people write them', async () => {
    const words = [
      '--image',
      '60 KiB',
      '--dr',
      'DR4',
      '--loss',
      '7.5 %',
      '--uplink-period',
      '90 min',
    ];
    const more = [
      '--region',
      'eu868',
      '--session',
      'b',
      '--redundancy',
      '25%',
      '--confidence',
      '95',
    ];
    const { status, stdout } = await plan('--devices', '50', '--json', ...words, ...more);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      imageBytes: 61_440,
      dataRate: 4,
      loss: 0.075,
      periodUs: 90 * 60e6,
      session: 'B',
      confidence: 0.95,
      redundancy: 65,
      fragSize: 239,
      nbFrag: 258,
    });
  });

  it('says as JSON what it says as tables, the changes too', async () => {
    const { stdout } = await plan(...SMALL, '--json');
    const one = JSON.parse(stdout);
    expect(one).toMatchObject({ region: 'EU868', dataRate: 3, nbFrag: 54, closedForm: 17 });
    expect(one.warnings.join()).toMatch(/serves 54 fragments worse than a random one/);
    expect(one.sending).toMatchObject({ airtimeUs: 676_864, delayUs: 7e6, boundBy: 'dutyCycle' });
    expect(one.changes.length).toBeGreaterThan(6);
    expect(one).not.toHaveProperty('verified');
  });
});

describe('what is not right', () => {
  it.each([
    [['--image', '5MB'], '--image "5MB" is not right; allowed: 2 B to 4 MiB, such as 60kB, '],
    [['--image', '4MiB', '--dr', '0'], '--image "4MiB" is 87382 fragments of 48 bytes, and TS004'],
    [['--region', 'EU869'], '--region "EU869" is not right; allowed: EU868, US915, '],
    [['--dr', '9'], '--dr "9" is not a LoRa data rate of EU868 that carries fragments; allowed: '],
    [['--dr', 'fast'], '--dr "fast" is not right; allowed: a whole number from 0 to 15'],
    [['--session', 'A'], '--session "A" is not right; allowed: B, C'],
    [['--loss', '60'], '--loss "60" is not right; allowed: 0 % to 50 %'],
    [['--confidence', '100'], '--confidence "100" is not right; allowed: 50 % to 99.9 %'],
    [['--redundancy', '101%'], '--redundancy "101%" is not right; allowed: 0 to 16382 fragments'],
    [['--frag-size', '120'], '--frag-size "120" does not fit a frame of DR3; allowed: 1 to 112 '],
    [['--fragment-delay', '10ms'], '--fragment-delay "10ms" is shorter than gateways need; allo'],
    [['--uplink-period', '5s'], '--uplink-period "5s" is not right; allowed: 1 min to 7 d'],
    [['--gateways', '101'], '--gateways "101" is not right; allowed: a whole number from 1 to 100'],
    [['--seeds', '3'], '--seeds is for --verify'],
    [['--verify', '--seeds', '0'], '--seeds "0" is not right; allowed: a whole number from 1'],
    [['--write', ''], '--write is empty; allowed: a path'],
  ])('is reported with its option and what is allowed: %j', async (words, sentence) => {
    const given = words.includes('--image') ? ['--devices', '100'] : SMALL;
    const { status, stdout, stderr } = await plan(...given, ...words);
    expect(plain(stderr).startsWith(`fleetwave plan: ${sentence}`), stderr).toBe(true);
    expect([status, stdout]).toEqual([2, '']);
  });

  it('is reported all at once', async () => {
    const { stderr } = await plan('--devices', '0', '--image', 'x', '--loss', 'much');
    expect(stderr.trim().split('\n').length).toBe(3);
  });
});

describe('fleetwave plan --write', () => {
  it('writes a scenario that reads without a warning, with the command that made it', async () => {
    const path = join(folder, 'planned.yaml');
    const { status, stdout } = await plan(...SMALL, '--loss', '5 %', '--write', path);
    expect(status).toBe(0);
    expect(stdout).toContain(`Scenario: ${path}\n`);
    const text = readFileSync(path, 'utf8');
    expect(text.split('\n')[0]).toMatch(
      /^# fleetwave plan --devices 100 --image 6kB .*--loss "5 %"/,
    );
    const { warnings, scenario } = readScenario(text);
    expect(warnings).toEqual([]);
    expect(scenario.campaigns).toHaveLength(1);
  });

  it('writes over no file unless it is reported to', async () => {
    const path = join(folder, 'mine.yaml');
    writeFileSync(path, 'mine');
    const refused = await plan(...SMALL, '--write', path);
    expect([refused.status, readFileSync(path, 'utf8')]).toEqual([2, 'mine']);
    expect(refused.stderr).toContain('a file is in the way (--force: write over it)');
    expect((await plan(...SMALL, '--write', path, '--force')).status).toBe(0);
    expect(readFileSync(path, 'utf8')).toContain('scenario: planned');
  });
});

describe('fleetwave plan --verify', () => {
  const FEW = ['--devices', '40', '--image', '3kB', '--uplink-period', '20min'];

  it('prints the estimate beside the simulation, with the ratio', async () => {
    const { status, stdout, stderr } = await plan(...FEW, '--verify', '--seeds', '2');
    expect(stderr).toContain('Simulated: 2 worlds of all 40 devices.');
    expect(plain(stdout)).toMatch(/│ Set-up +│ (.*\S) +│ \1 +│ 1.000 │/);
    expect(stdout).toContain('The simulation agrees: durations within 15 %');
    expect(status).toBe(0);
  });

  it('says which part it simulates where all of it would take too long', async () => {
    const few = [
      '--devices',
      '60',
      '--gateways',
      '3',
      '--image',
      '3kB',
      '--uplink-period',
      '20min',
    ];
    const { stdout } = await plan(...few, '--json', '--verify', '--sample', '50');
    const { verified } = JSON.parse(stdout);
    expect(verified).toMatchObject({ of: 'gateways', devices: 40, gateways: 2, holds: true });
    expect(verified.figures.map(({ figure }: { figure: string }) => figure)).toContain('holding');
  });

  it('refuses a plan that no campaign can have', async () => {
    const words = ['--devices', '10', '--image', '2kB', '--loss', '50', '--verify'];
    const { status, stderr } = await plan(...words);
    expect(stderr).toMatch(/--verify does not go with this plan: \d+ coded fragments are more/);
    expect(status).toBe(2);
  });
});

describe('fleetwave plan of a scenario file', () => {
  const town = join(folder, 'two.yaml');
  writeFileSync(
    town,
    `scenario: two
duration: 12 h
devices:
  - { name: meter, count: 20, traffic: { every: 15 min } }
  - { name: lamp, count: 10, class: C, traffic: { every: 1 h } }
images: [{ name: meter-2.0.0.bin, bytes: 4 kB }, { name: lamp-3.0.0.bin, bytes: 8 kB }]
groups: [{ name: meters, devices: [meter] }, { name: lamps, devices: [lamp] }]
campaigns:
  - { name: first, image: meter-2.0.0.bin, group: meters, at: 1 h }
  - { name: second, image: lamp-3.0.0.bin, group: lamps, at: 1 h, multicastSession: classC }
`,
  );

  it('has a row for each campaign, whatever the class of its devices', async () => {
    const { status, stdout } = await plan(town);
    expect(status).toBe(0);
    expect(plain(stdout)).toMatch(/│ first +│ 20 +│ about \d/);
    expect(plain(stdout)).toMatch(/│ second +│ 10 +│ about \d/);
    const { campaigns } = JSON.parse((await plan(town, '--json')).stdout);
    expect(campaigns.map((one: { campaign: string }) => one.campaign)).toEqual(['first', 'second']);
    expect(campaigns[1].populations[0].name).toBe('lamp');
  });

  it.each([
    [[town, '--devices', '5'], '--devices means nothing beside a scenario file'],
    [['nowhere.yaml'], 'nowhere.yaml  cannot be read'],
    [[], '--devices and --image are missing; allowed: --devices 5000 --image 60kB, or a scenario'],
    [['--devices', '5'], '--image is missing; allowed: --devices 5000 --image 60kB, or a scenario'],
  ])('refuses %j', async (words, complaint) => {
    const { status, stderr } = await plan(...words);
    expect([status, stderr]).toEqual([2, expect.stringContaining(complaint)]);
  });
});
