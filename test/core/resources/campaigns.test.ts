/** Firmware campaigns (firmware update service): what the document and the conventions ask. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { formatInstant } from '../../../core/base/instant.ts';
import type { Answers, PlatformCommand } from '../../../core/operations.ts';
import type {
  CampaignInput,
  CampaignRestart,
} from '../../../core/update-service/campaigns/commands.ts';
import type { FullStatus } from '../../../core/update-service/campaigns/status.ts';
import { World } from '../../../core/world/world.ts';
import type { Result } from '../../../sim/base/result.ts';
import { HOUR_US } from '../../support/small-network.ts';
import { beside } from '../../support/worlds.ts';
import { Bench, type BenchOptions, GATEWAY, S, someImage } from '../bench.ts';
import type { Script } from '../scripted-device.ts';
import { failureOf, got, NORTH, SOUTH, Subscriber } from './service.ts';
import { planOf } from './things.ts';

const IMAGE = 'app-1.2.3.bin';
const ADDRESS = '01FE0042';

/** A device hears nothing of its group until this is set. */
interface Mended {
  now: boolean;
}
const deaf = (mended: Mended): Partial<Script> => ({ losesFragment: () => !mended.now });

/** A subscriber with an image; the bench's gateways are everybody's. */
function subscriber(bench: Bench, by = 'default', imageBytes = 1_000): Subscriber {
  const us = new Subscriber(bench, by);
  us.do({ kind: 'image.create', name: IMAGE, bytes: someImage(imageBytes), tags: [] });
  return us;
}

function groupOf(us: Subscriber, devices: readonly string[], name = 'group'): string {
  return us.do({ kind: 'deviceGroup.create', group: { name, devices } }).device_group_id;
}

/** A campaign of its own group; its id. */
function campaignOf(
  us: Subscriber,
  devices: readonly string[],
  input: Partial<CampaignInput> = {},
): string {
  const device_group_id = groupOf(us, devices);
  const campaign = { name: 'spring', image_name: IMAGE, device_group_id, ...input };
  return us.do({ kind: 'campaign.create', campaign }).campaign_id;
}

const restart = (us: Subscriber, campaign_id: string, changes: CampaignRestart = {}) =>
  us.try({ kind: 'campaign.restart', campaign_id, changes });

const summary = (us: Subscriber, campaign_id: string) =>
  us.ask({ kind: 'campaign.list' }).find((one) => one.campaign_id === campaign_id)!;

function full(us: Subscriber, campaign_id: string): FullStatus {
  const answer = us.ask({ kind: 'campaign.get', campaign_id });
  if (!('devices' in answer)) throw new Error('the campaign initializes');
  return answer;
}

const addressOf = (us: Subscriber, campaign_id: string) => full(us, campaign_id).mcast_devaddr;

function go(us: Subscriber, seconds: number): void {
  us.bench.runUntil(us.bench.nowUs + seconds * S);
}

/** Goes on until every campaign is over. */
function finish(us: Subscriber): void {
  const { bench } = us;
  const isOver = ({ stage }: { stage: string }) => /FINISHED|HALTED|ERROR/.test(stage);
  for (let i = 0; i < 5_000 && !bench.platform.resources.campaign.results().every(isOver); i++) {
    go(us, 60);
  }
}

const instantIn = (us: Subscriber, seconds: number): string =>
  formatInstant(us.bench.view.unixMs(us.bench.nowUs) + seconds * 1000);

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

describe('row 7, restart: the group address', () => {
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

describe('row 7, restart: what is known at once', () => {
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

  it('refuses when every failed device is gone (409)', () => {
    const { us, campaign_id, failing } = afterAFailure();
    us.do({ kind: 'device.remove', devEui: failing });
    expect(failureOf(restart(us, campaign_id)).code).toBe('campaign.nothing-to-restart');
  });
});

describe('row 2: the group of a scheduled campaign', () => {
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

describe('row 4: fragments that were not sent', () => {
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

describe('row 4: a warning', () => {
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

describe('rows 5 and 6: a campaign that is stopped before its start', () => {
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

describe('rows 2 and 10: a campaign', () => {
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

describe('row 2: the descriptor', () => {
  const SHA256 = createHash('sha256').update(someImage(1_000)).digest('hex').toUpperCase();

  /** What a campaign over an image shows, and what its device was told. */
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

describe('rows 2 and 7, E14: a start that the world’s clock does not reach', () => {
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
