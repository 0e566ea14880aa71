/** E58: every resource belongs to a subscriber and is visible only to it. */
import { describe, expect, it } from 'vitest';
import type { PlatformCommand } from '../../../core/command.ts';
import { Owners, ownView } from '../../../core/kit/subscribers.ts';
import { OPERATIONS, type Operation, type OperationKind } from '../../../core/operations.ts';
import type { PlatformQuery } from '../../../core/query.ts';
import type { UpdateAttempt } from '../../../core/update-service/update-history.ts';
import { annAndBob, NORTH, SOUTH, type Subscriber } from './service.ts';

/** What Ann has, and what a sample of an operation on it is made of. */
interface Estate {
  readonly devEui: string;
  readonly groupId: string;
  readonly delegationId: string;
}

/** One of everything, as its owner makes it. */
function settle(ann: Subscriber): Estate {
  const [devEui] = ann.devices(2) as [string, string];
  ann.upload('app-1.2.3.bin', '00'.repeat(500), ['secret-tag']);
  const group = { name: 'all', devices: [devEui] };
  const { device_group_id: groupId } = ann.do({ kind: 'deviceGroup.create', group });
  const campaign = { name: 'spring', image_name: 'app-1.2.3.bin', device_group: 'all' };
  ann.do({ kind: 'campaign.create', campaign });
  ann.do({ kind: 'key.upload', keys: { [devEui]: '0123456789abcdef'.repeat(2) } });
  ann.report(devEui, '0102030400000001');
  const { delegation_id } = ann.do({ kind: 'delegation.create', delegation: DELEGATION });
  const { platform } = ann.bench;
  const saved = platform.save();
  const histories = [{ owner: 'ann', devEui, attempts: [ATTEMPT] }, ...saved.histories];
  platform.load({ ...saved, histories });
  return { devEui, groupId, delegationId: delegation_id };
}

const NAME = 'app-1.2.3.bin';

const DELEGATION = {
  delegate_to: 'carol',
  expires_at: '2030-01-01T00:00:00Z',
  include_devices: ['................'],
};

/** As it stands in the history of a device that took part in an earlier campaign. */
const ATTEMPT: UpdateAttempt = {
  atUs: 0,
  status: 'failure',
  reason: 'no uplink',
  initialVersion: null,
  postUpdateVersion: null,
  expectedVersion: '01020300........',
  campaignId: 'winter',
};

/** A sample of each operation, naming what Ann has. The compiler holds it complete. */
const SAMPLES: Readonly<Record<OperationKind, (its: Estate) => Omit<Sample, 'kind'>>> = {
  'image.create': () => ({ name: NAME, bytesHex: '00', tags: [] }),
  'image.list': () => ({}),
  'image.allTags': () => ({}),
  'image.tags': () => ({ name: NAME }),
  'image.memory': () => ({ name: NAME }),
  'image.replaceTags': () => ({ name: NAME, tags: ['x'] }),
  'image.addTags': () => ({ name: NAME, tags: ['x'] }),
  'image.removeTags': () => ({ name: NAME, tags: ['secret-tag'] }),
  'image.deleteTags': () => ({ name: NAME }),
  'image.delete': () => ({ name: NAME }),

  'deviceGroup.create': ({ devEui }) => ({ group: { name: 'mine', devices: [devEui] } }),
  'deviceGroup.list': () => ({}),
  'deviceGroup.get': ({ groupId }) => ({ device_group_id: groupId }),
  'deviceGroup.replace': ({ groupId, devEui }) => ({
    device_group_id: groupId,
    group: { name: 'mine', devices: [devEui] },
  }),
  'deviceGroup.update': ({ groupId }) => ({ device_group_id: groupId, group: { name: 'mine' } }),
  'deviceGroup.addDevices': ({ groupId, devEui }) => ({
    device_group_id: groupId,
    devices: [devEui],
  }),
  'deviceGroup.keygenAddDevices': ({ groupId, devEui }) => ({
    device_group_id: groupId,
    keygen_type: 'vendor',
    devices: [devEui],
  }),
  'deviceGroup.delete': ({ groupId }) => ({ device_group_id: groupId }),

  'key.upload': ({ devEui }) => ({ keys: { [devEui]: 'ff'.repeat(16) } }),
  'key.generate': ({ devEui }) => ({ keygen_type: 'vendor', devices: [devEui] }),
  'key.delete': ({ devEui }) => ({ devices: [devEui] }),

  'deviceVersion.all': () => ({}),
  'deviceVersion.several': ({ devEui }) => ({ deveuis: [devEui] }),
  'deviceVersion.get': ({ devEui }) => ({ deveui: devEui }),

  'history.all': () => ({}),
  'history.get': ({ devEui }) => ({ deveui: devEui }),

  'delegation.create': () => ({ delegation: DELEGATION }),
  'delegation.list': () => ({}),
  'delegation.get': ({ delegationId }) => ({ delegation_id: delegationId }),
  'delegation.update': ({ delegationId }) => ({
    delegation_id: delegationId,
    delegation: { include_devices: [] },
  }),
  'delegation.delete': ({ delegationId }) => ({ delegation_id: delegationId }),

  'campaign.create': () => ({
    campaign: { name: 'mine', image_name: NAME, device_group: 'all' },
  }),
  'campaign.list': () => ({}),
  'campaign.get': () => ({ campaign_id: 'spring' }),
  'campaign.shortStatus': () => ({ campaign_id: 'spring' }),
  'campaign.bulkStatus': () => ({ campaign_ids: ['spring'] }),
  'campaign.halt': () => ({ name: 'spring' }),
  'campaign.restart': () => ({ name: 'spring', changes: {} }),
  'campaign.delete': () => ({ name: 'spring' }),
};

type Sample = PlatformCommand | PlatformQuery;

const kinds = (test: (operation: Operation) => boolean): OperationKind[] =>
  (Object.keys(OPERATIONS) as OperationKind[]).filter((kind) => test(OPERATIONS[kind]));

const carryOut = (who: Subscriber, kind: OperationKind, its: Estate) => {
  const sample = { kind, ...SAMPLES[kind](its) } as Sample;
  const isQuery = ['list', 'get'].includes(OPERATIONS[kind].verb);
  return isQuery ? who.tryAsk(sample as PlatformQuery) : who.try(sample as PlatformCommand);
};

/** Whether an answer is an empty list or map, or has only such. */
const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).every(isEmpty);

/** Leaves out the records of others. */
const ownedByAnn = (_: string, value: unknown): unknown =>
  Array.isArray(value) ? value.filter((each) => (each?.owner ?? 'ann') === 'ann') : value;

describe('another subscriber', () => {
  it.each(kinds(({ verb }) => verb === 'list'))('E58: sees nothing in %s', (kind) => {
    const [ann, bob] = annAndBob();
    const its = settle(ann);
    const hers = carryOut(ann, kind, its);
    expect(hers.ok && isEmpty(hers.value)).toBe(false);
    const his = carryOut(bob, kind, its);
    expect(his.ok && isEmpty(his.value)).toBe(true);
  });

  it.each(kinds(({ verb }) => ['get', 'change', 'delete'].includes(verb)))(
    'E58: meets what is as unknown as if it never was in %s, and changes nothing',
    (kind) => {
      const [ann, bob] = annAndBob();
      const its = settle(ann);
      const before = ann.bench.platform.save();
      const his = carryOut(bob, kind, its);
      const [emptyAnn, emptyBob] = annAndBob();
      const never = carryOut(emptyBob, kind, its);
      expect(his.ok).toBe(false);
      expect(his).toEqual(never);
      expect(JSON.stringify(ann.bench.platform.save())).toBe(JSON.stringify(before));
      expect(emptyAnn.bench.platform.save().images).toEqual([]);
    },
  );

  it.each(kinds(({ verb }) => verb === 'own'))(
    'E58: has %s done among his own things, and changes nothing of hers',
    (kind) => {
      const [ann, bob] = annAndBob();
      const its = settle(ann);
      const hers = () => JSON.stringify(ann.bench.platform.save(), ownedByAnn);
      const before = hers();
      expect(carryOut(bob, kind, its)).toEqual({ ok: true, value: undefined });
      expect(hers()).toBe(before);
    },
  );

  it('E58: cannot group or update devices that are not his', () => {
    const [ann, bob] = annAndBob();
    const its = settle(ann);
    const made = carryOut(bob, 'deviceGroup.create', its);
    expect(made).toMatchObject({ ok: false, failure: { code: 'deviceGroup.unknown-device' } });
    const begun = carryOut(bob, 'campaign.create', its);
    expect(begun).toMatchObject({ ok: false, failure: { code: 'image.unknown' } });
  });

  it('E58: cannot list a gateway that is not his', () => {
    const [ann, bob] = annAndBob();
    const [devEui] = bob.devices(1) as [string];
    const [gateway] = ann.bench.view.gateways();
    const group = { name: 'g', devices: [devEui], gateways: [gateway!.eui] };
    expect(bob.refused({ kind: 'deviceGroup.create', group })).toBe('deviceGroup.unknown-gateway');
    expect(ann.refused({ kind: 'deviceGroup.create', group })).toBe('deviceGroup.unknown-device');
  });

  it('does not see how gateways that are not his hear his devices', () => {
    const owners = new Owners();
    owners.note('ann', 'gateway', NORTH);
    owners.note('bob', 'gateway', SOUTH);
    const [ann, bob] = annAndBob();
    const [devEui] = bob.devices(1) as [string];
    owners.note('bob', 'device', devEui);
    const heardBy = [NORTH, SOUTH].map((gatewayEui) => ({ gatewayEui, downlinkCentiDbm: -9000 }));
    const { view } = ann.bench;
    const whole = { ...view, device: (eui: string) => ({ ...view.device(eui)!, heardBy }) };
    const seen = (by: string) => ownView(whole as typeof view, owners, by).device(devEui)?.heardBy;
    expect(seen('bob')?.map(({ gatewayEui }) => gatewayEui)).toEqual([SOUTH]);
    expect(seen('ann')).toBeUndefined();
  });

  it('does not own a device of Ann; after its removal Ann does not either', () => {
    const [ann, bob] = annAndBob();
    const [devEui] = ann.devices(1) as [string];
    const { platform, nowUs } = ann.bench;
    const ownersOf = () => [ann, bob, {}].filter((one) => platform.owns(one, 'device', devEui));
    expect(ownersOf()).toEqual([ann]);
    ann.bench.devices.delete(devEui);
    platform.onDeviceRemoved(devEui, nowUs);
    // What nobody owns is the default subscriber's.
    expect(ownersOf()).toEqual([{}]);
    expect(platform.save().owners.devices).toEqual([]);
  });

  it('may use the names that Ann uses', () => {
    const [ann, bob] = annAndBob();
    settle(ann);
    const [devEui] = bob.devices(1) as [string];
    bob.upload(NAME, '01'.repeat(500));
    bob.do({ kind: 'deviceGroup.create', group: { name: 'all', devices: [devEui] } });
    const campaign = { name: 'spring', image_name: NAME, device_group: 'all' };
    bob.do({ kind: 'campaign.create', campaign });
    bob.do({ kind: 'campaign.halt', name: 'spring' });
    expect(bob.bench.platform.campaigns().map(({ stage }) => stage)).toEqual([
      'INITIALIZING',
      'HALTED',
    ]);
  });
});
