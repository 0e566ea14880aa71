/**
 * A day of the quickstart's town over HTTPS, with faults of backhaul and radio. What the platform
 * reports of frames, devices and gateways is what the trace of the same seed has. Code that knows
 * the documents alone puts it together.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { watchWorld } from '../../scenarios/trace.ts';
import { libraryWorld } from '../support/library.ts';
import {
  type Downlink,
  differences,
  END_S,
  healthOf,
  instantOf,
  lineOf,
  lostOf,
  mean,
  NAMES,
  NO_DIFFERENCE,
  type ReadFrame,
  S_US,
  SEED,
  SETTINGS,
  START,
  START_MS,
  sixDecimals,
  TracedDay,
  type Uplink,
} from '../support/reported-day.ts';
import { ServedEntry } from '../support/served-http.ts';

type Response = Readonly<Record<string, unknown>>;
interface Entry extends Readonly<Record<string, unknown>> {
  readonly Timestamp: string;
  readonly DevEUI: string;
  readonly MessageType: string;
  readonly GatewayCount: string;
  readonly GatewayList: readonly Readonly<Record<string, string>>[];
}

let entryPoint: ServedEntry;
let day: TracedDay;
const logs = new Map<string, Entry[]>();
const euiOf = new Map<string, string>();

const OWNERS = ['ann', 'bob'];
const ownerOf = (name: string): string => (/^(meter|soil|roof)/.test(name) ? 'ann' : 'bob');
const at = (atUs: number): string => instantOf(START_MS, atUs);

async function get<T = Response>(path: string, who: string): Promise<T> {
  const answer = await entryPoint.ask('GET', path, { token: await entryPoint.tokenOf(who) });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body as T;
}

beforeAll(async () => {
  const { plan } = libraryWorld('quickstart.yaml', SETTINGS, SEED);
  const short = { ...plan, durationUs: END_S * S_US };
  const { rows } = watchWorld(short, SEED).trace;
  day = new TracedDay(rows);
  for (const { device, devEui } of day.of('deviceStarts')) euiOf.set(device, devEui.toUpperCase());
  for (const { gateway, eui } of day.of('gatewayStarts')) euiOf.set(gateway, eui.toUpperCase());
  entryPoint = await ServedEntry.open(undefined, {
    scenario: 'scenarios/library/quickstart.yaml',
    set: SETTINGS,
    seed: SEED,
    startAt: START,
    checkAnswers: false,
  });
  let nowS = 0;
  for (const stopS of STOPS_S) {
    await entryPoint.advance(stopS - nowS);
    nowS = stopS;
    states.push(await statesNow(nowS));
  }
  for (const who of OWNERS) {
    const all: Entry[] = [];
    for (let page = 1; ; page++) {
      const { Logs } = await get<{ Logs: Entry[] }>(`/v1/logs?Page=${page}`, who);
      expect(Logs.length).toBeLessThanOrEqual(100);
      all.push(...Logs);
      if (Logs.length < 100) break;
    }
    logs.set(who, all);
  }
});
afterAll(async () => await entryPoint?.close());

/** Hours and seconds at which gateways are looked at: soon after a fault, and later. */
const STOPS_S = [
  ...[0, 50, 150].map((after) => 8 * 3600 + after),
  9 * 3600 + 1,
  11 * 3600 + 60,
  12 * 3600 + 1,
  END_S,
];

interface States {
  readonly atS: number;
  /** ConnectionState and HealthState by NodeId. */
  readonly of: Readonly<Record<string, string>>;
  /** NodeIds by group, of both subscribers. */
  readonly byConnection: Readonly<Record<string, readonly string[]>>;
  readonly byHealth: Readonly<Record<string, readonly string[]>>;
}
const states: States[] = [];

type GatewayLists = Readonly<Record<string, readonly { readonly NodeId: string }[]>>;

interface Gateway extends Response {
  readonly NodeId: string;
  readonly Statistics: Response | null;
}

async function statesNow(atS: number): Promise<States> {
  const of: Record<string, string> = {};
  const [byConnection, byHealth]: Record<string, string[]>[] = [{}, {}];
  const gather = (into: Record<string, string[]>, lists: GatewayLists) => {
    for (const [name, list] of Object.entries(lists)) {
      into[name] = [...(into[name] ?? []), ...list.map(({ NodeId }) => NodeId)].sort();
    }
  };
  for (const who of OWNERS) {
    const { Gateways } = await get<{ Gateways: Gateway[] }>('/v1/gateways', who);
    for (const { NodeId, Statistics } of Gateways) {
      of[NodeId] = `${Statistics?.ConnectionState} ${Statistics?.HealthState}`;
    }
    gather(byConnection!, await get<GatewayLists>('/v1/gateways/connection', who));
    gather(byHealth!, await get<GatewayLists>('/v1/gateways/health', who));
  }
  return { atS, of, byConnection: byConnection!, byHealth: byHealth! };
}

const isUp = ({ MessageType }: Entry) => ['0', '2', '4', '6'].includes(MessageType);

const pick = (entry: Entry, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, entry[name]]));

// ── frames ───────────────────────────────────────────────────────────────────────────────────────

const OF_FRAMES = [
  'MessageTypeText',
  'DevAddr',
  'Fport',
  'FCnt',
  'PayloadHex',
  'MICHex',
  'MacCommands',
  'ADRbit',
  'ADRAckReq',
  'ACKbit',
  'FPending',
  'AckRequested',
  'SpreadingFactor',
  'Airtime',
];

/** The same of a frame on the air. */
function frameFigures(row: Uplink['begins'] | Downlink['planned'], read: ReadFrame) {
  return {
    MessageTypeText: NAMES[read.mType],
    DevAddr: read.devAddr,
    Fport: read.fPort,
    FCnt: read.fCnt,
    PayloadHex: read.payload,
    MICHex: read.mic,
    MacCommands: read.commands,
    ADRbit: read.adr,
    ADRAckReq: read.adrAckReq,
    ACKbit: read.ack,
    FPending: read.fPending,
    AckRequested: read.mType > 3 ? '1' : '0',
    SpreadingFactor: String(row.spreadingFactor),
    Airtime: (row.airtimeUs / S_US).toFixed(6),
  };
}

const GENUINE = ['joined', 'accepted', 'repeated'];
const genuine = (who: string) =>
  day.uplinks.filter(
    ({ begins, collected }) =>
      ownerOf(begins.device) === who && GENUINE.includes(collected.verdict),
  );

/**
 * When the gateway refused a frame whose server gave it up as soon as it knew of that. The backhaul
 * has 60 ms and 30 ms of jitter. If it did not, it is the instant that is reported.
 */
function heardOf({ Timestamp, DevEUI, MICHex }: Entry): string {
  const refusals = day.downlinks.flatMap(({ planned, read, tries }) =>
    planned.devEui.toUpperCase() === DevEUI && read.mic === MICHex
      ? [START_MS + tries.at(-1)!.outcome!.atUs / 1000]
      : [],
  );
  const later = (atMs: number) => Date.parse(Timestamp) - atMs;
  const refused = refusals.find((atMs) => later(atMs) >= 0 && later(atMs) <= 90);
  return refused === undefined ? Timestamp : at(1000 * (refused - START_MS));
}

it('the day has what is rare: second tries, refusals, repetitions, requests for an answer', () => {
  const verdicts = day.uplinks.map(({ collected }) => collected.verdict);
  expect(new Set(verdicts)).toEqual(new Set(GENUINE));
  expect(day.downlinks.filter(({ tries }) => tries.length > 1).length).toBeGreaterThan(10);
  expect(day.of('downlinkRefused').length).toBeGreaterThan(10);
  expect(day.uplinks.filter(({ read }) => read.adrAckReq === '1').length).toBeGreaterThan(3);
});

describe.each(OWNERS)('the log of %s', (who) => {
  it('has every uplink that was taken in, with its frame and all gateways that heard it', () => {
    const lines = logs
      .get(who)!
      .filter(isUp)
      .map((entry) => {
        const gateways = entry.GatewayList.map((each) => `${each.GatewayNodeID} ${each.ESP}`);
        const names = ['Timestamp', 'DevEUI', ...OF_FRAMES, 'DevNonce', 'JoinEUI', 'GatewayCount'];
        return lineOf({ ...pick(entry, names), gateways: gateways.sort() });
      });
    const wanted = genuine(who).map(({ begins, ends, read, heard }) => {
      const DevEUI = euiOf.get(begins.device)!;
      const gateways = heard.map(({ gateway, espCentiDbm }) => {
        const name = ownerOf(gateway) === who ? euiOf.get(gateway) : 'Not Owned';
        return `${name} ${sixDecimals(espCentiDbm)}`;
      });
      return lineOf({
        Timestamp: at(ends.atUs),
        DevEUI,
        ...frameFigures(begins, read),
        DevNonce: read.devNonce,
        JoinEUI: read.joinEui,
        GatewayCount: String(heard.length),
        gateways: gateways.sort(),
      });
    });
    expect(differences(lines, wanted)).toEqual(NO_DIFFERENCE);
    expect(wanted.length).toBeGreaterThan(200);
  });

  it('has every downlink to a device, sent or refused by the gateway that was to send it', () => {
    const lines = logs
      .get(who)!
      .filter((entry) => !isUp(entry) && entry.Multicast !== true && entry.GatewayCount !== '0')
      .map((entry) =>
        lineOf({
          ...pick(entry, ['DevEUI', ...OF_FRAMES, 'GatewayTxSuccess']),
          Timestamp: entry.GatewayTxSuccess === false ? heardOf(entry) : entry.Timestamp,
          gateway: entry.GatewayNodeID,
          tries: entry.GatewayTxDetails,
        }),
      );
    const owned = new Set(
      [...euiOf].flatMap(([name, eui]) => (ownerOf(name) === who ? [eui] : [])),
    );
    const wanted = day.downlinks.flatMap(({ planned, read, tries }) => {
      const DevEUI = planned.devEui.toUpperCase();
      const { outcome, gateway } = tries.at(-1)!;
      if (!owned.has(DevEUI) || outcome === null) return [];
      const GatewayTxSuccess = planned.purpose === 'join' ? undefined : outcome.reason === 'sent';
      return lineOf({
        DevEUI,
        // Of the window that was tried last.
        ...frameFigures(tries.at(-1)!.planned, read),
        GatewayTxSuccess,
        Timestamp: at(outcome.atUs),
        gateway: ownerOf(gateway) === who ? euiOf.get(gateway) : 'Not Owned',
        tries: tries.map((one) => `RX${one.window}: ${one.outcome?.reason}`),
      });
    });
    expect(differences(lines, wanted)).toEqual(NO_DIFFERENCE);
    expect(wanted.length).toBeGreaterThan(50);
  });

  it('is reported newest first', () => {
    const times = logs.get(who)!.map(({ Timestamp }) => Date.parse(Timestamp));
    expect(times).toEqual([...times].sort((a, b) => b - a));
  });

  it('reports RSSI as signal and noise together, and the best gateway as the primary one', () => {
    for (const entry of logs.get(who)!.filter(isUp)) {
      const numbers = entry.GatewayList.map(({ RSSI, SNR, ESP }) => [RSSI, SNR, ESP].map(Number));
      for (const [rssi, snr, esp] of numbers as [number, number, number][]) {
        expect(rssi - esp).toBeCloseTo(10 * Math.log10(1 + 10 ** (-snr / 10)), 1);
      }
      const best = Math.max(...numbers.map(([, , esp]) => esp!));
      expect(Number(entry.PrimaryGatewayESP)).toBe(best);
    }
  });
});

it('a multicast frame stands in the log of who sent it, once a gateway, and in no other', () => {
  const reports = logs.get('ann')!.filter(({ Multicast }) => Multicast === true);
  const sent = day.downlinks
    .filter(({ planned }) => planned.purpose === 'multicast')
    .map(({ planned, tries }) => ({ planned, outcome: tries.at(-1)!.outcome, tries }));
  const lines = sent.map(({ outcome, tries }) =>
    lineOf({ Timestamp: at(outcome!.atUs), gateway: euiOf.get(tries[0]!.gateway) }),
  );
  const reportedLines = reports.map(({ Timestamp, GatewayNodeID }) =>
    lineOf({ Timestamp, gateway: GatewayNodeID }),
  );
  expect(differences(reportedLines, lines)).toEqual(NO_DIFFERENCE);
  expect(lines.length).toBeGreaterThan(15);
  expect(logs.get('bob')!.filter(({ Multicast }) => Multicast === true)).toEqual([]);
});

// ── filters ──────────────────────────────────────────────────────────────────────────────────────

/** Which entries each filter leaves, by the words of its document. */
const FILTERS: readonly [query: string, leaves: (entry: Entry) => boolean][] = [
  ['LogFrameFilter.Stream=UPSTREAM', isUp],
  ['LogFrameFilter.Stream=DOWNSTREAM', (entry) => !isUp(entry)],
  ['LogFrameFilter.Stream=NOSTREAMFILTER', () => true],
  ['LogFrameFilter.Activation=JOINREQUEST', ({ MessageType }) => MessageType === '0'],
  ['LogFrameFilter.Activation=JOINACCEPT', ({ MessageType }) => MessageType === '1'],
  ['LogFrameFilter.Ack=ACKTRUE', ({ ACKbit }) => ACKbit === '1'],
  ['LogFrameFilter.Ack=ACKFALSE', ({ ACKbit }) => ACKbit === '0'],
  ['LogFrameFilter.Late=LATETRUE', ({ Late }) => Late === '1'],
  ['LogFrameFilter.Late=LATEFALSE', ({ Late }) => Late === '0'],
  ['LogFrameFilter.MessageType=MAC', (entry) => contentOf(entry) === 'MAC'],
  ['LogFrameFilter.MessageType=DATA', (entry) => contentOf(entry) === 'DATA'],
  ['LogFrameFilter.MessageType=MACDATA', (entry) => contentOf(entry) === 'MACDATA'],
  ['LogFrameFilter.MessageType=NONE', (entry) => contentOf(entry) === 'NONE'],
  [
    'LogFrameFilter.MessageType=NONE&LogFrameFilter.MessageType=MACDATA',
    (entry) => /^(NONE|MACDATA)$/.test(contentOf(entry)),
  ],
  [
    'StartTime=2026-03-01T07:00:00Z&EndTime=2026-03-01T08:00:00Z',
    ({ Timestamp }) =>
      Date.parse(Timestamp) >= START_MS + 7 * 3.6e6 &&
      Date.parse(Timestamp) <= START_MS + 8 * 3.6e6,
  ],
];

/** MAC commands, a payload of an application, both or neither. */
function contentOf({ Fport, MacCommands, PayloadHex }: Entry): string {
  if (Fport === '0') return 'MAC';
  return `${MacCommands ? 'MAC' : ''}${PayloadHex ? 'DATA' : ''}` || 'NONE';
}

describe('the pages of a log', () => {
  const allBy = async (query: string, who: string) => {
    const all: Entry[] = [];
    for (let page = 1; ; page++) {
      const path = `/v1/logs?${query}&Page=${page}`;
      const { Logs } = await get<{ Logs: Entry[] }>(path, who);
      all.push(...Logs);
      if (Logs.length < 100) return all;
    }
  };

  it.each(FILTERS)('by %s are what it leaves of all', async (query, leaves) => {
    for (const who of OWNERS) {
      expect(await allBy(query, who)).toEqual(logs.get(who)!.filter(leaves));
    }
  });

  it('of one device or gateway are what all have of it, and empty of a foreign one', async () => {
    const [meter, roof] = ['meter-1', 'roof-1'].map((name) => euiOf.get(name)!);
    const ofDevice = logs.get('ann')!.filter(({ DevEUI }) => DevEUI === meter);
    expect(await allBy(`DevEUI=${meter!.toLowerCase()}`, 'ann')).toEqual(ofDevice);
    const isAt = ({ GatewayList }: Entry) => GatewayList.some((one) => one.GatewayNodeID === roof);
    expect(await allBy(`GatewayID=${roof}`, 'ann')).toEqual(logs.get('ann')!.filter(isAt));
    expect(ofDevice.length).toBeGreaterThan(5);
    for (const query of [`DevEUI=${meter}`, `GatewayID=${roof}`]) {
      expect(
        (
          await entryPoint.ask('GET', `/v1/logs?${query}`, {
            token: await entryPoint.tokenOf('bob'),
          })
        ).body,
      ).toEqual({ Logs: [] });
    }
  });
});

// ── devices ──────────────────────────────────────────────────────────────────────────────────────

const accepted = (device: string) =>
  day.uplinks.filter(
    ({ begins, collected }) => begins.device === device && collected.verdict === 'accepted',
  );

interface Device extends Response {
  readonly Name: string;
  readonly DevEUI: string;
  readonly LastUplink: string | null;
  readonly Statistics: Readonly<Record<string, number | string>>;
}

describe.each(OWNERS)('the devices of %s', (who) => {
  it('have statistics of the uplinks that were accepted in the day', async () => {
    const { Devices } = await get<{ Devices: Device[] }>('/v1/devices', who);
    const names = new Map([...euiOf].map(([name, eui]) => [eui, name]));
    for (const { DevEUI, LastUplink, Statistics } of Devices) {
      const uplinks = accepted(names.get(DevEUI)!);
      const lost = lostOf(uplinks);
      const percent = (100 * lost) / (lost + uplinks.length);
      const last = uplinks.at(-1)!;
      const figures = logs.get(who)!.filter((entry) => {
        const isSame = ({ ends }: Uplink) => at(ends.atUs) === entry.Timestamp;
        return entry.DevEUI === DevEUI && isUp(entry) && uplinks.some(isSame);
      });
      const meanOf = (name: string) => mean(figures.map((entry) => Number(entry[name])));
      expect([DevEUI, LastUplink]).toEqual([DevEUI, at(last.ends.atUs)]);
      expect([DevEUI, Statistics]).toMatchObject([
        DevEUI,
        {
          HealthState: healthOf(percent),
          SpreadingFactor: last.begins.spreadingFactor,
          AverageWeeklyPackets: Math.round(uplinks.length / (END_S / 86_400)),
        },
      ]);
      const strongest = mean(uplinks.map(({ heard }) => heard[0]!.espCentiDbm / 100));
      expect(Statistics.PacketErrorRate).toBeCloseTo(percent, 1);
      expect(Statistics.AverageESP).toBeCloseTo(strongest, 1);
      expect(Statistics.AverageESP).toBeCloseTo(meanOf('PrimaryGatewayESP'), 1);
      expect(Statistics.AverageRSSI).toBeCloseTo(meanOf('PrimaryGatewayRSSI'), 1);
      expect(Statistics.AverageSNR).toBeCloseTo(meanOf('PrimaryGatewaySNR'), 1);
    }
    expect(Devices.length).toBe(who === 'ann' ? 32 : 12);
  });

  it('are counted by their health, and listed by it', async () => {
    const { Devices } = await get<{ Devices: Device[] }>('/v1/devices', who);
    const counts = await get<Record<string, number>>('/v1/devices/healthcount', who);
    const lists = await get<Record<string, Device[]>>('/v1/devices/health', who);
    for (const [word, name] of [
      ['good', 'Good'],
      ['fair', 'Fair'],
      ['poor', 'Poor'],
      ['offline', 'Offline'],
    ] as const) {
      const some = Devices.filter(({ Statistics }) => Statistics.HealthState === word);
      const euis = some.map(({ DevEUI }) => DevEUI).sort();
      expect([name, counts[name]]).toEqual([name, euis.length]);
      expect(lists[name]!.map(({ DevEUI }) => DevEUI).sort()).toEqual(euis);
    }
  });

  it('have the payloads that they sent on ports of applications', async () => {
    for (const [name, DevEUI] of euiOf) {
      if (ownerOf(name) !== who || !/^(meter|soil|tracker|alarm)/.test(name)) continue;
      const path = `/v1/devices/${DevEUI}/payloads`;
      const { Payloads } = await get<{ Payloads: { Time: string; Data: Response }[] }>(path, who);
      const wanted = accepted(name).flatMap(({ ends, read: { fPort, fCnt, payload } }) => {
        const isSent = fPort !== '' && Number(fPort) > 0 && Number(fPort) < 224;
        return isSent ? [`${at(ends.atUs)} ${fPort} ${fCnt} ${payload}`] : [];
      });
      const lines = Payloads.map(
        ({ Time, Data }) => `${Time} ${Data.FPort} ${Data.FCnt} ${Data.PayloadHex}`,
      );
      expect(differences(lines, wanted)).toEqual(NO_DIFFERENCE);
    }
  });
});

// ── gateways ─────────────────────────────────────────────────────────────────────────────────────

/** A gateway sends a status every 30 s; after 90 s without one it is disconnected. */
function stateAt(gateway: string, atS: number): string {
  const since = (fault: 'backhaul' | 'radio') => {
    const rows = day.of('gatewayFault').filter((row) => row.atUs <= atS * S_US);
    const last = rows.findLast((row) => row.gateway === gateway && row.fault === fault);
    return last?.on === true ? last.atUs / S_US : undefined;
  };
  const [backhaul, radio] = [since('backhaul'), since('radio')];
  if (backhaul === 0) return 'undefined undefined';
  if (backhaul !== undefined && atS - backhaul > 90) return 'DISC BACKHAUL_CNX_ERROR';
  return radio === undefined ? 'CNX ACTIVE' : 'CNX RF_ERROR';
}

const GATEWAYS = ['roof-1', 'roof-2', 'roof-3', 'mast-1', 'mast-2', 'spare'];

describe('gateways', () => {
  it('are connected and well, or not, as their faults have it, whenever they are asked', () => {
    for (const { atS, of, byConnection, byHealth } of states) {
      const wanted = GATEWAYS.map((name) => [euiOf.get(name)!, stateAt(name, atS)] as const);
      expect([atS, of]).toEqual([atS, Object.fromEntries(wanted)]);
      const owner = (pattern: RegExp) =>
        wanted.flatMap(([eui, state]) => (pattern.test(state) ? [eui] : [])).sort();
      expect([atS, byConnection]).toEqual([
        atS,
        {
          NeverConnected: owner(/^undefined/),
          Disconnected: owner(/^DISC/),
          Connected: owner(/^CNX/),
        },
      ]);
      expect([atS, byHealth]).toEqual([
        atS,
        {
          Initializing: owner(/^undefined/),
          ConnectError: owner(/BACKHAUL_CNX_ERROR$/),
          RfError: owner(/RF_ERROR$/),
          Active: owner(/ACTIVE$/),
        },
      ]);
    }
    expect(new Set(states.flatMap(({ of }) => Object.values(of))).size).toBe(4);
  });

  it('have statistics of what they heard and sent in the day', async () => {
    for (const name of GATEWAYS) {
      const who = ownerOf(name);
      const response = await get(`/v1/gateways/${euiOf.get(name)}/statistics`, who);
      if (name === 'spare') {
        expect(response).toEqual({});
        continue;
      }
      const heard = day.uplinks.filter((one) => one.heard.some(({ gateway }) => gateway === name));
      const sent = day.downlinks.flatMap(({ tries }) =>
        tries.flatMap(({ gateway, outcome }) =>
          gateway === name && outcome?.reason === 'sent' ? [outcome.atUs] : [],
        ),
      );
      const perHour = (count: number) => Math.round(count / Math.min(24.5, END_S / 3600));
      expect([name, response]).toMatchObject([
        name,
        {
          LastUplinkTime: at(Math.max(...heard.map(({ ends }) => ends.atUs))),
          LastDownlinkTime: at(Math.max(...sent)),
          UplinkPacketPerHour: perHour(heard.length),
          DownlinkPacketPerHour: perHour(sent.length),
        },
      ]);
      const offS = stateAt(name, END_S).startsWith('DISC') ? 23 * 3600 : END_S;
      const silenceS =
        (START_MS + 1000 * offS - Date.parse(String(response.LastReportingTime))) / 1000;
      expect([name, silenceS]).toEqual([name, expect.toSatisfy((s) => s >= 0 && s <= 31)]);
    }
  });

  it('tell which devices they heard in the day, of their subscriber’s own', async () => {
    for (const name of GATEWAYS) {
      const who = ownerOf(name);
      const path = `/v1/gateways/${euiOf.get(name)}/devices`;
      const { Devices } = await get<{ Devices: Device[] }>(path, who);
      const heard = genuine(who).filter((one) => one.heard.some((each) => each.gateway === name));
      const wanted = new Set(heard.map(({ begins }) => euiOf.get(begins.device)!));
      expect(Devices.map(({ DevEUI }) => DevEUI).sort()).toEqual([...wanted].sort());
    }
  });

  it('tell when their states changed: at a fault, or 90 s after the last status', async () => {
    for (const name of GATEWAYS) {
      const path = `/v1/gateways/${euiOf.get(name)}/events`;
      const { Events } = await get<{ Events: Record<string, string>[] }>(path, ownerOf(name));
      const reports = Events.filter(({ Field }) => /^(BACKHAUL|PACKET|ONLINE)_/.test(Field!));
      const lines = reports.map(({ Time, Field, OldValue, NewValue }) => {
        const isOnline = Field === 'ONLINE_STATUS';
        return isOnline ? `${Time} ${OldValue} to ${NewValue}` : `${Time} ${Field}`;
      });
      const first = Events.at(-1)?.Time;
      expect([name, lines.sort()]).toEqual([name, changesOf(name, first).sort()]);
    }
  });
});

const INTERVAL_US = 30 * S_US;

/** What the events of a gateway must be whose first status came at an instant. */
function changesOf(gateway: string, first: string | undefined): string[] {
  if (first === undefined) return [];
  const firstUs = 1000 * (Date.parse(first) - START_MS);
  const lastBefore = (atUs: number) =>
    firstUs + INTERVAL_US * Math.floor((atUs - firstUs) / INTERVAL_US);
  const start = `${first} `;
  const begins = ['BACKHAUL_CONNECTED', 'PACKET_FORWARDER_CONNECTED', 'INIT to ACTIVE'];
  const rows = day.of('gatewayFault').filter((row) => row.gateway === gateway);
  return [
    ...begins.map((what) => start + what),
    ...rows.flatMap(({ atUs, fault, on }) => {
      if (fault === 'radio')
        return `${at(atUs)} ${on ? 'ACTIVE to RF_ERROR' : 'RF_ERROR to ACTIVE'}`;
      if (on) {
        const silent = at(lastBefore(atUs) + 90 * S_US);
        return [
          `${at(atUs)} BACKHAUL_DISCONNECTED`,
          `${silent} PACKET_FORWARDER_DISCONNECTED`,
          `${silent} ACTIVE to BACKHAUL_CNX_ERROR`,
        ];
      }
      const again = at(lastBefore(atUs) + INTERVAL_US);
      return [
        `${at(atUs)} BACKHAUL_CONNECTED`,
        `${at(atUs)} BACKHAUL_CNX_ERROR to HEALTH_UNKNOWN`,
        `${again} PACKET_FORWARDER_CONNECTED`,
        `${again} HEALTH_UNKNOWN to ACTIVE`,
      ];
    }),
  ];
}
