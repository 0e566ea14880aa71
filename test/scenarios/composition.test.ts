/** Scenarios of several files, and variants of one (docs/decisions/0072). */
import { describe, expect, it } from 'vitest';
import { format } from '../../scenarios/language/problem.ts';
import { load } from '../../scenarios/load.ts';
import type { Scenario } from '../../scenarios/schema/schema.ts';
import { bundleOf } from './scenario.ts';

type Files = Readonly<Record<string, string>>;

function loadOf(files: Files, variant?: string, set: readonly string[] = []) {
  const [main = ''] = Object.keys(files);
  return load(main, bundleOf(files), set, undefined, variant);
}

function scenarioOf(files: Files, variant?: string, set: readonly string[] = []): Scenario {
  const loaded = loadOf(files, variant, set);
  if (loaded.outcome === 'problems') throw new Error(loaded.problems.map(format).join('\n'));
  if (loaded.outcome === 'needs') throw new Error(`needs ${loaded.paths.join(', ')}`);
  return loaded.scenario;
}

function faultsOf(files: Files, variant?: string): string[] {
  const loaded = loadOf(files, variant);
  return loaded.outcome === 'problems' ? loaded.problems.map(format) : [];
}

const BASE = `scenario: base
duration: 2 h
radio: { shadowing: 7 dB, fading: { model: rayleigh } }
channels: [868.1 MHz, 868.3 MHz]
devices:
  - { name: meter, count: 3, adr: false }
  - { name: alarm }
`;

describe('a scenario that extends another', () => {
  it('is laid over it: maps key by key, lists as wholes, and null takes away', () => {
    const scenario = scenarioOf({
      'own.yaml': `extends: base.yaml
scenario: own
channels: [867.1 MHz]
radio: { shadowing: null, noiseFigure: 3 dB }
duration: null
`,
      'base.yaml': BASE,
    });
    expect(scenario.scenario).toBe('own');
    expect(scenario.channels).toEqual([867_100_000]);
    expect(scenario.radio).toMatchObject({ shadowing: 400, noiseFigure: { gateway: 300 } });
    expect(scenario.radio.fading.model).toBe('rayleigh');
    expect(scenario.duration).toBe(86_400e6);
    expect(scenario.devices.map(({ name }) => name)).toEqual(['meter', 'alarm']);
  });

  it('may name several, the later over the earlier, which extend others in turn', () => {
    const scenario = scenarioOf({
      'own.yaml': 'extends: [parts/first.yaml, second.yaml]\nscenario: own\n',
      'parts/first.yaml': 'extends: root.yaml\nduration: 3 h\nregion: US915\n',
      'parts/root.yaml': 'scenario: root\nregion: KR920\nseed: 7\ndevices: [{ name: a }]\n',
      'second.yaml': 'duration: 4 h\n',
    });
    expect(scenario).toMatchObject({ region: 'US915', duration: 4 * 3600e6, seed: '7' });
  });

  it('changes entries of lists by its overrides', () => {
    const { devices } = scenarioOf({
      'own.yaml': `extends: base.yaml
overrides:
  devices.meter.count: 9
  devices.*.traffic: { every: 10 min }
  devices.1.name: siren
  devices.meter.adr: null
`,
      'base.yaml': BASE,
    });
    expect(devices).toMatchObject([
      { name: 'meter', count: 9, adr: true, traffic: { every: 600e6, payload: 12 } },
      { name: 'siren', traffic: { every: 600e6 } },
    ]);
  });

  it('has faults where they stand: in the file, in what it extends, in an override', () => {
    const faults = faultsOf({
      'sub/own.yaml': `extends: base.yaml
radio: { shadowing: 5 km }
overrides:
  devices.meter.count: -1
  devices.metre.count: 1
  devices..count: 1
`,
      'sub/base.yaml': BASE.replace('2 h', '2 km').replace('rayleigh', 'raleigh'),
    });
    expect(faults).toEqual([
      'sub/own.yaml:5:3  /overrides/devices.metre.count  "metre" is not in devices; allowed: ' +
        'an index below 2, or meter, alarm, or *; did you mean "meter"?',
      'sub/own.yaml:6:3  /overrides/devices..count  is not a path; allowed: a path such as ' +
        'devices.meter.count; a name with points stands in quotes',
    ]);
    const others = faultsOf({
      'sub/own.yaml': `extends: base.yaml
radio: { shadowing: 5 km }
overrides:
  devices.meter.count: -1
`,
      'sub/base.yaml': BASE.replace('2 h', '2 km').replace('rayleigh', 'raleigh'),
    });
    expect(others.map((fault) => fault.split('  ').slice(0, 2).join(' '))).toEqual([
      'sub/own.yaml:2:21 /radio/shadowing',
      'sub/own.yaml:4:24 /devices/0/count',
      'sub/base.yaml:2:11 /duration',
      'sub/base.yaml:3:44 /radio/fading/model',
    ]);
  });

  it('names no file above its folder, and none that leads back to it', () => {
    expect(faultsOf({ 'own.yaml': 'extends: ../base.yaml\n' })).toEqual([
      'own.yaml:1:10  /extends  "../base.yaml" is not right here; ' +
        'allowed: a path below the folder of the file that names it',
    ]);
    const circle = { 'a.yaml': 'extends: ./b.yaml\n', 'b.yaml': 'seed: 1\nextends: [a.yaml]\n' };
    expect(faultsOf(circle)).toEqual([
      'b.yaml:2:11  /extends/0  leads back to itself: a.yaml → b.yaml → a.yaml; ' +
        'allowed: files that do not name each other',
    ]);
  });

  it('asks for the files that it needs', () => {
    const own = { 'f/own.yaml': 'extends: base.yaml\ndevices: { include: parts/all.yaml }\n' };
    expect(loadOf(own)).toEqual({ outcome: 'needs', paths: ['f/parts/all.yaml'] });
    const more = { ...own, 'f/parts/all.yaml': '- { name: a, placement: { file: b.csv } }\n' };
    expect(loadOf(more)).toEqual({ outcome: 'needs', paths: ['f/base.yaml'] });
    const all = { ...more, 'f/base.yaml': 'scenario: base\n' };
    expect(loadOf(all)).toEqual({ outcome: 'needs', paths: ['f/parts/b.csv'] });
  });

  it('reads files in the folder of the file that names them', () => {
    const files = {
      'own.yaml': 'extends: city/base.yaml\n',
      'city/base.yaml': `scenario: city
devices: [{ name: meter, count: 1, placement: { file: places/a.csv } }]
images: [{ name: fw.bin, file: fw.bin }]
`,
    };
    expect(loadOf(files)).toEqual({
      outcome: 'needs',
      paths: ['city/places/a.csv'],
    });
    const all = { ...files, 'city/fw.bin': 'x', 'city/places/a.csv': 'x,y\n1,2\n' };
    expect(scenarioOf(all).devices[0]!.placement).toEqual({
      by: 'points',
      points: [{ xMeters: 1, yMeters: 2 }],
    });
  });

  it('costs no more for files that are extended in very many ways', () => {
    const files: Record<string, string> = { 'f0.yaml': '' };
    for (let i = 0; i < 40; i++)
      files[`f${i}.yaml`] = `extends: [f${i + 1}.yaml, g${i + 1}.yaml]\n`;
    for (let i = 1; i < 40; i++) files[`g${i}.yaml`] = `extends: f${i + 1}.yaml\n`;
    files['f40.yaml'] = BASE;
    files['g40.yaml'] = BASE;
    expect(scenarioOf(files).scenario).toBe('base');
  });
});

describe('an include', () => {
  it('puts a file, or a part of one, at a place', () => {
    const scenario = scenarioOf({
      'own.yaml': `scenario: own
radio: { include: parts.yaml, part: radio.city }
devices: { include: meters.yaml }
`,
      'parts.yaml': 'radio: { city: { shadowing: 9 dB } }\n',
      'meters.yaml': '- { name: a, count: 2 }\n- { name: b }\n',
    });
    expect(scenario.radio.shadowing).toBe(900);
    expect(scenario.devices.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('in a list stands for all entries of a list, and what is beside it is laid over a map', () => {
    const { devices } = scenarioOf({
      'own.yaml': `scenario: own
devices:
  - { name: first }
  - { include: meters.yaml }
  - { include: meters.yaml, part: b, name: c, traffic: { every: 2 h } }
`,
      'meters.yaml': '- { name: a }\n- { name: b, traffic: { payload: 20 B, every: 1 h } }\n',
    });
    expect(devices.map(({ name }) => name)).toEqual(['first', 'a', 'b', 'c']);
    expect(devices[3]!.traffic).toMatchObject({ payload: 20, every: 7200e6 });
  });

  it('has faults where they stand', () => {
    const faults = faultsOf({
      'own.yaml': `scenario: own
devices:
  - { include: meters.yaml }
  - { include: meters.yaml, part: b, name: c, adr: 8 }
  - { name: last, count: -3 }
`,
      'meters.yaml': '- { name: a }\n- { name: b, count: -2 }\n',
    });
    expect(faults.map((fault) => fault.split('  ').slice(0, 2).join(' '))).toEqual([
      'own.yaml:4:52 /devices/2/adr',
      'own.yaml:5:26 /devices/3/count',
      'meters.yaml:2:21 /devices/1/count',
      'meters.yaml:2:21 /devices/2/count',
    ]);
  });

  it('of a part that is not there, or in a circle, is refused', () => {
    const own = 'scenario: own\ndevices: { include: a.yaml, part: metres }\n';
    expect(faultsOf({ 'own.yaml': own, 'a.yaml': 'meters: [{ name: a }]\n' })).toEqual([
      'own.yaml:2:35  /devices/part  "metres" is not in the file; allowed: meters; ' +
        'did you mean "meters"?',
    ]);
    expect(faultsOf({ 'own.yaml': own, 'a.yaml': 'metres: { include: a.yaml }\n' })).toEqual([
      'a.yaml:1:20  /metres/include  leads back to itself: a.yaml → a.yaml; ' +
        'allowed: files that do not name each other',
    ]);
  });

  it('repeats no value without end', () => {
    const files: Record<string, string> = {
      'own.yaml': 'scenario: own\ndevices: { include: f1.yaml }\n',
    };
    for (let i = 1; i < 12; i++) {
      const keys = [1, 2, 3, 4, 5, 6, 7, 8].map((key) => `k${key}: { include: f${i + 1}.yaml }\n`);
      files[`f${i}.yaml`] = keys.join('');
    }
    files['f12.yaml'] = 'a: 1\n';
    expect(faultsOf(files)).toEqual([
      'own.yaml  includes too much; allowed: at most 500000 values in all',
    ]);
    for (let i = 1; i < 12; i++) files[`f${i}.yaml`] = `- { include: f${i + 1}.yaml }\n`.repeat(8);
    files['f12.yaml'] = '[{ a: 1 }]\n';
    const faults = faultsOf(files);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(
      /^f\d.yaml:\d:3 .* includes too much; allowed: at most 500000 entries/,
    );
  });
});

const CITY = `scenario: city
devices:
  - { name: meter, count: 3, adr: false }
  - { name: alarm }
variants:
  dense: { devices.meter.count: 30, radio: { shadowing: 9 dB } }
  alone: { devices.alarm: null, devices.meter.adr: null }
`;

describe('a variant', () => {
  it('is the scenario with its overrides written over it; without one the scenario runs', () => {
    expect(scenarioOf({ 'a.yaml': CITY }).devices[0]).toMatchObject({ count: 3, adr: false });
    const dense = scenarioOf({ 'a.yaml': CITY }, 'dense');
    expect(dense.devices[0]).toMatchObject({ count: 30, adr: false });
    expect(dense.radio.shadowing).toBe(900);
    const alone = scenarioOf({ 'a.yaml': CITY }, 'alone');
    expect(alone.devices).toMatchObject([{ name: 'meter', adr: true }]);
  });

  it('comes before overrides of the command line', () => {
    const { devices } = scenarioOf({ 'a.yaml': CITY }, 'dense', ['devices.meter.count=4']);
    expect(devices[0]!.count).toBe(4);
  });

  it('of a file that is extended is one of the file, unless that has one of its name', () => {
    const files = {
      'own.yaml': 'extends: a.yaml\nvariants: { dense: { devices.meter.adr: null } }\n',
      'a.yaml': CITY,
    };
    expect(scenarioOf(files, 'dense').devices[0]).toMatchObject({ count: 3, adr: true });
    expect(scenarioOf(files, 'alone').devices).toHaveLength(1);
  });

  it('that nobody knows, or that is wrong, is named', () => {
    expect(faultsOf({ 'a.yaml': CITY }, 'dence')).toEqual([
      '--variant dence  "dence" is not a variant of this scenario; allowed: dense, alone; ' +
        'did you mean "dense"?',
    ]);
    const wrong = CITY.replace('30,', '-30,').replace('devices.alarm: null', 'devices.alrm: null');
    expect(faultsOf({ 'a.yaml': wrong })).toEqual([]);
    expect(faultsOf({ 'a.yaml': wrong }, 'dense')).toEqual([
      'a.yaml:6:33  /devices/0/count  -30 is too small; allowed: a whole number from 0 to 1000000',
    ]);
    expect(faultsOf({ 'a.yaml': wrong }, 'alone')).toEqual([
      'a.yaml:7:12  /variants/alone/devices.alrm  "alrm" is not in devices; allowed: ' +
        'an index below 2, or meter, alarm, or *; did you mean "alarm"?',
    ]);
    expect(
      faultsOf({ 'a.yaml': 'scenario: a\nvariants: { "a b": {} }\ndevices: [{ name: b }]\n' }),
    ).toEqual([
      'a.yaml:2:13  /variants/a b  is not a name; allowed: up to 64 letters, digits, - and _',
    ]);
  });
});
