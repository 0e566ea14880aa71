/** What continuous integration reads: checks of a run, of many seeds, of many points; Markdown. */
import { describe, expect, it } from 'vitest';
import type { SeedRow } from '../../core/result/study.ts';
import {
  type CheckReport,
  checksOfRun,
  checksOfSeeds,
  checksOfStudy,
  commandLine,
} from '../../reports/checks/check.ts';
import { checksMarkdown } from '../../reports/checks/checks-markdown.ts';
import { studyOf } from '../../reports/study/study.ts';
import { runScenario } from '../../scenarios/testing/testing.ts';
import { everyStudy, noneAllowed } from '../support/designed-studies.ts';

const EXPECTATION = 'joined >= 99 % in 50 % of seeds';
const manifest = { scenario: '', files: [], set: [], seed: 'root' };

const row = (seed: string, joined: number): SeedRow => ({
  seed,
  digest: '0123456789abcdef',
  figures: { joined },
  expectations: [{ expectation: EXPECTATION, actual: joined, holds: joined >= 0.99 }],
  unfinished: [],
});

const studyOfRows = (rows: readonly SeedRow[]) =>
  studyOf({
    scenario: 'town',
    manifest,
    seeds: rows.length,
    rows,
    digest: '',
    expectations: [{ expectation: EXPECTATION, seedsPpm: 500_000, unit: 'share' }],
    warnings: [],
  });

const commandOf = (seed: string) => `run ${seed}`;

describe('a check of a run', () => {
  it('has what was measured in the unit of its figure, and what was wanted', () => {
    const { result } = runScenario('scenario: town\nduration: 1 h\ndevices: [{ name: meter }]\n');
    const expectations = [
      { expectation: 'joined >= 99 %', actual: 0.25, holds: false },
      { expectation: 'radio.uplinks within 5 ± 1', actual: Number.NaN, holds: false },
    ];
    expect(checksOfRun(result, expectations, 'again')).toEqual([
      {
        name: 'joined >= 99 %',
        actual: expect.stringMatching(/^25\.00\s%$/),
        wanted: '>= 99 %',
        state: 'fails',
        seed: 'town',
        command: 'again',
      },
      expect.objectContaining({ actual: '–', wanted: 'within 5 ± 1' }),
    ]);
  });
});

describe('a check of many seeds', () => {
  it('names the first seed in which it fails, and holds where enough seeds do', () => {
    const rows = [row('a', 1), row('b', 0.5), row('c', 0.9), row('d', 1)];
    const [check] = checksOfSeeds(studyOfRows(rows), commandOf);
    expect(check).toMatchObject({ state: 'holds', seed: 'b', command: 'run b' });
    expect(check?.wanted).toBe('>= 99 % in 50 % of seeds');
    const spread = /^holds in 2 of 4 seeds; 50\.00\s% to 100\s%, mean 85\.00\s%$/;
    expect(check?.actual).toMatch(spread);
    const [failing] = checksOfSeeds(studyOfRows(rows.slice(1, 3)), commandOf);
    expect(failing).toMatchObject({ state: 'fails', seed: 'b' });
  });

  it('names the first seed where none fails', () => {
    const [check] = checksOfSeeds(studyOfRows([row('a', 1), row('b', 1)]), commandOf);
    expect(check).toMatchObject({ state: 'holds', seed: 'a' });
  });

  it('has a broken check for each world that broke, beside the others', () => {
    const rows = [row('a', 1), { seed: 'b', error: 'out of memory' }];
    expect(checksOfSeeds(studyOfRows(rows), commandOf)).toMatchObject([
      { state: 'holds', seed: 'b' },
      { name: 'seed b', state: 'broken', actual: 'out of memory', command: 'run b' },
    ]);
  });
});

describe('a check of a point', () => {
  it('is skipped while another point is allowed, and fails where none is', () => {
    const statesOf = (study: Parameters<typeof checksOfStudy>[0]) =>
      new Set(checksOfStudy(study).map(({ state }) => state));
    const constrained = everyStudy().filter(({ constraints }) => constraints.length > 0);
    const open = constrained.filter(({ points }) => points.some(({ allowed }) => allowed));
    expect(open.length).toBeGreaterThan(0);
    for (const study of open) expect(statesOf(study)).not.toContain('fails');
    expect(statesOf(noneAllowed())).toContain('fails');
    for (const study of everyStudy()) {
      const verdicts = study.points.flatMap((point) => point.verdicts);
      expect(checksOfStudy(study).length).toBeGreaterThanOrEqual(verdicts.length);
    }
  });
});

describe('checks as Markdown', () => {
  const report = (state: CheckReport['checks'][number]['state']): CheckReport => ({
    suite: 'a | <b>',
    seconds: 1,
    properties: { digest: 'x' },
    checks: [
      { name: 'a >= 1 | b', actual: '*3*', wanted: '>= 1', state, seed: '`s`', command: 'run a' },
    ],
  });

  it.each([
    ['holds', /^## ✓ .*\n\n\*\*The expectation holds\.\*\*/],
    ['fails', /^## ✗ .*\n\n\*\*1 of 1 expectation fails\.\*\*[\s\S]*```sh\nrun a\n```/],
    ['broken', /^## ✗ .*[\s\S]*```sh\nrun a\n```/],
    ['skipped', /^## ✓ .*[\s\S]*\| – \|/],
  ] as const)('show one that is %s', (state, page) => {
    expect(checksMarkdown(report(state))).toMatch(page);
  });

  it('leave no sign of names as a sign of Markdown', () => {
    const page = checksMarkdown(report('fails'));
    expect(page).toContain('## ✗ a \\| &#60;b&#62;');
    expect(page).toContain('| ✗ | `a >= 1 \\| b` | \\*3\\* | `` `s` `` |');
  });

  it('say so where nothing is expected', () => {
    expect(checksMarkdown({ ...report('holds'), checks: [] })).toMatch(
      /\*\*Nothing is expected\.\*\*/,
    );
  });
});

describe('a command', () => {
  it('is one line of a shell, with quotes where they are needed', () => {
    const words = ['run', 'a b.yaml', '--set=devices.meter.count=3', "--seed=it's"];
    expect(commandLine(words)).toBe(
      "fleetwave run 'a b.yaml' --set='devices.meter.count=3' --seed='it'\\''s'",
    );
  });
});
