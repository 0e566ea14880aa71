/** `fleetwave import`: lists in all forms become scenarios with one command. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadFromDisk } from '../../api/host/files/scenario-files.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { said } from '../support/said.ts';
import { LISTS, type List } from './lists.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-import-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function imported({ title, files, words = [] }: List) {
  const own = join(folder, String(LISTS.findIndex((each) => each.title === title)));
  mkdirSync(own);
  const paths = Object.entries(files).map(([name, content]) => {
    const path = join(own, name);
    writeFileSync(path, content);
    return path;
  });
  const out = join(own, 'fleet.yaml');
  const ended = await said('import', ...paths, ...words, '-o', out);
  return { ...ended, out };
}

describe('one command', () => {
  it('is enough for twenty lists and more', () => {
    expect(LISTS.length).toBeGreaterThanOrEqual(20);
  });

  it.each(LISTS.map((list) => [list.title, list] as const))('imports %s', async (_, list) => {
    const { wanted } = list;
    const { status, stderr, out } = await imported(list);
    expect([status, stderr]).toEqual([0, wanted.warning ?? '']);
    const loaded = loadFromDisk(out, []);
    if (loaded.outcome !== 'scenario') throw new Error(JSON.stringify(loaded));
    expect(loaded.warnings).toEqual([]);
    const { network } = populate(loaded.scenario);
    expect(network.devices).toHaveLength(wanted.devices);
    expect(network.gateways.map(({ name }) => name)).toEqual(wanted.gateways);
    expect(loaded.scenario.devices.map(({ name }) => name)).toEqual(wanted.populations);
    for (const [name, devEui] of Object.entries(wanted.named)) {
      const device = network.devices.find((each) => each.name === name);
      expect(device?.devEui).toEqual(devEui === '' ? expect.any(String) : devEui);
    }
    const text = parse(readFileSync(out, 'utf8'));
    expect(text.region).toBe(wanted.region ?? 'EU868');
    if (wanted.server !== undefined) expect(text.server).toEqual(wanted.server);
    expect(text.devices[0]).toMatchObject(wanted.knobs ?? {});
    const tenths = Object.values(text.origin ?? {}).map((one) => Math.round(10 * Number(one)) / 10);
    expect(tenths).toEqual(wanted.middle ?? []);
  });
});
