/** The file of devices: api/host/files/devices-file.ts. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { writeDevices } from '../../../api/host/files/devices-file.ts';
import type { CampaignDevice } from '../../../core/result/outcome.ts';

const folder = mkdtempSync(join(tmpdir(), 'fleetwave-'));
const path = join(folder, 'devices.csv');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DEVICE: CampaignDevice = {
  campaign: 'spring',
  name: 'meter-1',
  devEui: '02E4E2517D000001',
  population: 'meter',
  fate: 'failed',
  cause: 'answer lost',
  step: 'session',
  runs: true,
  dataRate: 5,
  gateways: 0,
  fragmentsHeld: 84,
  fragmentsNeeded: 84,
  fragmentsMissing: 0,
  versionBefore: '0100000001000000',
  version: '0101000001000000',
  joules: 6.25,
};

const HEAD =
  'campaign,subscriber,name,devEui,population,runsIt,fate,cause,diagnosis,step,' +
  'dataRate,gateways,' +
  'fragmentsHeld,fragmentsNeeded,fragmentsMissing,versionBefore,version,joules';

describe('devices.csv', () => {
  it('has a head, and a row for each device; 0 is 0, and what nobody can say is empty', () => {
    const stranger = { ...DEVICE, campaign: null, fate: 'none', cause: null, runs: null } as const;
    writeDevices(path, [DEVICE, { ...stranger, joules: null }]);
    expect(readFileSync(path, 'utf8')).toBe(
      `${HEAD}\n` +
        'spring,,meter-1,02E4E2517D000001,meter,true,failed,answer lost,,session,5,0,84,84,0,' +
        '0100000001000000,0101000001000000,6.25\n' +
        ',,meter-1,02E4E2517D000001,meter,,none,,,session,5,0,84,84,0,' +
        '0100000001000000,0101000001000000,\n',
    );
  });

  it('quotes what would end a cell', () => {
    const names = ['a,b', 'say "so"', 'two\nlines'];
    writeDevices(
      path,
      names.map((name) => ({ ...DEVICE, name, subscriber: 'south' })),
    );
    const text = readFileSync(path, 'utf8');
    for (const cell of ['"a,b"', '"say ""so"""', '"two\nlines"']) {
      expect(text).toContain(`\nspring,south,${cell},02E4E2517D000001,meter,`);
    }
  });

  it('is written while devices are looked at, and holds few of them', () => {
    let written = 0;
    function* many(): Iterable<CampaignDevice> {
      for (let number = 0; number < 30_000; number++) {
        if (number === 29_999) written = statSync(path).size;
        yield DEVICE;
      }
    }
    writeDevices(path, many());
    expect(written).toBeGreaterThan(statSync(path).size / 2);
  });
});
