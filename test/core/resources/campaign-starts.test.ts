/** Firmware campaigns (firmware update service): who is updated when, with which descriptor. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Answers, PlatformCommand } from '../../../core/operations.ts';
import type { CampaignInput } from '../../../core/update-service/campaigns/commands.ts';
import { World } from '../../../core/world/world.ts';
import type { Result } from '../../../sim/base/result.ts';
import { HOUR_US } from '../../support/small-network.ts';
import { beside } from '../../support/worlds.ts';
import { Bench, S, someImage } from '../bench.ts';
import type { Script } from '../scripted-device.ts';
import {
  campaignOf,
  finish,
  full,
  go,
  groupOf,
  IMAGE,
  instantIn,
  subscriber,
  summary,
} from './campaign-notation.ts';
import { got, type Subscriber } from './service.ts';
import { planOf } from './things.ts';

describe('campaign.create: the group of a scheduled campaign', () => {
  it('is the one with its id at the start, whatever groups are called by then', () => {
    const us = subscriber(new Bench());
    const [wanted, other, late] = us.devices(3) as [string, string, string];
    const device_group_id = groupOf(us, [wanted], 'meters');
    const scheduled_start_at = instantIn(us, 600);
    const campaign = { name: 'x', image_name: IMAGE, device_group_id, scheduled_start_at };
    const { campaign_id } = us.do({ kind: 'campaign.create', campaign });
    us.do({ kind: 'deviceGroup.update', device_group_id, group: { name: 'old meters' } });
    groupOf(us, [other], 'meters');
    us.do({ kind: 'deviceGroup.addDevices', device_group_id, devices: [late] });
    finish(us);
    expect(summary(us, campaign_id)).toMatchObject({ device_group_id, num_devices_success: 2 });
    expect(Object.keys(full(us, campaign_id).devices)).toEqual([wanted, late]);
    expect(us.bench.commandsTo(other)).toEqual([]);
  });
});

describe('campaign.create and deviceGroup.create: a campaign', () => {
  const PACE = { frag_size: 50, multicast_setup_time: 3700 } as const;

  /** Devices of these classes in a group of this class. */
  function campaignOver(
    lora_class: 'A' | 'C' | null,
    classes: readonly ('A' | 'C')[],
    script: Partial<Script> = {},
  ) {
    const us = subscriber(new Bench());
    const devices = us.devices(classes.length, (i) => ({ ...script, deviceClass: classes[i]! }));
    const group = { name: 'g', lora_class, devices };
    const { device_group_id } = us.do({ kind: 'deviceGroup.create', group });
    const campaign = { name: 'x', image_name: IMAGE, device_group_id, is_debug: true, ...PACE };
    const { campaign_id } = us.do({ kind: 'campaign.create', campaign });
    return { us, devices, campaign_id, device_group_id };
  }

  /** Seconds from the start to the first request for a downlink to a device. */
  const firstSaidS = (us: Subscriber, devEui: string): number =>
    us.bench.log.find(({ request }) => request.kind === 'downlink' && request.devEui === devEui)!
      .atUs / S;

  it.each([600, 1_200])(
    'over a group of class C waits for the uplinks of its class A devices (every %d s)',
    (uplinkEveryS) => {
      const script = { uplinkEveryS, firstUplinkS: 500 };
      const { us, devices, campaign_id } = campaignOver('C', ['A', 'C', 'A'], script);
      finish(us);
      expect(summary(us, campaign_id)).toMatchObject({ num_devices_success: 3 });
      const said = devices.map((devEui) => firstSaidS(us, devEui));
      expect([said[0]! > 500, said[1]! < 10, said[2]! > 500]).toEqual([true, true, true]);
    },
  );

  it('is the same for class A devices, whatever class is asked of their group', () => {
    const logs = ([null, 'A', 'C'] as const).map((lora_class) => {
      const { us } = campaignOver(lora_class, ['A', 'A']);
      finish(us);
      return us.bench.log;
    });
    expect(logs[1]).toEqual(logs[0]);
    expect(logs[2]).toEqual(logs[0]);
  });

  it('over a group whose classes were mixed by a switch serves each device as its own', () => {
    const { us, devices, campaign_id } = campaignOver(null, ['A', 'A', 'A'], { firstUplinkS: 500 });
    us.do({ kind: 'device.class', devEui: devices[1]!, deviceClass: 'C' });
    finish(us);
    expect(summary(us, campaign_id)).toMatchObject({ num_devices_success: 3 });
    const said = devices.map((devEui) => firstSaidS(us, devEui));
    expect([said[0]! > 500, said[1]! < 10, said[2]! > 500]).toEqual([true, true, true]);
  });

  it.each([100, 3_000, 3_720, 3_900, 4_000])(
    'updates devices that change their class after %d s, in either way',
    (seconds) => {
      const { us, devices, campaign_id } = campaignOver(null, ['C', 'C', 'C'], {
        uplinkEveryS: 120,
      });
      go(us, seconds);
      us.do({ kind: 'device.class', devEui: devices[0]!, deviceClass: 'A' });
      us.bench.reload();
      finish(us);
      expect(summary(us, campaign_id)).toMatchObject({ num_devices_success: 3 });
      const other = campaignOver(null, ['A', 'A', 'A'], { uplinkEveryS: 120 });
      go(other.us, seconds);
      other.us.do({ kind: 'device.class', devEui: other.devices[0]!, deviceClass: 'C' });
      other.us.bench.reload();
      finish(other.us);
      expect(summary(other.us, other.campaign_id)).toMatchObject({ num_devices_success: 3 });
    },
  );
});

describe('campaign.create: the descriptor', () => {
  const SHA256 = createHash('sha256').update(someImage(1_000)).digest('hex').toUpperCase();

  /** What a campaign over an image shows, and what its device was reported. */
  function descriptorFor(image_name: string, input: Partial<CampaignInput> = {}) {
    const us = subscriber(new Bench());
    us.do({ kind: 'image.create', name: image_name, bytes: someImage(1_000), tags: [] });
    const [devEui] = us.devices(1) as [string];
    const campaign_id = campaignOf(us, [devEui], { image_name, ...input });
    go(us, 3_000);
    const { descriptor } = full(us, campaign_id);
    expect(us.bench.device(devEui).descriptor.toUpperCase()).toBe(descriptor);
    return descriptor;
  }

  it.each([
    ['what was given', 'meter-2.5.1.bin', { descriptor: 'cafe0001' }, 'CAFE0001'],
    ['the firmware of the image’s name', 'meter-2.5.1.bin', {}, '02050100'],
    [
      'that of the name, whatever is expected',
      'v2.5.1.9.hex.bin',
      { expected_version: '1.2.3' },
      '02050109',
    ],
    ['the firmware that is expected', 'meter.bin', { expected_version: '1.2.3.4' }, '01020304'],
    ['that of a pattern', 'meter.bin', { expected_version: '0102030a........' }, '0102030A'],
    [
      'the first bytes of the hash',
      'meter.bin',
      { expected_version: '01..0304........' },
      SHA256.slice(0, 8),
    ],
    [
      'the hash where the name has no bytes',
      'm-999.1.1.bin',
      { expected_version: '.'.repeat(16) },
      SHA256.slice(0, 8),
    ],
  ] as const)('is %s', (_, image_name, input, expected) => {
    expect(descriptorFor(image_name, input)).toBe(expected);
  });

  it('is not needed where the expected version leaves digits open: devices are updated', () => {
    const us = subscriber(new Bench());
    us.do({ kind: 'image.create', name: 'meter.bin', bytes: someImage(1_000), tags: [] });
    const input = { image_name: 'meter.bin', expected_version: '0102....00000007' } as const;
    const campaign_id = campaignOf(us, us.devices(2), input);
    finish(us);
    expect(summary(us, campaign_id)).toMatchObject({ num_devices_success: 2 });
  });
});

describe('campaign.create and restart, startNotAhead: a start that the world’s clock does not reach', () => {
  const FAR = '9999-12-31T23:59:59Z';

  function waiting(scheduled_start_at = FAR) {
    const world = World.create({ ...planOf({ devices: 2 }), durationUs: 3 * HOUR_US }, 'far');
    const submit = <Given extends PlatformCommand>(command: Given) =>
      got(world.submit({ by: 'default', ...command }) as Result<Answers[Given['kind']]>);
    const devices = world.plan.network.devices.map(({ devEui }) => devEui);
    world.runUntil(HOUR_US);
    submit({ kind: 'image.create', name: IMAGE, bytes: someImage(500), tags: [] });
    const group = { name: 'g', devices };
    const { device_group_id } = submit({ kind: 'deviceGroup.create', group });
    const campaign = { name: 'x', image_name: IMAGE, device_group_id, scheduled_start_at };
    const { campaign_id } = submit({ kind: 'campaign.create', campaign });
    return { world, campaign_id, submit };
  }

  const stateOf = (world: World, campaign_id: string) =>
    got(world.ask({ by: 'default', kind: 'campaign.get', campaign_id }));

  it.each([FAR, '2312-01-01T00:00:00Z', '2311-06-01T00:00:00Z'])(
    'is waited for as any other: %s',
    (start) => {
      const { world, campaign_id, submit } = waiting(start);
      world.runUntil(2 * HOUR_US);
      const again = got(
        World.fromBytes(world.plan, world.seed, world.toBytes(), beside(world.contents())),
      );
      for (const each of [world, again]) each.runUntil(3 * HOUR_US);
      expect(again.digest()).toEqual(world.digest());
      const wanted = { stage_str: 'WAITING_FOR_START', scheduled_start_at: start };
      expect(stateOf(again, campaign_id)).toMatchObject(wanted);
      submit({ kind: 'campaign.halt', campaign_id });
      submit({ kind: 'campaign.restart', campaign_id, changes: { scheduled_start_at: start } });
      world.runUntil(world.nowUs + 10 * S);
      expect(stateOf(world, campaign_id)).toMatchObject(wanted);
      submit({ kind: 'campaign.halt', campaign_id });
      submit({ kind: 'campaign.restart', campaign_id, changes: {} });
      world.runUntil(world.nowUs + 10 * S);
      expect(stateOf(world, campaign_id)).toMatchObject({ stage_str: 'SETTING_UP_DEVICES' });
    },
  );
});
