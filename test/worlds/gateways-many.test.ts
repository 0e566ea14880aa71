/**
 * Ten thousand of every record about gateways in one world: what a command, a query and an event
 * take grows with what they are about, and no event stands out.
 */
import { describe, expect, it } from 'vitest';
import { type Costs, costMs, overgrown } from '../support/cost.ts';
import { eui, HOUR_US, MINUTE_US, SECOND_US } from '../support/small-network.ts';
import { costOfAll, deviceOf, devicesOf, FEW, NORTH, Served } from '../support/very-many.ts';

const KEY = '0F'.repeat(16);
const nodeOf = (i: number) => eui('C0', i + 1);
const groupOf = (i: number) => eui('0C', i + 1);
const hex8 = (number: number) => number.toString(16).toUpperCase().padStart(8, '0');

/** Makes a gateway 400 km away: it hears nothing, and nothing looks at it. */
function createGateway(served: Served) {
  const { GatewayProfiles } = served.ask('ann', { kind: 'gatewayProfile.list' });
  const GatewayProfile = GatewayProfiles[0]!.Id;
  return (i: number) => {
    const Coordinates = { X: (50 + i / 1e4).toFixed(4), Y: '15' };
    const radio = {
      GatewayProfile,
      AntennaGain: '2',
      LocationType: 'OUTDOOR',
      Coordinates,
    } as const;
    const gateway = {
      ...radio,
      NodeId: nodeOf(i),
      MacAddress: '00:00:00:00:00:01',
      Name: `g ${i}`,
    };
    return served.do('ann', { kind: 'baseStation.create', gateway }).Id;
  };
}

/** Gateways that are registered one by one, looked at, changed, grouped and deleted. */
function gateways(count: number): Costs {
  const served = new Served(1);
  const ids: string[] = [];
  const create = createGateway(served);
  const costs: Record<string, number> = {
    created: costOfAll(count, (i) => ids.push(create(i))),
  };
  Object.assign(costs, served.going('their first minutes', 5 * MINUTE_US));
  costs['reported by Id'] = costOfAll(count, (i) =>
    served.ask('ann', { kind: 'baseStation.get', Id: ids[i]! }),
  );
  costs['reported by NodeId'] = costOfAll(count, (i) =>
    served.ask('ann', { kind: 'baseStation.get', Id: nodeOf(i).toLowerCase() }),
  );
  const lists = ['baseStation.list', 'gatewayStatistics.connection', 'gatewayStatistics.health'];
  for (const kind of lists) costs[kind] = costMs(() => served.ask('ann', { kind } as never));
  costs.statistics = costOfAll(count, (i) =>
    served.ask('ann', { kind: 'gatewayStatistics.get', Id: ids[i]! }),
  );
  costs.events = costOfAll(count, (i) =>
    served.ask('ann', { kind: 'gatewayEvent.list', NodeID: nodeOf(i) }),
  );
  costs['devices through them'] = costOfAll(count, (i) =>
    served.ask('ann', { kind: 'gatewayStatistics.devices', Id: nodeOf(i) }),
  );
  costs.renamed = costOfAll(count, (i) =>
    served.do('ann', { kind: 'baseStation.update', Id: ids[i]!, gateway: { Name: `h ${i}` } }),
  );
  costs['failed and repaired'] = costOfAll(2 * count, (i) =>
    served.do('ann', {
      kind: 'gateway.fault',
      eui: nodeOf(i >> 1),
      fault: 'backhaul',
      on: i % 2 === 0,
    }),
  );
  const group = { Name: 'all', GatewayList: ids };
  let Id = '';
  costs.grouped = costMs(() => {
    Id = served.do('ann', { kind: 'gatewayGroup.create', group }).Id;
  });
  costs['reported together'] = costMs(() => served.ask('ann', { kind: 'gatewayGroup.get', Id }));
  costs['grouped anew'] = costMs(() =>
    served.do('ann', { kind: 'gatewayGroup.replace', Id, group }),
  );
  costs.deleted = costOfAll(count, (i) =>
    served.do('ann', { kind: 'baseStation.delete', Id: ids[i]! }),
  );
  expect(served.ask('ann', { kind: 'gatewayGroup.get', Id }).GatewayList).toEqual([]);
  expect(served.ask('ann', { kind: 'baseStation.list' }).Gateways).toHaveLength(1);
  return costs;
}

/** Groups of one gateway, which goes; and multicast groups of one gateway and one device. */
function groupsOfOne(count: number): Costs {
  const served = new Served(1);
  const ids: string[] = [];
  const group = { Name: 'north', GatewayList: [NORTH] };
  const create = () => ids.push(served.do('ann', { kind: 'gatewayGroup.create', group }).Id);
  return {
    created: costOfAll(count, create),
    count: costOfAll(count, (i) => served.ask('ann', { kind: 'gatewayGroup.get', Id: ids[i]! })),
    listed: costMs(() => served.ask('ann', { kind: 'gatewayGroup.list' })),
    renamed: costOfAll(count, (i) =>
      served.do('ann', { kind: 'gatewayGroup.update', Id: ids[i]!, group: { Name: `n ${i}` } }),
    ),
    'their gateway deleted': costMs(() =>
      served.do('ann', { kind: 'baseStation.delete', Id: NORTH }),
    ),
    deleted: costOfAll(count, (i) =>
      served.do('ann', { kind: 'gatewayGroup.delete', Id: ids[i]! }),
    ),
  };
}

const createMulticast = (served: Served, i: number) =>
  served.do('ann', {
    kind: 'multicastGroup.create',
    group: {
      Name: `m ${i}`,
      MulticastDevEUI: groupOf(i),
      MulticastDevAddr: hex8(0x0200_0000 + i),
      GroupType: 'C',
      MulticastNwkSKey: KEY,
      MulticastAppSKey: KEY,
      DataRate: 0,
      Frequency: 869_525_000,
    },
  });

/** Each with the gateway and a device of its own; a message goes to each. */
function multicastGroups(count: number): Costs {
  const served = new Served(count);
  const one = (i: number) => ({ MulticastDevEUI: groupOf(i) });
  const costs: Record<string, number> = {
    created: costOfAll(count, (i) => createMulticast(served, i)),
    'given a device': costOfAll(count, (i) =>
      served.do('ann', { kind: 'multicastGroup.addDevices', ...one(i), Devices: [deviceOf(i)] }),
    ),
    'given a gateway': costOfAll(count, (i) =>
      served.do('ann', { kind: 'multicastGroup.addGateways', ...one(i), Gateways: [NORTH] }),
    ),
    count: costOfAll(count, (i) => served.ask('ann', { kind: 'multicastGroup.get', ...one(i) })),
    listed: costMs(() => served.ask('ann', { kind: 'multicastGroup.list' })),
    'sent to': costOfAll(count, (i) =>
      served.do('ann', {
        kind: 'message.send',
        DevEUI: groupOf(i),
        Payload: 'a5',
        TargetPort: '7',
      }),
    ),
  };
  Object.assign(costs, served.going('some seconds', 10 * SECOND_US));
  costs['their gateway deleted'] = costMs(() =>
    served.do('ann', { kind: 'baseStation.delete', Id: NORTH }),
  );
  costs.deleted = costOfAll(count, (i) =>
    served.do('ann', { kind: 'multicastGroup.delete', ...one(i) }),
  );
  Object.assign(costs, served.going('without them', MINUTE_US));
  expect(served.ask('ann', { kind: 'multicastGroup.list' })).toEqual({ MulticastGroups: [] });
  return costs;
}

/** Devices of one group, ten a call; messages to all of them. */
function multicastOfAll(count: number): Costs {
  const served = new Served(count);
  createMulticast(served, 0);
  const MulticastDevEUI = groupOf(0);
  const gateways = { kind: 'multicastGroup.addGateways', MulticastDevEUI } as const;
  served.do('ann', { ...gateways, Gateways: [NORTH] });
  const tens = Array.from({ length: count / 10 }, (_, i) =>
    devicesOf(count).slice(10 * i, 10 * i + 10),
  );
  const change = (kind: 'multicastGroup.addDevices' | 'multicastGroup.removeDevices') =>
    costOfAll(tens.length, (i) => served.do('ann', { kind, MulticastDevEUI, Devices: tens[i]! }));
  const costs: Record<string, number> = { added: change('multicastGroup.addDevices') };
  costs.waiting = costOfAll(count, () =>
    served.do('ann', {
      kind: 'message.send',
      DevEUI: MulticastDevEUI,
      Payload: 'a5',
      TargetPort: '7',
    }),
  );
  Object.assign(costs, served.going('some messages', MINUTE_US));
  costs.removed = change('multicastGroup.removeDevices');
  costs['added again'] = change('multicastGroup.addDevices');
  costs['left by one device after the other'] = costOfAll(count, (i) =>
    served.do('ann', { kind: 'device.remove', devEui: deviceOf(i) }),
  );
  return costs;
}

/** Entries of a log: uplinks of one device. */
function entries(count: number): Costs {
  const served = new Served(1, { traffic: { meanUs: 6 * SECOND_US, jitterPpm: 0 } });
  const costs: Record<string, number> = { stored: costMs(() => served.go(count * 6 * SECOND_US)) };
  const page = (Page: number, more: object = {}) =>
    served.ask('ann', { kind: 'log.list', Page, ...more }).Logs.length;
  costs['each page'] = costOfAll(Math.floor(count / 100), (i) => page(i + 1));
  costs['by device'] = costOfAll(10, (i) => page(i + 1, { DevEUI: deviceOf(0) }));
  costs['by gateway, none fits'] = costOfAll(10, (i) =>
    page(i + 1, { GatewayID: NORTH, 'LogFrameFilter.Activation': ['JOINREQUEST'] }),
  );
  Object.assign(costs, served.going('an hour more', HOUR_US));
  expect(page(Math.floor(count / 200))).toBe(100);
  return costs;
}

describe('ten thousand', () => {
  it('gateways are registered, reported, changed, grouped and deleted', async () => {
    expect(await overgrown(gateways, FEW)).toEqual({});
  });

  it('gateway groups have one gateway, which goes', async () => {
    expect(await overgrown(groupsOfOne, FEW)).toEqual({});
  });

  it('multicast groups have a device each, and send through one gateway, which goes', async () => {
    expect(await overgrown(multicastGroups, FEW)).toEqual({});
  });

  it('devices of one multicast group are added and removed; as many messages wait', async () => {
    expect(await overgrown(multicastOfAll, FEW)).toEqual({});
  });

  it('entries of a log are reported by the page', async () => {
    expect(await overgrown(entries, FEW)).toEqual({});
  });
});
