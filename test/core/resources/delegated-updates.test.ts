/** What a delegation grants: groups and campaigns over delegated devices (docs/decisions/0050). */
import { describe, expect, it } from 'vitest';
import { formatInstant } from '../../../core/base/instant.ts';
import { vendorKey } from '../../../core/base/vendor-key.ts';
import type { DelegationChange } from '../../../core/update-service/delegation-fields.ts';
import { toHex } from '../../../sim/base/bytes.ts';
import { Bench, S } from '../bench.ts';
import type { Script } from '../scripted-device.ts';
import { failureOf, NORTH, SOUTH, Subscriber } from './service.ts';

const EAST = 'AA00000000000003';
const HOUR = 3600 * S;
const IMAGE = 'app-1.2.3.bin';
const KEY = 'ab'.repeat(16);
const NEVER_WAS = 'D0000000000000FF';

/** Ann has two devices, Bob and Eve have one; each is heard by its subscriber's gateway. */
function three(script: Partial<Script> = {}) {
  const bench = new Bench({ gateways: [NORTH, SOUTH, EAST] });
  const names = ['ann', 'bob', 'eve'];
  const gateways = names.map((by, i) => [[NORTH, SOUTH, EAST][i]!, by] as const);
  bench.platform.onPlanned({ devices: [], gateways });
  const [ann, bob, eve] = names.map((by) => new Subscriber(bench, by)) as [
    Subscriber,
    Subscriber,
    Subscriber,
  ];
  const of = (gateway: string, more: Partial<Script> = {}) => ({
    deviceClass: 'C' as const,
    ...script,
    ...more,
    levels: { [gateway]: -100 },
  });
  const [first, second] = ann.devices(2, () => of(NORTH)) as [string, string];
  const [his] = bob.devices(1, () => of(SOUTH)) as [string];
  const [hers] = eve.devices(1, () => of(EAST)) as [string];
  bob.upload(IMAGE, '00'.repeat(500));
  eve.upload(IMAGE, '00'.repeat(500));
  return { bench, ann, bob, eve, first, second, his, hers };
}

type Three = ReturnType<typeof three>;

const instantAt = ({ bench }: Three, atUs: number): string =>
  formatInstant(bench.view.unixMs(atUs));

/** Ann delegates devices to somebody until an instant, or the day after tomorrow. */
function delegate(
  all: Three,
  devEuis: readonly string[],
  { from = all.ann, to = 'bob', untilUs = 48 * HOUR } = {},
): string {
  const delegation = {
    delegate_to: to,
    expires_at: instantAt(all, untilUs),
    include_devices: devEuis,
  };
  return from.do({ kind: 'delegation.create', delegation }).delegation_id;
}

function change({ ann }: Three, delegation_id: string, delegation: DelegationChange): void {
  ann.do({ kind: 'delegation.update', delegation_id, delegation });
}

const grouping = (devices: readonly string[], more: object = {}) =>
  ({ kind: 'deviceGroup.create', group: { name: 'all', devices, ...more } }) as const;

const campaigning = (device_group_id: string, more: object = {}) =>
  ({
    kind: 'campaign.create',
    campaign: { name: 'spring', image_name: IMAGE, device_group_id, ...more },
  }) as const;

/** A campaign of a subscriber over these devices. */
function update(by: Subscriber, devices: readonly string[], more: object = {}): string {
  const { device_group_id } = by.do(grouping(devices));
  return by.do(campaigning(device_group_id, more)).campaign_id;
}

const restarting = (campaign_id: string, changes: object = {}) =>
  ({ kind: 'campaign.restart', campaign_id, changes }) as const;

const statusOf = (by: Subscriber, campaign_id: string) =>
  by.ask({ kind: 'campaign.shortStatus', campaign_id });

const reasonsOf = (by: Subscriber, campaign_id: string) => {
  const answer = statusOf(by, campaign_id);
  if (!('devices' in answer)) throw new Error('the campaign initializes');
  return Object.fromEntries(
    Object.entries(answer.devices).map(([devEui, one]) => [devEui, one.failure_reason]),
  );
};

const historyOf = (by: Subscriber, deveui: string) => by.ask({ kind: 'history.get', deveui });

const sendersIn = ({ bench }: Three): readonly string[] => [
  ...new Set(
    bench.log.flatMap(({ request }) =>
      request.kind === 'multicast.send' ? [request.gatewayEui] : [],
    ),
  ),
];

/** How a delegation of Ann's first device amounts to its end. */
const ENDS: readonly (readonly [string, (all: Three, delegation_id: string) => unknown])[] = [
  ['has expired', (all: Three) => all.bench.runUntil(49 * HOUR)],
  [
    'covers less',
    (all: Three, delegation_id: string) =>
      change(all, delegation_id, { include_devices: ['F'.repeat(16)] }),
  ],
  [
    'excludes it',
    (all: Three, delegation_id: string) =>
      change(all, delegation_id, { exclude_devices: [all.first] }),
  ],
  [
    'is deleted',
    ({ ann }: Three, delegation_id: string) => ann.do({ kind: 'delegation.delete', delegation_id }),
  ],
];

describe('a group', () => {
  it('has delegated devices beside own ones, or alone', () => {
    const all = three();
    delegate(all, [all.first, all.second]);
    const { bob, first, second, his } = all;
    expect(bob.do(grouping([his, first])).devices).toEqual([his, first]);
    const { device_group_id } = bob.do(grouping([second]));
    const add = { kind: 'deviceGroup.addDevices', device_group_id, devices: [first] } as const;
    expect(bob.do(add).devices).toEqual([second, first]);
  });

  it('takes a device that was never delegated for one that never was', () => {
    const all = three();
    delegate(all, [all.first]);
    delegate(all, [all.second], { to: 'eve' });
    const { bob, eve, ann, first, second, hers } = all;
    const wordsFor = (by: Subscriber, devEui: string) => {
      const { message, ...failure } = failureOf(by.try(grouping([devEui])));
      return { ...failure, message: message.replace(devEui, 'X') };
    };
    const missing = wordsFor(bob, NEVER_WAS);
    expect(missing).toMatchObject({ code: 'deviceGroup.unknown-device', path: '/devices/0' });
    // What is delegated to Eve is not Bob's, nor what is Eve's own; nor is it Ann's.
    expect(wordsFor(bob, second)).toEqual(missing);
    expect(wordsFor(bob, hers)).toEqual(missing);
    expect(wordsFor(ann, hers)).toEqual(missing);
    expect(wordsFor(eve, first)).toEqual(missing);
  });

  it('is no way to pass on what was delegated', () => {
    const all = three();
    delegate(all, [all.first]);
    delegate(all, ['................'], { from: all.bob, to: 'eve' });
    expect(all.eve.refused(grouping([all.first]))).toBe('deviceGroup.unknown-device');
    expect(all.eve.do(grouping([all.his])).devices).toEqual([all.his]);
  });

  it.each(ENDS)('is refused a device, by name, once its delegation %s', (_, end) => {
    const all = three();
    const { bench, bob, eve, first, second, his } = all;
    const delegation_id = delegate(all, [first]);
    const { device_group_id } = bob.do(grouping([his, first]));
    end(all, delegation_id);
    bench.reload();
    const failure = failureOf(bob.try(grouping([his, first])));
    expect(failure).toMatchObject({ code: 'delegation.ended', path: '/devices/1' });
    expect(failure.message).toContain(first);
    expect(failureOf(bob.try(campaigning(device_group_id)))).toMatchObject({
      code: 'delegation.ended',
      path: '/device_group_id',
      message: failure.message,
    });
    // Unknown devices come first; to others it is unknown as ever.
    expect(bob.refused(grouping([first, second]))).toBe('deviceGroup.unknown-device');
    expect(eve.refused(grouping([first]))).toBe('deviceGroup.unknown-device');
    // It still lists what it was given, and changes in other things.
    const rename = { kind: 'deviceGroup.update', device_group_id, group: { name: 'x' } } as const;
    expect(bob.do(rename)).toMatchObject({ name: 'x', devices: [his, first] });
  });

  it('holds at the last instant of a delegation, and not a second later', () => {
    const all = three();
    delegate(all, [all.first], { untilUs: HOUR });
    all.bench.runUntil(HOUR);
    expect(all.bob.do(grouping([all.first])).devices).toEqual([all.first]);
    all.bench.runUntil(HOUR + S);
    expect(all.bob.refused(grouping([all.first]))).toBe('delegation.ended');
  });

  it('adds up delegations: each excludes from what it includes itself', () => {
    const all = three();
    const { ann, bob, first, second } = all;
    const wide = delegate(all, ['................']);
    change(all, wide, { exclude_devices: [first] });
    expect(bob.refused(grouping([first, second]))).toBe('delegation.ended');
    const narrow = delegate(all, [first]);
    expect(bob.do(grouping([first, second])).devices).toEqual([first, second]);
    ann.do({ kind: 'delegation.delete', delegation_id: narrow });
    expect(bob.refused(grouping([first]))).toBe('delegation.ended');
  });

  it('derives its class from delegated devices too, as long as one may see them', () => {
    const all = three({ deviceClass: 'A' });
    const { bench, bob, first, his } = all;
    bench.device(his).script.deviceClass = 'C';
    delegate(all, [first], { untilUs: HOUR });
    expect(bob.refused(grouping([his, first]))).toBe('deviceGroup.mixed-classes');
    bench.device(first).script.deviceClass = 'C';
    const { device_group_id, lora_class } = bob.do(grouping([his, first]));
    expect(lora_class).toBe('C');
    bench.runUntil(2 * HOUR);
    bench.device(first).script.deviceClass = 'A';
    expect(bob.ask({ kind: 'deviceGroup.get', device_group_id }).lora_class).toBe('C');
    // None is left that one may see.
    bench.device(first).script.deviceClass = 'C';
    const only = { kind: 'deviceGroup.get', device_group_id: onlyOf(all, HOUR) } as const;
    expect(bob.ask(only).lora_class).toBe('A');
  });

  it('lists own gateways, and those of who delegates one of its devices', () => {
    const all = three();
    const { bob, first, his } = all;
    delegate(all, [first], { untilUs: HOUR });
    expect(bob.do(grouping([first], { gateways: [NORTH, SOUTH] })).gateways).toHaveLength(2);
    expect(bob.refused(grouping([his], { gateways: [NORTH] }))).toBe('deviceGroup.unknown-gateway');
    expect(bob.refused(grouping([first], { gateways: [EAST] }))).toBe(
      'deviceGroup.unknown-gateway',
    );
    const { device_group_id } = bob.do(grouping([his, first]));
    all.bench.runUntil(2 * HOUR);
    const group = { gateways: [NORTH] };
    const through = { kind: 'deviceGroup.update', device_group_id, group } as const;
    expect(bob.refused(through)).toBe('deviceGroup.unknown-gateway');
  });

  it('loses a device that is removed, whosever it was', () => {
    const all = three();
    const { bench, ann, bob, first, his } = all;
    delegate(all, [first]);
    const { device_group_id } = bob.do(grouping([his, first]));
    bench.remove(first);
    const get = { kind: 'deviceGroup.get', device_group_id } as const;
    expect(bob.ask(get).devices).toEqual([his]);
    // It comes back as Eve's, without a delegation.
    comeBackAs('eve', first, all);
    expect(bob.refused(grouping([first]))).toBe('deviceGroup.unknown-device');
    expect(ann.refused(grouping([first]))).toBe('deviceGroup.unknown-device');
  });
});

/** A group of Bob's over a device that is delegated for an hour more, and then no longer. */
function onlyOf(all: Three, forUs: number): string {
  const untilUs = all.bench.nowUs + forUs;
  delegate(all, [all.second], { untilUs });
  const { device_group_id } = all.bob.do(grouping([all.second]));
  all.bench.runUntil(untilUs + S);
  return device_group_id;
}

/** A device with this DevEUI is somebody's from now on. */
function comeBackAs(by: string, devEui: string, { bench, his }: Three): void {
  bench.devices.set(devEui, bench.device(his));
  bench.platform.onPlanned({ devices: [[devEui, by]], gateways: [] });
}

describe('a campaign over delegated devices', () => {
  it('updates them, through the gateways of whose they are alone', () => {
    const all = three();
    const { bench, bob, first, second } = all;
    delegate(all, [first, second]);
    const campaign_id = update(bob, [first, second]);
    bench.reload();
    bench.runUntil(20 * HOUR);
    expect(reasonsOf(bob, campaign_id)).toEqual({ [first]: null, [second]: null });
    expect(bob.ask({ kind: 'campaign.get', campaign_id })).toMatchObject({
      num_devices_success: 2,
      gateways: [{ gateway_id: NORTH, name: NORTH }],
    });
    expect(sendersIn(all)).toEqual([NORTH]);
  });

  it('sends to own devices through own gateways beside', () => {
    const all = three();
    const { bench, bob, first, his } = all;
    delegate(all, [first]);
    const campaign_id = update(bob, [his, first]);
    bench.runUntil(20 * HOUR);
    expect(reasonsOf(bob, campaign_id)).toEqual({ [first]: null, [his]: null });
    expect([...sendersIn(all)].sort()).toEqual([NORTH, SOUTH]);
  });

  it('uses the keys that the owner has, and no key of one’s own', () => {
    const all = three({ rootKeyKnown: false });
    const { bench, ann, bob, first, second } = all;
    delegate(all, [first, second]);
    const rootKey = toHex(bench.device(first).rootKey);
    ann.do({ kind: 'key.upload', keys: { [first]: rootKey } });
    bob.do({ kind: 'key.upload', keys: { [second]: toHex(bench.device(second).rootKey) } });
    const campaign_id = update(bob, [first, second]);
    bench.runUntil(20 * HOUR);
    expect(reasonsOf(bob, campaign_id)).toEqual({ [first]: null, [second]: 'no key' });
  });

  it('deviceGroup.keygenAddDevices: derives keys as their owner’s vendor did, and leaves those that he has', () => {
    const all = three({ rootKeyKnown: false });
    const { bench, ann, bob, first, second, his } = all;
    delegate(all, [first, second]);
    ann.do({ kind: 'key.upload', keys: { [first]: KEY } });
    const { device_group_id } = bob.do(grouping([his]));
    const devices = [first, second, his];
    const keygen = { kind: 'deviceGroup.keygenAddDevices', keygen_type: 'vendor' } as const;
    bob.do({ ...keygen, device_group_id, devices });
    const { key } = bench.platform.save().resources;
    const derived = (owner: string, devEui: string) => ({
      owner,
      devEui,
      key: toHex(vendorKey(owner, devEui)).toUpperCase(),
    });
    expect(key).toEqual([
      { owner: 'ann', devEui: first, key: KEY.toUpperCase() },
      derived('ann', second),
      derived('bob', his),
    ]);
  });

  it('leaves the key of an owner’s own product alone', () => {
    const all = three();
    delegate(all, [all.first]);
    const { device_group_id } = all.bob.do(grouping([all.his]));
    const keygen = { kind: 'deviceGroup.keygenAddDevices', keygen_type: 'vendor' } as const;
    all.bob.do({ ...keygen, device_group_id, devices: [all.first] });
    expect(all.bench.platform.save().resources.key).toEqual([]);
  });

  it('continues with its automatic retries when the delegation ends, and is not restarted', () => {
    const all = three({ mute: ['McGroupSetupReq'] });
    const { bench, ann, bob, first, second } = all;
    const delegation_id = delegate(all, [first, second]);
    const retries = { automatic_retry_count: 1, automatic_retry_interval: 60 };
    const campaign_id = update(bob, [first, second], retries);
    bench.runUntil(60 * S);
    ann.do({ kind: 'delegation.delete', delegation_id });
    bench.device(second).script.mute = [];
    bench.runUntil(40 * HOUR);
    expect(reasonsOf(bob, campaign_id)).toEqual({ [first]: 'set-up unanswered', [second]: null });
    expect(historyOf(ann, first)).toHaveLength(2);
    const failure = failureOf(bob.try(restarting(campaign_id)));
    expect(failure.code).toBe('delegation.ended');
    expect(failure.message).toContain(first);
    // Who was updated is not asked for.
    expect(failure.message).not.toContain(second);
    bench.device(first).script.mute = [];
    delegate(all, [first], { untilUs: 90 * HOUR });
    expect(bob.try(restarting(campaign_id))).toMatchObject({ ok: true });
    bench.runUntil(80 * HOUR);
    expect(reasonsOf(bob, campaign_id)).toEqual({ [first]: null, [second]: null });
  });

  it('is restarted through own gateways, and those of who delegates what is tried again', () => {
    const all = three({ mute: ['McGroupSetupReq'] });
    const { bench, bob, first, his } = all;
    bench.device(his).script.mute = [];
    delegate(all, [first]);
    const campaign_id = update(bob, [his, first]);
    bench.runUntil(20 * HOUR);
    const through = (gateways: string[]) => restarting(campaign_id, { gateways });
    expect(bob.refused(through([EAST]))).toBe('deviceGroup.unknown-gateway');
    bench.device(first).script.mute = [];
    bob.do(through([NORTH]));
    bench.runUntil(40 * HOUR);
    expect(reasonsOf(bob, campaign_id)).toEqual({ [his]: null, [first]: null });
    bench.runUntil(49 * HOUR);
    const { device_group_id } = bob.do(grouping([his]));
    expect(bob.refused({ ...through([NORTH]), campaign_id })).toBe('deviceGroup.unknown-gateway');
    expect(device_group_id).toHaveLength(6);
  });

  it('starts without those who are not delegated when its time has come', () => {
    const all = three();
    const { bench, ann, bob, first, second, his } = all;
    delegate(all, [first], { untilUs: HOUR });
    delegate(all, [second], { untilUs: 3 * HOUR });
    const scheduled_start_at = instantAt(all, 2 * HOUR);
    const retries = { automatic_retry_count: 1, automatic_retry_interval: 60 };
    const campaign_id = update(bob, [his, first, second], { scheduled_start_at, ...retries });
    bench.runUntil(HOUR);
    bench.reload();
    bench.runUntil(40 * HOUR);
    const reasons = { [his]: null, [first]: 'not delegated', [second]: null };
    expect(reasonsOf(bob, campaign_id)).toEqual(reasons);
    // It was no attempt: nothing was said to it.
    expect(bench.commandsTo(first)).toEqual([]);
    expect(historyOf(ann, first)).toEqual([]);
    expect(historyOf(ann, second)).toHaveLength(1);
    expect(bob.ask({ kind: 'campaign.get', campaign_id })).toMatchObject({
      stage_str: 'FINISHED',
      num_devices_success: 2,
      num_devices_fail: 1,
    });
    expect(bob.refused(restarting(campaign_id))).toBe('delegation.ended');
  });

  it('that nobody is left to take part in is over at its start', () => {
    const all = three();
    delegate(all, [all.first], { untilUs: HOUR });
    const scheduled_start_at = instantAt(all, 2 * HOUR);
    const campaign_id = update(all.bob, [all.first], { scheduled_start_at });
    all.bench.runUntil(2 * HOUR + S);
    expect(statusOf(all.bob, campaign_id)).toMatchObject({ stage_str: 'FINISHED' });
    expect(all.bench.platform.resources.campaign.isIdle).toBe(true);
  });

  it('fails a device that is removed, and is a stranger to who comes back in its place', () => {
    const all = three();
    const { bench, ann, bob, eve, first, second } = all;
    delegate(all, [first, second]);
    const campaign_id = update(bob, [first, second]);
    bench.runUntil(60 * S);
    bench.remove(first);
    comeBackAs('eve', first, all);
    bench.runUntil(20 * HOUR);
    expect(reasonsOf(bob, campaign_id)).toEqual({ [first]: 'device removed', [second]: null });
    expect(bob.refused(restarting(campaign_id))).toBe('campaign.nothing-to-restart');
    expect(historyOf(ann, first)).toMatchObject([{ reason: 'device removed' }]);
    expect(historyOf(bob, first)).toEqual(historyOf(ann, first));
    expect(historyOf(eve, first)).toEqual([]);
  });
});

describe('an attempt', () => {
  it('stands in the histories of both, and leaves both with its campaign', () => {
    const all = three();
    const { bench, ann, bob, eve, first, second, his } = all;
    delegate(all, [first]);
    const campaign_id = update(bob, [his, first]);
    bench.runUntil(20 * HOUR);
    expect(historyOf(ann, first)).toMatchObject([{ status: 'success', campaign_id }]);
    expect(historyOf(bob, first)).toEqual(historyOf(ann, first));
    expect(Object.keys(ann.ask({ kind: 'history.all' }))).toEqual([first]);
    expect(Object.keys(bob.ask({ kind: 'history.all' }))).toEqual([first, his]);
    expect(eve.ask({ kind: 'history.all' })).toEqual({});
    expect(bob.refusedQuery({ kind: 'history.get', deveui: second })).toBe('device.unknown');
    bench.reload();
    expect(Object.keys(ann.ask({ kind: 'history.all' }))).toEqual([first]);
    bob.do({ kind: 'campaign.delete', campaign_id });
    bench.runUntil(bench.nowUs + 2 * S);
    for (const one of [ann, bob]) expect(one.ask({ kind: 'history.all' })).toEqual({});
    expect(historyOf(ann, first)).toEqual([]);
    expect(bob.refusedQuery({ kind: 'history.get', deveui: first })).toBe('device.unknown');
  });
});

describe('a device is in one campaign at a time', () => {
  it('whosever: who waits for another subscriber’s is not reported its name', () => {
    const all = three();
    const { bench, ann, bob, first } = all;
    delegate(all, [first]);
    ann.upload(IMAGE, '00'.repeat(500));
    const his = update(bob, [first], { name: 'secret-spring' });
    bench.runUntil(60 * S);
    const hers = update(ann, [first]);
    bench.runUntil(120 * S);
    const status = 'waits for a campaign of another subscriber, which has 1 of its devices';
    expect(ann.ask({ kind: 'campaign.get', campaign_id: hers })).toMatchObject({
      stage_str: 'WAITING_FOR_START',
      status,
    });
    bench.runUntil(40 * HOUR);
    for (const [by, campaign_id] of [
      [bob, his],
      [ann, hers],
    ] as const) {
      expect(reasonsOf(by, campaign_id)).toEqual({ [first]: null });
    }
    expect(historyOf(ann, first).map((each) => each.campaign_id)).toEqual([his, hers]);
    expect(historyOf(bob, first).map((each) => each.campaign_id)).toEqual([his]);
  });

  it('and is cleared for both when a campaign that has it is halted', () => {
    const all = three();
    const { bench, ann, bob, first } = all;
    delegate(all, [first]);
    ann.upload(IMAGE, '00'.repeat(500));
    const his = update(bob, [first]);
    bench.runUntil(60 * S);
    const hers = update(ann, [first]);
    bench.runUntil(120 * S);
    bob.do({ kind: 'campaign.halt', campaign_id: his });
    bench.runUntil(20 * HOUR);
    expect(reasonsOf(ann, hers)).toEqual({ [first]: null });
  });
});

describe('for the receiver of a delegated device', () => {
  it('it is unknown in all but groups, campaigns, its attempts and its versions', () => {
    const all = three();
    const { ann, bob, first } = all;
    ann.report(first, '0102030400000001');
    delegate(all, ['................']);
    const asked = { deveui: first };
    expect(bob.refusedQuery({ kind: 'device.get', devEui: first })).toBe('device.unknown');
    expect(bob.refusedQuery({ kind: 'history.get', ...asked })).toBe('device.unknown');
    const downlink = { kind: 'downlink.enqueue', devEui: first, fPort: 1, payloadHex: '' } as const;
    expect(bob.refused(downlink)).toBe('device.unknown');
    const of = { kind: 'deviceVersion.all', delegated_subscriber_id: 'ann' } as const;
    expect(bob.ask(of)).toEqual({ [first]: bob.ask({ kind: 'deviceVersion.get', ...asked }) });
  });
});
