/** Firmware updates in a scenario: from images, groups and campaigns to the platform's commands. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { vendorKey } from '../../core/base/vendor-key.ts';
import type { Command } from '../../core/command.ts';
import type { GivenCampaign } from '../../core/update-service/campaigns/commands.ts';
import { settingsOf } from '../../core/update-service/campaigns/settings.ts';
import type { DeviceGroupInput } from '../../core/update-service/device-groups.ts';
import type { WorldPlan } from '../../core/world/plan.ts';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { load } from '../../scenarios/load.ts';
import { toHex } from '../../sim/base/bytes.ts';
import type { DevicePlan } from '../../sim/plan/network-plan.ts';
import { populationTypes } from '../support/library.ts';
import { bundleOf, scenarioOf } from './scenario.ts';

const UPDATE = `scenario: update
gateways: [{ name: roof, count: 3 }, { name: mast }]
devices:
  - { name: meter, count: 3 }
  - { name: alarm }
images: [{ name: meter-1.2.0.bin, bytes: 1 kB, tags: [stable, eu/868] }]
groups: [{ name: cellars, devices: [meter] }]
campaigns: [{ name: spring, image: meter-1.2.0.bin, group: cellars }]
`;

/** Of an image. */
const HASH = '0'.repeat(64);

const planOf = (settings: readonly string[] = [], seed?: string): WorldPlan =>
  populate(scenarioOf(UPDATE, settings), seed);

type Kind = Command['kind'];
type Of<K extends Kind> = Extract<Command, { kind: K }>;

function commandsOf<K extends Kind>(plan: WorldPlan, kind: K): Of<K>[] {
  return plan.timeline.flatMap(({ command }) => (command.kind === kind ? [command as Of<K>] : []));
}

const groupOf = (...settings: readonly string[]): DeviceGroupInput =>
  commandsOf(planOf(settings), 'deviceGroup.create')[0]!.group;

const campaignOf = (...settings: readonly string[]): GivenCampaign =>
  commandsOf(planOf(settings), 'campaign.create')[0]!.campaign as GivenCampaign;

const hexOf = (plan: WorldPlan): string => toHex(commandsOf(plan, 'image.create')[0]!.bytes);

const named = (plan: WorldPlan) =>
  new Map(plan.network.devices.map((one) => [one.devEui, one.name]));

describe('a timeline with firmware updates', () => {
  const times = (settings: readonly string[]) =>
    planOf(settings).timeline.map(({ atUs, command }) => [atUs / 3600e6, command.kind]);

  it('begins with images and groups, and has campaigns before other entries of their time', () => {
    expect(
      times([
        'campaigns=[{name: b, image: meter-1.2.0.bin, group: cellars, at: 2 h}, ' +
          '{name: a, image: meter-1.2.0.bin, group: cellars, at: 1 h}]',
        'timeline=[{at: 2 h, removeDevice: alarm}, {at: 0 s, removeGateway: mast}, ' +
          '{at: 3 h, haltCampaign: b}]',
      ]),
    ).toEqual([
      [0, 'image.create'],
      [0, 'deviceGroup.create'],
      [0, 'gateway.remove'],
      [1, 'campaign.create'],
      [2, 'campaign.create'],
      [2, 'device.remove'],
      [3, 'campaign.halt'],
    ]);
  });

  it('may halt a campaign from the instant it is created', () => {
    const plan = planOf(['timeline=[{at: 0 s, haltCampaign: spring}]']);
    const [{ id: campaign_id }] = commandsOf(plan, 'campaign.create');
    const { timeline } = plan;
    expect(timeline.at(-1)).toEqual({
      atUs: 0,
      command: { kind: 'campaign.halt', by: 'default', campaign_id },
    });
    expect(timeline.at(-2)!.command.kind).toBe('campaign.create');
  });

  it('restarts and deletes campaigns as the service takes it', () => {
    const plan = planOf([
      'timeline=[{at: 2 h, restartCampaign: {campaign: spring, redundancy: 50 %, ' +
        'scheduled_start_at: 3 h, multicast_setup_time: 0 s}}, {at: 4 h, deleteCampaign: spring}]',
    ]);
    const [{ id: campaign_id }] = commandsOf(plan, 'campaign.create');
    expect(plan.timeline.slice(-2).map(({ command }) => command)).toEqual([
      {
        kind: 'campaign.restart',
        by: 'default',
        campaign_id,
        changes: {
          gateways: [],
          redundancy: 0.5,
          multicast_setup_time: 0,
          scheduled_start_at: '2026-01-01T03:00:00Z',
        },
      },
      { kind: 'campaign.delete', by: 'default', campaign_id },
    ]);
  });

  it('is carried out by a world', () => {
    const plan = planOf(['duration=1 h']);
    const world = World.create(plan, 'update');
    world.runUntil(60e6);
    expect(world.progress().campaigns).toMatchObject([{ name: 'spring', devices: 3, success: 0 }]);
    expect(world.result().campaigns[0]!.image).toMatchObject({
      name: 'meter-1.2.0.bin',
      bytes: 1000,
    });
  });
});

describe('an image', () => {
  it('of that many bytes is drawn from the seed by its name, and by nothing else', () => {
    const seeds = fc.string({ minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1, max: 300 }), (seed, bytes) => {
        const size = `images.0.bytes=${bytes} B`;
        const hex = hexOf(planOf([size], seed));
        expect(hex).toMatch(new RegExp(`^[0-9a-f]{${2 * bytes}}$`));
        expect(hexOf(planOf([size, 'devices.meter.count=9', 'duration=2 h'], seed))).toBe(hex);
        expect(hexOf(planOf(['images.0.bytes=301 B'], seed)).startsWith(hex)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('of another name or seed is another, and every byte value is as likely', () => {
    const drawn = (seed: string, name: string) =>
      hexOf(
        planOf(
          ['images.0.bytes=100 kB', `images.0.name=${name}`, `campaigns.spring.image=${name}`],
          seed,
        ),
      );
    const hex = drawn('a', 'a-1.0.0.bin');
    expect(drawn('b', 'a-1.0.0.bin')).not.toBe(hex);
    expect(drawn('a', 'b-1.0.0.bin')).not.toBe(hex);
    const counts = new Array<number>(256).fill(0);
    for (let i = 0; i < hex.length; i += 2) counts[Number.parseInt(hex.slice(i, i + 2), 16)]!++;
    for (const count of counts) expect(Math.abs(count - 390.6)).toBeLessThan(100);
  });

  it('has its tags', () => {
    expect(commandsOf(planOf(), 'image.create')[0]).toMatchObject({
      name: 'meter-1.2.0.bin',
      tags: ['stable', 'eu/868'],
    });
  });

  it('may be a file next to the scenario, of any bytes', () => {
    const text = UPDATE.replace('bytes: 1 kB', 'file: images/a.bin');
    const bundle = new Map(bundleOf({ 'x/y.yaml': text }));
    expect(load('x/y.yaml', bundle)).toEqual({ outcome: 'needs', paths: ['x/images/a.bin'] });
    bundle.set('x/images/a.bin', Uint8Array.of(0, 255, 128, 10));
    const loaded = load('x/y.yaml', bundle);
    if (loaded.outcome !== 'scenario') throw new Error(loaded.outcome);
    expect(hexOf(populate(loaded.scenario))).toBe('00ff800a');
  });
});

describe('a device group', () => {
  const names = (...settings: readonly string[]) => {
    const plan = planOf(settings);
    return groupOf(...settings).devices.map((devEui) => named(plan).get(devEui));
  };

  it('has the devices of its populations and its single devices, each once', () => {
    expect(names()).toEqual(['meter-1', 'meter-2', 'meter-3']);
    expect(names('groups.cellars.devices=all')).toEqual(['meter-1', 'meter-2', 'meter-3', 'alarm']);
    expect(names('groups.cellars.devices=[alarm, meter-2, meter, meter-2]')).toEqual([
      'alarm',
      'meter-2',
      'meter-1',
      'meter-3',
    ]);
  });

  it('may name a device by its DevEUI', () => {
    const devEui = '70b3d57ed0000001';
    const settings = [`devices.alarm.devEui=${devEui}`, `groups.cellars.devices=[${devEui}]`];
    expect(groupOf(...settings).devices).toEqual([devEui.toUpperCase()]);
  });

  it('has the class of its devices unless it gives one', () => {
    expect(groupOf()).not.toHaveProperty('lora_class');
    expect(groupOf('groups.cellars.class=C').lora_class).toBe('C');
  });

  it('lists gateways by entry, name or EUI, and none for an automatic choice', () => {
    const { gateways } = planOf().network;
    const euis = (...indexes: readonly number[]) => indexes.map((index) => gateways[index]!.eui);
    expect(groupOf().gateways).toEqual([]);
    expect(groupOf('groups.cellars.gateways=[roof]').gateways).toEqual(euis(0, 1, 2));
    const mixed = `groups.cellars.gateways=[mast, roof-2, ${euis(0)[0]!.toLowerCase()}]`;
    expect(groupOf(mixed).gateways).toEqual(euis(3, 1, 0));
  });
});

describe('a campaign', () => {
  it('names its image by name, and its group by the id that the file gives to it', () => {
    const [{ id }] = commandsOf(planOf(), 'deviceGroup.create');
    expect(id).toMatch(/^[0-9A-Za-z]{6}$/);
    expect(campaignOf()).toMatchObject({
      name: 'spring',
      image_name: 'meter-1.2.0.bin',
      device_group_id: id,
    });
  });

  it('has the defaults of the service, written out', () => {
    const { name, image_name, device_group_id } = campaignOf();
    const bare = { name, image_name, device_group_id };
    const settings = settingsOf(campaignOf(), HASH, 0);
    expect(settings.ok).toBe(true);
    expect(settings).toEqual(settingsOf(bare, HASH, 0));
  });

  it.each([
    ['expected_version', '1.2.0.7', '1.2.0.7'],
    ['expected_version', '01020000.......5', '01020000.......5'],
    ['multicast_setup_time', '2 h', 7200],
    ['mcast_dr', 'DR5', 5],
    ['mcast_dr', '3', 3],
    ['multicastDataRate', 'DR0', 0],
    ['mcast_freq', '869.525 MHz', 869.525],
    ['mcast_session_timeout', '4096 s', 4096],
    ['mcast_session_timeout', '1 s', 1],
    ['redundancy', '25 %', 0.25],
    ['redundancy', '0.1', 0.1],
    ['frag_send_delay', '4.5 s', 4.5],
    ['frag_size', '200 B', 200],
    ['acceptable_time_drift', '2 min', 120],
    ['sleep_after_frag_sent', '90 s', 90],
    ['descriptor', '"0a0B0c0d"', '0A0B0C0D'],
    ['min_downlink_delay', '1500 ms', 1.5],
    ['min_timeout_delay', '2 min', 120],
    ['force_initial_version_check', 'true', true],
    ['max_final_version_check_retry', '7', 7],
    ['automatic_retry_count', '2', 2],
    ['automatic_retry_interval', '2 h', 7200],
    ['downlink_delay_rand_s', '3 s', 3],
    ['individual_fragment_retransmit', '20', 20],
    ['ignore_clock_rates', 'true', true],
    ['gateway_timing', 'simultaneous', 'simultaneous'],
    ['scheduled_start_at', '2 h', '2026-01-01T02:00:00Z'],
    ['mcast_devaddr', '01FE0007', '01FE0007'],
    ['mcast_mc_key', '000102030405060708090A0B0C0D0E0F', '000102030405060708090A0B0C0D0E0F'],
    ['is_debug', 'true', true],
    ['is_troubleshooting', 'true', true],
  ] as const)('passes %s = %s as the service takes it', (key, text, value) => {
    const campaign = campaignOf(`campaigns.spring.${key}=${text}`);
    expect(campaign[key]).toBe(value);
    expect(settingsOf(campaign, HASH, 0).ok).toBe(true);
    expect(settingsOf(campaign, HASH, 0)).not.toEqual(settingsOf(campaignOf(), HASH, 0));
  });
});

describe('the root of devices’ multicast keys', () => {
  const kindsOf = (plan: WorldPlan) =>
    plan.timeline.map(({ command }) => command.kind).filter((kind) => kind.startsWith('key.'));
  const planWith = (keys: string, ...more: readonly string[]) =>
    planOf([`devices.meter.multicastKeys=${keys}`, ...more]);
  const metersOf = ({ network }: WorldPlan) =>
    network.devices.filter(({ name }) => name.startsWith('meter'));

  it('is that of their sessions, and the server’s, unless something else is said', () => {
    const plan = planOf();
    expect(plan.network.devices.every(({ genAppKey }) => genAppKey === undefined)).toBe(true);
    expect(populationTypes(plan).map(({ rootKeyKnown }) => rootKeyKnown)).not.toContain(false);
    expect(kindsOf(plan)).toEqual([]);
    expect(planWith('own')).toEqual(plan);
  });

  it('is drawn for each device, and uploaded at the start', () => {
    const plan = planWith('uploaded');
    const keys = metersOf(plan).map(({ devEui, genAppKey }) => [devEui, genAppKey]);
    expect(new Set(keys.map(([, key]) => key)).size).toBe(keys.length);
    const [upload] = commandsOf(plan, 'key.upload');
    expect(Object.entries(upload!.keys)).toEqual(keys);
    expect(plan.timeline[0]).toEqual({ atUs: 0, command: upload });
    const type = plan.network.deviceTypes.find(({ name }) => name === 'meter');
    expect(type?.rootKeyKnown).toBe(false);
  });

  it('is another than the one that is uploaded when it is wrong', () => {
    const plan = planWith('wrong');
    const [upload] = commandsOf(plan, 'key.upload');
    for (const { devEui, genAppKey } of metersOf(plan)) {
      expect(upload!.keys[devEui]).toMatch(/^[0-9a-f]{32}$/);
      expect(upload!.keys[devEui]).not.toBe(genAppKey);
    }
  });

  it('is the vendor’s, generated at the start', () => {
    const plan = planWith('vendor');
    const [generate] = commandsOf(plan, 'key.generate');
    expect(generate).toEqual({
      kind: 'key.generate',
      by: 'default',
      keygen_type: 'vendor',
      devices: metersOf(plan).map(({ devEui }) => devEui),
    });
    const [{ devEui, genAppKey }] = metersOf(plan) as [DevicePlan, ...DevicePlan[]];
    expect(genAppKey).toBe(toHex(vendorKey('default', devEui)));
  });

  it('is given by nobody when there is none', () => {
    const plan = planWith('none');
    expect(kindsOf(plan)).toEqual([]);
    expect(metersOf(plan).every(({ genAppKey }) => genAppKey?.length === 32)).toBe(true);
  });

  it('is uploaded with devices that come later', () => {
    const more = 'timeline=[{at: 1 h, addDevices: {population: meter, count: 2}}]';
    const [, later] = commandsOf(planWith('uploaded', more), 'key.upload');
    expect(Object.keys(later!.keys)).toHaveLength(2);
  });
});
