/** `fleetwave run --watch`: it goes on, whatever becomes of the files. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bundle, PROGRAM } from '../support/bundled.ts';
import { itLong } from '../support/long.ts';

const scenario = (count: number, more = '') => `scenario: small
duration: 1 h
area: { radius: 1 km }
devices: [{ name: meter, count: ${count}, joinWithin: 1 min${more} }]
`;

let folder = '';
const running: ChildProcess[] = [];
beforeAll(() => {
  bundle();
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-watch-'));
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

/** Prints are taken one after the other: each is waited for from where the last one ended. */
function watching(...words: readonly string[]) {
  const all = [PROGRAM, 'run', ...words, '--watch', '--no-report', '--out', 'out'];
  // One pipe for both, so that what comes first is there first.
  const both = ['-c', 'exec "$@" 2>&1', 'sh', process.execPath, ...all];
  const child = spawn('sh', both, { cwd: folder });
  running.push(child);
  let printed = '';
  child.stdout.on('data', (text) => {
    printed += text;
  });
  let taken = 0;
  const prints = async (text: string) => {
    await expect.poll(() => printed.indexOf(text, taken), { timeout: 30_000 }).not.toBe(-1);
    taken = printed.indexOf(text, taken) + text.length;
  };
  const ends = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return (await once(child, 'close'))[0];
  };
  return { prints, ends };
}

describe('fleetwave run --watch', () => {
  it('runs again when the scenario changes, breaks and is mended, until Ctrl-C', async () => {
    write('town.yaml', scenario(5));
    const { prints, ends } = watching('town.yaml');
    await prints('5 of 5');
    await prints('──── Waiting for a change of town.yaml, Ctrl-C ends ────');
    write('town.yaml', scenario(6));
    await prints('──── town.yaml has changed: run 2 ────');
    await prints('6 of 6');
    await prints('Waiting');
    write('town.yaml', scenario(6, ', cout: 3'));
    await prints('town.yaml:4:');
    await prints('did you mean "count"?');
    await prints('Waiting for a change of town.yaml, Ctrl-C ends (exit code 2)');
    rmSync(join(folder, 'town.yaml'));
    await prints('town.yaml  cannot be read: there is no such file or folder');
    await prints('Waiting');
    // As editors do it that write another file and put it in the place of the first.
    write('town.yaml.new', scenario(7));
    renameSync(join(folder, 'town.yaml.new'), join(folder, 'town.yaml'));
    await prints('7 of 7');
    await prints('Waiting');
    expect(await ends('SIGINT')).toBe(0);
  });

  itLong('runs again when a file that the scenario names comes or changes', async () => {
    write('placed.yaml', scenario(2, ', placement: { file: sites.csv }'));
    const { prints, ends } = watching('placed.yaml');
    await prints('sites.csv cannot be read');
    await prints('Waiting for a change of placed.yaml, sites.csv');
    write('sites.csv', 'x,y\n0,0\n');
    await prints('sites.csv has changed');
    await prints('sites.csv has 1 point for 2');
    await prints('Waiting');
    write('sites.csv', 'x,y\n0,0\n1,1\n');
    await prints('2 of 2');
    await prints('Waiting');
    expect(await ends('SIGTERM')).toBe(143);
  });

  itLong('ends with 130 where Ctrl-C comes during a run', async () => {
    write('long.yaml', scenario(200, ', traffic: { every: 1 min }'));
    const { prints, ends } = watching('long.yaml', '--set', 'duration=3650 d', '--logs', 'log');
    await expect.poll(() => spawnSync('test', ['-e', join(folder, 'log')]).status).toBe(0);
    const ended = ends('SIGINT');
    await prints('Stopped before the end: the result is partial.');
    expect(await ended).toBe(130);
  });

  it('is refused for standard input', () => {
    const words = [PROGRAM, 'run', '-', '--watch'];
    const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', input: '' });
    expect(status).toBe(2);
    expect(stderr).toBe('fleetwave run: --watch needs a file: standard input changes never\n');
  });
});
