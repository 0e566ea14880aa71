/** `--junit` and `--markdown` of run, as two parsers of XML read them. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { junitXml } from '../../api/host/files/junit.ts';
import type { CheckReport } from '../../reports/checks/check.ts';
import { casesOf } from '../support/junit-cases.ts';
import { said } from '../support/said.ts';

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

let folder = '';
const path = (name: string) => join(folder, name);
const text = (name: string) => readFileSync(path(name), 'utf8');
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-checks-'));
  writeFileSync(path('town.yaml'), TOWN);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const casesIn = (name: string) => casesOf(text(name));

describe('fleetwave run', () => {
  it('writes each expectation as a test case that can be repeated, and a page', async () => {
    const files = ['--junit', path('ci/run.xml'), '--markdown', path('ci/run.md')];
    const run = await said(
      'run',
      path('town.yaml'),
      '--out',
      path('out'),
      '--seed',
      "it's",
      ...files,
    );
    expect(run.status).toBe(1);
    const cases = casesIn('ci/run.xml');
    expect(cases.map(({ name, state }) => [name, state])).toEqual([
      ['joined >= 99 %', 'holds'],
      ['radio.uplinks > 1000000', 'failure'],
      ['messagesDelivered within 1 ± 0.2', 'holds'],
    ]);
    const { properties } = cases[1]!;
    expect(properties).toMatchObject({ wanted: '> 1000000', seed: "it's" });
    expect(properties.command).toBe(`fleetwave run ${path('town.yaml')} --seed='it'\\''s'`);
    expect(text('ci/run.md')).toMatch(/^## ✗ town\n\n\*\*1 of 3 expectations fails/);
    expect(run.stdout).toContain(path('ci/run.xml'));
  });

  it('names the first seed in which an expectation fails', async () => {
    const files = ['--junit', path('seeds.xml'), '--markdown', path('seeds.md')];
    const words = ['--seeds', 'a,b', '--out', path('seeds'), ...files];
    expect((await said('run', path('town.yaml'), ...words)).status).toBe(1);
    const [holds, fails] = casesIn('seeds.xml');
    expect(holds).toMatchObject({
      state: 'holds',
      properties: { wanted: '>= 99 % in 100 % of seeds' },
    });
    expect(fails).toMatchObject({ state: 'failure', properties: { seed: 'a' } });
    expect(fails?.properties.actual).toMatch(/^holds in 0 of 2 seeds; /);
    expect(text('seeds.md')).toContain(`fleetwave run ${path('town.yaml')} --seed=a\n`);
  });

  it.each([
    ['--junit is empty', ['--junit', ''], /--junit is empty; allowed: a path/],
    ['one file for both', ['--junit', 'a', '--markdown', './a'], /cannot be the file of the JUnit/],
    ['a folder', ['--junit', '.'], /is a folder; allowed: a file/],
  ])('refuses %s before it runs', async (_, words, message) => {
    const { status, stderr } = await said('run', path('town.yaml'), ...words);
    expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it('leaves no report of an earlier run where the scenario is not right', async () => {
    writeFileSync(path('old.xml'), '<testsuites/>');
    const wrong = ['--set', 'devices.meter.cout=3', '--junit', path('old.xml')];
    expect((await said('run', path('town.yaml'), ...wrong)).status).toBe(2);
    expect(existsSync(path('old.xml'))).toBe(false);
  });
});

describe('JUnit XML', () => {
  it('is XML whatever names and seeds have in them', () => {
    const hostile = `<a> & "b" 'c' ]]> \u0000\u001b \ud83d 😀 \ufffe\n`;
    const report: CheckReport = {
      suite: hostile,
      seconds: 0.1,
      properties: { digest: hostile },
      checks: (['holds', 'fails', 'broken', 'skipped'] as const).map((state) => ({
        name: hostile,
        actual: hostile,
        wanted: hostile,
        state,
        seed: hostile,
        command: hostile,
      })),
    };
    writeFileSync(path('hostile.xml'), junitXml(report));
    expect(casesIn('hostile.xml').map(({ state }) => state)).toEqual([
      'holds',
      'failure',
      'error',
      'skipped',
    ]);
  });
});
