/** `fleetwave report`: the page of a run anew, or of several side by side. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../support/bundled.ts';
import { CachedProgram, type Ended } from '../support/cached-program.ts';

const TOWN = `scenario: town
duration: 6 h
area: { radius: 1 km }
devices: [{ name: meter, count: 6, traffic: { every: 10 min }, frameLoss: 20 % }]
images: [{ name: meter-1.2.0.bin, bytes: 2 kB }]
groups: [{ name: meters, devices: all }]
campaigns: [{ name: spring, image: meter-1.2.0.bin, group: meters, multicast_setup_time: 2 h }]
expectations: [joined >= 50 %]
`;
/** A border of 2 km, around the usual middle of a world. */
const BORDER = {
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: {},
      geometry: {
        type: 'LineString',
        coordinates: [
          [11, 48],
          [11, 48.01],
        ],
      },
    },
  ],
};

let folder = '';
let program: CachedProgram;
const at = (...path: readonly string[]) => join(folder, ...path);
const read = (...path: readonly string[]) => readFileSync(at(...path), 'utf8');
const fleetwave = (...words: readonly string[]): Promise<Ended> => program.run(...words);

/** Data of the runs of a page, with their columns. */
function dataOf(page: string): Record<string, unknown>[] {
  const columns = blobsOf(page, 'columns');
  return blobsOf(page, 'run').map((run, at) => {
    return { ...(run as object), ...(columns[at] !== undefined && { columns: columns[at] }) };
  });
}

const blobsOf = (page: string, name: string): unknown[] =>
  [...page.matchAll(/<script type="application\/gzip" class="(\w+)">([^<]*)</g)]
    .filter(([, own]) => own === name)
    .map(([, , base64]) => {
      const bytes = Buffer.from(base64!, 'base64');
      return bytes.length === 0 ? undefined : JSON.parse(gunzipSync(bytes).toString());
    });

/** A copy of the run in a folder of its own. */
function copied(name: string): string {
  cpSync(at('a'), at(name), { recursive: true });
  return name;
}

beforeAll(async () => {
  bundle();
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-'));
  program = await CachedProgram.in(folder);
  writeFileSync(at('town.yaml'), TOWN);
  writeFileSync(at('border.json'), JSON.stringify(BORDER));
  await fleetwave('run', 'town.yaml', '--out', 'a', '--quiet');
  await fleetwave('run', 'town.yaml', '--seed', 'other', '--out', 'b', '--quiet');
});

afterAll(() => {
  program?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the page of one run', () => {
  it('has the bytes that the run wrote, and those of any other run of the same', async () => {
    const page = read('a', 'report.html');
    const { status, stdout } = await fleetwave('report', 'a');
    expect([status, stdout]).toEqual([0, `${at('a', 'report.html')}\n`]);
    expect(read('a', 'report.html')).toBe(page);
    await fleetwave('run', 'town.yaml', '--out', 'again', '--quiet');
    expect(read('again', 'report.html')).toBe(page);
    expect(readFileSync(at('again', 'columns.json.gz'))).toEqual(
      readFileSync(at('a', 'columns.json.gz')),
    );
  });

  it('goes where it is asked to, from a file of a result too', async () => {
    await fleetwave('report', 'a/result.json', '--out', 'elsewhere.html');
    expect(read('elsewhere.html')).toBe(read('a', 'report.html'));
  });

  it('has a policy that allows its one script by its hash', () => {
    const page = read('a', 'report.html');
    expect(page).toMatch(
      /default-src &#39;none&#39;;.*script-src &#39;sha256-[A-Za-z0-9+/]{43}=&#39;/,
    );
    expect(page.match(/<script>/g)).toHaveLength(1);
    expect(page).not.toMatch(/<(link|iframe|img)\b/);
  });

  it('draws an outline in meters from the middle of the world', async () => {
    await fleetwave('report', 'a', '--outline', 'border.json', '--out', 'map.html');
    const [{ outline } = {}] = dataOf(read('map.html'));
    expect(outline).toEqual([
      [
        [0, 0],
        [0, 1112],
      ],
    ]);
  });

  it('draws the outline that its scenario names, and again from the result alone', async () => {
    mkdirSync(at('coast', 'maps'), { recursive: true });
    writeFileSync(at('coast', 'maps', 'border.json'), JSON.stringify(BORDER));
    writeFileSync(at('coast', 'town.yaml'), `${TOWN}report: { outline: maps/border.json }\n`);
    await fleetwave('run', 'coast/town.yaml', '--out', 'outlined', '--quiet');
    const page = read('outlined', 'report.html');
    const [{ outline } = {}] = dataOf(page);
    expect(outline).toEqual([
      [
        [0, 0],
        [0, 1112],
      ],
    ]);
    rmSync(at('coast', 'maps'), { recursive: true });
    await fleetwave('report', 'outlined');
    expect(read('outlined', 'report.html')).toBe(page);
    await fleetwave('report', 'outlined', 'a', '--out', 'both.html');
    expect(dataOf(read('both.html')).map((run) => (run.outline as []).length)).toEqual([1, 0]);
  });

  it('is not there, and nothing is recorded, where a run is to write none', async () => {
    await fleetwave('run', 'town.yaml', '--no-report', '--out', 'bare', '--quiet');
    expect(existsSync(at('bare', 'report.html'))).toBe(false);
    expect(existsSync(at('bare', 'columns.json.gz'))).toBe(false);
  });
});

describe('the page of several runs', () => {
  it('has what differs first, the data of each, and says that one seed is no proof', async () => {
    const { status } = await fleetwave('report', 'a', 'b', '--out', 'both.html');
    expect(status).toBe(0);
    const page = read('both.html');
    expect(page).toContain('a and b differ by the seed (town, other).');
    expect(page).toContain('says nothing of chance');
    expect(dataOf(page).map(({ label }) => label)).toEqual(['a', 'b']);
    expect(page.indexOf('What differs')).toBeLessThan(page.indexOf('id="explorer"'));
  });

  it('says so where they are the same run', async () => {
    await fleetwave('report', 'a', 'a/result.json', '--out', 'same.html');
    expect(read('same.html')).toContain('No figure differs');
    expect(dataOf(read('same.html')).map(({ label }) => label)).toEqual(['a (1)', 'a (2)']);
  });

  it('pairs studies by seed, with intervals', async () => {
    const seeds = ['--seeds', '3', '--workers', '1', '--quiet'];
    await fleetwave('run', 'town.yaml', ...seeds, '--out', 'sa');
    await fleetwave(
      'run',
      'town.yaml',
      '--set',
      'devices.0.frameLoss=0 %',
      ...seeds,
      '--out',
      'sb',
    );
    await fleetwave('report', 'sa', 'sb', '--out', 'studies.html');
    expect(read('studies.html')).toContain('Means over pairs of the same seed');
    expect(read('studies.html')).toContain('95 % interval');
  });
});

describe('what is wrong', () => {
  const cases: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['no run', ['missing'], /missing.*cannot be read/],
    ['a foreign file', ['border.json'], /border\.json.*allowed: /],
    ['several runs without a file', ['a', 'b'], /--out is missing; allowed: the file of the comp/],
    ['more runs than there is room for', Array(7).fill('a'), /7 runs; allowed: 1 to 6/],
    ['an empty path', ['a', '--out', ''], /--out is empty; allowed: a path/],
    ['an outline that is none', ['a', '--outline', 'town.yaml'], /town\.yaml.*allowed: GeoJSON/],
    ['an outline without lines', ['a', '--outline', 'a/result.json'], /is not right; allowed: Geo/],
  ];
  it.each(cases)('is said of %s, with exit code 2', async (_, words, complaint) => {
    const { status, stderr } = await fleetwave('report', ...words);
    expect(stderr).toMatch(complaint);
    expect(status).toBe(2);
  });

  it('is said of a run beside a study', async () => {
    await fleetwave('run', 'town.yaml', '--seeds', '2', '--workers', '1', '--quiet', '--out', 's');
    const { status, stderr } = await fleetwave('report', 'a', 's', '--out', 'x.html');
    expect(stderr).toMatch(/of several seeds; allowed: runs of one seed each, or two studies/);
    expect(status).toBe(2);
  });

  it('is said of columns that are missing, and the rest is shown', async () => {
    const name = copied('without');
    rmSync(at(name, 'columns.json.gz'));
    const { status, stderr } = await fleetwave('report', name);
    expect([status, stderr]).toEqual([0, expect.stringMatching(/is not there: no devices, map/)]);
    expect(dataOf(read(name, 'report.html'))[0]).not.toHaveProperty('columns');
    expect(read(name, 'report.html')).toContain('Campaign spring');
  });

  const damage: readonly (readonly [string, (bytes: Buffer) => Uint8Array, RegExp])[] = [
    ['cut off', (bytes) => bytes.subarray(0, 200), /is damaged: no devices/],
    ['no gzip', () => Buffer.from('columns'), /is damaged: no devices/],
    ['of another shape', () => gzipSync('{"format":1}'), /is not right at \/digest: no devices/],
    [
      'of another format',
      (bytes) => gzipSync(gunzipSync(bytes).toString().replace('"format":1', '"format":9')),
      /is not right at \/format/,
    ],
    [
      'of another run',
      (bytes) =>
        gzipSync(
          gunzipSync(bytes)
            .toString()
            .replace(/"digest":"\w+/, '"digest":"ab'),
        ),
      /is of a run with the digest ab, and the result has \w{16}: it is left out/,
    ],
  ];
  it.each(damage)('is said of columns that are %s', async (kind, change, complaint) => {
    const name = copied(`damaged ${kind}`);
    const file = at(name, 'columns.json.gz');
    writeFileSync(file, change(readFileSync(file)));
    const { status, stderr } = await fleetwave('report', name);
    expect(stderr).toMatch(complaint);
    expect(status).toBe(0);
    expect(read(name, 'report.html')).toContain('Campaign spring');
  });
});
