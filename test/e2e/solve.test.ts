/** `fleetwave study solve`, as a user calls it, with small worlds. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Solution } from '../../api/host/studies/solution.ts';
import { bundle, PROGRAM } from '../support/bundled.ts';

const TOWN = `scenario: town
duration: 20 min
area: { radius: 1 km }
devices: [{ name: meter, count: 3, joinWithin: 2 min, traffic: { every: 2 min } }]
`;

/** Frames that are lost are messages that are lost, until each is sent several times. */
const STUDY = `study: repeated
scenario: town.yaml
set: { devices.meter.frameLoss: 30 % }
parameters: { nbTrans: { set: devices.meter.nbTrans, values: [4, 1, 2] } }
replicates: 10
constraints: [messagesDelivered >= 80 % in 60 % of seeds]
objective: minimise uplinks
`;

let folder = '';
const at = (...path: readonly string[]) => join(folder, ...path);
const fleetwave = (...words: readonly string[]) =>
  spawnSync(process.execPath, [PROGRAM, ...words], { cwd: folder, encoding: 'utf8' });
const solve = (...words: readonly string[]) => fleetwave('study', 'solve', ...words);
const solutionIn = (name: string): Solution =>
  JSON.parse(readFileSync(at(name, 'solution.json'), 'utf8'));

beforeAll(() => {
  bundle();
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-solve-'));
  writeFileSync(at('town.yaml'), TOWN);
  writeFileSync(at('study.yaml'), STUDY);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let printed: string | undefined;
/** What the search has printed; it is run once, on two threads, into `two`. */
function two(): string {
  if (printed !== undefined) return printed;
  const run = solve('study.yaml', '--workers', '2', '--sink', 'dir:two');
  expect(run.status, run.stderr).toBe(0);
  printed = run.stdout;
  return printed;
}

describe('fleetwave study solve', () => {
  it('tells which point to take, and what the next better one lacks', () => {
    expect(two()).toMatch(/^repeated: 3 points, \d+ runs on 2 threads in /);
    expect(two()).toMatch(/^Take point 3 \(nbTrans 2\): of the points that meet the constraints/m);
    expect(two()).toMatch(
      /^Next better is point 2 \(nbTrans 1\), uplinks .* it fails: held in 0 /m,
    );
    expect(two()).toContain('--seed town\n');
    expect(solutionIn('two')).toMatchObject({ verdict: 'found', point: 3, runnerUp: 2 });
  });

  it('comes to the same bytes on one thread, and on what a kill has left', () => {
    two();
    solve('study.yaml', '--workers', '1', '--quiet', '--sink', 'dir:one');
    expect(solutionIn('one')).toEqual(solutionIn('two'));
    const [first, ...others] = readdirSync(at('one', 'chunks'));
    expect(others.length).toBeGreaterThan(0);
    rmSync(at('one', 'chunks', first!));
    rmSync(at('one', 'solution.json'));
    expect(solve('study.yaml', '--quiet', '--sink', 'dir:one').status).toBe(0);
    expect(solutionIn('one')).toEqual(solutionIn('two'));
  });

  it('keeps its runs as those of a study: none is run twice, by whomever', () => {
    two();
    expect(solve('study.yaml', '--sink', 'dir:two').stdout).toMatch(/ runs \(0 of them now\) on /);
    const status = fleetwave('study', 'status', 'study.yaml', '--sink', 'dir:two').stdout;
    expect(status).toContain('30 of 30 runs');
    const run = fleetwave('study', 'run', 'study.yaml', '--sink', 'dir:two');
    expect(run.stdout).toMatch(/3 points, 30 runs \(0 of them now\)/);
  });

  it('prints one JSON document with --json, and takes the folder of a study for its file', () => {
    two();
    const run = solve('two', '--json');
    expect(JSON.parse(run.stdout)).toEqual({ ...solutionIn('two') });
  });

  it('ends with 1 where no point meets the constraints', () => {
    const hopeless = STUDY.replace('>= 80 %', '>= 100 %').replace('[4, 1, 2]', '[1, 2]');
    writeFileSync(at('hopeless.yaml'), hopeless);
    const run = solve('hopeless.yaml', '--sink', 'dir:two');
    expect(run.stdout).toContain('No point meets the constraints, with 95 % confidence.\n');
    expect([run.status, run.stdout.includes('(0 of them now)')]).toEqual([1, true]);
  });

  it('refuses what cannot be solved, and writes nothing', () => {
    writeFileSync(at('all.yaml'), STUDY.replace(' in 60 % of seeds', ''));
    expect(solve('all.yaml')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('which no number of seeds shows; allowed: a share below'),
    });
    expect(solve('study.yaml', '--at-most', '5')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('study.yaml: at most 5 seeds do not show'),
    });
    expect(solve('study.yaml', '--confidence', '100').stderr).toContain('allowed: 50 to 99.9999');
    expect(readdirSync(folder)).not.toContain('out');
  });
});
