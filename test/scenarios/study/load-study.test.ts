/** Study files: what each knob says, and what is reported of one that is wrong. */

import { describe, expect, it } from 'vitest';
import { format } from '../../../scenarios/language/problem.ts';
import { loadStudy } from '../../../scenarios/study/load-study.ts';
import { bundleOf } from '../scenario.ts';
import { faultsOf, labelsOf, loadStudyText, studyIn, studyOf } from './studies.ts';

const HILLS = 'parameters: { hills: { set: radio.shadowing, values: [0 dB, 6 dB] } }';

describe('a design', () => {
  it('is the grid of all values, the last parameter fastest', () => {
    const study = studyIn(`parameters:
  hills: { set: radio.shadowing, values: [0 dB, 6 dB] }
  meters: { set: devices.meter.count, values: [1, 2, 3] }`);
    expect(labelsOf(study)).toEqual([
      ['0 dB', '1'],
      ['0 dB', '2'],
      ['0 dB', '3'],
      ['6 dB', '1'],
      ['6 dB', '2'],
      ['6 dB', '3'],
    ]);
    expect(study.points[4]!.set).toEqual(['radio.shadowing=6 dB', 'devices.meter.count=2']);
    expect(study.parameters.map(({ unit }) => unit)).toEqual(['dB', '']);
  });

  it('is a list: first values together, then second ones', () => {
    const study = studyIn(`design: list
parameters:
  hills: { set: radio.shadowing, values: [0 dB, 6 dB] }
  meters: { set: devices.meter.count, values: [1, 3] }`);
    expect(labelsOf(study)).toEqual([
      ['0 dB', '1'],
      ['6 dB', '3'],
    ]);
  });

  it('moves one parameter at a time from the base', () => {
    const study = studyIn(`design: oneAtATime
parameters:
  hills: { set: radio.shadowing, values: [0 dB, 6 dB, 9 dB], base: 6 dB }
  meters: { set: devices.meter.count, values: [1, 2] }`);
    expect(labelsOf(study)).toEqual([
      ['6 dB', '1'],
      ['0 dB', '1'],
      ['9 dB', '1'],
      ['6 dB', '2'],
    ]);
  });

  it('draws a Latin hypercube: one value in each part of a range, whole where it says so', () => {
    const study = studyIn(`design: { latinHypercube: 8 }
parameters:
  hills: { set: radio.shadowing, between: [0 dB, 8 dB] }
  meters: { set: devices.meter.count, between: [1, 100], scale: log, whole: true }`);
    const hills = study.points.map(({ levels }) => levels[0]!.number!);
    const parts = hills.map((number) => Math.floor(number)).sort((a, b) => a - b);
    expect(parts).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    const meters = study.points.map(({ levels }) => levels[1]!.number!);
    expect(meters.every((number) => Number.isInteger(number))).toBe(true);
    // Of a range over two decades half of a logarithmic draw lies in the first.
    expect(meters.filter((number) => number <= 10)).toHaveLength(4);
    expect(study.parameters.map(({ logarithmic }) => logarithmic)).toEqual([false, true]);
  });

  it('has (k + 2) points of each base point for Sobol’ indices', () => {
    const study = studyIn(`design: { sobol: 8 }
parameters:
  hills: { set: radio.shadowing, between: [0 dB, 8 dB] }
  fading: { set: radio.shadowingCorrelation, between: [10 m, 90 m] }`);
    expect(study.points).toHaveLength(8 * 4);
  });

  it('draws the same points of one seed, and others of another', () => {
    const drawn = (seed: string) =>
      labelsOf(
        studyIn(`seed: ${seed}
design: { latinHypercube: 5 }
parameters: { hills: { set: radio.shadowing, between: [0 dB, 8 dB] } }`),
      );
    expect(drawn('a')).toEqual(drawn('a'));
    expect(drawn('b')).not.toEqual(drawn('a'));
  });

  it('takes its points from a table', () => {
    const files = { 'points.csv': 'meters,hills\n3,1.5 dB\n2,0 dB\n' };
    const study = studyIn(
      `design: { points: points.csv }
parameters: { hills: { set: radio.shadowing }, meters: { set: devices.meter.count } }`,
      files,
    );
    expect(labelsOf(study)).toEqual([
      ['1.5 dB', '3'],
      ['0 dB', '2'],
    ]);
    expect(study.points[0]!.set).toContain('devices.meter.count=3');
    expect(study.tablePath).toBe('points.csv');
  });

  it('has no parameter that nothing uses, and no value twice', () => {
    const faultOf = (text: string) => {
      const loaded = loadStudyText(studyOf(text));
      return loaded.outcome === 'problems' ? loaded.problems.map(format)[0] : loaded.outcome;
    };
    expect(faultOf('parameters: { a: { values: [1, 2] } }')).toMatch(
      /\/parameters\/a {2}is used by nothing: .*allowed: set, or its name in linked$/,
    );
    const twice = '{ a: { set: devices.meter.count, values: [3, 4, 3] } }';
    expect(faultOf(`parameters: ${twice}`)).toMatch(/\/parameters\/a\/values {2}has 3 twice/);
    expect(faultOf(`design: list\nparameters: ${twice}`)).toBe('study');
  });

  it('draws whole numbers of a range alike, its ends too', () => {
    const study = studyIn(`design: { latinHypercube: 400 }
parameters: { n: { set: devices.meter.count, between: [1, 4], whole: true } }`);
    const drawn = study.points.map(({ levels: [level] }) => level!.number);
    for (const n of [1, 2, 3, 4]) expect(drawn.filter((each) => each === n)).toHaveLength(100);
  });

  it('asks for a table that is not there yet', () => {
    const text = studyOf('design: { points: p.csv }\nparameters: { a: { set: radio.shadowing } }');
    expect(loadStudyText(text)).toEqual({ outcome: 'needs', paths: ['p.csv'] });
  });
});

describe('values', () => {
  it('with several units are names, since their numbers are in no order', () => {
    const study = studyIn(
      'parameters: { every: { set: devices.meter.traffic.every, values: [30 min, 1 h, 2 h] } }',
    );
    expect(study.parameters[0]!.unit).toBeNull();
    expect(study.points.map(({ levels: [level] }) => level!.number)).toEqual([null, null, null]);
    expect(labelsOf(study)).toEqual([['30 min'], ['1 h'], ['2 h']]);
  });

  it('of a map are called by their names', () => {
    const study = studyIn(
      'parameters: { hills: { set: radio.shadowing, values: { flat: 0 dB, steep: 12 dB } } }',
    );
    expect(labelsOf(study)).toEqual([['flat'], ['steep']]);
    expect(study.points[1]!.set).toEqual(['radio.shadowing=12 dB']);
    expect(study.points[1]!.levels[0]!.number).toBe(12);
  });

  it('of an expression have its unit', () => {
    const study = studyIn(
      'parameters: { a: { set: radio.shadowing, values: "range(0, 0.5, 0.05)", unit: dB } }',
    );
    expect(labelsOf(study).flat()).toEqual(
      [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45].map((number) => `${number} dB`),
    );
  });

  it('are written at every path of their parameter', () => {
    const both = studyIn(`parameters:
  every: { set: [devices.meter.traffic.every, devices.meter.joinWithin], values: [3 min] }`);
    expect(both.points[0]!.set).toEqual([
      'devices.meter.traffic.every=3 min',
      'devices.meter.joinWithin=3 min',
    ]);
  });

  it('may be maps and lists', () => {
    const study = studyIn(
      'parameters: { t: { set: devices.meter.traffic, values: [{ every: 1 min }, {}] } }',
    );
    expect(study.points[0]!.set).toEqual(['devices.meter.traffic={"every":"1 min"}']);
    expect(study.parameters[0]!.unit).toBeNull();
  });
});

describe('linked values', () => {
  it('follow from parameters; an expression alone is a number', () => {
    const study = studyIn(`parameters: { rate: { values: [1, 2] } }
linked:
  devices.meter.traffic.every: "{120 / rate} s"
  devices.meter.count: "{rate * 3}"`);
    expect(study.points.map(({ set }) => set)).toEqual([
      ['devices.meter.traffic.every=120 s', 'devices.meter.count=3'],
      ['devices.meter.traffic.every=60 s', 'devices.meter.count=6'],
    ]);
  });

  it('reckon with the numbers of values that have units', () => {
    const study = studyIn(`parameters: { wait: { set: devices.meter.joinWithin, values: [5 min] } }
linked: { devices.meter.traffic.every: "{wait + 1} min" }`);
    expect(study.points[0]!.set[1]).toBe('devices.meter.traffic.every=6 min');
  });

  it('know parameters that are called as what every object has', () => {
    const study = studyIn(`parameters: { constructor: { values: [2] }, toString: { values: [3] } }
linked: { devices.meter.count: "{constructor * toString}" }`);
    expect(study.points[0]!.set).toEqual(['devices.meter.count=6']);
  });
});

describe('a study', () => {
  it('takes seed, variant and values of all runs', () => {
    const files = {
      'town.yaml':
        'scenario: town\ndevices: [{ name: meter, count: 2 }]\n' +
        'variants: { far: { area.radius: 9 km } }\n',
    };
    const study = studyIn(
      `seed: root\nvariant: far\nset: { devices.meter.count: 5 }\n${HILLS}`,
      files,
    );
    expect(study.root).toBe('root');
    expect(study.set).toEqual(['devices.meter.count=5']);
    expect(study.base.scenario.area).toMatchObject({ radiusMeters: 9000 });
    expect(study.base.scenario.devices[0]!.count).toBe(5);
  });

  it('has the scenario’s seed where it names none', () => {
    expect(studyIn(HILLS).root).toBe('town');
  });

  it('may stand in a folder beside its scenario’s', () => {
    const text = studyOf(HILLS).replace('town.yaml', '../../town.yaml');
    const loaded = loadStudyText(text);
    expect(loaded).toEqual({ outcome: 'needs', paths: ['../../town.yaml'] });
  });

  it('has one digest for a world whatever is said about it', () => {
    const of = (town: string) => studyIn(HILLS, { 'town.yaml': town }).points[0]!.digest;
    const devices = 'devices: [{ name: meter, count: 2 }]';
    const plain = of(`scenario: town\n${devices}\n`);
    expect(of(`# words\nscenario: city\n${devices}\nexpectations: [joined >= 90 %]\n`)).toBe(plain);
    expect(of(`scenario: town\ndevices: [{ name: meter, count: 3 }]\n`)).not.toBe(plain);
    expect(of(`scenario: town\nduration: 1 h\n${devices}\n`)).not.toBe(plain);
  });
});

describe('a study that is wrong', () => {
  const column = (line: string, word: string) => line.indexOf(word) + 1;

  it.each([
    ['figures: [recieved]', 'recieved', '/figures/0', 'did you mean "received"?'],
    ['constraints: [joind >= 90 %]', 'joind', '/constraints/0', 'did you mean "joined"?'],
    ['objective: minimise uplinkz', 'minimise', '/objective', 'did you mean "uplinks"?'],
    ['objective: smallest uplinks', 'smallest', '/objective', 'allowed: minimise or maximise'],
    ['design: { sobol: 12 }', '{', '/design', 'a power of two, 8 to 4096'],
    ['design: circle', 'circle', '/design', 'allowed: grid, list, oneAtATime'],
    ['design: { latinHypercube: 1 }', '{', '/design', '{latinHypercube: 2 to 10000}'],
    ['replicates: 0', '0', '/replicates', 'a whole number from 1 to 10000'],
    ['atMost: 30', '30', '/atMost', 'allowed: until and atMost together'],
    ['until: { received: 1 % }', '{', '/until', 'allowed: until and atMost together'],
    ['from: snapshot', 'snapshot', '/from', 'allowed: snapshot beside branchAt, or simulation'],
    ['from: file', 'file', '/from', 'allowed: simulation, snapshot'],
    ['until: { messages: ± 5 % }\natMost: 30', '± 5', '/until/messages', 'is not a share'],
    ['until: { received: 3 s }\natMost: 30', '3 s', '/until/received', 'is not a time'],
    ['set: { radio.shadwing: 3 dB }', '3 dB', '/set/radio.shadwing', 'did you mean "shadowing"?'],
    ['set: { radio..x: 3 dB }', 'radio', '/set/radio..x', '"radio..x" is not a path'],
    [
      'linked: { devices.meter.count: "{hils + 2}" }',
      '"',
      '/linked/devices.meter.count',
      '"hils" is no parameter',
    ],
    [
      'linked: { radio.shadowing: "{hills} dB" }',
      'radio',
      '/linked/radio.shadowing',
      '"radio.shadowing" is set by hills already',
    ],
    ['variant: hilly', 'hilly', '/variant', '"hilly" is not a variant of this scenario'],
    ['repicates: 3', 'repicates', '/repicates', 'did you mean "replicates"?'],
  ])('%s: reported with its place, pointer and what is allowed', (line, word, pointer, words) => {
    const [fault, ...more] = faultsOf(studyOf(`${HILLS}\n${line}`));
    expect(more).toEqual([]);
    if (word !== '') {
      expect(fault).toMatch(`study.yaml:4:${column(line, word)}  ${pointer}  `);
    }
    expect(fault).toContain(words);
    expect(fault!.split('allowed:').length, fault).toBeLessThanOrEqual(2);
  });

  it.each([
    ['values: [0 dB, 99 dB]', '99 dB', '/parameters/a/values/1', 'allowed: 0 dB to 30 dB'],
    ['values: { low: 1 dB, much: 99 dB }', '{ low', '/parameters/a/values', '0 dB to 30 dB'],
    ['values: [1 dB, .inf]', '.inf', '/parameters/a/values/1', 'Infinity is not a number'],
    ['values: []', '[]', '/parameters/a/values', 'allowed: a list such as'],
    ['values: "range(0, 1e9)"', '"range', '/parameters/a/values', 'allowed: 0 to 10000'],
    ['values: "range(0, 5"', '"range', '/parameters/a/values', 'range(0, 5'],
    ['values: "range(3, 3)"', '"range', '/parameters/a/values', 'evaluates to no value'],
    ['between: [0 dB, 3 dB]', 'between', '/parameters/a/between', 'is not used by this design'],
    ['between: [3 dB, 3 m]', '[3', '/parameters/a/between', 'allowed: two ends with one unit'],
    ['scale: cubic, values: [1 dB]', 'cubic', '/parameters/a/scale', 'linear'],
    ['vales: [1 dB]', 'vales', '/parameters/a/vales', 'did you mean "values"?'],
  ])('a parameter with %s: reported likewise', (knobs, word, pointer, words) => {
    const line = `parameters: { a: { set: radio.shadowing, ${knobs} } }`;
    const [fault] = faultsOf(studyOf(line));
    expect(fault).toMatch(`study.yaml:3:${column(line, word)}  ${pointer}  `);
    expect(fault).toContain(words);
    expect(fault!.split('allowed:').length, fault).toBeLessThanOrEqual(2);
  });

  it('has parameters, each with a name that expressions may use', () => {
    expect(faultsOf(studyOf('parameters: {}'))[0]).toContain('has 0; allowed: 1 to 20');
    expect(faultsOf(studyOf('parameters: { a-b: { values: [1] } }'))[0]).toMatch(
      'study.yaml:3:20  /parameters/a-b  is not a name; allowed: up to 31 letters',
    );
  });

  it('has two parameters that write one place: the first would do nothing', () => {
    const [fault] = faultsOf(
      studyOf(`parameters:
  a: { set: radio.shadowing, values: [1 dB] }
  b: { set: radio.shadowing, values: [2 dB] }`),
    );
    expect(fault).toMatch('study.yaml:5:13  /parameters/b/set  "radio.shadowing" is set by a');
  });

  it('has two that name one entry of a list otherwise: by its place and by its name', () => {
    const report = (one: string, other: string) =>
      faultsOf(
        studyOf(`parameters:
  a: { set: ${one}, values: [1, 2] }
  b: { set: ${other}, values: [3, 4] }`),
      )[0];
    const what = '"devices.0.count" is written over "devices.meter.count" of a';
    expect(report('devices.meter.count', 'devices.0.count')).toContain(
      `/parameters/b/set  ${what}`,
    );
    expect(report('devices.0.count', '\'devices."meter".count\'')).toContain('is written over');
    expect(report('devices.0.count', 'devices.0.nbTrans')).toBeUndefined();
  });

  it('has a scenario that is not there: reported at the line that names it', () => {
    const response = loadStudy('study.yaml', bundleOf({ 'study.yaml': studyOf(HILLS) }), {
      digest: () => '',
      unread: new Map([['town.yaml', 'cannot be read: there is none']]),
    });
    const [problem] = response.outcome === 'problems' ? response.problems : [];
    expect(format(problem!)).toBe('study.yaml:2:11  /scenario  cannot be read: there is none');
  });

  it('is a scenario: shown once, with what runs it', () => {
    expect(faultsOf('scenario: town\ndevices: [{ name: meter, count: 2 }]\n')).toEqual([
      'study.yaml:2:1  /devices  is of a scenario: fleetwave run FILE',
    ]);
  });

  it('has one that writes a map over what another wrote within: that would do nothing', () => {
    const wide = 'w: { set: devices.meter.traffic, values: [{ every: 5 min }] }';
    const narrow = 'n: { set: devices.meter.traffic.every, values: [1 min, 2 min] }';
    const [fault] = faultsOf(studyOf(`parameters:\n  ${narrow}\n  ${wide}`));
    expect(fault).toMatch(
      'study.yaml:5:13  /parameters/w/set  "devices.meter.traffic" is written over ' +
        '"devices.meter.traffic.every" of n; allowed: the wider path first',
    );
    expect(faultsOf(studyOf(`parameters:\n  ${wide}\n  ${narrow}`))).toEqual([]);
    const all = 'a: { set: devices.*.traffic.every, values: [5 min] }';
    expect(faultsOf(studyOf(`parameters:\n  ${narrow}\n  ${all}`))).toHaveLength(1);
    expect(faultsOf(studyOf(`parameters:\n  ${all}\n  ${narrow}`))).toEqual([]);
  });

  it('turns the seed: each run has its own, and all points would be one', () => {
    const [fault] = faultsOf(studyOf('parameters: { a: { set: seed, values: [x, y] } }'));
    expect(fault).toMatch('study.yaml:3:25  /parameters/a/set  "seed" is that of each run');
  });

  it('has a design of too few points: reported by what each design takes', () => {
    const range = 'parameters: { a: { set: radio.shadowing, between: [0 dB, 3 dB] } }';
    const report = (design: string) => faultsOf(studyOf(`${range}\ndesign: ${design}`))[0];
    expect(report('{latinHypercube: 0}')).toContain(
      '0 is no number of points of latinHypercube; allowed: {latinHypercube: 2 to 10000}',
    );
    expect(report('{sobol: 7}')).toContain(
      '7 is no number of points of sobol; allowed: a power of',
    );
  });

  it('asks for more points than there may be', () => {
    const values = '"range(0, 101)"';
    const [fault] = faultsOf(
      studyOf(`parameters: { a: { values: ${values} }, b: { values: ${values} } }`),
    );
    expect(fault).toContain('a grid of 101 × 101 values has 10201 points; allowed: at most 10000');
  });

  it('lists values of different counts', () => {
    const [fault] = faultsOf(
      studyOf('design: list\nparameters: { a: { values: [1, 2] }, b: { values: [1] } }'),
    );
    expect(fault).toMatch(/\/parameters\/b\/values {2}has 1 values; allowed: 2, as a has/);
  });

  it('has a base that is none of the values', () => {
    const [fault] = faultsOf(
      studyOf('design: oneAtATime\nparameters: { a: { values: [1, 2], base: 3 } }'),
    );
    expect(fault).toContain('/parameters/a/base  3 is none of the values; allowed: 1, 2');
  });

  it('has a table with a column that is no parameter, or lacks one', () => {
    const text = studyOf('design: { points: p.csv }\nparameters: { a: { set: radio.shadowing } }');
    const faults = faultsOf(text, { 'p.csv': 'a,b\n1 dB,2\n' });
    expect(faults[0]).toContain('p.csv has a column "b" that is no parameter; allowed: a');
    expect(faultsOf(text, { 'p.csv': 'b\n1\n' }).join()).toContain('is no column of p.csv');
    expect(faultsOf(text, { 'p.csv': 'a\n' })[0]).toMatch(/p\.csv/);
  });

  it('has a logarithmic range that begins at 0', () => {
    const [fault] = faultsOf(
      studyOf('design: { latinHypercube: 4 }\nparameters: { a: { between: [0, 3], scale: log } }'),
    );
    expect(fault).toContain('0 is no end of a logarithmic range; allowed: ends above 0');
  });

  it('says at which point a scenario is wrong where it stands in the scenario', () => {
    const town = `scenario: town
devices: [{ name: meter, count: 2 }]
timeline:
  - { at: 8 min, downlink: { to: meter-1, fPort: 85, payload: '01' } }
`;
    const study = studyOf('parameters: { time: { set: duration, values: [10 min, 5 min] } }');
    const faults = faultsOf(study, { 'town.yaml': town });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(
      /^town\.yaml:4:\d+ {2}\/timeline\/0\/at {2}at point 2 \(time 5 min\): /,
    );
    expect(faults[0]).toContain('8 min is after the end of the run');
  });

  it('uses a value that is no number in an expression', () => {
    const [fault] = faultsOf(
      studyOf(`parameters: { a: { values: [{ x: 1 }] } }
linked: { devices.meter.count: "{a + 1}" }`),
    );
    expect(fault).toContain('is no number');
  });
});
