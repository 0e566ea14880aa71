/** Variants and scenarios of several files at the command line. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, PROGRAM } from '../support/bundled.ts';
import { CachedProgram, type Ended } from '../support/cached-program.ts';
import { itLong } from '../support/long.ts';

/** Called as the file that a manifest stands for, which it may not be taken for. */
const BASE = `scenario: town
duration: 1 h
area: { radius: 1 km }
devices:
  - { name: meter, count: 4, placement: { file: sites.csv }, traffic: { every: 10 min } }
`;
const TOWN = `extends: base/scenario.yaml
gateways: { include: base/gateways.yaml }
variants:
  busy: { devices.meter.traffic.every: 1 min }
  few: { devices.meter.count: 2 }
`;

let folder = '';
const at = (...path: readonly string[]) => join(folder, ...path);
const resultOf = (name: string) => JSON.parse(readFileSync(at('out', name, 'result.json'), 'utf8'));
let stored: CachedProgram;
const fleetwave = (...words: readonly string[]): Promise<Ended> => stored.run(...words);

beforeAll(async () => {
  bundle();
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-'));
  stored = await CachedProgram.in(folder);
  mkdirSync(at('base'));
  writeFileSync(at('town.yaml'), TOWN);
  writeFileSync(at('base/scenario.yaml'), BASE);
  writeFileSync(at('base/gateways.yaml'), '- { name: roof }\n- { name: mast }\n');
  writeFileSync(at('base/sites.csv'), 'x,y\n0,0\n100,0\n0,100\n300,300\n');
  for (const variant of [[], ['--variant', 'busy']]) {
    const run = await fleetwave('run', 'town.yaml', ...variant, '--quiet');
    expect([run.status, run.stderr]).toEqual([0, '']);
  }
});
afterAll(() => {
  stored.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('fleetwave run --variant', () => {
  it('runs the variant with the seed of its scenario, and leaves the results of that alone', () => {
    const [own, busy] = [resultOf('town'), resultOf('town-busy')];
    expect(own.seed).toBe(busy.seed);
    expect(own.digest).not.toBe(busy.digest);
    expect(busy.radio.uplinks).toBeGreaterThan(own.radio.uplinks * 5);
    expect(own.manifest.variant).toBeUndefined();
    expect(busy.manifest).toMatchObject({ scenario: TOWN, variant: 'busy', set: [] });
    const report = readFileSync(at('out/town-busy/report.html'), 'utf8');
    expect(report).toContain('fleetwave run scenario.yaml --variant=busy');
  });

  it('names those that there are', async () => {
    const run = await fleetwave('run', 'town.yaml', '--variant', 'bsy');
    expect([run.status, run.stderr]).toEqual([
      2,
      '--variant bsy  "bsy" is not a variant of this scenario; allowed: busy, few; ' +
        'did you mean "busy"?\n',
    ]);
  });
});

describe('fleetwave replay', () => {
  itLong('repeats a variant of a scenario of several files without any of them', () => {
    for (const name of ['town', 'town-busy']) {
      const result = at('out', name, 'result.json');
      const words = [PROGRAM, 'replay', result];
      const run = spawnSync(process.execPath, words, { cwd: at('out'), encoding: 'utf8' });
      expect([run.status, run.stderr]).toEqual([0, '']);
      expect(run.stdout).toContain(`The digest is the same: ${resultOf(name).digest}.`);
    }
  });
});

describe('fleetwave validate', () => {
  it('checks all variants', async () => {
    expect((await fleetwave('validate', 'town.yaml')).stdout).toContain(
      'town.yaml: good: town, 2 gateways, 4 devices in 1 population, 2 variants\n',
    );
    writeFileSync(at('wrong.yaml'), TOWN.replace('count: 2', 'count: 200'));
    const run = await fleetwave('validate', 'wrong.yaml');
    expect([run.status, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toMatch(
      /file {2}in the variant few: base\/sites.csv has 4 points for 200 at \/devices\/0; /,
    );
  });
});
