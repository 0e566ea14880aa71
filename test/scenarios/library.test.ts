/** The scenarios that come with the product. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { judge } from '../../scenarios/expectations/expectations.ts';
import { populate, seedOf } from '../../scenarios/filling/populate.ts';
import { libraryScenario, populationTypes } from '../support/library.ts';
import { IS_LONG, itLong, sampled } from '../support/long.ts';
import { scenarioOf } from './scenario.ts';

const LIBRARY = new URL('../../scenarios/library/', import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, LIBRARY), 'utf8');
const PATHS = readdirSync(LIBRARY, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.yaml'))
  .sort();

describe('the library', () => {
  it('has a quickstart, campaigns and the validation scenarios', () => {
    expect(PATHS).toEqual(
      expect.arrayContaining([
        'campaigns/drifted-clocks.yaml',
        'campaigns/failing-devices.yaml',
        'campaigns/five-thousand.yaml',
        'campaigns/ten-thousand.yaml',
        'campaigns/too-little-redundancy.yaml',
        'campaigns/version-2.yaml',
        'quickstart.yaml',
        'places/devices-from-geojson.yaml',
        'places/measured-uplinks.yaml',
        'validation/aloha-1000.yaml',
        'validation/aloha-200.yaml',
        'validation/aloha-50.yaml',
        'regions/as923-dwell.yaml',
        'regions/kr920.yaml',
        'regions/us915.yaml',
        'validation/capture.yaml',
        'validation/w1.yaml',
      ]),
    );
  });

  it.each(PATHS)(
    'has no fault in %s, which is named after its file and expects something',
    (path) => {
      // It throws what is wrong.
      const scenario = libraryScenario(path);
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
    for (const type of populationTypes(plan)) {
      expect(type).toMatchObject({ deviceClass: 'A', activation: 'otaa' });
      expect(type.startSpreadUs).toBeLessThanOrEqual(1_800e6);
    }
  });

  it('differs by population in traffic, drift and link', () => {
    const deviceTypes = populationTypes(plan);
    expect(new Set(deviceTypes.map(({ traffic }) => traffic.meanUs)).size).toBe(4);
    expect(new Set(deviceTypes.map(({ driftPpb }) => driftPpb)).size).toBeGreaterThan(1);
    expect(new Set(deviceTypes.map(({ dataRate }) => dataRate.from)).size).toBeGreaterThan(1);
    expect(deviceTypes.some(({ traffic }) => traffic.confirmedPpm > 0)).toBe(true);
  });
});

describe('the campaign of', () => {
  const campaignsIn = (path: string, settings: readonly string[] = []) => {
    const scenario = scenarioOf(textOf(path), settings);
    const plan = populate(scenario);
    const begun = plan.timeline.flatMap(({ atUs, command }) =>
      command.kind === 'campaign.create' ? [{ atUs, campaign: command.campaign }] : [],
    );
    const groups = plan.timeline.flatMap(({ command }) =>
      command.kind === 'deviceGroup.create' ? [command.group] : [],
    );
    return { scenario, plan, begun, groups };
  };
  const worldOf = (path: string, settings: readonly string[] = []) => {
    const { scenario, plan } = campaignsIn(path, settings);
    const world = World.create(plan, seedOf(scenario));
    world.runUntil(world.endUs);
    const result = world.result();
    return { campaign: result.campaigns[0]!, verdicts: judge(scenario.expectations, result) };
  };
  const allHold = (verdicts: readonly { readonly holds: boolean }[]) =>
    expect(verdicts.filter(({ holds }) => !holds)).toEqual([]);

  it('the quickstart brings 20 kB to all devices from 6 h on', () => {
    const { begun, groups } = campaignsIn('quickstart.yaml');
    expect(begun).toMatchObject([{ atUs: 21_600e6 }]);
    expect(groups).toMatchObject([{ devices: { length: 1000 } }]);
    const { campaign, verdicts } = worldOf('quickstart.yaml');
    allHold(verdicts);
    expect(campaign).toMatchObject({ stage: 'FINISHED', devices: 1000, nbFrag: 84 });
    expect(campaign.verified.right).toBe(campaign.verified.rebuilt);
    expect(campaign.verified.rebuilt).toBeGreaterThanOrEqual(16);
  });

  it('too little redundancy updates nobody, and more of it almost everybody', () => {
    const path = 'campaigns/too-little-redundancy.yaml';
    allHold(worldOf(path).verdicts);
    const { campaign } = worldOf(path, ['campaigns.spring.redundancy=50 %']);
    expect(campaign.success).toBeGreaterThan(90);
  });

  it('failing devices fail each in its own way, and a second round makes good what passes', () => {
    const path = 'campaigns/failing-devices.yaml';
    const { campaign, verdicts } = worldOf(path);
    allHold(verdicts);
    const { campaign: once } = worldOf(path, ['campaigns.spring.automatic_retry_count=0']);
    expect(Object.keys(once.failures)).toEqual(
      expect.arrayContaining([
        'flash write error',
        'not enough memory',
        'rebooted',
        'wrong hardware',
        'wrong signature',
      ]),
    );
    expect(campaign.success).toBeGreaterThan(once.success + 40);
  });

  it('drifted clocks leaves out who is late, and nobody with a short set-up or good clocks', () => {
    const path = 'campaigns/drifted-clocks.yaml';
    allHold(worldOf(path).verdicts);
    const settings = ['devices.meter.drift=20 ppm', 'campaigns.spring.multicast_setup_time=3 h'];
    for (const setting of sampled(settings, (each) => each.endsWith('3 h'))) {
      expect(worldOf(path, [setting]).campaign.success).toBeGreaterThan(190);
    }
  });

  it('version 2 updates devices of both versions in a session each', () => {
    const path = 'campaigns/version-2.yaml';
    const { campaign, verdicts } = worldOf(path);
    allHold(verdicts);
    const sessions = campaign.stages.filter(({ stage }) => stage === 'SENDING_FRAGMENTS');
    expect(sessions).toHaveLength(2);
    expect(campaign.verified.right).toBe(campaign.verified.rebuilt);
  });

  itLong('five thousand devices is one of 263 fragments at DR5, counted', () => {
    const { plan, begun } = campaignsIn('campaigns/five-thousand.yaml');
    expect(plan.network).toMatchObject({ frames: 'counted', devices: { length: 5000 } });
    expect(plan.network.gateways.length).toBeLessThan(5);
    expect(populationTypes(plan)).toMatchObject([
      { deviceClass: 'A', activation: 'abp', frameLossPpm: 100_000 },
    ]);
    const { frag_size, mcast_dr } = begun[0]!.campaign;
    expect([Math.ceil((50 * 1024) / frag_size!), mcast_dr]).toEqual([263, 5]);
    allHold(worldOf('campaigns/five-thousand.yaml').verdicts);
  });
});

describe('the flapping gateway', () => {
  /** In short runs a tenth of them. */
  const METERS = IS_LONG ? 1000 : 100;
  const counts = { silent: 0.4, echo: 0.3, report: 0.3 };
  const settings = Object.entries(counts).map(
    ([name, share]) => `devices.${name}.count=${share * METERS}`,
  );
  const scenario = scenarioOf(textOf('flapping-gateway.yaml'), settings);
  const world = World.create(populate(scenario), seedOf(scenario));
  world.runUntil(world.endUs);
  const result = world.result();

  it('amounts to all that it expects', () => {
    const ofAnyNumber = scenario.expectations.filter(
      ({ text }) => IS_LONG || !/populations|duplicates|configurations\.set/.test(text),
    );
    expect(ofAnyNumber.length).toBeGreaterThan(6);
    const verdicts = judge(ofAnyNumber, result);
    expect(verdicts.filter(({ holds }) => !holds)).toEqual([]);
  });

  it('changes ten times, and three changes are reported to the desk', () => {
    const [hill] = result.alerts!.gateways;
    expect(hill).toMatchObject({ name: 'hill', changes: 10 });
    expect(hill!.fates).toEqual({ notTold: 6, told: 3, waiting: 1 });
    const desk = result.deliveries!.receivers.find(({ name }) => name === 'desk');
    expect(desk).toMatchObject({ distinct: 3 });
  });

  it('sets all meters, none before the gateway is back', () => {
    const { populations, setAtSeconds, appliedAtSeconds, suspensions } = result.configurations!;
    expect(suspensions).toBeGreaterThanOrEqual(METERS);
    expect(setAtSeconds[0]).toBeGreaterThan(7 * 3600);
    expect(appliedAtSeconds).toHaveLength(METERS);
    expect(setAtSeconds).toHaveLength(populations.reduce((sum, { set }) => sum + set!, 0));
  });

  it('has of each uplink what was accepted, and what is on its way', () => {
    for (const { emitted, fates } of result.deliveries!.targets) {
      expect((fates.delivered ?? 0) + (fates.waiting ?? 0)).toBe(emitted);
    }
    const { targets, receivers } = result.deliveries!;
    const billing = targets.find(({ address }) => address.startsWith('https://billing'))!;
    expect(billing.attempts / billing.emitted).toBeCloseTo(1 / 0.7, 1);
    expect(receivers.find(({ name }) => name === 'billing')!.duplicates).toBe(0);
    const archive = receivers.find(({ name }) => name === 'archive')!;
    expect(archive.duplicates / archive.distinct).toBeCloseTo(1 / 7, IS_LONG ? 2 : 1);
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
    const plan = populate(scenario);
    const { network, durationUs } = plan;
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
    expect(populationTypes(plan)).toMatchObject([
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
