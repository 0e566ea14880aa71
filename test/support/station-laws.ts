/**
 * What subscribers are reported of gateways, groups and frames, held against the reference model.
 */
import { expect } from 'vitest';
import { formatInstant } from '../../core/base/instant.ts';
import type { Answers } from '../../core/operations.ts';
import type { World } from '../../core/world/world.ts';
import { WHO, type Who } from './management-model.ts';
import { fitsFilters, type NaiveEntry, naiveLog } from './naive-log.ts';
import { HOUR_US } from './small-network.ts';
import type { ModelGateway } from './station-model.ts';
import { GATEWAYS, nodeIdOf, START_MS, type Stations } from './station-world.ts';

type FullGateway = Answers['baseStation.get'];
type Entry = Answers['log.list']['Logs'][number];

/** Everything that everybody is reported but events and logs; and that it changes nothing. */
export function audit(driven: Stations): void {
  const before = driven.world.digest();
  for (const who of WHO) {
    const gateways = reportsGateways(driven, who);
    reportsStates(driven, who, gateways);
    reportsGroups(driven, who, gateways);
    reportsMulticast(driven, who);
  }
  expect(driven.world.digest()).toEqual(before);
}

/** What takes longer: events, devices that were heard, and logs by a filter of these numbers. */
export function auditRecords(driven: Stations, a: number, b: number): void {
  const before = driven.world.digest();
  const entries = naiveEntries(driven);
  for (const who of WHO) {
    for (const gateway of driven.model.of(driven.model.gateways, who)) {
      reportsEvents(driven, gateway);
      reportsHeard(driven, gateway, 1 + (a % 3));
    }
    const mine = entries.filter(({ owner }) => owner === who);
    reportsLog(driven, who, mine);
    reportsFiltered(driven, who, mine, a, b);
  }
  expect(driven.world.digest()).toEqual(before);
}

/** All that a world reports its subscribers, as text: for worlds that are to be the same. */
export function allReported(world: World): string {
  const queries = [
    { kind: 'baseStation.list' },
    { kind: 'gatewayStatistics.connection' },
    { kind: 'gatewayStatistics.health' },
    { kind: 'gatewayGroup.list' },
    { kind: 'multicastGroup.list' },
    { kind: 'log.list' },
    ...Array.from({ length: 7 }, (_, i) => [
      { kind: 'gatewayEvent.list', NodeID: nodeIdOf(i) },
      { kind: 'gatewayStatistics.devices', Id: nodeIdOf(i), Days: 30 },
    ]).flat(),
  ];
  return JSON.stringify(
    WHO.map((by) => queries.map((query) => world.ask({ ...query, by } as never))),
    undefined,
    1,
  );
}

// ── gateways ─────────────────────────────────────────────────────────────────────────────────────

function reportsGateways(driven: Stations, who: Who): FullGateway[] {
  const { model } = driven;
  const { Gateways } = driven.got(who, { kind: 'baseStation.list' });
  const own = model.of(model.gateways, who);
  const reports = Gateways.map(({ Statistics: _, Manufacturer: __, Model: ___, ...each }) => each);
  expect(reports).toEqual(
    own.map((each) => ({ ...each.reported, Coordinates: model.coordinates(each) })),
  );
  for (const gateway of Gateways) {
    const { Id, NodeId } = gateway;
    for (const id of [Id, NodeId, NodeId.toLowerCase()]) {
      expect(driven.got(who, { kind: 'baseStation.get', Id: id })).toEqual(gateway);
    }
    const another = WHO.find((each) => each !== who)!;
    for (const id of [Id, NodeId]) {
      expect(driven.refusal(another, { kind: 'baseStation.get', Id: id })).toBe('unknown');
      expect(driven.refusal(another, { kind: 'gatewayEvent.list', NodeID: id })).toBe('unknown');
    }
  }
  return [...Gateways];
}

/** Statistics, and the lists by state: each has a gateway once. */
function reportsStates(driven: Stations, who: Who, gateways: readonly FullGateway[]): void {
  const words = gateways.map((gateway) => statesOf(driven, gateway));
  const by = (key: 'connection' | 'health', ...values: string[]) =>
    gateways.filter((_, i) => values.includes(words[i]![key]));
  expect(driven.got(who, { kind: 'gatewayStatistics.connection' })).toEqual({
    NeverConnected: by('connection', 'NEVERCNX'),
    Disconnected: by('connection', 'DISC'),
    Connected: by('connection', 'CNX'),
  });
  expect(driven.got(who, { kind: 'gatewayStatistics.health' })).toEqual({
    Initializing: by('health', 'INIT', 'HEALTH_UNKNOWN'),
    ConnectError: by('health', 'BACKHAUL_CNX_ERROR'),
    RfError: by('health', 'RF_ERROR'),
    Active: by('health', 'ACTIVE'),
  });
}

function statesOf(driven: Stations, { NodeId, Statistics, ...full }: FullGateway) {
  const { model, world } = driven;
  const { nowUs } = world;
  const { life, owner, reported: response } = model.gateways.get(NodeId)!;
  const { soonestUs, latestUs } = life.latestStatus(nowUs);
  const alone = driven.got(owner, { kind: 'gatewayStatistics.get', Id: NodeId });
  expect(alone).toEqual(Statistics ?? {});
  if (Statistics === null) {
    expect(soonestUs, 'a status has come').toBeNull();
    return noted(driven, NodeId, life.stateWith(null, nowUs));
  }
  const statusMs = Date.parse(Statistics.LastReportingTime);
  const statusUs = (statusMs - START_MS) * 1000;
  expect(statusUs).toBeGreaterThan((soonestUs ?? life.bornAtUs) - 1000);
  expect(statusUs).toBeLessThanOrEqual(latestUs);
  const state = life.stateWith(statusUs, nowUs);
  const last = (times: readonly number[]) =>
    times.length === 0 ? null : driven.instant(Math.max(...times));
  const { X, Y, Z } = full.Coordinates;
  const isKnown = response.GPSEnabled === true || X !== '0' || Y !== '0';
  expect(Statistics).toMatchObject({
    ConnectionState: state.connection,
    HealthState: state.health,
    LrrCNX: state.connection === 'CNX',
    RadioError: life.radioDownUs === undefined ? '' : 'RF_ERROR',
    LastUplinkTime: last(life.ups),
    LastDownlinkTime: last(life.downs),
    UplinkPacketPerHour: life.rate('ups', nowUs, START_MS),
    DownlinkPacketPerHour: life.rate('downs', nowUs, START_MS),
    LastSystemReboot: driven.instant(life.bootedAtUs),
    RfRegionID: response.RfRegion,
    LastGeoLatitude: Number(X),
    LastGeoLongitude: Number(Y),
    LastGeoAltitude: Number(Z),
    LastGeoValid: isKnown,
    GpsSyncStatus: response.GPSEnabled === true ? 'LOCKED' : 'LOCKING_OR_NO_SIGNAL',
    Model: full.Model,
  });
  return noted(driven, NodeId, state);
}

/** The last state of an instant is the one that events lead to. */
function noted<State extends { readonly connection: string; readonly health: string }>(
  { model, world }: Stations,
  nodeId: string,
  state: State,
): State {
  model.gateways.get(nodeId)!.life.seen.set(world.nowUs, state);
  return state;
}

/** Events, the latest first, lead back from how it is now through all that was seen. */
function reportsEvents(driven: Stations, { id, owner, life }: ModelGateway): void {
  const { Events } = driven.got(owner, { kind: 'gatewayEvent.list', NodeID: id });
  const { nowUs } = driven.world;
  const instants = [...life.seen].reverse();
  let state = instants[0]?.[1] ?? { connection: 'NEVERCNX', health: 'INIT' };
  let next = 0;
  for (const [atUs, seen] of instants) {
    if (nowUs - atUs > 29 * 24 * HOUR_US) break;
    const atMs = START_MS + atUs / 1000;
    for (; next < Events.length && Date.parse(Events[next]!.Time) > atMs; next++) {
      const { Field, OldValue, NewValue } = Events[next]!;
      const what = Field.startsWith('PACKET_FORWARDER') ? 'connection' : 'health';
      if (what === 'health' && Field !== 'ONLINE_STATUS') continue;
      expect(state[what], Field).toBe(NewValue);
      state = { ...state, [what]: OldValue };
    }
    expect(state, formatInstant(atMs)).toEqual(seen);
  }
  const bornMs = Math.floor(START_MS + life.bornAtUs / 1000);
  for (const { Time } of Events) expect(Date.parse(Time)).toBeGreaterThanOrEqual(bornMs);
}

/** Own devices that it heard in the hour that is running and that many days before it. */
function reportsHeard(driven: Stations, { id, owner, life }: ModelGateway, Days: number): void {
  const { model, world } = driven;
  const hour = Math.floor((START_MS * 1000 + world.nowUs) / HOUR_US);
  const heard = model
    .of(model.devices, owner)
    .filter((device) => (life.heard.get(device) ?? Number.NEGATIVE_INFINITY) >= hour - 24 * Days)
    .map((device) => device.id);
  const { Devices } = driven.got(owner, { kind: 'gatewayStatistics.devices', Id: id, Days });
  expect(Devices.map(({ DevEUI }) => DevEUI)).toEqual(heard);
  for (const { DevEUI, ...response } of Devices) {
    const { Name, Statistics, LastUplink } = driven.got(owner, {
      kind: 'endDevice.get',
      DevEUI,
    });
    expect(response).toEqual({ Name, Statistics, LastUplink });
  }
}

// ── groups ───────────────────────────────────────────────────────────────────────────────────────

function reportsGroups(driven: Stations, who: Who, gateways: readonly FullGateway[]): void {
  const { model } = driven;
  const full = new Map(gateways.map((each) => [each.NodeId, each]));
  const expected = model.of(model.groups, who).map(({ id, name, gateways: members }) => ({
    Id: id,
    Name: name,
    GatewayList: members.map((each) => full.get(each)!.Id),
    Gateways: members.map((each) => full.get(each)!),
  }));
  const { GatewayGroups } = driven.got(who, { kind: 'gatewayGroup.list' });
  expect(GatewayGroups).toEqual(expected);
  for (const group of expected) {
    expect(driven.got(who, { kind: 'gatewayGroup.get', Id: group.Id })).toEqual(group);
  }
}

function reportsMulticast(driven: Stations, who: Who): void {
  const { model } = driven;
  const own = model.of(model.multicast, who);
  const { MulticastGroups } = driven.got(who, { kind: 'multicastGroup.list' });
  expect(MulticastGroups).toEqual(own.map(({ reported: response }) => response));
  for (const { id: MulticastDevEUI, reported: response, gateways } of own) {
    const one = { MulticastDevEUI };
    expect(driven.got(who, { kind: 'multicastGroup.get', ...one })).toEqual({
      MulticastGroup: response,
    });
    expect(driven.got(who, { kind: 'multicastGroup.gateways', ...one })).toEqual({
      Gateways: [...gateways],
    });
    const another = WHO.find((each) => each !== who)!;
    expect(driven.refusal(another, { kind: 'multicastGroup.get', ...one })).toBe('unknown');
  }
}

// ── logs ─────────────────────────────────────────────────────────────────────────────────────────

function naiveEntries(driven: Stations): NaiveEntry[] {
  return naiveLog(driven.reported, {
    unixMs: (atUs) => START_MS + Math.floor(atUs / 1000),
    gateways: GATEWAYS.map((who, i) => [nodeIdOf(i), who]),
    nowUs: driven.world.nowUs,
    groupOf: (frame) => driven.groupOf.get(frame) ?? '',
  });
}

/** All pages of a query. */
function logOf(driven: Stations, who: Who, query: object): Entry[] {
  const all: Entry[] = [];
  for (let Page = 1; ; Page++) {
    const { Logs } = driven.got(who, { kind: 'log.list', ...query, Page });
    expect(Logs.length).toBeLessThanOrEqual(100);
    all.push(...Logs);
    if (Logs.length < 100) return all;
  }
}

/** Of what gateways have on record, nothing. */
function common(entry: Entry) {
  const { GatewayID, GatewayLatitide, GatewayLongitude, SubBand, Channel, ...response } = entry;
  const { DecodedMacCommands, ...rest } = response;
  return { ...rest, GatewayList: rest.GatewayList.map(({ Gateway: _, ...each }) => each) };
}

const newestFirst = (entries: readonly NaiveEntry[]) =>
  entries.map(({ reported: response }) => response).reverse();

function reportsLog(driven: Stations, who: Who, mine: readonly NaiveEntry[]): void {
  const reports = logOf(driven, who, {});
  expect(reports.map(common)).toEqual(newestFirst(mine));
  for (const entry of reports) reportsPlace(driven, who, entry);
}

/** Gateways are reported by the Ids and at the places that they have now. */
function reportsPlace({ model }: Stations, who: Who, entry: Entry): void {
  for (const { Gateway, GatewayNodeID } of entry.GatewayList) {
    const own = model.own(model.gateways, who, GatewayNodeID);
    if (own !== undefined) expect(Gateway).toBe(own.reported.Id);
    if (GatewayNodeID === 'Not Owned') expect(Gateway).toBe('');
  }
  const primary = model.own(model.gateways, who, entry.GatewayNodeID);
  const { X, Y } = primary === undefined ? { X: '0', Y: '0' } : model.coordinates(primary);
  const isKnown = X !== '0' || Y !== '0';
  const { GatewayLatitide, GatewayLongitude } = entry;
  const six = (degrees: string) => Number(degrees).toFixed(6);
  const at = isKnown ? [six(X), six(Y)] : ['', ''];
  expect([GatewayLatitide, GatewayLongitude]).toEqual(at);
  const list = entry.GatewayList.map(({ Gateway }) => Gateway);
  if (entry.GatewayID !== '') expect(list).toContain(entry.GatewayID);
}

const WORDS = {
  Stream: ['UPSTREAM', 'DOWNSTREAM'],
  MessageType: ['MAC', 'DATA', 'MACDATA', 'NONE'],
  Late: ['LATETRUE', 'LATEFALSE'],
  Activation: ['JOINREQUEST', 'JOINACCEPT'],
  Ack: ['ACKTRUE', 'ACKFALSE'],
} as const;

/** By one or two filters, a device or a gateway, and a time. */
function reportsFiltered(
  driven: Stations,
  who: Who,
  mine: readonly NaiveEntry[],
  a: number,
  b: number,
): void {
  const names = Object.keys(WORDS) as (keyof typeof WORDS)[];
  const picked = [names[a % 5]!, names[b % 5]!].slice(0, 1 + (a % 2));
  const filters = Object.fromEntries(
    picked.map((name, i) => [name, [WORDS[name][(a + b + i) % WORDS[name].length]!]]),
  );
  const entry = mine[(a * 64 + b) % Math.max(1, mine.length)];
  const DevEUI = a % 3 === 0 ? (entry?.reported.DevEUI as string | undefined) : undefined;
  const GatewayID = b % 3 === 0 ? nodeIdOf(a % 7) : undefined;
  const StartTime = b % 2 === 0 ? (entry?.reported.Timestamp as string | undefined) : undefined;
  const query = {
    ...Object.fromEntries(Object.entries(filters).map(([k, v]) => [`LogFrameFilter.${k}`, v])),
    ...(DevEUI && { DevEUI }),
    ...(GatewayID && { GatewayID }),
    ...(StartTime && { StartTime }),
  };
  const isThere = GatewayID === undefined || driven.model.gateway(who, GatewayID) !== undefined;
  const expected = mine.filter(({ reported: response, ...each }) => {
    const list = response.GatewayList as readonly { GatewayNodeID: string }[];
    return (
      fitsFilters({ reported: response, ...each }, filters) &&
      (!DevEUI || response.DevEUI === DevEUI) &&
      (!GatewayID || (isThere && list.some((one) => one.GatewayNodeID === GatewayID))) &&
      (!StartTime || Date.parse(response.Timestamp as string) >= Date.parse(StartTime))
    );
  });
  expect(logOf(driven, who, query).map(common)).toEqual(newestFirst(expected));
}
