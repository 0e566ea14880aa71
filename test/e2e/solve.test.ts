/** `fleetwave study solve`, as a user calls it, with small worlds. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { studyRun } from '../../api/cli/study-run.ts';
import { type StudySolveOptions, studySolve } from '../../api/cli/study-solve.ts';
import { studyStatus } from '../../api/cli/study-tools.ts';
import type { Solution } from '../../api/host/studies/solution.ts';
import { bundle, PROGRAM } from '../support/bundled.ts';
import { itLong } from '../support/long.ts';

const TOWN = `scenario: town
duration: 20 min
area: { radius: 1 km }
devices: [{ name: meter, count: 3, joinWithin: 2 min, traffic: { every: 2 min }, adr: false }]
`;

/** Frames that are lost are messages that are lost, until each is sent several times. */
const STUDY = `study: repeated
scenario: town.yaml
set: { devices.meter.frameLoss: 30 % }
parameters: { nbTrans: { set: devices.meter.nbTrans, values: [4, 1, 2] } }
replicates: 10
constraints: [messagesDelivered >= 85 % in 60 % of seeds]
objective: minimise uplinks
`;

let folder = '';
const at = (...path: readonly string[]) => join(folder, ...path);
const solutionIn = (name: string): Solution =>
  JSON.parse(readFileSync(at(name, 'solution.json'), 'utf8'));

/** In this process, on one thread, with what it prints. */
async function said(command: () => Promise<number>) {
  const written: string[] = [];
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const status = await command();
    return { status, text: written.join('') };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

const solve = (file: string, sink: string, more: Partial<StudySolveOptions> = {}) =>
  said(() => studySolve({ file: at(file), sink: `dir:${at(sink)}`, workers: '1', ...more }));

let printed = '';
beforeAll(() => {
  bundle();
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-solve-'));
  writeFileSync(at('town.yaml'), TOWN);
  writeFileSync(at('study.yaml'), STUDY);
  const words = ['study', 'solve', 'study.yaml', '--workers', '2', '--sink', 'dir:two'];
  const run = spawnSync(process.execPath, [PROGRAM, ...words], { cwd: folder, encoding: 'utf8' });
  expect(run.status, run.stderr).toBe(0);
  printed = run.stdout;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('fleetwave study solve', () => {
  it('reports which point to take, and what the next better one lacks', () => {
    expect(printed).toMatch(/^repeated: 3 points, \d+ runs on 2 threads in /);
    expect(printed).toMatch(
      /^Take point 3 \(nbTrans 2\): of the points that meet the constraints/m,
    );
    expect(printed).toMatch(
      /^Next better is point 2 \(nbTrans 1\), uplinks .* it fails: held in /m,
    );
    expect(solutionIn('two')).toMatchObject({ verdict: 'found', point: 3, runnerUp: 2 });
  });

  itLong('produces the same on one thread, and on what a kill has left', async () => {
    await solve('study.yaml', 'one');
    expect(solutionIn('one')).toEqual(solutionIn('two'));
    const [first, ...others] = readdirSync(at('one', 'chunks'));
    expect(others.length).toBeGreaterThan(0);
    rmSync(at('one', 'chunks', first!));
    rmSync(at('one', 'solution.json'));
    expect((await solve('study.yaml', 'one')).status).toBe(0);
    expect(solutionIn('one')).toEqual(solutionIn('two'));
  });

  it('keeps its runs as those of a study: none is run twice, by whomever', async () => {
    const again = await solve('study.yaml', 'two');
    expect(again.text).toMatch(/ runs \(0 of them now\) on /);
    const given = { file: at('study.yaml'), sink: `dir:${at('two')}`, workers: '1' };
    expect((await said(() => studyStatus(given))).text).toContain('30 of 30 runs');
    const run = await said(() => studyRun(given));
    expect(run.text).toMatch(/3 points, 30 runs \(0 of them now\)/);
  });

  it('prints JSON with --json, and takes the folder of a study, too', async () => {
    const { text } = await said(() => studySolve({ file: at('two'), json: true }));
    expect(JSON.parse(text)).toEqual(solutionIn('two'));
  });

  it('ends with 1 where no point meets the constraints', async () => {
    writeFileSync(at('hopeless.yaml'), STUDY.replace('>= 85 %', '> 100 %'));
    const { status, text } = await solve('hopeless.yaml', 'two');
    expect(text).toContain('No point meets the constraints, with 95');
    expect([status, text.includes('(0 of them now)')]).toEqual([1, true]);
  });

  it('refuses what cannot be solved, and writes nothing', async () => {
    writeFileSync(at('all.yaml'), STUDY.replace(' in 60 % of seeds', ''));
    const never = 'which no number of seeds shows; allowed: a share below';
    await expect(solve('all.yaml', 'new')).rejects.toThrow(never);
    const few = solve('study.yaml', 'new', { atMost: '5' });
    await expect(few).rejects.toThrow('study.yaml: at most 5 seeds do not show');
    const sure = solve('study.yaml', 'new', { confidence: '100' });
    await expect(sure).rejects.toThrow('allowed: 50 to 99.9999');
    expect(readdirSync(folder)).not.toContain('new');
  });
});
