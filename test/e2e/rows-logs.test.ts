/** Row 115 over HTTPS: logs, with every status that it documents. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FleetwaveClient } from '../../api/client/client.ts';
import { ServedEntry, statusErrorOf, TOWN } from '../support/served-http.ts';
import { testStatuses } from '../support/statuses-covered.ts';

/** Ann's gateways hear all devices better than the others do. */
const MASTS_ARE_BEST = TOWN.replace('count: 2,', 'count: 2, antennaGain: 6 dB,');

let entryPoint: ServedEntry;
let client: FleetwaveClient;
let meters: string[];
let valve: string;
let gateways: readonly Gateway[];
let masts: string[];

beforeAll(async () => {
  entryPoint = await ServedEntry.open(MASTS_ARE_BEST);
  ({ client } = entryPoint);
  meters = await entryPoint.devEuisOf('meter');
  valve = (await entryPoint.devEuisOf('valve', 'bob'))[0]!;
  gateways = ((await entryPoint.ask('GET', '/v1/gateways')).body as GatewayList).Gateways;
  masts = gateways.map(({ NodeId }) => NodeId);
  await entryPoint.advance(3 * 3_600);
  const path = { DevEUI: meters[0]! };
  const body = { Payload: 'c0ffee', TargetPort: '9', Confirm: true };
  const sent = await client.POST('/v1/devices/{DevEUI}/message', { params: { path }, body });
  expect(sent.response.status).toBe(200);
  await entryPoint.advance(600);
});
afterAll(async () => await entryPoint.close());

interface Gateway {
  readonly Id: string;
  readonly NodeId: string;
  readonly Coordinates: { readonly X: string; readonly Y: string };
}

interface GatewayList {
  readonly Gateways: readonly Gateway[];
}

interface Entry {
  readonly Timestamp: string;
  readonly DevEUI: string;
  readonly [field: string]: unknown;
}

/** Of a query as it stands. */
const ask = (query = '', who?: string) =>
  entryPoint.ask('GET', `/v1/logs${query}`, who === undefined ? {} : { token: who });
const logsOf = async (query = '', token?: string): Promise<Entry[]> => {
  const { status, body } = await ask(query, token);
  expect(status).toBe(200);
  return (body as { Logs: Entry[] }).Logs;
};

/** Every page by hand, up to the first one that is empty. */
async function allOf(query = ''): Promise<Entry[]> {
  const all: Entry[] = [];
  for (let page = 1; ; page++) {
    const logs = await logsOf(`?Page=${page}${query}`);
    expect(logs.length).toBeLessThanOrEqual(100);
    if (logs.length === 0) return all;
    all.push(...logs);
  }
}

describe('logs', () => {
  it('log.list: are answered by the page, a hundred entries each, the latest first', async () => {
    const first = await logsOf();
    expect(first).toHaveLength(100);
    const all = await allOf();
    expect(all.slice(0, 100)).toEqual(first);
    expect(all.length).toBeGreaterThan(300);
    const times = all.map(({ Timestamp }) => Date.parse(Timestamp));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    // Ten devices, an uplink each 5 min.
    const ups = all.filter(({ MessageType }) => MessageType === '2');
    for (const devEui of meters) {
      const counters = ups
        .filter(({ DevEUI }) => DevEUI === devEui)
        .map(({ FCnt }) => Number(FCnt));
      expect(counters).toEqual(counters.map((_, i) => counters.length - 1 - i));
    }
  });

  it('log.list: have every documented field, as strings of the documented form', async () => {
    const [entry] = await logsOf(`?DevEUI=${meters[0]}&LogFrameFilter.Stream=UPSTREAM`);
    const six = expect.stringMatching(/^-?\d+\.\d{6}$/);
    expect(entry).toMatchObject({
      DevEUI: meters[0],
      DevAddr: expect.stringMatching(/^[0-9A-F]{8}$/),
      Fport: '10',
      MessageType: '2',
      MessageTypeText: 'UnconfirmedDataUp',
      PayloadHex: expect.stringMatching(/^[0-9A-F]{24}$/),
      MICHex: expect.stringMatching(/^[0-9A-F]{8}$/),
      PrimaryGatewayRSSI: six,
      PrimaryGatewaySNR: six,
      PrimaryGatewayESP: six,
      SpreadingFactor: '7',
      Airtime: '0.061696',
      SubBand: 'G2',
      Channel: expect.stringMatching(/^LC[123]$/),
      GatewayCount: '4',
      AckRequested: '0',
      PayloadDecoded: {},
      GatewayTxDetails: [],
    });
    const ids = new Map(gateways.map(({ NodeId, Id }) => [NodeId, Id]));
    const list = entry!.GatewayList as { Gateway: string; GatewayNodeID: string }[];
    const own = list.filter(({ GatewayNodeID }) => GatewayNodeID !== 'Not Owned');
    expect(own.map(({ GatewayNodeID }) => GatewayNodeID).sort()).toEqual([...masts].sort());
    for (const each of own) expect(each.Gateway).toBe(ids.get(each.GatewayNodeID));
  });

  it('log.list: tell a message with what became of it, and its acknowledgement', async () => {
    const down = await logsOf(`?DevEUI=${meters[0]}&LogFrameFilter.Stream=DOWNSTREAM`);
    expect(down.find(({ PayloadHex }) => PayloadHex === 'C0FFEE')).toMatchObject({
      MessageTypeText: 'ConfirmedDataDown',
      Fport: '9',
      AckRequested: '1',
      GatewayCount: '1',
      GatewayTxSuccess: true,
      GatewayTxDetails: [expect.stringMatching(/^RX[12C]: sent$/)],
    });
    const acknowledged = await logsOf(`?DevEUI=${meters[0]}&LogFrameFilter.Ack=ACKTRUE`);
    expect(acknowledged.map(({ MessageType }) => MessageType)).toContain('2');
  });

  it('log.list: tell the primary gateway as it is on record, and where it stands', async () => {
    const [entry] = await logsOf(`?DevEUI=${meters[1]}&LogFrameFilter.Stream=UPSTREAM`);
    const { GatewayNodeID, GatewayID, GatewayLatitide, GatewayLongitude } = entry!;
    const { Id, Coordinates } = gateways.find(({ NodeId }) => NodeId === GatewayNodeID)!;
    expect([GatewayID, entry!.GatewaySubscriberID]).toEqual([Id, 'ann']);
    expect(Number(GatewayLatitide)).toBeCloseTo(Number(Coordinates.X), 5);
    expect(Number(GatewayLongitude)).toBeCloseTo(Number(Coordinates.Y), 5);
  });

  it('log.list: agree with the payloads of a device', async () => {
    const path = { DevEUI: meters[0]! };
    const { data } = await client.GET('/v1/devices/{DevEUI}/payloads', { params: { path } });
    const sent = '&LogFrameFilter.Stream=UPSTREAM&LogFrameFilter.MessageType=DATA,MACDATA';
    const ups = await allOf(`&DevEUI=${meters[0]}${sent}`);
    expect(ups.map(({ Timestamp, PayloadHex, FCnt }) => [Timestamp, PayloadHex, FCnt])).toEqual(
      data!.Payloads.map(({ Time, Data }) => [Time, Data.PayloadHex, String(Data.FCnt)]),
    );
  });

  it('log.list: are found by device and gateway, by names of keys in any case', async () => {
    const all = await allOf();
    const ofMeter = all.filter(({ DevEUI }) => DevEUI === meters[3]);
    expect(await logsOf(`?deveui=${meters[3]!.toLowerCase()}`)).toEqual(ofMeter.slice(0, 100));
    const { Id, NodeId } = gateways[0]!;
    const byId = await logsOf(`?GatewayID=${Id}`);
    expect(byId).toHaveLength(100);
    expect(await logsOf(`?gatewayid=${NodeId.toLowerCase()}`)).toEqual(byId);
  });

  it('log.list: are found by instants that are included, one alone or both', async () => {
    const all = await allOf();
    const [EndTime, StartTime] = [all[20]!.Timestamp, all[60]!.Timestamp];
    const within = all.filter(({ Timestamp }) => {
      const ms = Date.parse(Timestamp);
      return ms >= Date.parse(StartTime) && ms <= Date.parse(EndTime);
    });
    expect(within.length).toBeGreaterThan(40);
    expect(await logsOf(`?StartTime=${StartTime}&endtime=${EndTime}`)).toEqual(within);
    expect(await allOf(`&StartTime=${StartTime}`)).toEqual(all.slice(0, 61));
  });

  it('log.list: are found by filters, whose words are alternatives and may be neutral', async () => {
    const all = await allOf();
    const up = '&LogFrameFilter.Stream=UPSTREAM';
    const ups = await allOf(up);
    const downs = await allOf('&logframefilter.stream=DOWNSTREAM');
    expect(ups.length + downs.length).toBe(all.length);
    expect(await allOf('&LogFrameFilter.Stream=NOSTREAMFILTER')).toEqual(all);
    expect(await allOf(`${up}&LogFrameFilter.Stream=DOWNSTREAM`)).toEqual(all);
    expect(await allOf(`${up}&LogFrameFilter.MessageType=DATA`)).toEqual(
      ups.filter(({ PayloadHex, MacCommands }) => PayloadHex !== '' && MacCommands === ''),
    );
    expect(await allOf('&LogFrameFilter.Late=LATETRUE')).toEqual([]);
    // These devices have their sessions from the start.
    expect(await allOf('&LogFrameFilter.Activation=JOINREQUEST')).toEqual([]);
  });

  it('log.list, badLogFilter: are 400 for a word no filter has, with those that it has', async () => {
    const filters = ['Stream', 'MessageType', 'Late', 'Activation', 'Ack'];
    for (const name of filters) {
      const { status, body } = await ask(`?LogFrameFilter.${name}=BOTH`);
      expect([status, body]).toEqual([
        400,
        statusErrorOf(3, 'log.filter', `LogFrameFilter.${name}[0]`),
      ]);
      expect((body as { message: string }).message).toContain(`NO${name.toUpperCase()}FILTER`);
    }
  });

  it('log.list, endBeforeStart: are 400 for no device, no page, no instant, a time reversed', async () => {
    const range = '?StartTime=2026-03-01T01:00:00Z&EndTime=2026-03-01T00:59:59Z';
    const reversed = await ask(range);
    expect([reversed.status, reversed.body]).toEqual([
      400,
      statusErrorOf(3, 'log.range', 'EndTime'),
    ]);
    for (const query of ['DevEUI=D0', 'Page=0', 'Page=1.5', 'Page=x', 'StartTime=yesterday']) {
      expect([query, (await ask(`?${query}`)).status]).toEqual([query, 400]);
    }
  });

  it('log.list, foreignThing: are each subscriber’s own, and nothing of what another has', async () => {
    const bob = await entryPoint.tokenOf('bob');
    const his = await logsOf('', bob);
    expect(his.length).toBeGreaterThan(50);
    expect(new Set(his.map(({ DevEUI }) => DevEUI))).toContain(valve);
    const text = JSON.stringify(his);
    for (const foreign of [...meters, ...masts]) expect(text).not.toContain(foreign);
    for (const query of [`DevEUI=${meters[0]}`, `GatewayID=${masts[0]}`, 'GatewayID=nobody']) {
      expect(await logsOf(`?${query}`, bob)).toEqual([]);
    }
    expect(await logsOf(`?DevEUI=${valve}`)).toEqual([]);
    expect(await logsOf('?Page=999999999999')).toEqual([]);
  });
});

describe('log.list', () => testStatuses(() => entryPoint, [115]));
