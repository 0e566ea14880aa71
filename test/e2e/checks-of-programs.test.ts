/** `--junit` and `--markdown` of study run and exec, in processes of their own. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, PROGRAM } from '../support/bundled.ts';
import { casesOf } from '../support/junit-cases.ts';

const TOWN = `scenario: town
duration: 1 h
area: { radius: 1 km }
gateways: [{ name: roof }]
devices: [{ name: meter, count: 4, joinWithin: 1 min, traffic: { every: 10 min } }]
expectations:
  - joined >= 99 %
  - radio.uplinks > 1000000
  - messagesDelivered within 1 ± 0.2
`;
const STUDY = `study: losses
scenario: town.yaml
parameters:
  loss: { set: devices.meter.frameLoss, values: [0 %, 100 %] }
replicates: 2
`;

let folder = '';
const fleetwave = (...words: readonly string[]) =>
  spawnSync(process.execPath, [PROGRAM, ...words], { encoding: 'utf8' });
const path = (name: string) => join(folder, name);
const text = (name: string) => readFileSync(path(name), 'utf8');
beforeAll(() => {
  bundle();
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-checks-'));
  writeFileSync(path('town.yaml'), TOWN);
  writeFileSync(path('losses.yaml'), STUDY);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const casesIn = (name: string) => casesOf(text(name));

describe('fleetwave study run', () => {
  it('has a case for each expectation at each point, and fails where its exit code does', () => {
    const words = ['--sink', path('losses'), '--junit', path('s.xml'), '--markdown', path('s.md')];
    expect(fleetwave('study', 'run', path('losses.yaml'), ...words).status).toBe(0);
    const cases = casesIn('s.xml');
    expect(cases).toHaveLength(6);
    expect(cases[0]).toMatchObject({ state: 'holds' });
    expect(cases[0]?.name).toMatch(/^point 1 \(.*0 %\): joined >= 99 %$/);
    expect(cases[3]).toMatchObject({ state: 'skipped' });
    expect(cases[3]?.properties.command).toMatch(/^fleetwave run .*frameLoss=100 %.*--seed/);
    expect(text('s.md')).toMatch(/^# losses\n/);
    writeFileSync(
      path('held.yaml'),
      `${STUDY}constraints: [joined >= 100 %, radio.uplinks > 1e6]\n`,
    );
    const again = ['--sink', path('held'), '--junit', path('held.xml'), '--quiet'];
    expect(fleetwave('study', 'run', path('held.yaml'), ...again).status).toBe(1);
    expect(casesIn('held.xml').filter(({ state }) => state === 'failure').length).toBeGreaterThan(
      1,
    );
  });
});

describe('a shard', () => {
  it('has no verdict, so it writes no report', () => {
    const words = ['--shard', '1/2', '--junit', path('shard.xml'), '--sink', path('shard')];
    const { status, stderr } = fleetwave('study', 'run', path('losses.yaml'), ...words);
    expect([status, stderr]).toEqual([2, expect.stringContaining('--junit is of a whole study')]);
  });
});

describe('fleetwave exec', () => {
  const exec = (code: number, ...words: readonly string[]) => {
    const command = ['--', process.execPath, '-e', `process.exit(${code})`];
    const paused = ['--scenario', path('town.yaml'), '--paused', '--seed', 's'];
    return fleetwave('exec', ...paused, '--junit', path('e.xml'), ...words, ...command);
  };

  it('has the command and the expectations of its world, and ends with 1 where one fails', () => {
    const { status, stderr } = exec(0);
    expect([status, stderr]).toEqual([1, expect.stringContaining('fails: joined >= 99 %')]);
    const [command, ...others] = casesIn('e.xml');
    expect(command).toMatchObject({
      state: 'holds',
      properties: { actual: 'exit code 0', seed: 's' },
    });
    expect(command?.properties.command).toMatch(/ --paused --seed=s -- .*process\.exit\(0\)'$/);
    expect(others.map(({ state }) => state)).toEqual(['failure', 'failure', 'failure']);
  });

  it('ends with the exit code of a command that fails', () => {
    expect(exec(7, '--markdown', path('e.md')).status).toBe(7);
    expect(casesIn('e.xml')[0]).toMatchObject({ state: 'failure' });
    expect(text('e.md')).toContain('exit code 7');
  });

  it('judges the command alone where no scenario is named', () => {
    const words = ['--paused', '--junit', path('d.xml'), '--', process.execPath, '-e', ''];
    expect(fleetwave('exec', ...words).status).toBe(0);
    expect(casesIn('d.xml')).toHaveLength(1);
  });

  it('judges nothing where no report is asked for', () => {
    const words = ['exec', '--scenario', path('town.yaml'), '--', process.execPath, '-e', ''];
    expect(fleetwave(...words).status).toBe(0);
  });
});
