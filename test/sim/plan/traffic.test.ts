/** Plans of traffic: what each process needs, declared silences, what settings can say of it. */
import { describe, expect, it } from 'vitest';
import { declaredPauseUs } from '../../../sim/plan/declared-pause.ts';
import type { TrafficPlan } from '../../../sim/plan/network-plan.ts';
import { USUAL_PACKAGES } from '../../../sim/plan/packages-plan.ts';
import {
  isSettable,
  reservedPorts,
  settingsOf,
  trafficBy,
} from '../../../sim/plan/settings-plan.ts';
import { isTraffic } from '../../../sim/plan/traffic-plan.ts';

const MINUTE_US = 60_000_000;

const PERIODIC: TrafficPlan = {
  process: 'periodic',
  meanUs: 10 * MINUTE_US,
  jitterPpm: 0,
  payloadBytes: 12,
  fPort: 10,
  confirmedPpm: 0,
};

const WEIGHTS = Array.from({ length: 24 }, (_, hour) => hour);
const BURST = { messages: 3, spacingUs: 1_000_000, atUs: [5, 7], withinUs: 0 };

const listOf = (atUs: readonly number[]) => ({
  atUs,
  fPorts: atUs.map(() => 1),
  lengths: atUs.map(() => 4),
  confirmed: atUs.map(() => null),
});

const DIURNAL = { ...PERIODIC, process: 'diurnal', hourWeights: WEIGHTS } as const;
const IN_BURSTS = { ...PERIODIC, process: 'burst', burst: BURST } as const;
const LISTED = { ...PERIODIC, process: 'listed', listed: { alder: listOf([0, 5, 5, 9]) } } as const;

describe('the longest silence that a device declares', () => {
  it('is the period with its jitter', () => {
    expect(declaredPauseUs(PERIODIC, 'alder')).toBe(10 * MINUTE_US);
    expect(declaredPauseUs({ ...PERIODIC, jitterPpm: 200_000 }, 'alder')).toBe(12 * MINUTE_US);
  });

  it('is three times the mean of exponential pauses', () => {
    const traffic = { ...PERIODIC, process: 'exponential', jitterPpm: 200_000 } as const;
    expect(declaredPauseUs(traffic, 'alder')).toBe(30 * MINUTE_US);
  });

  it('is 0 of a device that sends nothing by itself', () => {
    expect(declaredPauseUs({ ...PERIODIC, process: 'none' }, 'alder')).toBe(0);
  });

  it.each([
    ['the longest of a list, wherever it stands', [10, 20, 100, 130], 80],
    ['the only one of a list of two', [40, 70], 30],
    ['the first of a list', [0, 50, 60], 50],
    ['the mean of a list of one message', [40], PERIODIC.meanUs],
    ['the mean of a list without messages', [], PERIODIC.meanUs],
  ])('is %s', (_, atUs, pauseUs) => {
    const traffic = { ...LISTED, listed: { alder: listOf(atUs), birch: listOf([0, 999_999]) } };
    expect(declaredPauseUs(traffic, 'alder')).toBe(pauseUs);
  });

  it('is the mean of a device that is not in the list', () => {
    expect(declaredPauseUs(LISTED, 'birch')).toBe(PERIODIC.meanUs);
  });
});

describe('traffic', () => {
  it.each<[string, TrafficPlan]>([
    ['of a period', PERIODIC],
    ['by the hours of a day', DIURNAL],
    ['by a single hour of a day', { ...DIURNAL, hourWeights: WEIGHTS.map((n) => +(n === 23)) }],
    ['in bursts', IN_BURSTS],
    ['in bursts of one message', { ...IN_BURSTS, burst: { ...BURST, messages: 1, spacingUs: 1 } }],
    ['in a burst at the start', { ...IN_BURSTS, burst: { ...BURST, atUs: [0] } }],
    ['of a list, two at one instant', LISTED],
    ['of a list without messages', { ...LISTED, listed: { alder: listOf([]) } }],
    ['of no messages', { ...PERIODIC, process: 'none' }],
  ])('is possible %s', (_, traffic) => {
    expect(isTraffic(traffic)).toBe(true);
  });

  it.each<[string, TrafficPlan]>([
    ['a profile of hours without weights', { ...PERIODIC, process: 'diurnal' }],
    ['bursts that are not described', { ...PERIODIC, process: 'burst' }],
    ['a list that is not there', { ...PERIODIC, process: 'listed' }],
    ['weights of a period', { ...PERIODIC, hourWeights: WEIGHTS }],
    ['bursts of a period', { ...PERIODIC, burst: BURST }],
    ['a list of a period', { ...PERIODIC, listed: {} }],
    ['23 hours', { ...DIURNAL, hourWeights: WEIGHTS.slice(1) }],
    ['25 hours', { ...DIURNAL, hourWeights: [...WEIGHTS, 1] }],
    ['hours that all weigh nothing', { ...DIURNAL, hourWeights: WEIGHTS.map(() => 0) }],
    ['a weight below nothing', { ...DIURNAL, hourWeights: [...WEIGHTS.slice(1), -1] }],
    ['a weight without end', { ...DIURNAL, hourWeights: [...WEIGHTS.slice(1), Infinity] }],
    ['bursts of no message', { ...IN_BURSTS, burst: { ...BURST, messages: 0 } }],
    ['bursts of half a message', { ...IN_BURSTS, burst: { ...BURST, messages: 1.5 } }],
    ['messages at once', { ...IN_BURSTS, burst: { ...BURST, spacingUs: 0 } }],
    ['a spread backwards', { ...IN_BURSTS, burst: { ...BURST, withinUs: -1 } }],
    ['two bursts at one instant', { ...IN_BURSTS, burst: { ...BURST, atUs: [5, 5] } }],
    ['a burst before the start', { ...IN_BURSTS, burst: { ...BURST, atUs: [-1] } }],
    ['a list out of order', { ...LISTED, listed: { alder: listOf([5, 4]) } }],
    ['a list from before the start', { ...LISTED, listed: { alder: listOf([-1]) } }],
    ['a list between two µs', { ...LISTED, listed: { alder: listOf([0.5]) } }],
    [
      'a second list with a port too few',
      { ...LISTED, listed: { alder: listOf([1]), birch: { ...listOf([1, 2]), fPorts: [1] } } },
    ],
  ])('is impossible with %s', (_, traffic) => {
    expect(isTraffic(traffic)).toBe(false);
  });
});

describe('a device type that is set over the air', () => {
  const type = (traffic: Partial<TrafficPlan>, fPort = 100) => ({
    traffic: { ...PERIODIC, ...traffic },
    settings: { fPort, protocol: 'echo' } as const,
  });

  it.each<[string, Parameters<typeof isSettable>[0]]>([
    ['its period', type({})],
    ['exponential pauses', type({ process: 'exponential' })],
    ['hours of a day', type({ process: 'diurnal' })],
    ['confirmed messages alone', type({ confirmedPpm: 1_000_000 })],
    ['the shortest period', type({ meanUs: 10_000_000 })],
    ['the longest period', type({ meanUs: 0xff_ffff * 1_000_000 })],
    ['the longest payload', type({ payloadBytes: 222 })],
    ['the first port', type({}, 1)],
    ['the last port', type({}, 223)],
    ['messages on the last port', type({ fPort: 223 })],
  ])('may have %s', (_, one) => {
    expect(isSettable(one)).toBe(true);
  });

  it.each<[string, Parameters<typeof isSettable>[0]]>([
    ['no settings', { traffic: PERIODIC }],
    ['no messages of its own', type({ process: 'none' })],
    ['bursts', type({ process: 'burst' })],
    ['listed messages', type({ process: 'listed' })],
    ['some messages confirmed', type({ confirmedPpm: 500_000 })],
    ['one message in a million not confirmed', type({ confirmedPpm: 999_999 })],
    ['a period of less than ten seconds', type({ meanUs: 9_000_000 })],
    ['a period that three bytes cannot say', type({ meanUs: 0x100_0000 * 1_000_000 })],
    ['a period with a part of a second', type({ meanUs: 60_500_000 })],
    ['payloads that no data rate carries', type({ payloadBytes: 223 })],
    ['settings on port 0', type({}, 0)],
    ['settings on port 224', type({}, 224)],
    ['settings on the port of its messages', type({ fPort: 100 })],
    ['settings on the port of a package', type({}, USUAL_PACKAGES.fragmentation.fPort)],
    ['messages on the port of a package', type({ fPort: USUAL_PACKAGES.clockSync.fPort })],
  ])('never has %s', (_, one) => {
    expect(isSettable(one)).toBe(false);
  });

  it('keeps the ports of all four packages and that of its settings for them', () => {
    expect(reservedPorts({})).toEqual([202, 200, 201, 203]);
    expect(reservedPorts(type({}))).toEqual([202, 200, 201, 203, 100]);
  });

  it('has traffic that its settings say, and settings that its traffic says', () => {
    const settings = {
      uplinkPeriod: 90,
      payloadBytes: 33,
      confirmedUplinks: true,
      uplinkPort: 7,
    };
    const traffic = trafficBy({ ...PERIODIC, jitterPpm: 5 }, settings);
    expect(traffic).toEqual({
      process: 'periodic',
      meanUs: 90_000_000,
      jitterPpm: 5,
      payloadBytes: 33,
      fPort: 7,
      confirmedPpm: 1_000_000,
    });
    expect(settingsOf({ traffic })).toEqual(settings);
    expect(settingsOf({ traffic: PERIODIC }).confirmedUplinks).toBe(false);
    expect(trafficBy(traffic, settingsOf({ traffic: PERIODIC })).confirmedPpm).toBe(0);
  });
});
