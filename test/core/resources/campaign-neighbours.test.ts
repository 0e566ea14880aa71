/** What campaigns take from the other resources, and what they leave there. */
import { describe, expect, it } from 'vitest';
import type { HistoryEntryAnswer } from '../../../core/update-service/update-history.ts';
import { World } from '../../../core/world/world.ts';
import { toHex } from '../../../sim/base/bytes.ts';
import { eui, HOUR_US } from '../../support/small-network.ts';
import { beside } from '../../support/worlds.ts';
import { type Bench, ready } from '../bench.ts';
import type { Script } from '../scripted-device.ts';
import { annsCampaign, IMAGE, testIsolation } from './isolation.ts';
import { got, Subscriber } from './service.ts';
import { planOf } from './things.ts';

const A = 'D000000000000001';
const B = 'D000000000000002';

/** Two devices of class A in a group; the second is no product of the operator's. */
function foreignProduct(script: Partial<Script> = {}): readonly [Bench, Subscriber] {
  const bench = ready(2, (i) => ({ ...script, rootKeyKnown: i === 0 }));
  return [bench, new Subscriber(bench, 'default')];
}

const rootKeyOf = (bench: Bench, devEui: string): string => toHex(bench.device(devEui).rootKey);

const historyOf = (us: Subscriber, deveui: string): readonly HistoryEntryAnswer[] =>
  us.ask({ kind: 'history.get', deveui });

describe.each(['A', 'C'] as const)('a member of class %s', (deviceClass) => {
  it('of the operator’s own products needs no key; another fails without one', () => {
    const [bench, us] = foreignProduct({ deviceClass });
    bench.campaign();
    expect(bench.finish()).toMatchObject({ success: 1, failed: 1, failures: { 'no key': 1 } });
    expect(historyOf(us, A)).toMatchObject([{ status: 'success' }]);
    expect(historyOf(us, B)).toMatchObject([{ status: 'failure', reason: 'no key' }]);
    expect(bench.commandsTo(B)).toEqual([]);
  });

  it('key.upload: is set up with the key that was uploaded for it', () => {
    const [bench, us] = foreignProduct({ deviceClass });
    us.do({ kind: 'key.upload', keys: { [B]: rootKeyOf(bench, B) } });
    bench.campaign();
    expect(bench.finish()).toMatchObject({ success: 2, failures: {} });
  });

  it('key.upload: that was set up with a wrong key hears nothing of its session', () => {
    const [bench, us] = foreignProduct({ deviceClass });
    us.do({ kind: 'key.upload', keys: { [B]: 'ab'.repeat(16) } });
    bench.campaign();
    expect(bench.finish()).toMatchObject({ success: 1, failures: { 'session missed': 1 } });
  });

  it('key.delete: fails when its key is deleted before its set-up', () => {
    const [bench, us] = foreignProduct({ deviceClass, firstUplinkS: 120 });
    us.do({ kind: 'key.upload', keys: { [B]: rootKeyOf(bench, B) } });
    bench.campaign();
    bench.runUntil(3_000);
    us.do({ kind: 'key.delete', devices: [B] });
    expect(bench.finish()).toMatchObject({ success: 1, failures: { 'no key': 1 } });
  });
});

describe('a campaign', () => {
  it('history.get: leaves an entry for every round of every member', () => {
    const bench = ready(2, (i) => (i === 0 ? {} : { mute: ['McGroupSetupReq'] }));
    const us = new Subscriber(bench, 'default');
    bench.campaign({ automatic_retry_count: 1, force_initial_version_check: true });
    bench.finish();
    const campaign_id = us.ask({ kind: 'campaign.list' })[0]?.campaign_id;
    const common = {
      entry_date: expect.stringMatching(/Z$/),
      initial_version: '0100000000000007',
      expected_version: '01020300........',
      campaign_id,
    };
    expect(historyOf(us, A)).toEqual([
      { ...common, status: 'success', reason: '', post_update_version: '0102030000000007' },
    ]);
    const missed = { status: 'timeout', reason: 'set-up unanswered', post_update_version: null };
    expect(historyOf(us, B)).toEqual([
      { ...common, ...missed },
      { ...common, ...missed },
    ]);
  });

  it('history.all: leaves no version that was not reported', () => {
    const bench = ready(1, () => ({ mute: ['DevVersionReq', 'McGroupSetupReq'] }));
    bench.campaign();
    bench.finish();
    const us = new Subscriber(bench, 'default');
    expect(us.ask({ kind: 'history.all' })).toMatchObject({
      [A]: [{ initial_version: null, post_update_version: null }],
    });
  });

  it('campaign.delete: takes its entries along when it is deleted', () => {
    const bench = ready(2);
    const us = new Subscriber(bench, 'default');
    bench.campaign();
    bench.finish();
    expect(Object.keys(us.ask({ kind: 'history.all' }))).toEqual([A, B]);
    us.do({ kind: 'campaign.delete', campaign_id: bench.campaignId });
    bench.runUntil(bench.nowUs + 10_000_000);
    expect(us.ask({ kind: 'history.all' })).toEqual({});
    expect(bench.platform.save().resources.campaign.leaving).toEqual([]);
  });

  it('deviceVersion.get: learns versions that the versions of devices are reported from', () => {
    const bench = ready(1);
    const us = new Subscriber(bench, 'default');
    bench.campaign();
    bench.finish();
    expect(us.ask({ kind: 'deviceVersion.get', deveui: A })).toMatchObject({
      version_hex: '0102030000000007',
      firmware_version: '1.2.3.0',
    });
  });

  it('keeps the members that its group had when it started', () => {
    const bench = ready(2);
    const us = new Subscriber(bench, 'default');
    const [group] = us.ask({ kind: 'deviceGroup.list' });
    const device_group_id = group?.device_group_id ?? '';
    bench.campaign();
    bench.runUntil(60_000_000);
    us.do({ kind: 'deviceGroup.update', device_group_id, group: { devices: [A] } });
    expect(bench.finish()).toMatchObject({ devices: 2, success: 2 });
  });
});

testIsolation('campaign', annsCampaign, {
  'campaign.create': ({ device_group_id }) => ({
    campaign: { name: 'mine', image_name: IMAGE, device_group_id },
  }),
  'campaign.list': () => ({}),
  'campaign.get': ({ campaign_id }) => ({ campaign_id }),
  'campaign.shortStatus': ({ campaign_id }) => ({ campaign_id }),
  'campaign.bulkStatus': ({ campaign_id }) => ({ campaign_ids: [campaign_id] }),
  'campaign.halt': ({ campaign_id }) => ({ campaign_id }),
  'campaign.restart': ({ campaign_id }) => ({ campaign_id, changes: {} }),
  'campaign.delete': ({ campaign_id }) => ({ campaign_id }),
});

describe('a device or gateway that becomes another subscriber’s', () => {
  const [DEVICE, OTHER] = [eui('02', 1), eui('02', 2)];
  const GATEWAYS = [eui('06', 1), eui('06', 2)];

  /** Ann has all of a world, and updates its two devices through its gateways. */
  function annUpdates() {
    const plan = planOf({ devices: 2, gatewaysAt: [100, 200], type: { deviceClass: 'C' } });
    const owners = {
      devices: [DEVICE, OTHER].map((each) => [each, 'ann'] as const),
      gateways: GATEWAYS.map((each) => [each, 'ann'] as const),
    };
    const world = World.create({ ...plan, owners, durationUs: 40 * HOUR_US }, 'seed');
    return { world, campaign_id: campaignOf(world, 'ann', [DEVICE, OTHER], GATEWAYS) };
  }

  function campaignOf(
    world: World,
    by: string,
    devices: readonly string[],
    gateways: readonly string[] = [],
  ): string {
    const image_name = 'fw-1.2.3.bin';
    got(world.submit({ by, kind: 'image.create', name: image_name, bytes: new Uint8Array(700) }));
    const group = { name: 'g', devices, gateways };
    const { device_group_id } = got(world.submit({ by, kind: 'deviceGroup.create', group }));
    const campaign = { name: `${by}’s`, image_name, device_group_id, multicast_setup_time: 1800 };
    return got(world.submit({ by, kind: 'campaign.create', campaign })).campaign_id;
  }

  it('is no more in the campaigns of the one whose it was, nor do they hold it', () => {
    const { world, campaign_id } = annUpdates();
    world.runUntil(0.25 * HOUR_US);
    got(world.submit({ by: 'ann', kind: 'device.remove', devEui: DEVICE }));
    for (const eui of GATEWAYS) {
      got(world.submit({ by: 'ann', kind: 'gateway.remove', eui }));
      got(world.submit({ by: 'bob', kind: 'gateway.create', gateway: { eui } }));
    }
    got(world.submit({ by: 'bob', kind: 'device.create', device: { devEui: DEVICE } }));
    const bobs = campaignOf(world, 'bob', [DEVICE]);
    const again = World.fromBytes(
      world.plan,
      world.seed,
      world.toBytes(),
      beside(world.contents()),
    );
    for (const each of [world, got(again)]) {
      each.runUntil(0.26 * HOUR_US);
      const get = { by: 'bob', kind: 'campaign.get', campaign_id: bobs } as const;
      expect(got(each.ask(get))).toMatchObject({ stage_str: 'SETTING_UP_DEVICES', status: '' });
      each.runUntil(20 * HOUR_US);
      expect(got(each.ask(get))).toMatchObject({ num_devices_success: 1 });
    }
    const short = { by: 'ann', kind: 'campaign.shortStatus', campaign_id } as const;
    expect(got(world.ask(short))).toMatchObject({
      devices: { [DEVICE]: { failure_reason: 'device removed' } },
    });
    expect(got(again).digest()).toEqual(world.digest());
  });

  it('sends no fragments for the one whose it was', () => {
    const sentFrom = (by: string): number => {
      const { world } = annUpdates();
      world.runUntil(0.25 * HOUR_US);
      for (const eui of GATEWAYS) {
        got(world.submit({ by: 'ann', kind: 'gateway.remove', eui }));
        got(world.submit({ by, kind: 'gateway.create', gateway: { eui } }));
      }
      world.runUntil(20 * HOUR_US);
      return world.result().campaigns[0]!.sent;
    };
    expect(sentFrom('ann')).toBeGreaterThan(0);
    expect(sentFrom('bob')).toBe(0);
  });
});
