/** Overrides from the command line. */
import { describe, expect, it } from 'vitest';
import type { Scenario } from '../../scenarios/schema/schema.ts';
import { faultsOf, SHORTEST, scenarioOf, shortestWith } from './scenario.ts';

const TWO = `scenario: two
area: &far { radius: 2 km }
gateways: [{ name: roof, count: 2 }]
devices:
  - { name: meter, count: 3, traffic: &often { every: 10 min } }
  - { name: alarm, count: 2, traffic: *often }
`;

const NO_OVERRIDE =
  'is not an override; allowed: path=value such as devices.0.count=50; a name with points stands ' +
  'in quotes: \'images."fw-1.2.bin".bytes=2 kB\'';

const IMAGES = `scenario: images
devices: [{ name: meter, count: 3 }]
images: [{ name: fw-1.2.0.bin, bytes: 1 kB }, { name: b.bin, bytes: 1 kB }]
`;

const imagesOf = ({ images }: Scenario) =>
  images.map(({ content }) => (content.by === 'drawing' ? content.bytes : 0));

describe('an override', () => {
  it('names what has points in its name in quotes', () => {
    const sizes = (setting: string) => imagesOf(scenarioOf(IMAGES, [setting]));
    expect(sizes('images."fw-1.2.0.bin".bytes=2000 B')).toEqual([2000, 1000]);
    expect(sizes('"images"."b.bin"."bytes"=3 kB')).toEqual([1000, 3000]);
  });

  it('takes a key or an entry away by null', () => {
    const scenario = scenarioOf(TWO, ['gateways.0.count=null', 'devices.meter=null']);
    expect(scenario.gateways[0]!.count).toBeUndefined();
    expect(scenario.devices.map(({ name }) => name)).toEqual(['alarm']);
  });

  it('is blamed where it stands after an entry before it was taken away', () => {
    expect(faultsOf(TWO, ['devices.alarm.count=-1', 'devices.meter=null'])).toEqual([
      '--set devices.alarm.count=-1  /devices/0/count  -1 is too small; ' +
        'allowed: a whole number from 0 to 1000000',
    ]);
    expect(
      faultsOf(TWO.replace('count: 2, traffic', 'count: -2, traffic'), ['devices.0=null']),
    ).toEqual([
      'file.yaml:6:27  /devices/0/count  -2 is too small; ' +
        'allowed: a whole number from 0 to 1000000',
    ]);
  });

  it('finds list entries by name, by index and all at once', () => {
    const counts = (setting: string) =>
      scenarioOf(TWO, [setting]).devices.map(({ count }) => count);
    expect(counts('devices.meter.count=50')).toEqual([50, 2]);
    expect(counts('devices.1.count=7')).toEqual([3, 7]);
    expect(counts('devices.*.count=9')).toEqual([9, 9]);
  });

  it('makes the maps on its way', () => {
    const scenario = scenarioOf(SHORTEST, ['radio.interference.model=off']);
    expect(scenario.radio.interference.model).toBe('off');
  });

  it('takes any YAML value', () => {
    const scenario = scenarioOf(SHORTEST, [
      'radio.shadowing=0 dB',
      'devices.meter.dataRate={link: 5 dB}',
      'channels=[868.1 MHz]',
      'expectations=[joined >= 99 %]',
      'server.netId=000013',
      'seed=0042',
    ]);
    expect(scenario.radio.shadowing).toBe(0);
    expect(scenario.devices[0]!.dataRate).toEqual({ from: 'link', marginCentiDb: 500 });
    expect(scenario.channels).toEqual([868_100_000]);
    expect(scenario.expectations[0]!.figure).toBe('joined');
    expect(scenario.server.netId).toBe(0x13);
    expect(scenario.seed).toBe('0042');
  });

  it('of a later one wins', () => {
    expect(scenarioOf(SHORTEST, ['duration=1 h', 'duration=2 h']).duration).toBe(7_200_000_000);
  });

  it('changes one place where the file shares a value by an alias', () => {
    const scenario = scenarioOf(TWO, ['devices.alarm.traffic.every=1 h']);
    expect(scenario.devices.map(({ traffic }) => traffic.every)).toEqual([600e6, 3600e6]);
  });

  it.each([
    [
      'devices.metre.count=5',
      '"metre" is not in devices; allowed: an index below 2, or meter, alarm, or *; ' +
        'did you mean "meter"?',
    ],
    [
      'devices.2.count=5',
      '"2" is not in devices; allowed: an index below 2, or meter, alarm, or *',
    ],
    ['duration', NO_OVERRIDE],
    ['=5', NO_OVERRIDE],
    ['a..b=5', NO_OVERRIDE],
    ['images."fw=5', NO_OVERRIDE],
    [
      'devices."0".count=5',
      '"0" is not in devices; allowed: an index below 2, or meter, alarm, or *',
    ],
    ['devices.*=null', 'null at * would leave nothing; allowed: one entry'],
    ['duration={a', '"{a" is not a value; allowed: a YAML value such as 10 km or {link: 5 dB}'],
    ['scenario.name=5', 'scenario is not a map or list; allowed: a path through maps and lists'],
  ])('that cannot be: %s', (setting, fault) => {
    expect(faultsOf(TWO, [setting])).toEqual([`--set ${setting}  ${fault}`]);
  });

  it('with a wrong value is blamed itself, not the file', () => {
    expect(faultsOf(TWO, ['radio.shadowing=5 km', 'devices.*.count=-1'])).toEqual([
      '--set radio.shadowing=5 km  /radio/shadowing  "5 km" is a length, but a ' +
        'number of decibels ' +
        'is expected; allowed: a number of decibels, such as "6 dB"',
      '--set devices.*.count=-1  /devices/0/count  -1 is too small; ' +
        'allowed: a whole number from 0 to 1000000',
      '--set devices.*.count=-1  /devices/1/count  -1 is too small; ' +
        'allowed: a whole number from 0 to 1000000',
    ]);
  });

  it('of an unknown key gets the nearest known one', () => {
    expect(faultsOf(TWO, ['devices.meter.cuont=5'])[0]).toMatch(
      /^--set devices.meter.cuont=5 {2}\/devices\/0\/cuont .* did you mean "count"\?$/,
    );
  });

  it('cannot reach what every object has', () => {
    expect(faultsOf(SHORTEST, ['__proto__.count=5'])[0]).toContain(
      '"__proto__" is not a known key',
    );
    expect(({} as { count?: number }).count).toBeUndefined();
  });

  it('leaves a fault of the file where it is', () => {
    expect(faultsOf(shortestWith('duration: 0 s'), ['seed=a'])).toEqual([
      'file.yaml:3:11  /duration  "0 s" is too small; allowed: 1 us to 3650 d',
    ]);
    expect(faultsOf(shortestWith('duration: 0 s'), ['duration=1 h'])).toEqual([]);
  });
});
