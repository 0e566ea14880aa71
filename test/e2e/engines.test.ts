/**
 * What a run, a report and an explanation write does not depend on the engine that runs them: with
 * code that is compiled and with code that is interpreted, and by each Node.js that
 * `FLEETWAVE_NODES` names (paths of programs, with a colon between them).
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundle, PROGRAM } from '../support/bundled.ts';

const TOWN = `scenario: town
duration: 12 h
area: { radius: 3 km }
radio: { shadowing: 6 dB, reception: theory }
gateways: [{ name: roof, count: 2 }]
devices:
  - { name: meter, count: 20, traffic: { every: 10 min, confirmed: 20 % }, energy: {} }
images: [{ name: fw-1.2.0.bin, bytes: 4 kB }]
groups: [{ name: all, devices: all }]
campaigns:
  - { name: spring, image: fw-1.2.0.bin, group: all, at: 1 h, redundancy: 5 % }
`;
const FILES = ['result.json', 'columns.json.gz', 'report.html', 'devices.csv'];

const named = (process.env.FLEETWAVE_NODES ?? '').split(':').filter((path) => path !== '');
if (named.length === 0) {
  process.stderr.write('FLEETWAVE_NODES is empty: only this Node.js is tried, in two ways.\n');
}

let folder = '';
beforeAll(() => {
  bundle();
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-engines-'));
  writeFileSync(join(folder, 'town.yaml'), TOWN);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Digests of all that it writes. */
function writtenBy(node: string, options: readonly string[], out: string) {
  const run = (...words: readonly string[]) => {
    const all = [...options, PROGRAM, ...words];
    const ended = spawnSync(node, all, { cwd: folder, encoding: 'utf8' });
    expect(ended.stderr).toBe('');
    return ended.stdout;
  };
  run('run', 'town.yaml', '--out', out, '--quiet');
  const page = readFileSync(join(folder, out, 'report.html'));
  run('report', out);
  expect(readFileSync(join(folder, out, 'report.html')).equals(page)).toBe(true);
  const texts = [
    run('explain', 'meter-3', '--run', out),
    run('explain', 'gateway', 'roof-1', '--run', out),
  ];
  const bytes = [...FILES.map((name) => readFileSync(join(folder, out, name))), ...texts];
  return bytes.map((each) => createHash('sha256').update(each).digest('hex'));
}

it('gives the same bytes compiled, interpreted, and by every other Node.js that is named', () => {
  const first = writtenBy(process.execPath, [], 'first');
  expect(new Set(first).size).toBe(first.length);
  expect(writtenBy(process.execPath, ['--no-opt', '--no-sparkplug'], 'interpreted')).toEqual(first);
  for (const [at, node] of named.entries()) {
    expect([node, writtenBy(node, [], `node-${at}`)]).toEqual([node, first]);
  }
});
