/**
 * Ten thousand of every record of device and gateway management in one world: what a command, a
 * query and an event take grows with what they are about, and no event stands out.
 */
import { describe, expect, it } from 'vitest';
import { type Costs, costMs, overgrown } from '../support/cost.ts';
import { HOUR_US, MINUTE_US, SECOND_US } from '../support/small-network.ts';
import { TO_WEB } from '../support/targets.ts';
import { costOfAll, deviceOf, devicesOf, FEW, Served } from '../support/very-many.ts';

/** What a new device refers to. */
function profilesOf(served: Served) {
  const { ServiceProfiles } = served.ask('ann', { kind: 'serviceProfile.list' });
  const { DeviceProfiles } = served.ask('ann', { kind: 'deviceProfile.list' });
  return { ServiceProfile: ServiceProfiles[0]!.Id, DeviceProfile: DeviceProfiles[0]!.Id };
}

/** Devices that a request gives a profile at most. */
const AT_ONCE = 2_000;

const KEY = '0123456789ABCDEF'.repeat(2);

/** Devices that are registered one by one, looked at, changed and deleted. */
function registered(count: number): Costs {
  const served = new Served(0);
  const profiles = profilesOf(served);
  const create = (i: number) =>
    served.do('ann', {
      kind: 'endDevice.create',
      device: {
        Name: `pump ${i}`,
        DevEUI: deviceOf(i),
        ActivationType: 'ABP',
        DevAddr: (0x01000000 + i).toString(16).padStart(8, '0'),
        NetworkSkey: KEY,
        ApplicationSKey: KEY,
        ...profiles,
      },
    });
  const rename = (i: number) =>
    served.do('ann', {
      kind: 'endDevice.update',
      DevEUI: deviceOf(i),
      device: { Name: `valve ${i}` },
    });
  const replace = (i: number) =>
    served.do('ann', {
      kind: 'endDevice.replace',
      DevEUI: deviceOf(i),
      device: { Name: `valve ${i}`, ...profiles, PrivateData: true },
    });
  const takeName = (i: number) =>
    served.world.submit({
      kind: 'endDevice.update',
      by: 'ann',
      DevEUI: deviceOf(i),
      device: { Name: 'valve 0' },
    });
  const assign = { kind: 'deviceProfile.assign', Id: profiles.DeviceProfile } as const;
  const filter = '{"name": {"$ilike": "~VALVE~7"}}';
  const costs: Record<string, number> = { created: costOfAll(count, create) };
  Object.assign(costs, served.going('their first minutes', 5 * MINUTE_US));
  costs.heard = costMs(() => served.go(HOUR_US));
  costs.listed = costMs(() => served.ask('ann', { kind: 'endDevice.list' }));
  costs['listed by health'] = costMs(() => served.ask('ann', { kind: 'endDevice.health' }));
  costs['counted by health'] = costMs(() => served.ask('ann', { kind: 'statistics.healthCount' }));
  costs.told = costOfAll(count, (i) =>
    served.ask('ann', { kind: 'endDevice.get', DevEUI: deviceOf(i) }),
  );
  costs['reported in version 2'] = costOfAll(count, (i) =>
    served.ask('ann', { kind: 'endDeviceV2.get', dev_eui: deviceOf(i) }),
  );
  costs.renamed = costOfAll(count, rename);
  costs.replaced = costOfAll(count, replace);
  costs['refused a name'] = costOfAll(count - 1, (i) => takeName(i + 1));
  costs['given a profile'] = costMs(() => {
    for (let from = 0; from < count; from += AT_ONCE) {
      const Devices = devicesOf(count).slice(from, from + AT_ONCE);
      served.do('ann', { ...assign, Devices });
    }
  });
  costs.filtered = costMs(() =>
    served.ask('ann', { kind: 'endDeviceV2.list', filter, sort: ['-last_uplink'] }),
  );
  costs.deleted = costOfAll(count, (i) =>
    served.do('ann', { kind: 'endDevice.delete', DevEUI: deviceOf(i) }),
  );
  expect(served.ask('ann', { kind: 'endDevice.list' })).toEqual({ Devices: [] });
  return costs;
}

/** Groups of one device, which goes. */
function groupsOfOne(count: number): Costs {
  const served = new Served(1);
  const ids: string[] = [];
  const group = { Name: 'north', DeviceList: [deviceOf(0)] };
  const create = () => ids.push(served.do('ann', { kind: 'endDeviceGroup.create', group }).Id);
  const update = (i: number) =>
    served.do('ann', { kind: 'endDeviceGroup.update', Id: ids[i]!, group: { Name: `n${i}` } });
  const costs = {
    created: costOfAll(count, create),
    count: costOfAll(count, (i) => served.ask('ann', { kind: 'endDeviceGroup.get', Id: ids[i]! })),
    listed: costMs(() => served.ask('ann', { kind: 'endDeviceGroup.list' })),
    changed: costOfAll(count, update),
    'its device reported': costMs(() =>
      served.ask('ann', { kind: 'endDeviceV2.get', dev_eui: deviceOf(0) }),
    ),
    'their device deleted': costMs(() =>
      served.do('ann', { kind: 'endDevice.delete', DevEUI: deviceOf(0) }),
    ),
  };
  const { DeviceGroups } = served.ask('ann', { kind: 'endDeviceGroup.list' });
  expect(DeviceGroups.every(({ DeviceList }) => DeviceList.length === 0)).toBe(true);
  const remove = (i: number) => served.do('ann', { kind: 'endDeviceGroup.delete', Id: ids[i]! });
  return { ...costs, deleted: costOfAll(count, remove) };
}

/** A group of many devices, which go one by one. */
function groupOfAll(count: number): Costs {
  const served = new Served(count);
  served.go(HOUR_US);
  const group = { Name: 'all', DeviceList: devicesOf(count) };
  let Id = '';
  const costs: Record<string, number> = {
    created: costMs(() => {
      Id = served.do('ann', { kind: 'endDeviceGroup.create', group }).Id;
    }),
  };
  costs.told = costMs(() => served.ask('ann', { kind: 'endDeviceGroup.get', Id }));
  costs.searched = costMs(() =>
    served.ask('ann', { kind: 'endDeviceGroup.recent', Id, Payload: 'ffff' }),
  );
  const filter = JSON.stringify({ groups: { $intersects: [Id] } });
  costs['filtered by it'] = costMs(() => served.ask('ann', { kind: 'endDeviceV2.list', filter }));
  costs.replaced = costMs(() => served.do('ann', { kind: 'endDeviceGroup.replace', Id, group }));
  costs['its devices reported in version 2'] = costOfAll(count, (i) =>
    served.ask('ann', { kind: 'endDeviceV2.get', dev_eui: deviceOf(i) }),
  );
  costs['left by one device after the other'] = costOfAll(count, (i) =>
    served.do('ann', { kind: 'endDevice.delete', DevEUI: deviceOf(i) }),
  );
  expect(served.ask('ann', { kind: 'endDeviceGroup.get', Id }).DeviceList).toEqual([]);
  return costs;
}

/** Applications, but for the one that there is from the start. */
function applications(count: number): Costs {
  const served = new Served(0);
  const ids: string[] = [];
  const create = (i: number) => {
    const application = { Name: `app ${i}` };
    ids.push(served.do('ann', { kind: 'application.create', application }).Id);
  };
  const update = (i: number) =>
    served.do('ann', {
      kind: 'application.update',
      Id: ids[i]!,
      application: { Name: 'other' },
    });
  const refresh = (i: number) =>
    served.do('ann', { kind: 'application.refreshToken', Id: ids[i]!, verifier: KEY + KEY });
  const asks = (i: number) => served.ask('ann', { kind: 'account.get', as: ids[i]! } as never);
  return {
    created: costOfAll(count, create),
    listed: costMs(() => served.ask('ann', { kind: 'application.list' })),
    count: costOfAll(count, (i) => served.ask('ann', { kind: 'application.get', Id: ids[i]! })),
    'reported their accounts': costOfAll(count, asks),
    renamed: costOfAll(count, update),
    'given secrets': costOfAll(count, refresh),
    deleted: costOfAll(count, (i) => served.do('ann', { kind: 'application.delete', Id: ids[i]! })),
  };
}

/** Profiles and decoder types that devices may refer to. */
function catalogues(count: number): Costs {
  const served = new Served(0);
  const Name = 'x';
  return {
    'service profiles made': costOfAll(count, () =>
      served.do('ann', { kind: 'serviceProfile.create', serviceProfile: { Name } }),
    ),
    'decoder types made': costOfAll(count, () =>
      served.do('ann', {
        kind: 'decoderType.create',
        decoderType: { Name, PayloadDecoder: 'RAW_HEX' },
      }),
    ),
    'output profiles made': costOfAll(count, () =>
      served.do('ann', { kind: 'outputProfile.create', outputProfile: { Name, ...TO_WEB } }),
    ),
    'service profiles listed': costMs(() => served.ask('ann', { kind: 'serviceProfile.list' })),
    'decoder types listed': costMs(() => served.ask('ann', { kind: 'decoderType.list' })),
    'output profiles listed': costMs(() => served.ask('ann', { kind: 'outputProfile.list' })),
  };
}

/** Payloads of one device. */
function payloads(count: number): Costs {
  const served = new Served(1, { traffic: { meanUs: 6 * SECOND_US, jitterPpm: 0 } });
  const DevEUI = deviceOf(0);
  const group = { Name: 'one', DeviceList: [DevEUI] };
  const { Id } = served.do('ann', { kind: 'endDeviceGroup.create', group });
  const went = costMs(() => served.go(count * 6 * SECOND_US));
  const costs = {
    sent: went,
    listed: costMs(() => served.ask('ann', { kind: 'payload.list', DevEUI })),
    searched: costMs(() =>
      served.ask('ann', { kind: 'endDeviceGroup.recent', Id, Payload: 'ffff' }),
    ),
    ...served.going('the next minutes', 5 * MINUTE_US),
  };
  const { Payloads } = served.ask('ann', { kind: 'payload.list', DevEUI });
  expect(Payloads.length).toBeGreaterThan(500);
  return {
    ...costs,
    removed: costMs(() => served.do('ann', { kind: 'endDevice.delete', DevEUI })),
  };
}

/** Messages that wait for one device, which hears one of them an hour. */
function messagesOfOne(count: number): Costs {
  const served = new Served(1, { type: {} });
  const DevEUI = deviceOf(0);
  served.go(2 * HOUR_US);
  const message = { kind: 'message.send', DevEUI, Payload: 'a5', TargetPort: '7' } as const;
  const costs: Record<string, number> = {
    created: costOfAll(count, () => served.do('ann', message)),
  };
  costs.told = costMs(() => served.ask('ann', { kind: 'downlink.waiting', devEui: DevEUI }));
  Object.assign(costs, served.going('an hour', HOUR_US));
  costs.flushed = costMs(() => served.do('ann', { ...message, FlushQueue: true }));
  const waiting = served.ask('ann', { kind: 'downlink.waiting', devEui: DevEUI });
  expect(waiting).toHaveLength(1);
  Object.assign(costs, served.going('after them', HOUR_US));
  costOfAll(count, () => served.do('ann', message));
  costs['their device deleted'] = costMs(() =>
    served.do('ann', { kind: 'endDevice.delete', DevEUI }),
  );
  Object.assign(costs, served.going('without it', MINUTE_US));
  return costs;
}

/** Messages to many devices, one each. */
function messagesToAll(count: number): Costs {
  const served = new Served(count, { type: {} });
  served.go(2 * HOUR_US);
  const send = (i: number) =>
    served.world.submit({
      kind: 'message.send',
      by: 'ann',
      DevEUI: deviceOf(i),
      Payload: 'a5',
      TargetPort: '7',
      Confirm: true,
    });
  return {
    created: costOfAll(count, send),
    ...served.going('some minutes', 5 * MINUTE_US),
    flushed: costOfAll(count, send),
  };
}

describe('ten thousand', () => {
  it('devices are registered, reported, changed, filtered and deleted', async () => {
    expect(await overgrown(registered, FEW)).toEqual({});
  });

  it('device groups have one device, which goes', async () => {
    expect(await overgrown(groupsOfOne, FEW)).toEqual({});
  });

  it('devices of one group are reported and searched together, and go one by one', async () => {
    expect(await overgrown(groupOfAll, FEW)).toEqual({});
  });

  it('applications are made, reported, changed and deleted', async () => {
    expect(await overgrown(applications, FEW)).toEqual({});
  });

  it('profiles and decoder types of each kind are made and listed', async () => {
    expect(await overgrown(catalogues, FEW)).toEqual({});
  });

  it('payloads of one device are stored, reported and searched', async () => {
    expect(await overgrown(payloads, FEW)).toEqual({});
  });

  it('messages wait for one device, and are flushed or go with it', async () => {
    expect(await overgrown(messagesOfOne, FEW)).toEqual({});
  });

  it('devices have a message each', async () => {
    expect(await overgrown(messagesToAll, FEW)).toEqual({});
  });
});
