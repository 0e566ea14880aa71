/**
 * A log as a second, simple program would keep it: everything that a world reports, in a list, and
 * filters that look at what an entry says. It shares nothing with `core/management/logs/`.
 */
import type { FrameDown, FrameUp } from '../../sim/contract/frames.ts';
import type { Response } from './news-listener.ts';

export interface NaiveEntry {
  readonly atUs: number;
  readonly owner: string;
  /** Everything of it but what gateways have on record, channels, and decoded commands. */
  readonly reported: Record<string, unknown>;
  /** Lengths of what it carries, in bytes, whether it is reported or not. */
  readonly carries: {
    readonly fPort: number | null;
    readonly fOpts: number;
    readonly rest: number;
  };
}

export interface NaiveWorld {
  unixMs(atUs: number): number;
  /** Whose gateways are at the start; those that are not named are the default subscriber's. */
  readonly gateways: readonly (readonly [eui: string, owner: string])[];
  readonly nowUs: number;
  /** EUI of the group that a copy is for; absent: it is not reported. */
  groupOf?(frame: FrameDown): string;
}

/** With whose gateways are now. */
type At = NaiveWorld & { readonly owners: Map<string, string> };

const TYPES = [
  'joinRequest',
  'joinAccept',
  'unconfirmedDataUp',
  'unconfirmedDataDown',
  'confirmedDataUp',
  'confirmedDataDown',
  'rejoinRequest',
];

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();
const word = (value: number): string => value.toString(16).padStart(8, '0').toUpperCase();
const asSent = (mic: number): string =>
  [0, 8, 16, 24].map((shift) => word((mic >>> shift) & 255).slice(6)).join('');
const flag = (value: boolean | undefined): string => (value === true ? '1' : '0');
const six = (hundredths: number): string => (hundredths / 100).toFixed(6);
const instant = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');

function radio(on: { spreadingFactor: number; airtimeUs: number } | null) {
  if (on === null) return { SpreadingFactor: '', Airtime: '' };
  const { spreadingFactor, airtimeUs } = on;
  return {
    SpreadingFactor: spreadingFactor === 0 ? '' : String(spreadingFactor),
    Airtime: (airtimeUs / 1_000_000).toFixed(6),
  };
}

const indicated = (level: number, snr: number): number =>
  level + Math.round(1000 * Math.log10(1 + 10 ** (-snr / 1000)));

/** Genuine uplinks and all downlinks, the oldest first; equal ones in the order of their news. */
export function naiveLog(reports: readonly Response[], world: NaiveWorld): NaiveEntry[] {
  const at: At = { ...world, owners: new Map(world.gateways) };
  const entries = reports.flatMap(({ news, owner, nowUs }) => {
    if (news.kind === 'gatewayCreated') at.owners.set(news.eui, owner);
    if (news.kind === 'gatewayRemoved') at.owners.delete(news.eui);
    if (news.kind === 'frameDown') return [down(news.frame, owner, nowUs, at)];
    if (news.kind !== 'frameUp') return [];
    const isGenuine = ['joined', 'accepted', 'repeated'].includes(news.frame.verdict);
    return isGenuine ? [up(news.frame, owner, at)] : [];
  });
  return entries.sort((one, other) => one.atUs - other.atUs);
}

function up(frame: FrameUp, owner: string, world: At): NaiveEntry {
  const { data, join, endedAtUs } = frame;
  const arrived = frame.receptions.filter(({ arrivesAtUs }) => arrivesAtUs <= world.nowUs);
  const list = arrived.map(({ gatewayEui, rssiCentiDbm, snrCentiDb, arrivesAtUs }) => ({
    RSSI: six(indicated(rssiCentiDbm, snrCentiDb)),
    SNR: six(snrCentiDb),
    ESP: six(rssiCentiDbm),
    Time: instant(world.unixMs(arrivesAtUs)),
    ...ownerId(gatewayEui, owner, world),
  }));
  const best = list[arrived.findIndex(({ late }) => !late)]!;
  const response = {
    Timestamp: instant(world.unixMs(endedAtUs)),
    DevEUI: frame.devEui,
    ...contents(frame.type, data, frame.mic),
    ADRAckReq: flag(data?.adrAckReq),
    FPending: '0',
    Late: flag(frame.tooLate),
    DevNonce: join === null ? '' : word(join.devNonce).slice(4),
    JoinEUI: join?.joinEui ?? '',
    ...radio(frame),
    PrimaryGatewayRSSI: best.RSSI,
    PrimaryGatewaySNR: best.SNR,
    PrimaryGatewayESP: best.ESP,
    ...primary(best),
    GatewayCount: String(list.length),
    GatewayList: list,
    GatewayTxDetails: [],
  };
  return { atUs: endedAtUs, owner, reported: response, carries: carried(data) };
}

function down(frame: FrameDown, owner: string, nowUs: number, world: At): NaiveEntry {
  const { data, sending, outcome, tries } = frame;
  const list =
    sending === null
      ? []
      : [
          {
            RSSI: '',
            SNR: '',
            ESP: '',
            Time: instant(world.unixMs(sending.startsAtUs)),
            ...ownerId(sending.gatewayEui, owner, world),
          },
        ];
  const windows = { 1: 'RX1', 2: 'RX2', classC: 'RXC', ping: 'PING', multicast: 'MULTICAST' };
  const fate = outcome.kind === 'sent' ? 'sent' : outcome.reason;
  const last = sending === null ? fate : `${windows[sending.window]}: ${fate}`;
  const response = {
    Timestamp: instant(world.unixMs(nowUs)),
    DevEUI: frame.devEui ?? world.groupOf?.(frame) ?? '',
    ...contents(frame.type, data, frame.mic),
    ADRAckReq: '0',
    FPending: flag(data?.fPending),
    Late: flag(fate === 'tooLate' || fate === 'tooLateForWindows'),
    DevNonce: '',
    JoinEUI: '',
    ...radio(sending),
    PrimaryGatewayRSSI: '',
    PrimaryGatewaySNR: '',
    PrimaryGatewayESP: '',
    ...primary(list[0]),
    GatewayCount: String(list.length),
    GatewayList: list,
    ...(frame.devEui === null && { Multicast: true }),
    ...(data !== null && { GatewayTxSuccess: fate === 'sent' }),
    GatewayTxDetails: [...tries.map(({ reason }) => `RX1: ${reason}`), last],
  };
  return { atUs: nowUs, owner, reported: response, carries: carried(data) };
}

const carried = (data: FrameUp['data'] | FrameDown['data']): NaiveEntry['carries'] => ({
  fPort: data?.fPort ?? null,
  fOpts: data?.fOpts.length ?? 0,
  rest: data?.payload.length ?? 0,
});

function contents(type: string, data: FrameUp['data'] | FrameDown['data'], mic: number) {
  const mType = TYPES.indexOf(type);
  const isClear = data?.inClear === true;
  const commands = data === null ? '' : hex(data.fPort === 0 ? data.payload : data.fOpts);
  return {
    DevAddr: data === null ? '' : word(data.devAddr),
    Fport: data === null || data.fPort === null ? '' : String(data.fPort),
    FCnt: data === null ? '' : String(data.fCnt),
    MessageType: String(mType),
    MessageTypeText: type[0]!.toUpperCase() + type.slice(1),
    PayloadHex: isClear ? hex(data.payload) : '',
    MICHex: asSent(mic),
    MacCommands: isClear ? commands : '',
    ADRbit: flag(data?.adr),
    AckRequested: flag(type.startsWith('confirmed')),
    ACKbit: flag(data?.ack),
    PayloadDecoded: {},
    DeviceLatitude: '',
    DeviceLongitude: '',
    DeviceLocationRadius: '',
  };
}

function ownerId(gatewayEui: string, owner: string, { owners }: At) {
  return (owners.get(gatewayEui) ?? 'default') === owner
    ? { SubscriberID: owner, GatewayNodeID: gatewayEui }
    : { Unowned: true, SubscriberID: '', GatewayNodeID: 'Not Owned' };
}

const primary = (best: ReturnType<typeof ownerId> | undefined) => ({
  ...(best !== undefined && 'Unowned' in best && { GatewayUnowned: true }),
  GatewaySubscriberID: best?.SubscriberID ?? '',
  GatewayNodeID: best?.GatewayNodeID ?? '',
});

// ── filters ──────────────────────────────────────────────────────────────────────────────────────

/** Which words of each filter an entry has. */
const HAS: Readonly<Record<string, (entry: NaiveEntry) => string[]>> = {
  Stream: ({ reported: response }) =>
    ['0', '2', '4', '6'].includes(response.MessageType as string) ? ['UPSTREAM'] : ['DOWNSTREAM'],
  MessageType: ({ carries: { fPort, fOpts, rest } }) => {
    if (fPort === 0 || (fOpts > 0 && rest === 0)) return ['MAC'];
    return rest === 0 ? ['NONE'] : [fOpts > 0 ? 'MACDATA' : 'DATA'];
  },
  Late: ({ reported: response }) => (response.Late === '1' ? ['LATETRUE'] : ['LATEFALSE']),
  Activation: ({ reported: response }) => {
    if (response.MessageType === '1') return ['JOINACCEPT'];
    return response.MessageType === '0' || response.MessageType === '6' ? ['JOINREQUEST'] : [];
  },
  Ack: ({ reported: response }) => (response.ACKbit === '1' ? ['ACKTRUE'] : ['ACKFALSE']),
};

export const NEUTRAL: Readonly<Record<string, string>> = {
  Stream: 'NOSTREAMFILTER',
  MessageType: 'NOMESSAGETYPEFILTER',
  Late: 'NOLATEFILTER',
  Activation: 'NOACTIVATIONFILTER',
  Ack: 'NOACKFILTER',
};

/** Words by filter: one of each filter that has some. */
export const fitsFilters = (
  entry: NaiveEntry,
  filters: Readonly<Record<string, readonly string[] | undefined>>,
): boolean =>
  Object.entries(filters).every(([name, words = []]) => {
    if (words.length === 0 || words.includes(NEUTRAL[name]!)) return true;
    return HAS[name]!(entry).some((each) => words.includes(each));
  });
