/** Warnings before a run: devices out of reach, places thousands of kilometres off. */
import { describe, expect, it } from 'vitest';
import { populate } from '../../scenarios/filling/populate.ts';
import { forecast } from '../../scenarios/forecast/forecast.ts';
import { reachWarnings } from '../../scenarios/forecast/reach.ts';
import { scenarioOf } from './scenario.ts';

const warningsOf = (devices: string, more = ''): string[] =>
  reachWarnings(
    populate(
      scenarioOf(`
scenario: reach
${more}
gateways: [{ name: roof, placement: { at: [0 m, 0 m] } }]
devices:
${devices}
`),
    ).network,
  );

describe('before a run', () => {
  it('nothing is said of devices that a gateway can hear', () => {
    expect(warningsOf('  - { name: near, count: 50, placement: { disc: 3 km } }')).toEqual([]);
  });

  it('devices without a gateway in reach are counted by population, with one as an example', () => {
    const found = warningsOf(
      '  - { name: near, count: 5, placement: { disc: 1 km } }\n' +
        '  - { name: lost, count: 4, placement: { ring: 120 km } }\n',
    );
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(
      /^lost: 4 of 4 devices have no gateway in reach; lost-1 is 120 km from the nearest, roof; /,
    );
  });

  it('the line of one more gateway mends it', () => {
    const huts = '  - { name: hut, count: 12, placement: { disc: 2 km, centre: [60 km, 5 km] } }';
    const [warning] = warningsOf(huts);
    const [, about, line] =
      /one more gateway would reach about (\d+) of them: - (\{.*\})$/.exec(warning!) ?? [];
    expect(about).toBe('12');
    const network = populate(
      scenarioOf(`
scenario: reach
gateways: [{ name: roof, placement: { at: [0 m, 0 m] } }, ${line}]
devices:
${huts}
`),
    ).network;
    expect(reachWarnings(network)).toEqual([]);
  });

  it('a very large population is reported by a sample', () => {
    const found = warningsOf('  - { name: lost, count: 5000, placement: { ring: 90 km } }');
    expect(found[0]).toContain('lost: about 5000 of 5000 devices');
  });

  it('a place thousands of kilometres off is named', () => {
    const found = warningsOf(
      '  - { name: near, count: 5, placement: { disc: 1 km } }\n' +
        '  - { name: swapped, placement: { latitude: 11.58, longitude: 48.14 } }\n',
      'origin: { latitude: 48.14, longitude: 11.58 }',
    );
    expect(found).toHaveLength(2);
    expect(found[1]).toMatch(/swapped stands \d{4} km from the middle of the network/);
  });

  it('both are among the warnings of a forecast', () => {
    const plan = populate(
      scenarioOf(`
scenario: reach
gateways: [{ name: roof, placement: { at: [0 m, 0 m] } }]
devices: [{ name: lost, placement: { at: [900 km, 0 m] } }]
`),
    );
    expect(forecast(plan).warnings.some((one) => one.includes('no gateway in reach'))).toBe(true);
  });
});
