/** Rows 99, 100 and 105 to 107 over HTTPS: states of gateways, with every status. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServedEntry, statusErrorOf, TOWN } from '../support/served-http.ts';
import { testStatuses } from '../support/statuses-covered.ts';

/** The cellar never reaches the network server; masts fail one after the other. */
const FAILING = TOWN.replace(
  'gateways:\n',
  'gateways:\n  - { name: cellar, subscriber: ann }\n',
).replace(
  'timeline:\n',
  `timeline:
  - { at: 0 s, gatewayFault: { gateway: cellar, fault: backhaul } }
  - { at: 20 min, gatewayFault: { gateway: mast-1, fault: backhaul } }
  - { at: 40 min, gatewayFault: { gateway: mast-1, fault: backhaul, on: false } }
  - { at: 50 min, gatewayFault: { gateway: mast-2, fault: radio } }
  - { at: 70 min, gatewayFault: { gateway: mast-2, fault: radio, on: false } }
`,
);

interface Gateway {
  readonly Id: string;
  readonly NodeId: string;
  readonly Name: string;
  readonly Statistics: Record<string, unknown> | null;
}
type Lists = Record<string, readonly Gateway[]>;

let entry: ServedEntry;
let byName: Map<string, Gateway>;
let tower: Gateway;

const get = async (path: string, subscriber?: string) =>
  await entry.ask('GET', path, { token: await entry.tokenOf(subscriber) });
const report = async <Body>(path: string, subscriber?: string) => {
  const { status, body } = await get(path, subscriber);
  expect([path, status]).toEqual([path, 200]);
  return body as Body;
};
const gatewaysOf = async (subscriber?: string) =>
  (await report<{ Gateways: Gateway[] }>('/v1/gateways', subscriber)).Gateways;
const namesIn = (lists: Lists) =>
  Object.fromEntries(
    Object.entries(lists).map(([list, all]) => [list, all.map(({ Name }) => Name).sort()]),
  );
const states = async () => ({
  ...namesIn(await report<Lists>('/v1/gateways/connection')),
  ...namesIn(await report<Lists>('/v1/gateways/health')),
});
const statisticsOf = async (name: string) =>
  await report<Record<string, unknown>>(`/v1/gateways/${byName.get(name)!.Id}/statistics`);
const eventsOf = async (name: string, query = '') =>
  await report<{ NodeID: string; Events: Record<string, string>[] }>(
    `/v1/gateways/${byName.get(name)!.NodeId}/events${query}`,
  );

beforeAll(async () => {
  entry = await ServedEntry.open(FAILING);
  byName = new Map((await gatewaysOf()).map((each) => [each.Name, each]));
  tower = (await gatewaysOf('bob'))[0]!;
});
afterAll(async () => await entry.close());

const NOBODY = {
  NeverConnected: [],
  Disconnected: [],
  Connected: [],
  Initializing: [],
  ConnectError: [],
  RfError: [],
  Active: [],
};
const ALL = ['cellar', 'mast-1', 'mast-2'];

describe('gateways by their states', () => {
  it('gatewayStatistics.connection and health: are new', async () => {
    expect(await states()).toEqual({ ...NOBODY, NeverConnected: ALL, Initializing: ALL });
  });

  it('gatewayStatistics.connection, health and baseStation.get: have all their fields once they are connected', async () => {
    await entry.advance(600);
    const [cellar, masts] = [['cellar'], ['mast-1', 'mast-2']];
    expect(await states()).toEqual({
      ...NOBODY,
      NeverConnected: cellar,
      Initializing: cellar,
      Connected: masts,
      Active: masts,
    });
    const { Connected } = await report<Lists>('/v1/gateways/connection');
    const { Active } = await report<Lists>('/v1/gateways/health');
    const all = (await gatewaysOf()).filter(({ Name }) => Name !== 'cellar');
    expect(Connected).toEqual(all);
    expect(Active).toEqual(all);
    expect(await report(`/v1/gateways/${all[0]!.Id}`)).toEqual(all[0]);
  });

  it('gatewayStatistics.connection and health: are those of one subscriber, each in one list', async () => {
    expect(namesIn(await report<Lists>('/v1/gateways/connection', 'bob'))).toEqual({
      NeverConnected: [],
      Disconnected: [],
      Connected: ['tower'],
    });
  });

  it('gatewayStatistics.connection and health: are silent 90 s after the backhaul has failed', async () => {
    await entry.advance(660);
    expect(await states()).toMatchObject({ Connected: ['mast-1', 'mast-2'], ConnectError: [] });
    await entry.advance(60);
    expect(await states()).toMatchObject({ Disconnected: ['mast-1'], ConnectError: ['mast-1'] });
    expect(await statisticsOf('mast-1')).toMatchObject({
      ConnectionState: 'DISC',
      HealthState: 'BACKHAUL_CNX_ERROR',
      LrrCNX: false,
      InterfaceStatistics: expect.arrayContaining([
        expect.objectContaining({ State: 'UP_NETWORKDOWN' }),
      ]),
    });
  });

  it('gatewayStatistics.connection and health: have an RF error while the radio has failed and statuses come', async () => {
    await entry.advance(1_800);
    const Connected = ['mast-1', 'mast-2'];
    expect(await states()).toMatchObject({ Connected, RfError: ['mast-2'], Active: ['mast-1'] });
    expect(await statisticsOf('mast-2')).toMatchObject({
      HealthState: 'RF_ERROR',
      RadioError: 'RF_ERROR',
    });
    await entry.advance(1_800);
    expect(await states()).toMatchObject({ Connected, RfError: [], Active: Connected });
  });
});

/** As the specification lists them. */
const FIELDS = `ConnectionState HealthState GpsSyncStatus TimeSyncStatus LastReportingTime
LastUplinkTime LastDownlinkTime LocationType RfRegionID IsRX2Activated IsmBand LastGeoLatitude
LastGeoLongitude LastGeoAltitude SoftwareVersion UplinkPacketPerHour DownlinkPacketPerHour
LastSystemReboot InterfaceStatistics CPUPercent FreeMemKB CellRSSI CellProvider WiFiSSID RadioError
TxPower VSWR LastGeoValid SecureBackhaulEnabled SecureBackhaulActive Model LrrCNX`;

describe('statistics of a gateway', () => {
  it('gatewayStatistics.get: are those of the gateway, by its Id or its NodeId', async () => {
    const { Id, NodeId, Statistics } = (await gatewaysOf()).find(({ Name }) => Name === 'mast-1')!;
    expect(Object.keys(Statistics!).sort()).toEqual(FIELDS.split(/\s+/).sort());
    for (const each of [Id, NodeId, NodeId.toLowerCase()]) {
      expect(await report(`/v1/gateways/${each}/statistics`)).toEqual(Statistics);
    }
    // Fourteen devices speak every five minutes, and the masts hear them all.
    const { UplinkPacketPerHour } = await statisticsOf('mast-1');
    expect(UplinkPacketPerHour).toBeGreaterThan(5);
  });

  it('gatewayStatistics.get: are an empty object of one that never connected', async () => {
    expect(await statisticsOf('cellar')).toEqual({});
    expect((await gatewaysOf()).find(({ Name }) => Name === 'cellar')!.Statistics).toBeNull();
  });
});

describe('devices through a gateway', () => {
  interface Heard {
    readonly Devices: Record<string, unknown>[];
  }

  it('gatewayStatistics.devices, foreignThing: are one’s own that it has heard, reported as they are everywhere', async () => {
    const { Devices } = await report<Heard>(`/v1/gateways/${byName.get('mast-1')!.Id}/devices`);
    const { Devices: all } = await report<Heard>('/v1/devices');
    expect(Devices).toEqual(
      all.map(({ Name, DevEUI, Statistics, LastUplink }) => {
        return { Name, DevEUI, Statistics, LastUplink };
      }),
    );
    expect(Devices).toHaveLength(10);
    expect(await report<Heard>(`/v1/gateways/${byName.get('cellar')!.Id}/devices`)).toEqual({
      Devices: [],
    });
    const { Devices: bobs } = await report<Heard>(`/v1/gateways/${tower.Id}/devices`, 'bob');
    expect(bobs).toHaveLength(4);
  });

  it('gatewayStatistics.devices: are those of the last days, one when nobody says how many', async () => {
    const path = `/v1/gateways/${byName.get('mast-1')!.NodeId}/devices`;
    expect((await report<Heard>(`${path}?Days=30`)).Devices).toHaveLength(10);
    expect((await report<Heard>(`${path}?days=1000000`)).Devices).toHaveLength(10);
    for (const Days of ['0', '-1', '1.5', 'all']) {
      const { status, body } = await get(`${path}?Days=${Days}`);
      expect([status, body]).toEqual([400, statusErrorOf(3, 'gatewayStatistics.days', 'Days')]);
    }
  });
});

describe('events of a gateway', () => {
  it('gatewayEvent.list: tell what has changed from what to what, the latest first', async () => {
    const { NodeID, Events } = await eventsOf('mast-1');
    expect(NodeID).toBe(byName.get('mast-1')!.NodeId);
    const minutes = (Time: string) => Math.floor((Date.parse(Time) % 3_600_000) / 60_000);
    expect(
      Events.map(({ Time, Field, OldValue, NewValue }) => [
        minutes(Time!),
        Field,
        OldValue,
        NewValue,
      ]),
    ).toEqual([
      [40, 'ONLINE_STATUS', 'HEALTH_UNKNOWN', 'ACTIVE'],
      [40, 'NS_CONNECT', 'false', 'true'],
      [40, 'PACKET_FORWARDER_CONNECTED', 'DISC', 'CNX'],
      [40, 'ONLINE_STATUS', 'BACKHAUL_CNX_ERROR', 'HEALTH_UNKNOWN'],
      [40, 'BACKHAUL_CONNECTED', 'UP_NETWORKDOWN', 'UP_RUNNING_USED'],
      [21, 'ONLINE_STATUS', 'ACTIVE', 'BACKHAUL_CNX_ERROR'],
      [21, 'NS_CONNECT', 'true', 'false'],
      [21, 'PACKET_FORWARDER_DISCONNECTED', 'CNX', 'DISC'],
      [20, 'BACKHAUL_DISCONNECTED', 'UP_RUNNING_USED', 'UP_NETWORKDOWN'],
      [0, 'PUSH_RF_CONFIG', '', expect.stringMatching(/^[0-9A-Za-z]{8}$/)],
      [0, 'ONLINE_STATUS', 'INIT', 'ACTIVE'],
      [0, 'NS_CONNECT', 'false', 'true'],
      [0, 'PACKET_FORWARDER_CONNECTED', 'NEVERCNX', 'CNX'],
      [0, 'BACKHAUL_CONNECTED', 'IF_UNKNOWN', 'UP_RUNNING_USED'],
      [0, 'REBOOT_TIME', '', '2026-03-01T00:00:00Z'],
    ]);
    expect((await eventsOf('cellar')).Events).toEqual([]);
  });

  it('gatewayEvent.list: are those between two instants, both included', async () => {
    const { Events } = await eventsOf('mast-1');
    const [from, until] = [Events[7]!.Time, Events[3]!.Time];
    expect((await eventsOf('mast-1', `?StartTime=${from}&EndTime=${until}`)).Events).toEqual(
      Events.slice(3, 8),
    );
    expect((await eventsOf('mast-1', `?starttime=${from}`)).Events).toEqual(Events.slice(0, 8));
    expect((await eventsOf('mast-1', '?StartTime=2030-01-01T00:00:00Z')).Events).toEqual([]);
  });

  it('gatewayEvent.list: tell of another place as of a reboot, and of another RF region', async () => {
    const { Id, NodeId } = byName.get('mast-2')!;
    const before = (await eventsOf('mast-2')).Events.length;
    const { RfRegions } = await report<{ RfRegions: { Id: string; Name: string }[] }>(
      '/v1/rfregions',
    );
    const idOf = (name: string) => RfRegions.find(({ Name }) => Name === name)!.Id;
    const body = { RfRegion: idOf('US915') };
    expect((await entry.ask('PATCH', `/v1/gateways/${Id}`, { body })).status).toBe(200);
    const { Events } = await report<{ Events: Record<string, string>[] }>(
      `/v1/gateways/${NodeId}/events`,
    );
    expect(Events.slice(0, Events.length - before)).toEqual([
      {
        Time: Events[0]!.Time,
        Field: 'PUSH_RF_CONFIG',
        OldValue: idOf('EU868'),
        NewValue: body.RfRegion,
      },
      {
        Time: Events[0]!.Time,
        Field: 'REBOOT_TIME',
        OldValue: '2026-03-01T00:00:00Z',
        NewValue: Events[0]!.Time,
      },
    ]);
    expect(await statisticsOf('mast-2')).toMatchObject({
      RfRegionID: body.RfRegion,
      IsmBand: 'US915',
      LastSystemReboot: Events[0]!.Time,
    });
  });

  it('gatewayEvent.list, endBeforeStart: are 400 where the end is before the start, or is no instant', async () => {
    const path = `/v1/gateways/${byName.get('mast-1')!.NodeId}/events`;
    const range = '?StartTime=2026-03-01T01:00:00Z&EndTime=2026-03-01T00:59:59Z';
    const refused = await get(path + range);
    expect([refused.status, refused.body]).toEqual([
      400,
      statusErrorOf(3, 'gatewayEvent.range', 'EndTime'),
    ]);
    expect((await get(`${path}?StartTime=yesterday`)).status).toBe(400);
  });
});

describe('a gateway that is another’s, or none', () => {
  it.each(['devices', 'statistics', 'events'])(
    'gatewayStatistics.devices to gatewayEvent.list, unknownId, foreignThing: %s are 404',
    async (what) => {
      for (const each of [tower.Id, tower.NodeId, 'FFFFFFFFFFFFFFFF', 'x']) {
        const { status, body } = await get(`/v1/gateways/${each}/${what}`);
        expect([status, body]).toEqual([404, statusErrorOf(5, 'gateway.unknown')]);
      }
    },
  );
});

describe('gatewayStatistics.connection, health and devices to gatewayEvent.list', () =>
  testStatuses(() => entry, [99, 100, 105, 106, 107]));
