/** What is wrong with lists is listed with file and line, and nothing is written then. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadFromDisk } from '../../api/host/files/scenario-files.ts';
import { said } from '../support/said.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-lists-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Files = Readonly<Record<string, string | Uint8Array>>;

async function imported(files: Files, ...words: readonly string[]) {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const paths = Object.keys(files).map((name) => join(folder, name));
  const ended = await said('import', ...paths, ...words, '-o', join(folder, 'fleet.yaml'));
  const stderr = ended.stderr.replaceAll(`${folder}/`, '');
  return { ...ended, stderr, lines: stderr.trimEnd().split('\n') };
}

/** Faults of a refused import, without the last line. */
async function faultsOf(files: Files, ...words: readonly string[]): Promise<readonly string[]> {
  const { status, lines } = await imported(files, ...words);
  expect(status).toBe(2);
  expect(readdirSync(folder).sort()).toEqual(Object.keys(files).sort());
  expect(lines.at(-1)).toMatch(/^fleetwave import: nothing is written/);
  return lines.slice(0, -1);
}

const written = (name: string): string => readFileSync(join(folder, name), 'utf8');

const HEAD = 'name,devEui,latitude,longitude\n';
const row = (n: number, latitude: number | string, longitude: number | string) =>
  `lamp ${n},70B3D57ED000000${n},${latitude},${longitude}\n`;
const NEAR = [1, 2, 3, 4].map((n) => row(n, 48.1 + n / 1000, 11.5)).join('');

describe('a row', () => {
  it.each([
    ['an EUI that a spreadsheet has rounded', '7.0B3D57ED+15', /is no EUI/],
    [
      'a number that a spreadsheet has rounded',
      '7.00000000000001E+15',
      /a spreadsheet has rounded it to a number/,
    ],
    [
      'an EUI without its leading zeros',
      '12345678901234',
      /it has 14 digits; leading zeros are gone/,
    ],
    ['an EUI that is too long', '70B3D57ED000000102', /is no EUI; allowed: 16 hexadecimal digits/],
  ])('with %s is refused with its line', async (_, eui, message) => {
    const list = `${HEAD}${NEAR}x,${eui},48.1,11.5\n`;
    const [fault, more] = await faultsOf({ 'd.csv': list });
    expect(fault).toMatch(/^d\.csv:6 {2}/);
    expect(fault).toMatch(message);
    expect(more).toBeUndefined();
  });

  it.each([
    ['latitude and longitude that can only be swapped', row(5, 115.5, 48.1), /seem to be swapped/],
    ['latitude and longitude swapped beside others', row(5, 11.5, 48.1), /seem to be swapped/],
    [
      'a point far from the rest',
      row(5, 40.4, -3.7),
      /stands 14\d\d km from the middle of the lists/,
    ],
    ['words for a place', row(5, 'north', 11.5), /"north" is no latitude; allowed: degrees/],
    ['more cells than headers', `${row(5, 48, 11).trimEnd()},5\n`, /has 5 cells; allowed: 4/],
    ['the EUI of another', row(3, 48.1, 11.5), /EUI 70B3D57ED0000003 is that of d\.csv:4 already/],
  ])('with %s is refused with its line', async (_, last, message) => {
    const faults = await faultsOf({ 'd.csv': HEAD + NEAR + last });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^d\.csv:6 {2}/);
    expect(faults[0]).toMatch(message);
  });

  it('that stands across a line feed in a cell is counted by lines of the file', async () => {
    const list = `# survey\n\n${HEAD}"lamp\n0",70B3D57ED0000000,48.1,11.5\nx,1,48.1,11.5\n`;
    const [note, fault] = await faultsOf({ 'd.csv': list });
    expect(note).toMatch(/^warning: d\.csv:4 {2}the name "lamp\\u000a0" is "lamp 0" here/);
    expect(fault).toMatch(/^d\.csv:6 {2}"1" is/);
  });

  it('of each list is reported at once, in the order of the lists', async () => {
    const faults = await faultsOf({
      'b.csv': `${HEAD}x,1,48,11\ny,2,48,11\n`,
      'a.csv': 'gatewayEui,lat,lon\nAABB,48,11\n',
    });
    expect(faults.map((fault) => fault.split('  ')[0])).toEqual(['b.csv:2', 'b.csv:3', 'a.csv:2']);
  });

  it('with a fault is left out, and listed, where that is asked for', async () => {
    const list = HEAD + NEAR + row(5, 11.5, 48.1) + row(1, 48.1, 11.5) + row(6, 48.1, 11.5);
    const { status, lines } = await imported({ 'd.csv': list }, '--skip-faulty');
    expect(status).toBe(0);
    expect(lines).toEqual([
      expect.stringMatching(/^warning: d\.csv:7 {2}EUI 70B3D57ED0000001 is that of d\.csv:2/),
      expect.stringMatching(
        /^warning: d\.csv:6 {2}latitude 11\.5 and longitude 48\.1 seem to be swapped/,
      ),
    ]);
    expect(written('fleet-device.csv').trimEnd().split('\n')).toHaveLength(6);
    expect(loadFromDisk(join(folder, 'fleet.yaml'), []).outcome).toBe('scenario');
  });

  it('far from the rest is taken where the limit is farther', async () => {
    const list = HEAD + NEAR + row(5, 40.4, -3.7);
    const { status } = await imported({ 'd.csv': list }, '--farthest', '2000 km');
    expect(status).toBe(0);
  });

  it('with a knob that is not right is refused at its line, as validate would', async () => {
    const list =
      'name,devEui,adr,indoor\na,70B3D57ED0000001,true,5 %\nb,70B3D57ED0000002,true,5 V\n';
    const [fault] = await faultsOf({ 'd.csv': list });
    expect(fault).toMatch(/^d\.csv:3 {2}.*"5 V"/);
  });
});

describe('a profile', () => {
  const IN_TWO = `name: Probe
firmwareVersions:
  - version: '2.0'
    profiles: { EU863-870: { id: eu }, US902-928: { id: us } }
`;
  const files = {
    'probe.yaml': IN_TWO,
    'eu.yaml': 'macVersion: 1.0\nsupportsJoin: true\nrx2DataRateIndex: 0\nmaxEIRP: 27\n',
    'us.yaml': 'macVersion: 1.1\nsupportsJoin: false\nrx2DataRateIndex: 8\n',
    'probe-codec.yaml': 'uplinkDecoder: { fileName: probe.js }\n',
  };

  it('of another region is left out, and more power than a region allows is cut', async () => {
    const { status, lines } = await imported(files, '--region', 'EU868');
    expect([status, lines]).toEqual([
      0,
      [
        'warning: "Probe" radiates 27 dBm, and EU868 allows 16 dBm, which its devices have here',
        'warning: 1 profile is of another region',
      ],
    ]);
    const text = written('fleet.yaml');
    expect(text).toContain('lorawan: 1.0.2\n    activation: otaa\n    maxEirp: 16 dBm\n');
    // Devices that join learn their windows.
    expect(text).not.toContain('server:');
  });

  it('of personalised devices sets the windows of the network', async () => {
    await imported(files, '--region', 'US915');
    expect(written('fleet.yaml')).toContain('server:\n  rx2DataRate: DR8\n');
  });

  it('has to be of the region that is asked for, and of one where none is', async () => {
    expect(await faultsOf(files, '--region', 'IN865')).toEqual([
      'probe.yaml  no profile is of IN865; allowed: --region with one of EU868, US915',
    ]);
    expect(await faultsOf(files)).toEqual([
      'probe.yaml  profiles are of EU868, US915; allowed: one region; --region chooses it',
    ]);
  });

  it('that a device names, and that is not given, is a warning', async () => {
    const { 'us.yaml': _, ...others } = files;
    const { lines } = await imported(others);
    const words = 'names the profile "us", which is not among the files';
    expect(lines[0]).toBe(`warning: probe.yaml  ${words}`);
  });
});

describe('a map', () => {
  it('that fits no column shows the headers, and what was probably meant', async () => {
    const files = { 'd.csv': `Gerät;Kennung\na;70B3D57ED0000001\n` };
    expect(await faultsOf(files, '--map', 'devEui=Kenung')).toEqual([
      'fleetwave import: --map devEui="Kenung" fits no column; d.csv has "Gerät", "Kennung"; ' +
        'did you mean "Kennung"?',
    ]);
  });

  it.each([
    ['devEUI=a', '--map "devEUI" is no field; allowed: devEui, eui, name'],
    ['devEui', '--map "devEui" is not right; allowed: FIELD=HEADER, such as devEui="Device EUI"'],
  ])('%s is refused with what is allowed', async (word, message) => {
    const { status, stderr } = await imported({ 'd.csv': HEAD + NEAR }, '--map', word);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('with an empty header takes the field from no column', async () => {
    const files = { 'd.csv': 'name,type,devEui\na,x,70B3D57ED0000001\nb,y,70B3D57ED0000002\n' };
    await imported(files, '--map', 'type=');
    expect(existsSync(join(folder, 'fleet-device.csv'))).toBe(true);
  });

  it('is guessed, and shown with an example before anything is written', async () => {
    const files = { 'd.csv': 'Gerätename;Kennung;Kunde\nTor;70B3D57ED0000001;x\n' };
    const { status, stdout } = await imported(files, '--dry-run');
    expect(status).toBe(0);
    expect(stdout).toContain('devEui           ← "Kennung", such as 70B3D57ED0000001\n');
    expect(stdout).toContain('name             ← "Gerätename", such as Tor\n');
    expect(stdout).toContain('not used: "Kunde"\n');
    expect(stdout).toContain('Nothing is written (--dry-run)');
    expect(readdirSync(folder)).toEqual(['d.csv']);
  });
});

describe('a file', () => {
  it.each<readonly [string, string, string | Uint8Array, RegExp]>([
    ['that is empty', 'd.csv', '', /^d\.csv {2}is empty; allowed: a header/],
    ['of headers alone', 'd.csv', HEAD, /^d\.csv {2}has no devices; allowed: a list of devices/],
    [
      'of gateways alone',
      'gateways.csv',
      'eui,lat,lon\nAABBCCFFFEDDEE01,1,1\n',
      /no list has devices/,
    ],
    [
      'that is a workbook',
      'd.xlsx',
      Uint8Array.of(0x50, 0x4b, 3, 4),
      /is a workbook.*save it as CSV/,
    ],
    ['of broken JSON', 'd.json', '{"a":1}\n{"b":', /^d\.json:1 {2}is not JSON/],
    [
      'of JSON without records',
      'd.json',
      '[1, 2]',
      /^d\.json:1 {2}has 1; allowed: a list of records/,
    ],
    ['of broken YAML', 'p.yaml', 'macVersion: [', /^p\.yaml:1 {2}/],
    ['of YAML that is no profile', 'p.yaml', 'a: 1\n', /^p\.yaml {2}is none; allowed: a profile/],
    ['of broken TOML', 'p.toml', '[profile]\na = \n', /^p\.toml:2 {2}is not TOML/],
    ['of TOML that is no profile', 'p.toml', 'a = 1\n', /^p\.toml {2}is none; allowed: a table/],
    [
      'of a profile with a wrong value',
      'p.yaml',
      "macVersion: '1.0.3'\nsupportsJoin: true\nrx2DataRateIndex: 99\n",
      /^p\.yaml:3 {2}\/rx2DataRateIndex {2}99 is not right here; allowed: .* 0 to 13/,
    ],
  ])('%s is refused', async (_, name, content, message) => {
    const faults = await faultsOf({ [name]: content });
    expect(faults).toEqual([expect.stringMatching(message)]);
  });

  it('may be a folder: all profiles in it and below are taken', async () => {
    const vendor = join(folder, 'vendor');
    mkdirSync(join(vendor, 'profiles'), { recursive: true });
    const profile = '[profile]\nregion = "EU868"\nmac_version = "1.0.4"\nsupports_class_c = true\n';
    writeFileSync(join(vendor, 'profiles', 'lamp.toml'), profile);
    writeFileSync(join(vendor, 'vendor.toml'), '[vendor]\nname = "x"\n');
    writeFileSync(join(vendor, 'test_decode.json'), '[{ "name": "an example of its codec" }]');
    const out = join(folder, 'fleet.yaml');
    expect((await said('import', vendor, '-o', out)).status).toBe(0);
    expect(readFileSync(out, 'utf8')).toContain('name: lamp\n    count: 10');
    rmSync(join(vendor, 'profiles'), { recursive: true });
    for (const name of ['vendor.toml', 'test_decode.json']) rmSync(join(vendor, name));
    const { status, stderr } = await said('import', vendor, '-o', out);
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining('vendor  has no lists; allowed:'),
    ]);
  });

  it('that is not there is refused', async () => {
    const { status, stderr } = await said('import', join(folder, 'none.csv'));
    expect([status, stderr]).toEqual([2, expect.stringContaining('cannot be read: there is no')]);
  });
});

describe('the lists together', () => {
  it('have one region', async () => {
    const list = `${HEAD.trimEnd()},region\n${NEAR.trimEnd().split('\n').join(',EU868\n')},US915\n`;
    expect(await faultsOf({ 'd.csv': list })).toEqual([
      'd.csv:5  is of US915, and d.csv:2 of EU868; allowed: one region; --region takes one for all',
    ]);
  });

  it('may name things twice: later ones are numbered, and both places listed', async () => {
    const first = 'name,devEui,type\nlamp,70B3D57ED0000001,a\n';
    const second = 'name,devEui,type\nlamp,70B3D57ED0000002,b\n';
    const { status, stderr } = await imported({ 'a.csv': first, 'b.csv': second });
    expect([status, stderr]).toEqual([
      0,
      'warning: devices with one name: "lamp" at a.csv:2 and b.csv:2 ' +
        '(the latter is "lamp-2" here)\n',
    ]);
    expect(written('fleet-b.csv')).toContain('lamp-2,70B3D57ED0000002');
  });

  it('keep names of any characters, on one line of 80', async () => {
    const names = [
      '☂ Müller & "Co"',
      '70B3D57ED0000002',
      'device',
      'device-1',
      `${'ä'.repeat(79)}😀b`,
    ];
    const rows = names.map((name, i) => [
      `"${name.replaceAll('"', '""')}"`,
      `70B3D57ED000000${i + 1}`,
    ]);
    const list = `name;devEui\n${rows.map((cells) => cells.join(';')).join('\n')}\n`;
    const { status, stderr } = await imported({ 'd.csv': list });
    expect(status).toBe(0);
    expect(stderr).toMatch(/^warning: d\.csv:6 {2}the name "ä+…" is "ä+…" here; allowed: 1 to 80/);
    const loaded = loadFromDisk(join(folder, 'fleet.yaml'), []);
    expect(loaded.outcome === 'scenario' && loaded.warnings).toEqual([]);
  });

  it('may have 0, 0 for no place', async () => {
    const { status, stderr } = await imported({
      'd.csv': HEAD + NEAR + row(5, 0, '0,0').replace('0,0', '0.0'),
    });
    expect([status, stderr]).toEqual([0, expect.stringMatching(/d\.csv:6 {2}0, 0 is taken as no/)]);
    expect(written('fleet-device.csv')).toContain('lamp 5,70B3D57ED0000005,,\n');
  });
});

describe('places that are all swapped', () => {
  const SWAPPED = HEAD + [1, 2, 3, 4].map((n) => row(n, 11.5, 48.1 + n / 1000)).join('');

  it('are a warning where the region is of another continent', async () => {
    const { status, stderr } = await imported({ 'd.csv': SWAPPED });
    expect([status, stderr]).toEqual([
      0,
      expect.stringMatching(/11\.5, 48\.102, is not in Europe, and would be with latitude and/),
    ]);
    const swap = ['--map', 'latitude=longitude', '--map', 'longitude=latitude', '--force'];
    expect((await imported({ 'd.csv': SWAPPED }, ...swap)).stderr).toBe('');
  });

  it('are none where the region is of several continents', async () => {
    expect((await imported({ 'd.csv': SWAPPED }, '--region', 'AS923-1')).stderr).toBe('');
  });
});

describe('what is written', () => {
  const KEY = '00112233445566778899AABBCCDDEEFF';
  const KEYED = `devEui,appKey\n70B3D57ED0000001,${KEY}\n`;

  it('has no keys, unless they are asked for', async () => {
    const { stdout } = await imported({ 'd.csv': KEYED });
    expect(stdout).not.toContain(KEY);
    expect(written('fleet-device.csv')).not.toContain(KEY);
    await imported({ 'd.csv': KEYED }, '--with-keys', '--force');
    expect(written('fleet-device.csv')).toContain(KEY);
  });

  it('never repeats a key that is wrong', async () => {
    const [fault] = await faultsOf(
      { 'd.csv': KEYED.replace(KEY, KEY.slice(1)) },
      '--map',
      'appKey=appKey',
    );
    expect(fault).toBe('d.csv:2  is no key: it has 31 characters; allowed: 32 hexadecimal digits');
  });

  it('is never written over a file that is there, unless it is forced', async () => {
    writeFileSync(join(folder, 'fleet-device.csv'), 'mine');
    const { status, stderr } = await imported({ 'd.csv': HEAD + NEAR });
    expect([status, stderr]).toEqual([
      2,
      'fleet-device.csv: a file is in the way (--force: write over it)\n',
    ]);
    expect(written('fleet-device.csv')).toBe('mine');
    expect(existsSync(join(folder, 'fleet.yaml'))).toBe(false);
    expect((await imported({ 'd.csv': HEAD + NEAR }, '--force')).status).toBe(0);
    expect(written('fleet-device.csv')).toContain('lamp 1');
  });

  it('is never one of the lists', async () => {
    const list = { 'fleet-device.csv': HEAD + NEAR };
    const { status, stderr } = await imported(list, '--force');
    expect([status, stderr]).toEqual([
      2,
      'fleet-device.csv: is one of the lists; allowed: another --out\n',
    ]);
  });

  it('is all or nothing: a folder in the way leaves no other file', async () => {
    const { status } = await said('import', join(folder, 'd.csv'), '-o', join(folder, 'a.txt'));
    expect(status).toBe(2);
    writeFileSync(join(folder, 'd.csv'), HEAD + NEAR);
    writeFileSync(join(folder, 'file'), '');
    const out = join(folder, 'file/fleet.yaml');
    expect((await said('import', join(folder, 'd.csv'), '-o', out)).status).toBe(2);
    expect(readdirSync(folder).sort()).toEqual(['d.csv', 'file']);
  });

  it('is one JSON document where that is asked for', async () => {
    const { stdout } = await imported({ 'd.csv': HEAD + NEAR }, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      region: 'EU868',
      gateways: 0,
      populations: [{ name: 'device', title: '', devices: 4 }],
      lists: [{ kinds: ['devices'], map: { devEui: 'devEui', latitude: 'latitude' } }],
    });
  });
});
