/**
 * Firmware campaigns (firmware update service): restarts, halts, and what is reported of fragments.
 */
import { describe, expect, it } from 'vitest';
import type { CampaignInput } from '../../../core/update-service/campaigns/commands.ts';
import { Bench, type BenchOptions, GATEWAY } from '../bench.ts';
import {
  addressOf,
  campaignOf,
  deaf,
  finish,
  full,
  go,
  groupOf,
  IMAGE,
  instantIn,
  restart,
  subscriber,
  summary,
} from './campaign-notation.ts';
import { failureOf, NORTH, SOUTH, type Subscriber } from './service.ts';

const ADDRESS = '01FE0042';

/** A campaign of one device that failed, and a device that no campaign had yet. */
function afterAFailure(input: Partial<CampaignInput> = {}, options: BenchOptions = {}) {
  const mended = { now: false };
  const bench = new Bench(options);
  const us = subscriber(bench);
  const [failing, free] = us.devices(2, (i) => (i === 0 ? deaf(mended) : {})) as [string, string];
  const campaign_id = campaignOf(us, [failing], input);
  finish(us);
  expect(summary(us, campaign_id)).toMatchObject({ num_devices_fail: 1 });
  mended.now = true;
  return { bench, us, campaign_id, failing, free };
}

describe('campaign.restart, restart: the group address', () => {
  it.each(['running', 'scheduled'])(
    'that was given and that another %s campaign uses is refused (409)',
    (other) => {
      const { us, campaign_id, free } = afterAFailure({ mcast_devaddr: ADDRESS });
      const later = other === 'scheduled' ? { scheduled_start_at: instantIn(us, 90_000) } : {};
      const second = campaignOf(us, [free], { mcast_devaddr: ADDRESS, ...later });
      const before = JSON.stringify(us.bench.platform.save());
      const refusal = failureOf(restart(us, campaign_id));
      expect(refusal).toMatchObject({ code: 'campaign.address-in-use' });
      expect(refusal.path).toBeUndefined();
      expect(
        failureOf(restart(us, campaign_id, { scheduled_start_at: instantIn(us, 60) })),
      ).toEqual(refusal);
      expect(JSON.stringify(us.bench.platform.save())).toBe(before);
      us.do({ kind: 'campaign.halt', campaign_id: second });
      expect(restart(us, campaign_id).ok).toBe(true);
    },
  );

  it('that was drawn and that another campaign uses is drawn anew: both update all', () => {
    const { us, campaign_id, free } = afterAFailure();
    const drawn = addressOf(us, campaign_id)!;
    const second = campaignOf(us, [free], { mcast_devaddr: drawn });
    expect(restart(us, campaign_id).ok).toBe(true);
    finish(us);
    const addresses = [campaign_id, second].map((id) => addressOf(us, id));
    expect(addresses[1]).toBe(drawn);
    expect(addresses[0]).not.toBe(drawn);
    for (const id of [campaign_id, second]) {
      expect(summary(us, id)).toMatchObject({ stage: 7, num_devices_success: 1 });
    }
  });

  it('that was drawn stays while nobody else uses it', () => {
    const { us, campaign_id } = afterAFailure();
    const drawn = addressOf(us, campaign_id);
    restart(us, campaign_id);
    finish(us);
    expect(summary(us, campaign_id)).toMatchObject({ num_devices_success: 1 });
    expect(addressOf(us, campaign_id)).toBe(drawn);
  });

  it('of a restart that is scheduled is nobody else’s until then', () => {
    const { us, campaign_id, free } = afterAFailure();
    const drawn = addressOf(us, campaign_id)!;
    restart(us, campaign_id, { scheduled_start_at: instantIn(us, 9_000) });
    const device_group_id = groupOf(us, [free]);
    const campaign = { name: 'x', image_name: IMAGE, device_group_id, mcast_devaddr: drawn };
    expect(failureOf(us.try({ kind: 'campaign.create', campaign }))).toMatchObject({
      code: 'campaign.address-in-use',
      path: '/mcast_devaddr',
    });
  });

  it('is that of one campaign alone among all subscribers, and nobody is named', () => {
    const bench = new Bench({ gateways: [NORTH, SOUTH] });
    bench.platform.onPlanned({
      devices: [],
      gateways: [
        [NORTH, 'ann'],
        [SOUTH, 'bob'],
      ],
    });
    const mended = { now: false };
    const ann = subscriber(bench, 'ann');
    const bob = subscriber(bench, 'bob');
    const [hers] = ann.devices(1, () => deaf(mended));
    const [his] = bob.devices(1, () => ({ levels: { [SOUTH]: -100 } }));
    const anns = campaignOf(ann, [hers!], { mcast_devaddr: ADDRESS });
    finish(ann);
    mended.now = true;
    const bobs = campaignOf(bob, [his!], { mcast_devaddr: ADDRESS });
    const { code, message } = failureOf(restart(ann, anns));
    expect(code).toBe('campaign.address-in-use');
    expect(message).not.toMatch(/bob|spring/);
    finish(bob);
    expect(summary(bob, bobs)).toMatchObject({ num_devices_success: 1 });
    expect(restart(ann, anns).ok).toBe(true);
    finish(ann);
    expect(summary(ann, anns)).toMatchObject({ num_devices_success: 1 });
  });

  it('is heard for the campaign that runs, though a later one that is over had it, too', () => {
    const { us, campaign_id, free } = afterAFailure({ mcast_devaddr: ADDRESS });
    const second = campaignOf(us, [free], { mcast_devaddr: ADDRESS });
    finish(us);
    const { sent } = full(us, second).fragments!;
    restart(us, campaign_id);
    finish(us);
    expect(summary(us, campaign_id)).toMatchObject({ num_devices_success: 1 });
    expect(full(us, second).fragments).toMatchObject({ sent });
    expect(full(us, campaign_id).fragments).toMatchObject({ sent: 2 * sent, unsent: 0 });
  });
});

describe('campaign.restart, restart: what is known at once', () => {
  it('refuses a redundancy that makes more fragments than a session has', () => {
    const { us, campaign_id } = (() => {
      const mended = { now: false };
      const bench = new Bench();
      const us = subscriber(bench, 'default', 48 * 9_000);
      const [failing] = us.devices(1, () => deaf(mended)) as [string];
      const input = { mcast_dr: 2, redundancy: 0.1, frag_send_delay: 3 } as const;
      const campaign_id = campaignOf(us, [failing], input);
      us.do({ kind: 'campaign.halt', campaign_id });
      return { us, campaign_id };
    })();
    expect(failureOf(restart(us, campaign_id, { redundancy: 0.9 }))).toMatchObject({
      code: 'campaign.image-too-large',
      path: '/redundancy',
    });
    expect(summary(us, campaign_id)).toMatchObject({ stage: 8, status: '' });
    expect(restart(us, campaign_id, { redundancy: 0.05 }).ok).toBe(true);
  });

  it('refuses gateways that are unknown, and more than ten', () => {
    const { us, campaign_id } = afterAFailure();
    const unknown = { gateways: [GATEWAY, 'AA000000000000FF'] };
    expect(failureOf(restart(us, campaign_id, unknown))).toMatchObject({
      code: 'deviceGroup.unknown-gateway',
      path: '/gateways/1',
    });
    const many = Array.from({ length: 11 }, (_, i) => `AA000000000001${i + 10}`);
    expect(failureOf(restart(us, campaign_id, { gateways: many }))).toMatchObject({
      code: 'deviceGroup.too-many-gateways',
      path: '/gateways',
    });
  });

  it('refuses when no gateway is left', () => {
    const { us, campaign_id, bench } = afterAFailure();
    for (const { script } of bench.devices.values()) script.levels = {};
    us.do({ kind: 'gateway.remove', eui: GATEWAY });
    expect(failureOf(restart(us, campaign_id))).toMatchObject({ code: 'campaign.no-gateway' });
    expect(summary(us, campaign_id)).toMatchObject({ stage: 7 });
  });

  it('continues with the gateways of its group that are left, and refuses without any', () => {
    const mended = { now: false };
    const us = subscriber(new Bench({ gateways: [NORTH, SOUTH] }));
    const levels = { [NORTH]: -100, [SOUTH]: -100 };
    const [devEui] = us.devices(1, () => ({ ...deaf(mended), levels })) as [string];
    const group = { name: 'g', devices: [devEui], gateways: [NORTH, SOUTH] };
    const { device_group_id } = us.do({ kind: 'deviceGroup.create', group });
    const campaign = { name: 'x', image_name: IMAGE, device_group_id };
    const { campaign_id } = us.do({ kind: 'campaign.create', campaign });
    us.do({ kind: 'gateway.remove', eui: NORTH });
    finish(us);
    expect(full(us, campaign_id).gateways).toMatchObject([{ gateway_id: SOUTH, reason: 'listed' }]);
    us.do({ kind: 'gateway.remove', eui: SOUTH });
    for (const { script } of us.bench.devices.values()) script.levels = {};
    expect(failureOf(us.try({ kind: 'campaign.create', campaign }))).toMatchObject({
      code: 'campaign.no-gateway',
    });
  });

  it('refuses when every failed device is gone (409)', () => {
    const { us, campaign_id, failing } = afterAFailure();
    us.do({ kind: 'device.remove', devEui: failing });
    expect(failureOf(restart(us, campaign_id)).code).toBe('campaign.nothing-to-restart');
  });
});

/** 100 fragments of ten bytes, ten seconds apart; the 14th is on the air. */
function fourteenOfAHundred(options: BenchOptions = {}, deviceClass: 'A' | 'C' = 'A') {
  const us = subscriber(new Bench(options));
  const devices = us.devices(2, () => ({ deviceClass, losesFragment: (number) => number > 14 }));
  const pace = { frag_size: 10, redundancy: 0, frag_send_delay: 10, mcast_session_timeout: 2048 };
  const campaign_id = campaignOf(us, devices, { ...pace, multicast_setup_time: 3700 });
  while (us.bench.sends.length < 14) go(us, 1);
  go(us, 3);
  return { us, campaign_id };
}

const fragmentsOf = (us: Subscriber, campaign_id: string) => full(us, campaign_id).fragments!;

describe('campaign.get: fragments that were not sent', () => {
  it.each(['A', 'C'] as const)(
    'are 86 when 14 of 100 went out before a halt (class %s)',
    (deviceClass) => {
      const { us, campaign_id } = fourteenOfAHundred({}, deviceClass);
      us.do({ kind: 'campaign.halt', campaign_id });
      expect(fragmentsOf(us, campaign_id)).toMatchObject({ nb_frag: 100, sent: 14, unsent: 86 });
      us.bench.reload();
      go(us, 600);
      expect(fragmentsOf(us, campaign_id)).toMatchObject({ sent: 14, unsent: 86 });
    },
  );

  it('are 86 when the session ended after 14 of 100', () => {
    const us = subscriber(new Bench());
    const pace = { frag_size: 10, redundancy: 0, frag_send_delay: 10, mcast_session_timeout: 128 };
    const campaign_id = campaignOf(us, us.devices(1), { ...pace, acceptable_time_drift: 0 });
    finish(us);
    const { sent, unsent } = fragmentsOf(us, campaign_id);
    expect([sent > 10 && sent < 14, sent + unsent]).toEqual([true, 100]);
  });

  it('are those that no gateway sent, though one was asked to', () => {
    const rule = ({ fCnt }: { fCnt: number }, ordinal: number) =>
      fCnt % 2 === 1 && ordinal < 100
        ? ({ kind: 'refused', reason: 'collision' } as const)
        : ({ kind: 'sent' } as const);
    const us = subscriber(new Bench({ gateways: [NORTH, SOUTH], gatewayRule: rule }));
    const device_group_id = us.do({
      kind: 'deviceGroup.create',
      group: { name: 'g', devices: us.devices(1), gateways: [NORTH, SOUTH] },
    }).device_group_id;
    const pace = { frag_size: 50, redundancy: 0, frag_send_delay: 2 } as const;
    const campaign = { name: 'x', image_name: IMAGE, device_group_id, ...pace };
    const { campaign_id } = us.do({
      kind: 'campaign.create',
      campaign: { ...campaign, gateway_timing: 'simultaneous' },
    });
    finish(us);
    expect(fragmentsOf(us, campaign_id)).toMatchObject({ nb_frag: 20, sent: 20, unsent: 10 });
  });

  it('are none of what a gateway held at the halt and sent after it', () => {
    const us = subscriber(new Bench());
    const pace = { frag_size: 10, redundancy: 0, frag_send_delay: 10 } as const;
    const campaign_id = campaignOf(us, us.devices(1), pace);
    while (us.bench.sends.length < 14) go(us, 0.1);
    us.do({ kind: 'campaign.halt', campaign_id });
    expect(fragmentsOf(us, campaign_id)).toMatchObject({ sent: 13, unsent: 87 });
    go(us, 5);
    expect(fragmentsOf(us, campaign_id)).toMatchObject({ sent: 14, unsent: 86 });
  });

  it('count anew in each round', () => {
    const { us, campaign_id } = fourteenOfAHundred();
    us.do({ kind: 'campaign.halt', campaign_id });
    for (const { script } of us.bench.devices.values()) script.losesFragment = () => false;
    restart(us, campaign_id);
    go(us, 100);
    expect(fragmentsOf(us, campaign_id)).toMatchObject({ sent: 14, unsent: 0 });
    finish(us);
    expect(fragmentsOf(us, campaign_id)).toMatchObject({ sent: 114, unsent: 0 });
  });
});

describe('campaign.get: a warning', () => {
  const warningsAt = (frag_send_delay: number): readonly string[] => {
    const us = subscriber(new Bench());
    const pace = { frag_size: 50, mcast_dr: 5, frag_send_delay } as const;
    const campaign_id = campaignOf(us, us.devices(1), pace);
    go(us, 5);
    return full(us, campaign_id).warnings;
  };

  it('says that the pace is faster than a fragment is on the air, and what it means', () => {
    expect(warningsAt(0.118)).toEqual([
      'frag_send_delay 0.118 s is below the air time of a fragment, 0.118016 s: a gateway that ' +
        'still sends refuses the next fragment, and what it refuses is left out.',
    ]);
    expect(warningsAt(0.119)).toEqual([]);
  });
});

describe('the stage of a device', () => {
  it('is its own, whatever the stage of its campaign is', () => {
    const us = subscriber(new Bench());
    const [first, second] = us.devices(2) as [string, string];
    us.bench.device(second).script.mute = ['DevVersionReq'];
    const versions = { force_initial_version_check: true, multicast_setup_time: 36_000 };
    const campaign_id = campaignOf(us, [first, second], versions);
    const stages = () => {
      const answer = us.ask({ kind: 'campaign.shortStatus', campaign_id });
      return Object.values((answer as { devices: object }).devices).map(
        ({ stage_str }: { stage_str: string }) => stage_str,
      );
    };
    go(us, 1_800);
    expect(stages()).toEqual(['SETTING_UP_DEVICES', 'CHECKING_VERSIONS']);
    us.do({ kind: 'campaign.halt', campaign_id });
    expect(stages()).toEqual(['HALTED', 'HALTED']);
  });
});

describe('campaign.delete and halt: a campaign that is stopped before its start', () => {
  const historyOf = (us: Subscriber) => us.ask({ kind: 'history.all' });

  it.each([
    ['while it initializes', 0.5, 'campaign.halt'],
    ['while it waits for its time', 100, 'campaign.halt'],
    ['while it waits for its time', 100, 'campaign.delete'],
  ] as const)('%s leaves nothing in the history of its devices', (_, seconds, kind) => {
    const us = subscriber(new Bench());
    const devices = us.devices(2);
    const scheduled_start_at = instantIn(us, 600);
    const campaign_id = campaignOf(us, devices, { scheduled_start_at });
    go(us, seconds);
    us.do({ kind, campaign_id });
    expect(historyOf(us)).toEqual({});
    expect(summary(us, campaign_id)).toMatchObject({
      stage: 8,
      stage_str: 'HALTED',
      num_devices_fail: 2,
      num_devices_in_progress: 0,
    });
    expect(us.ask({ kind: 'campaign.shortStatus', campaign_id })).toMatchObject({
      devices: {
        [devices[0]!]: { stage: 8, stage_str: 'HALTED', attempts: 0, failure_reason: 'halted' },
      },
    });
  });

  it('while it waits for another campaign’s devices leaves nothing in their history', () => {
    const us = subscriber(new Bench());
    const devices = us.devices(2);
    const first = campaignOf(us, devices);
    const campaign_id = campaignOf(us, devices);
    go(us, 100);
    us.do({ kind: 'campaign.halt', campaign_id });
    expect(historyOf(us)).toEqual({});
    us.do({ kind: 'campaign.halt', campaign_id: first });
    const halted = { status: 'failure', reason: 'halted', campaign_id: first };
    expect(historyOf(us)).toMatchObject(
      Object.fromEntries(devices.map((devEui) => [devEui, [halted]])),
    );
  });

  it('and restarted has an attempt in the history for what came of that', () => {
    const us = subscriber(new Bench());
    const [devEui] = us.devices(1) as [string];
    const campaign_id = campaignOf(us, [devEui]);
    us.do({ kind: 'campaign.halt', campaign_id });
    restart(us, campaign_id);
    us.do({ kind: 'campaign.halt', campaign_id });
    expect(historyOf(us)).toEqual({});
    restart(us, campaign_id);
    finish(us);
    expect(historyOf(us)).toMatchObject({ [devEui]: [{ status: 'success' }] });
  });
});
