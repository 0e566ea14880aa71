/**
 * What is reported of gateways by state and of who belongs to a multicast group, in plain words.
 */
import { describe, expect, it } from 'vitest';
import { frameOf, USUAL_FRAME } from '../../support/heard-frames.ts';
import { testIsolation } from './isolation.ts';
import { NORTH, SOUTH, type Subscriber, service } from './service.ts';

const NEVER = 'D0000000000000FF';
const MulticastDevEUI = 'FC00000000000001';
const GROUP = {
  Name: 'lamps',
  MulticastDevEUI,
  MulticastDevAddr: 'C0000001',
  GroupType: 'C',
  MulticastNwkSKey: '0F'.repeat(16),
  MulticastAppSKey: 'F0'.repeat(16),
  DataRate: 3,
  Frequency: 869_525_000,
} as const;

describe('a multicast group', () => {
  const withGroup = (): Subscriber => {
    const us = service();
    us.do({ kind: 'multicastGroup.create', group: GROUP });
    return us;
  };
  const { MulticastNwkSKey: _, MulticastAppSKey: __, ...response } = GROUP;

  it('multicastGroup.list: is listed without its keys', () => {
    const us = withGroup();
    expect(us.ask({ kind: 'multicastGroup.list' })).toEqual({
      MulticastGroups: [response],
    });
  });

  it('multicastGroup.update: changes only in what is given', () => {
    const us = withGroup();
    us.do({ kind: 'multicastGroup.update', MulticastDevEUI, group: { Name: 'others' } });
    const { MulticastGroup } = us.ask({ kind: 'multicastGroup.get', MulticastDevEUI });
    expect(MulticastGroup).toMatchObject({ ...response, Name: 'others' });
  });

  it('multicastGroup.removeDevices, gateways and removeGateways: loses who is taken out, and ignores who is no member', () => {
    const us = withGroup();
    const [one, other] = us.devices(2) as [string, string];
    us.do({ kind: 'multicastGroup.addDevices', MulticastDevEUI, Devices: [one] });
    us.do({ kind: 'multicastGroup.addGateways', MulticastDevEUI, Gateways: [NORTH] });
    expect(us.ask({ kind: 'multicastGroup.gateways', MulticastDevEUI }).Gateways).toEqual([NORTH]);
    const Devices = [one, other];
    expect(us.do({ kind: 'multicastGroup.removeDevices', MulticastDevEUI, Devices })).toEqual({
      DevicesRemoved: [one],
      DevicesIgnored: [other],
    });
    const Gateways = [SOUTH, NORTH];
    expect(us.do({ kind: 'multicastGroup.removeGateways', MulticastDevEUI, Gateways })).toEqual({
      GatewaysRemoved: [NORTH],
      GatewaysIgnored: [SOUTH],
    });
    expect(us.ask({ kind: 'multicastGroup.gateways', MulticastDevEUI }).Gateways).toEqual([]);
  });
});

describe('gateways that send their statuses', () => {
  const all = [NORTH, SOUTH];
  const euis = (list: readonly { readonly NodeId: string }[]) => list.map(({ NodeId }) => NodeId);

  it('gatewayStatistics.connection and health: are connected and active, and in no other list', () => {
    const us = service();
    const connection = us.ask({ kind: 'gatewayStatistics.connection' });
    expect(euis(connection.Connected)).toEqual(all);
    expect([connection.Disconnected, connection.NeverConnected]).toEqual([[], []]);
    const { Active, ...others } = us.ask({ kind: 'gatewayStatistics.health' });
    expect(euis(Active)).toEqual(all);
    expect(others).toEqual({ Initializing: [], ConnectError: [], RfError: [] });
  });

  it('gatewayStatistics.get: are reported so in their statistics, by Id and NodeId', () => {
    const us = service();
    const Id = us.ask({ kind: 'baseStation.list' }).Gateways[0]!.Id;
    const statistics = us.ask({ kind: 'gatewayStatistics.get', Id });
    expect(statistics).toMatchObject({ ConnectionState: 'CNX', HealthState: 'ACTIVE' });
    expect(us.ask({ kind: 'gatewayStatistics.get', Id: NORTH })).toEqual(statistics);
    expect(us.refusedQuery({ kind: 'gatewayStatistics.get', Id: NEVER })).toBe('gateway.unknown');
  });

  it('gatewayStatistics.devices: have heard the devices whose frames they took in, and no others', () => {
    const us = service();
    const [heard] = us.devices(2) as [string];
    const frame = frameOf({ ...USUAL_FRAME, atUs: 1, devEui: heard });
    const receptions = frame.receptions.map((each) => ({ ...each, gatewayEui: NORTH }));
    const atNorth = { ...frame, receptions };
    us.bench.platform.hear({ kind: 'frameUp', frame: atNorth }, us.bench.nowUs);
    const through = (Id: string) =>
      us.ask({ kind: 'gatewayStatistics.devices', Id }).Devices.map(({ DevEUI }) => DevEUI);
    expect(all.map(through)).toEqual([[heard], []]);
  });

  it('gatewayEvent.list: have events under their NodeId', () => {
    const us = service();
    const response = us.ask({ kind: 'gatewayEvent.list', NodeID: NORTH });
    expect([response.NodeID, Array.isArray(response.Events)]).toEqual([NORTH, true]);
    expect(us.refusedQuery({ kind: 'gatewayEvent.list', NodeID: NEVER })).toBe('gateway.unknown');
  });
});

testIsolation('gatewayStatistics', () => NORTH, {
  'gatewayStatistics.connection': () => ({}),
  'gatewayStatistics.health': () => ({}),
  'gatewayStatistics.get': (Id) => ({ Id }),
  'gatewayStatistics.devices': (Id) => ({ Id }),
});

testIsolation('gatewayEvent', () => NORTH, {
  'gatewayEvent.list': (NodeID) => ({ NodeID }),
});
