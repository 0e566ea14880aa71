/** Files of places: points, names, EUIs and knobs by column, as CSV and as GeoJSON. */
import { describe, expect, it } from 'vitest';
import { populate } from '../../scenarios/filling/populate.ts';
import { format } from '../../scenarios/language/problem.ts';
import { load } from '../../scenarios/load.ts';
import { offsetIn, placeOfOffset } from '../../scenarios/places/json-places.ts';
import { runScenario } from '../../scenarios/testing/testing.ts';
import { costMs, HANG_MS } from '../support/cost.ts';
import { IS_LONG } from '../support/long.ts';
import { bundleOf } from './scenario.ts';

const TOWN = `scenario: town
origin: { latitude: 48.1, longitude: 11.5 }
gateways: [{ name: g, placement: { file: g.csv } }]
devices:
  - { name: meter, placement: { file: m.csv }, traffic: { every: 10 min } }
  - { name: valve, count: 1, placement: { file: v.geojson } }
`;
const GATEWAYS = 'name,eui,x,y\nroof,70b3d50000000001,0,0\n,,1 km,-5\n';
const METERS = `# surveyed in spring
name, devEui, latitude, longitude, dataRate, energy.battery, traffic.every, class
house-1,70B3D50000000011,48.1,11.5,DR5,2400 mAh,5 min,A

"house-2",,48.101,11.5,,1200 mAh,,C
,,48.1,11.501,,,,
`;
const VALVES = `{ "type": "FeatureCollection", "features": [
  { "type": "Feature",
    "geometry": { "type": "Point", "coordinates": [11.5, 48.1] },
    "properties": { "name": "north-valve", "adr": false } },
  { "type": "Feature", "geometry": { "type": "Point", "coordinates": [11.6, 48.2] },
    "properties": { "dataRate": "DR3", "note": null } }
] }`;
const FILES = { 'town.yaml': TOWN, 'g.csv': GATEWAYS, 'm.csv': METERS, 'v.geojson': VALVES };

function loaded(changes: Readonly<Record<string, string>> = {}) {
  return load('town.yaml', bundleOf({ ...FILES, ...changes }));
}

function planOf(changes: Readonly<Record<string, string>> = {}) {
  const one = loaded(changes);
  if (one.outcome !== 'scenario') throw new Error(JSON.stringify(one));
  return populate(one.scenario);
}

/** What is reported where the scenario names the file, as it is notified of the file. */
const atItsFile = (fault: string): string =>
  fault.replace(/^town\.yaml:\S+ {2}\S+ {2}([mv]\.\w+\S*) /, '$1  ');

function faultsOf(changes: Readonly<Record<string, string>>): string[] {
  const one = loaded(changes);
  return one.outcome === 'problems' ? one.problems.map(format).map(atItsFile) : [];
}

const codeOf = (character: string): number => character.charCodeAt(0);

function utf16(text: string): Uint8Array {
  const units = [...`\ufeff${text}`].map(codeOf);
  return Uint8Array.from(units.flatMap((unit) => [unit & 255, unit >> 8]));
}

describe('a file of places', () => {
  it('says how many there are, where, and what they are called', () => {
    const { devices, gateways } = planOf().network;
    expect(gateways).toMatchObject([
      { name: 'roof', eui: '70B3D50000000001', xMeters: 0, yMeters: 0 },
      { name: 'g-2', xMeters: 1000, yMeters: -5 },
    ]);
    expect(devices.map(({ name }) => name)).toEqual([
      'house-1',
      'house-2',
      'meter-3',
      'north-valve',
    ]);
    expect(devices[0]).toMatchObject({ devEui: '70B3D50000000011', xMeters: 0, yMeters: 0 });
    expect(Math.round(devices[1]!.yMeters)).toBe(111);
    expect(Math.round(devices[2]!.xMeters)).toBe(74);
  });

  it('says knobs of single devices, which are of their population all the same', () => {
    const { network } = planOf();
    const typeOf = (name: string) =>
      network.deviceTypes[network.devices.find((device) => device.name === name)!.type]!;
    expect(typeOf('house-1')).toMatchObject({
      name: 'meter',
      dataRate: { from: 'fixed', dataRate: 5 },
      traffic: { meanUs: 300e6 },
      energy: { batteryMilliAmpHours: 2400 },
    });
    expect(typeOf('house-2')).toMatchObject({
      name: 'meter',
      deviceClass: 'C',
      traffic: { meanUs: 600e6 },
      energy: { batteryMilliAmpHours: 1200 },
    });
    expect(typeOf('meter-3').energy).toBeUndefined();
    expect(typeOf('north-valve')).toMatchObject({ name: 'valve', adr: false });
  });

  it('makes devices that the timeline, groups and results know by their names', () => {
    const { 'town.yaml': _, ...files } = FILES;
    const text = `${TOWN}duration: 3 h
timeline:
  - { at: 1 h, reboot: { device: house-2 } }
  - { at: 2 h, downlink: { to: meter-3, payload: "01" } }
images: [{ name: fw-1.2.0.bin, bytes: 1 kB }]
groups: [{ name: all, devices: [meter, north-valve] }, { name: one, devices: [house-1] }]
expectations: [devices.populations.meter.joined = 3, joined = 100 %]
`;
    const { result } = runScenario(text, { files });
    const populations = result.devices.populations.map(({ name, devices }) => [name, devices]);
    expect(populations).toEqual([
      ['meter', 3],
      ['valve', 1],
    ]);
    const [energy, ...others] = result.energy!.populations;
    expect(others).toEqual([]);
    expect(energy).toMatchObject({ name: 'meter', devices: 2, batteryMilliAmpHours: null });
  });

  it.each([
    [
      'm.csv',
      'x\n1\n',
      'm.csv:1:1  does not say where things stand; allowed: x and y (metres), or ' +
        'latitude and longitude',
    ],
    ['m.csv', '', 'm.csv  is empty; allowed: a header such as x,y or name,latitude,longitude'],
    ['m.csv', 'x,y\n1,2,3\n', 'm.csv:2:1  has 3 cells; allowed: 2, as the header has'],
    [
      'm.csv',
      'x,y\n1, 2 s\n',
      'm.csv:2:4  "2 s" is not right here; allowed: a length such as ' +
        '1200 (metres) or 1.2 km, at most 1000 km either way',
    ],
    [
      'm.csv',
      'latitude,longitude\n91,11\n',
      'm.csv:2:1  "91" is not right here; allowed: degrees ' + 'from -90 to 90',
    ],
    [
      'm.csv',
      'x,y,devEui\n1,2,0000000000000001\n3,4,00-00-00-00-00-00-00-01\n',
      'm.csv:3:5  devEui 0000000000000001 is taken by m.csv:2:5; allowed: a devEui of its own ' +
        'for every row',
    ],
    [
      'm.csv',
      'x,y,devEui\n1,2,12\n',
      'm.csv:2:5  "12" is not right here; allowed: 16 hexadecimal ' + 'digits',
    ],
    [
      'm.csv',
      'x,y,traffic.every\n1,2,5 km\n',
      'm.csv:2:5  /devices/0/traffic/every  "5 km" is a ' +
        'length, but a duration is expected; allowed: a duration, such as "6 h"',
    ],
    [
      'm.csv',
      'x,y,dataRate\n1,2,DR9\n',
      'm.csv:2:5  /devices/0/dataRate  DR9 of EU868 is LR-FHSS, ' +
        'which worlds do not simulate; allowed: DR0, DR1, DR2, DR3, DR4, DR5, DR6, DR7',
    ],
    [
      'v.geojson',
      VALVES.replace('false', '"maybe"'),
      'v.geojson:4:51  /devices/1/adr  "maybe" is ' +
        'neither true nor false; allowed: true, false',
    ],
    [
      'v.geojson',
      VALVES.replace('11.5,', '"11.5 E",'),
      'v.geojson:3:52  "11.5 E" is not right ' + 'here; allowed: degrees from -180 to 180',
    ],
    [
      'v.geojson',
      VALVES.replace('"Point"', '"Circle"'),
      'v.geojson:2:3  is a "Circle"; allowed: a FeatureCollection of Points or MultiPoints ' +
        '(RFC 7946)',
    ],
    [
      'v.geojson',
      VALVES.replace('"Point"', '"MultiPoint"'),
      'v.geojson:2:3  is a "MultiPoint"; allowed: a FeatureCollection of Points or MultiPoints ' +
        '(RFC 7946)',
    ],
    [
      'v.geojson',
      VALVES.replaceAll('"Point"', '"LineString"'),
      'v.geojson:2:3  has features that are no points, and are not used: "north-valve" ' +
        '(LineString, line 2), (LineString, line 5); allowed: a FeatureCollection of Points or ' +
        'MultiPoints (RFC 7946)',
    ],
    [
      'v.geojson',
      '[]',
      'v.geojson:1:1  has no features; allowed: a FeatureCollection of Points or ' +
        'MultiPoints (RFC 7946)',
    ],
  ])('is reported with file, line and column: %s %#', (file, text, fault) => {
    expect(faultsOf({ [file]: text })).toEqual([fault]);
  });

  it('gives no name and no EUI that is another’s', () => {
    const cases = [
      ['x,y,name\n1,2,north-valve\n', 'north-valve'],
      ['x,y,name\n1,2,valve-1\n', undefined],
      ['x,y,name\n1,2,meter-2\n3,4,\n', 'meter-2'],
      ['x,y,name\n1,2,meter-1\n', undefined],
    ] as const;
    for (const [meters, taken] of cases) {
      const faults = faultsOf({ 'm.csv': meters });
      if (taken === undefined) expect(faults).toEqual([]);
      else
        expect(faults.join()).toMatch(new RegExp(`${taken}, of row \\d of its file, is taken by`));
    }
  });

  it('of 100 000 rows is read and checked in seconds', () => {
    const devices = IS_LONG ? 100_000 : 25_000;
    const rows = Array.from({ length: devices }, (_, i) => {
      const eui = `70B3D5${i.toString(16).padStart(10, '0')}`;
      return `house-${i},${eui},${i % 1000},${i % 777},DR${i % 6},${(i % 20) + 10} min`;
    });
    const text = `name,devEui,x,y,dataRate,traffic.every\n${rows.join('\n')}\n`;
    let count = 0;
    const ms = costMs(() => {
      count = planOf({ 'm.csv': text }).network.devices.length;
    });
    expect(count).toBe(devices + 1);
    expect(ms).toBeLessThan(IS_LONG ? HANG_MS : HANG_MS / 4);
  });

  it('has at most 1 000 different sets of knobs', () => {
    const rows = Array.from({ length: 1_001 }, (_, i) => `1,2,${i + 1} ppm`);
    expect(faultsOf({ 'm.csv': `x,y,drift\n${rows.join('\n')}\n` })).toEqual([
      'm.csv  has 1001 different sets of knobs; allowed: at most 1000; rounded values make fewer',
    ]);
  });
});

describe('a list as people have it', () => {
  const notesOf = (changes: Readonly<Record<string, string>>): string[] => {
    const one = loaded(changes);
    if (one.outcome !== 'scenario') throw new Error(JSON.stringify(one));
    return one.warnings.map(format).map(atItsFile);
  };
  const devicesOf = (text: string) =>
    planOf({ 'm.csv': text }).network.devices.filter(({ name }) => name !== 'north-valve');
  const meters = (text: string) =>
    devicesOf(text).map(({ name, devEui, xMeters, yMeters }) => [
      name,
      devEui,
      Math.round(xMeters),
      Math.round(yMeters),
    ]);

  it('has columns that are not used, which one note names, with what was probably meant', () => {
    const text = 'x,y,period,Battery,colour\n1,2,monthly,95 %,red\n';
    expect(notesOf({ 'm.csv': text })).toEqual([
      'm.csv:1:5  has columns that are not used: "period" (did you mean "traffic.every"?), ' +
        '"Battery" (did you mean "energy.battery"?), "colour"',
    ]);
    expect(notesOf({ 'm.csv': 'x,y,a b c d e\n1,2,\n' })).toHaveLength(1);
    expect(notesOf({})).toEqual([]);
  });

  it('has properties of any kind, whose coordinates are those of the geometry', () => {
    const valves = VALVES.replace('"adr": false', '"adr": false, "longitude": "E 11", "tags": [1]');
    expect(notesOf({ 'v.geojson': valves })).toEqual([
      'v.geojson:4:87  has a column that is not used: "tags"',
    ]);
    const { devices } = planOf({ 'v.geojson': valves }).network;
    expect(devices.find(({ name }) => name === 'north-valve')).toMatchObject({ xMeters: 0 });
  });

  it('has a thing at each point of a MultiPoint, with the properties of all of them', () => {
    const points = '"MultiPoint", "coordinates": [[11.5, 48.1], [11.5, 48.101, 520], [11.5, 48.2]]';
    const valves = VALVES.replace('"Point", "coordinates": [11.5, 48.1]', points);
    const town = TOWN.replace('count: 1, ', '');
    const { devices, deviceTypes } = planOf({ 'town.yaml': town, 'v.geojson': valves }).network;
    const own = devices.filter(({ name }) => name.includes('valve'));
    expect(own.map(({ name, yMeters }) => [name, Math.round(yMeters)])).toEqual([
      ['north-valve', 0],
      ['north-valve-2', 111],
      ['north-valve-3', 11_120],
      ['valve-4', 11_124],
    ]);
    expect(own.map(({ type }) => deviceTypes[type]!.adr)).toEqual([false, false, false, true]);
    const wrong = valves.replace('48.101, 520', '98.101');
    expect(faultsOf({ 'v.geojson': wrong })).toEqual([
      'v.geojson:3:78  98.101 is not right here; allowed: degrees from -90 to 90',
    ]);
  });

  it('has nothing at lines, areas and features without a geometry, which one note names', () => {
    const line = `{ "type": "Feature", "geometry": { "type": "LineString",
      "coordinates": [[1, 2], [3, 4]] }, "properties": { "name": "Ring road" } }`;
    const area = line.replace('LineString', 'Polygon').replace('{ "name": "Ring road" }', 'null');
    const nowhere = '{ "type": "Feature", "geometry": null, "properties": { "name": "lost" } }';
    const valves = VALVES.replace('{ "type": "Feature",\n', `${line},\n${area},\n${nowhere},\n$&`);
    expect(notesOf({ 'v.geojson': valves })).toEqual([
      'v.geojson:2:3  has features that are no points, and are not used: "Ring road" ' +
        '(LineString, line 2), (Polygon, line 4), "lost" (no geometry, line 6)',
    ]);
    const { devices } = planOf({ 'v.geojson': valves }).network;
    expect(devices.at(-1)).toMatchObject({ name: 'north-valve', xMeters: 0 });
    const many = VALVES.replace('{ "type": "Feature",\n', `${`${line},\n`.repeat(20)}$&`);
    expect(notesOf({ 'v.geojson': many })[0]).toMatch(/line 24\) and 8 more$/);
  });

  it('has names twice, whose later ones get the next number that is free, and one note', () => {
    const long = 'x'.repeat(80);
    const text = `name,x,y\nlamp,1,0\nlamp,2,0\nlamp-2,3,0\nlamp,4,0\n${long},5,0\n${long},6,0\n`;
    const named = meters(text).map(([name]) => name);
    expect(named).toEqual(['lamp', 'lamp-3', 'lamp-2', 'lamp-4', long, `${'x'.repeat(78)}-2`]);
    const [note, ...others] = notesOf({ 'm.csv': text });
    expect(others).toEqual([]);
    expect(note!.split('"xxx')[0]).toBe(
      'm.csv:3:1  has names twice: "lamp" in lines 2 and 3 (the latter is "lamp-3" here), "lamp" ' +
        'in lines 2 and 5 (the latter is "lamp-4" here), ',
    );
    const lamps = `name,x,y\n${'lamp,0,0\n'.repeat(30)}`;
    expect(notesOf({ 'm.csv': lamps })[0]).toMatch(/ and 17 more$/);
    expect(meters(lamps).at(-1)![0]).toBe('lamp-30');
  });

  it.each([
    ['Latitude,LONGITUDE,Name,DevEUI'],
    ['lat,lon,device name,dev_eui'],
    ['Lat (deg),Lng [°],Label,Device EUI'],
    ['Breitengrad,Längengrad,Bezeichnung,EUI'],
  ])('has headers in another spelling: %s', (header) => {
    const text = `${header}\n48.101,11.5,house,70B3D50000000012\n`;
    expect(meters(text)).toEqual([['house', '70B3D50000000012', 0, 111]]);
    expect(notesOf({ 'm.csv': text })).toEqual([]);
  });

  it('has names with spaces and umlauts, and EUIs with dashes, colons or a mark', () => {
    const text =
      'name,devEui,x,y\nMüller GmbH,70-B3-D5-00-00-00-00-12,1,2\n' +
      '"Rathaus, Dach",70:b3:d5:00:00:00:00:13,1,2\n7. Stock,0x70B3D50000000014,1,2\n';
    expect(meters(text)).toEqual([
      ['Müller GmbH', '70B3D50000000012', 1, 2],
      ['Rathaus, Dach', '70B3D50000000013', 1, 2],
      ['7. Stock', '70B3D50000000014', 1, 2],
    ]);
  });

  it('is named by such names in the timeline and in groups', () => {
    const { 'town.yaml': _, ...files } = FILES;
    const text = `${TOWN}duration: 2 h
timeline:
  - { at: 1 h, reboot: { device: Müller GmbH } }
  - { at: 1 h, gatewayFault: { gateway: "Schule, Ost", fault: backhaul } }
images: [{ name: fw-1.2.0.bin, bytes: 1 kB }]
groups: [{ name: one, devices: [Müller GmbH], gateways: ["Schule, Ost"] }]
endDeviceGroups: [{ name: two, devices: [Müller GmbH] }]
`;
    const { result } = runScenario(text, {
      files: {
        ...files,
        'm.csv': 'name,x,y\nMüller GmbH,1,2\n',
        'g.csv': 'name,x,y\n"Schule, Ost",1,2\n',
      },
    });
    expect(result.gateways.map(({ name }) => name)).toEqual(['Schule, Ost']);
  });

  it.each([
    ['semicolons', 'name;lat;lon;dataRate\n"a;b";48,101;11,5;DR3\n'],
    ['tabs', 'name\tlat\tlon\tdataRate\na;b\t48,101\t11,5\tDR3\n'],
    ['quoted commas', 'name,lat,lon,dataRate\na;b,"48,101","11,5",DR3\n'],
    [
      'semicolons at each end',
      'name;lat;lon;dataRate;\na;b;48,101;11,5;DR3;;\n'.replace('a;b', '"a;b"'),
    ],
    ['rows of nothing', 'name;lat;lon;dataRate\r\n"a;b";48.101;11.5;DR3\r\n;;;\r\n'],
    ['old line ends', 'name,lat,lon,dataRate\ra;b,48.101,11.5,DR3\r'],
  ])('is read with %s', (_, text) => {
    const [device, ...others] = planOf({ 'm.csv': text }).network.devices;
    expect(others.map(({ name }) => name)).toEqual(['north-valve']);
    expect(device).toMatchObject({ name: 'a;b', xMeters: 0 });
    expect(Math.round(device!.yMeters)).toBe(111);
  });

  it('has knobs with decimal commas beside semicolons', () => {
    const { network } = planOf({ 'm.csv': 'x;y;frameLoss;drift\n1,5;2;12,5 %;1,5 ppm\n' });
    const type = network.deviceTypes[network.devices[0]!.type]!;
    expect(type).toMatchObject({ driftPpb: 1500 });
    expect(network.devices[0]).toMatchObject({ xMeters: 1.5, yMeters: 2 });
  });

  it('has cells of several lines, and says where a fault behind them stands', () => {
    const text = 'name,address,x,y\nhall,"1 Square\nOld Town",1,2\nshop,5" pipe,1,2 s\n';
    expect(faultsOf({ 'm.csv': text })).toEqual([
      'm.csv:4:16  "2 s" is not right here; allowed: a length such as ' +
        '1200 (metres) or 1.2 km, at most 1000 km either way',
    ]);
    expect(meters(text.replace(' s\n', '\n')).map(([name]) => name)).toEqual(['hall', 'shop']);
  });

  it('takes degrees where it has metres of another system, too', () => {
    const text = 'X,Y,lat,lon\n4468503.3,5333317.8,48.101,11.5\n';
    expect(meters(text)).toEqual([['meter-1', '02E4E2517D000001', 0, 111]]);
    expect(notesOf({ 'm.csv': text })).toEqual([
      'm.csv:1:1  has columns that are not used: "X", "Y"',
    ]);
  });

  it.each([
    ['Windows-1252', Uint8Array.from([...'name,x,y\nM\xfcller \x80,1,2\n'].map(codeOf))],
    ['UTF-16', utf16('name\tx\ty\nMüller €\t1\t2\n')],
    ['UTF-8 with a mark', new TextEncoder().encode('\ufeffname,x,y\nMüller €,1,2\n')],
  ])('is read in %s', (_, bytes) => {
    const one = load('town.yaml', new Map([...bundleOf(FILES), ['m.csv', bytes]]));
    if (one.outcome !== 'scenario') throw new Error(JSON.stringify(one));
    expect(populate(one.scenario).network.devices[0]!.name).toBe('Müller €');
  });

  it('has things without a place, which stand at random in the area, each by its name', () => {
    const meters = (text: string) =>
      planOf({ 'm.csv': text, 'town.yaml': `${TOWN}area: { radius: 2 km }\n` }).network.devices;
    const [listed, drawn] = meters('name,latitude,longitude\na,48.1,11.5\nb,,\n');
    expect(listed).toMatchObject({ xMeters: 0, yMeters: 0 });
    const distance = Math.hypot(drawn!.xMeters, drawn!.yMeters);
    expect(distance).toBeGreaterThan(0);
    expect(distance).toBeLessThanOrEqual(2000);
    expect(meters('name,x,y\nb,,\n')[0]).toMatchObject({ xMeters: drawn!.xMeters });
    expect(faultsOf({ 'm.csv': 'name,x,y\nb,1,\n' })).toEqual([
      'm.csv:2:5  "" is not right here; allowed: a length such as 1200 (metres) or 1.2 km, at ' +
        'most 1000 km either way',
    ]);
    const gateway = planOf({ 'g.csv': 'name,x,y\nroof,,\n' }).network.gateways[0]!;
    expect(Math.hypot(gateway.xMeters, gateway.yMeters)).toBeGreaterThan(0);
  });

  it('still needs places, and names that fit a line', () => {
    const places = 'm.csv:1:1  does not say where things stand; allowed: x and y (metres), or ';
    expect(faultsOf({ 'm.csv': 'name;place\na;b\n' })).toEqual([`${places}latitude and longitude`]);
    const long = (length: number) => faultsOf({ 'm.csv': `x,y,name\n1,2,${'a'.repeat(length)}\n` });
    expect([long(80).length, long(81).length]).toEqual([0, 1]);
    expect(faultsOf({ 'm.csv': 'x,y,name\n1,2,"a\nb"\n' })).toEqual([
      'm.csv:2:5  "a\\u000ab" is not right here; allowed: 1 to 80 characters on one line',
    ]);
  });
});

describe('a place in a JSON text', () => {
  it('is that of the value at a path, or of the deepest one on the way', () => {
    const text = '{"a": [1, {"b": "x,]}"},\n {"b" : [true]}],\n "c": null}';
    const at = (...path: (string | number)[]) => placeOfOffset(text, offsetIn(text, path));
    expect(at('a', 1, 'b')).toEqual({ line: 1, column: 17 });
    expect(at('a', 2, 'b', 0)).toEqual({ line: 2, column: 10 });
    expect(at('c')).toEqual({ line: 3, column: 7 });
    expect(at('a', 9)).toEqual({ line: 1, column: 7 });
  });
});
