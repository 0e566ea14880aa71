/** The scenarios that come with the product. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { populate } from '../../scenarios/populate.ts';
import { faultsOf, scenarioOf } from './scenario.ts';

const LIBRARY = new URL('../../scenarios/library/', import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, LIBRARY), 'utf8');
const PATHS = readdirSync(LIBRARY, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.yaml'))
  .sort();

describe('the library', () => {
  it('has a quickstart and the validation scenarios', () => {
    expect(PATHS).toEqual(
      expect.arrayContaining([
        'quickstart.yaml',
        'validation/aloha-1000.yaml',
        'validation/aloha-200.yaml',
        'validation/aloha-50.yaml',
        'validation/w1.yaml',
      ]),
    );
  });

  it.each(PATHS)(
    'has no fault in %s, which is named after its file and expects something',
    (path) => {
      expect(faultsOf(textOf(path))).toEqual([]);
      const scenario = scenarioOf(textOf(path));
      expect(`${scenario.scenario}.yaml`).toBe(path.split('/').at(-1));
      expect(scenario.description).not.toBe('');
      expect(scenario.expectations.length).toBeGreaterThan(0);
    },
  );
});

describe('the quickstart', () => {
  const plan = populate(scenarioOf(textOf('quickstart.yaml')));

  it('is 1 000 class A devices and five gateways for a day', () => {
    expect(plan.network.devices).toHaveLength(1000);
    expect(plan.network.gateways).toHaveLength(5);
    expect(plan.durationUs).toBe(86_400e6);
    for (const type of plan.network.deviceTypes) {
      expect(type).toMatchObject({ deviceClass: 'A', activation: 'otaa' });
      expect(type.startSpreadUs).toBeLessThanOrEqual(1_800e6);
    }
  });

  it('differs by population in traffic, drift and link', () => {
    const { deviceTypes } = plan.network;
    expect(new Set(deviceTypes.map(({ traffic }) => traffic.meanUs)).size).toBe(4);
    expect(new Set(deviceTypes.map(({ driftPpb }) => driftPpb)).size).toBeGreaterThan(1);
    expect(new Set(deviceTypes.map(({ dataRate }) => dataRate.from)).size).toBeGreaterThan(1);
    expect(deviceTypes.some(({ traffic }) => traffic.confirmedPpm > 0)).toBe(true);
  });
});

describe('the ALOHA scenarios', () => {
  it.each([
    [50, 0.8789],
    [200, 0.592],
    [1000, 0.072],
  ])('expect what the closed form gives for %d senders', (count, ratio) => {
    const scenario = scenarioOf(textOf(`validation/aloha-${count}.yaml`));
    const airtimeS = 1.318912;
    const closed = Math.exp((-2 * (count - 1) * airtimeS) / (1000 + airtimeS));
    expect(Math.abs(closed - ratio)).toBeLessThan(0.0001);
    expect(scenario.expectations[0]).toMatchObject({
      comparison: 'within',
      bound: { value: ratio },
      tolerance: { value: 0.005 },
    });
    const { devices, deviceTypes, radio, uplinkChannelsHz } = populate(scenario).network;
    expect(devices).toHaveLength(count);
    expect(deviceTypes[0]!.traffic).toMatchObject({
      process: 'exponential',
      meanUs: 1_000e6,
      payloadBytes: 20 - 13,
    });
    expect(deviceTypes[0]).toMatchObject({ dataRate: { from: 'fixed', dataRate: 0 }, adr: false });
    expect(radio.interference).toMatchObject({ model: 'aloha', window: 'wholeFrame' });
    expect(uplinkChannelsHz).toHaveLength(1);
  });
});

describe('W1', () => {
  it('is the network of the published figures, its size to be chosen', () => {
    const scenario = scenarioOf(textOf('validation/w1.yaml'), ['devices.device.count=500']);
    const { network, durationUs } = populate(scenario);
    expect(durationUs).toBe(3_600e6);
    expect(network.devices).toHaveLength(500);
    expect(network.gateways).toMatchObject([{ xMeters: 0, yMeters: 0, receptionPaths: 8 }]);
    expect(network.uplinkChannelsHz).toEqual([868_100_000, 868_300_000, 868_500_000]);
    expect(network.radio.shadowingSigmaDb).toBe(0);
    expect(network.radio.interference.window).toBe('wholeFrame');
    expect(network.radio.gatewaySensitivityCentiDbm.slice(2)).toEqual([
      -13_000, -13_250, -13_500, -13_750, -14_000, -14_250,
    ]);
    expect(network.radio.deviceSensitivityCentiDbm.slice(2)).toEqual([
      -12_400, -12_700, -13_000, -13_300, -13_500, -13_700,
    ]);
    expect(network.deviceTypes).toMatchObject([
      {
        activation: 'abp',
        traffic: { process: 'periodic', meanUs: 600e6, jitterPpm: 0, payloadBytes: 16 },
        dataRate: { from: 'link', marginCentiDb: 0 },
        adr: false,
        dutyCycle: false,
        maxEirpCentiDbm: 1400,
      },
    ]);
  });
});
