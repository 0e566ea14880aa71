/** Traffic of populations in scenario files: the knobs, their faults, and the plan they make. */
import { describe, expect, it } from 'vitest';
import { populate } from '../../scenarios/filling/populate.ts';
import { faultsOf, meterWith, scenarioOf } from './scenario.ts';

const trafficIn = (knobs: string) => {
  const { network } = populate(scenarioOf(meterWith(`traffic: { ${knobs} }`)));
  const { process, hourWeights, burst } = network.deviceTypes[0]!.traffic;
  return { process, hourWeights, burst };
};

const EVEN = Array.from({ length: 24 }, () => 1);

describe('traffic of a population', () => {
  it('follows a profile of its own by the hour, or a preset', () => {
    const own = trafficIn(`process: diurnal, profile: [${EVEN.join(', ')}]`);
    expect(own).toEqual({ process: 'diurnal', hourWeights: EVEN, burst: undefined });
    const usual = trafficIn('process: diurnal');
    expect(usual).toEqual(trafficIn('process: diurnal, profile: household'));
    expect(usual.hourWeights).toHaveLength(24);
    expect(trafficIn('process: diurnal, profile: office').hourWeights![3]).toBe(0);
  });

  it('comes in bursts, of each by itself or of all at once', () => {
    expect(trafficIn('process: burst').burst).toEqual({
      messages: 5,
      spacingUs: 10_000_000,
      atUs: [],
      withinUs: 0,
    });
    const alarm = 'burst: { messages: 3, spacing: 2 s, at: [1 h, 2 h], within: 30 s }';
    expect(trafficIn(`process: burst, ${alarm}`).burst).toEqual({
      messages: 3,
      spacingUs: 2_000_000,
      atUs: [3_600_000_000, 7_200_000_000],
      withinUs: 30_000_000,
    });
  });

  // The knobs, where the fault is in them, its path below the traffic, and what is said.
  it.each([
    ['process: diurnal, profile: «homehold', '/profile', 'did you mean "household"?'],
    ['process: diurnal, profile: «[1, 2]', '/profile', 'a day has 24 hours, not 2'],
    ['process: diurnal, profile: «7', '/profile', '7 is no profile; allowed: household, office'],
    [
      `process: diurnal, profile: «[${EVEN.slice(1).join(', ')}, -1]`,
      '/profile',
      '-1 is no weight of an hour',
    ],
    [
      `process: diurnal, profile: «[${EVEN.map(() => 0).join(', ')}]`,
      '/profile',
      'no hour has a weight',
    ],
    ['process: burst, burst: { messages: «0 }', '/burst/messages', '0 is too small'],
    ['process: burst, burst: { spacing: «0 s }', '/burst/spacing', '"0 s" is too small'],
    ['process: burst, burst: «{ at: [2 h, 1 h] }', '/burst', 'does not ascend'],
    ['process: «bursts', '/process', '"bursts" is not known'],
  ])('%s is refused where it stands', (marked, path, what) => {
    const text = meterWith(`traffic: { ${marked.replace('«', '')} }`);
    const [fault, ...more] = faultsOf(text);
    expect(more).toEqual([]);
    expect(fault).toContain(`/devices/0/traffic${path}  `);
    expect(fault).toContain(what);
    const line = meterWith(`traffic: { ${marked} }`).split('\n')[1]!;
    expect(fault).toContain(`file.yaml:2:${line.indexOf('«') + 1}  `);
  });

  it.each([
    [
      'profile: office',
      'periodic traffic has no profile; allowed: profile where process is diurnal',
    ],
    ['process: diurnal, burst: {}', 'diurnal traffic has no burst'],
  ])('%s is of another process', (knobs, what) => {
    expect(faultsOf(meterWith(`traffic: { ${knobs} }`))[0]).toContain(what);
  });

  it('that settings could not say is refused beside them', () => {
    const knobs = 'settings: { protocol: echo }, traffic: { process: burst }';
    expect(faultsOf(meterWith(knobs))[0]).toContain('settings cannot say a burst');
    const daily = 'settings: { protocol: echo }, traffic: { process: diurnal }';
    expect(faultsOf(meterWith(daily))).toEqual([]);
  });
});
