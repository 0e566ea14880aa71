/** `--junit` and `--markdown` of run, study run and exec, as two parsers of XML read them. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { junitXml } from '../../api/host/files/junit.ts';
import type { CheckReport } from '../../reports/checks/check.ts';
import { bundle, PROGRAM } from '../support/bundled.ts';
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

interface Case {
  readonly name: string;
  readonly state: 'holds' | 'failure' | 'error' | 'skipped';
  readonly properties: Readonly<Record<string, string>>;
}

const LISTS = new Set(['testsuite', 'testcase', 'property']);

/** Cases by a parser that builds a tree, which also judges the form. */
function casesByTree(xml: string): readonly Case[] {
  expect(XMLValidator.validate(xml)).toBe(true);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    htmlEntities: true,
    trimValues: false,
    isArray: (name) => LISTS.has(name),
  });
  const { testsuites } = parser.parse(xml);
  return testsuites.testsuite.flatMap((suite: { testcase: Readonly<Record<string, never>>[] }) =>
    suite.testcase.map((one): Case => {
      const { property } = one.properties as unknown as {
        property: { name: string; value: string }[];
      };
      return {
        name: one.name as unknown as string,
        state: (['failure', 'error', 'skipped'] as const).find((each) => each in one) ?? 'holds',
        properties: Object.fromEntries(property.map(({ name, value }) => [name, value])),
      };
    }),
  );
}

/** The same by a strict parser of events. */
function casesByEvents(xml: string): readonly Case[] {
  const cases: { name: string; state: Case['state']; properties: Record<string, string> }[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const open = cases.at(-1);
    if (name === 'testcase')
      cases.push({ name: attributes.name ?? '', state: 'holds', properties: {} });
    else if (open === undefined) return;
    else if (name === 'property') open.properties[attributes.name ?? ''] = attributes.value ?? '';
    else if (name === 'failure' || name === 'error' || name === 'skipped') open.state = name;
  });
  parser.write(xml).close();
  return cases;
}

function casesOf(name: string): readonly Case[] {
  const xml = text(name);
  const cases = casesByTree(xml);
  expect(casesByEvents(xml)).toEqual(cases);
  return cases;
}

describe('fleetwave run', () => {
  it('writes each expectation as a test case that can be repeated, and a page', async () => {
    const files = ['--junit', path('ci/run.xml'), '--markdown', path('ci/run.md')];
    const run = fleetwave(
      'run',
      path('town.yaml'),
      '--out',
      path('out'),
      '--seed',
      "it's",
      ...files,
    );
    expect(run.status).toBe(1);
    const cases = casesOf('ci/run.xml');
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
    const [holds, fails] = casesOf('seeds.xml');
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

describe('fleetwave study run', () => {
  it('has a case for each expectation at each point, and fails where its exit code does', () => {
    const words = ['--sink', path('losses'), '--junit', path('s.xml'), '--markdown', path('s.md')];
    expect(fleetwave('study', 'run', path('losses.yaml'), ...words).status).toBe(0);
    const cases = casesOf('s.xml');
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
    expect(casesOf('held.xml').filter(({ state }) => state === 'failure').length).toBeGreaterThan(
      1,
    );
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
    const [command, ...others] = casesOf('e.xml');
    expect(command).toMatchObject({
      state: 'holds',
      properties: { actual: 'exit code 0', seed: 's' },
    });
    expect(command?.properties.command).toMatch(/ --paused --seed=s -- .*process\.exit\(0\)'$/);
    expect(others.map(({ state }) => state)).toEqual(['failure', 'failure', 'failure']);
  });

  it('ends with the exit code of a command that fails', () => {
    expect(exec(7, '--markdown', path('e.md')).status).toBe(7);
    expect(casesOf('e.xml')[0]).toMatchObject({ state: 'failure' });
    expect(text('e.md')).toContain('exit code 7');
  });

  it('judges the command alone where no scenario is named', () => {
    const words = ['--paused', '--junit', path('d.xml'), '--', process.execPath, '-e', ''];
    expect(fleetwave('exec', ...words).status).toBe(0);
    expect(casesOf('d.xml')).toHaveLength(1);
  });

  it('judges nothing where no report is asked for', () => {
    const words = ['exec', '--scenario', path('town.yaml'), '--', process.execPath, '-e', ''];
    expect(fleetwave(...words).status).toBe(0);
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
    expect(casesOf('hostile.xml').map(({ state }) => state)).toEqual([
      'holds',
      'failure',
      'error',
      'skipped',
    ]);
  });
});
