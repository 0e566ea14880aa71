/**
 * Event payloads as a subscriber receives them, a row for each kind. Gateways of other subscribers
 * are left out.
 */

import { toHex } from '../../../sim/base/bytes.ts';
import type { DownlinkFateNews } from '../../../sim/contract/downlinks.ts';
import type { FrameDown, FrameUp } from '../../../sim/contract/frames.ts';
import { type MulticastTxStatus, type News, thingOf } from '../../../sim/contract/news.ts';

/** The receiver of events. */
export interface Viewer {
  readonly subscriber: string;
  /** Whether the viewer may receive gateway events. */
  readonly isOfGateways: boolean;
  /** Whether a gateway is the subscriber's own, so that its events are included. */
  readonly sees: (eui: string) => boolean;
  /** RFC 3339 of a virtual instant, µs. */
  readonly timeOf: (atUs: number) => string;
}

/** What there is to tell. */
export interface NewsResponse {
  /** DevEUI; null: it is about no device. */
  readonly device: string | null;
  /** The subscriber's gateways that have to do with it. */
  readonly gateways: readonly string[];
  readonly data: object;
}

/** Kinds of events, by the kinds of news. */
const WORDS = {
  uplink: 'uplink',
  multicast: 'multicast',
  downlink: 'downlink',
  joined: 'joined',
  frameUp: 'frame_up',
  frameDown: 'frame_down',
  deviceStatus: 'device_status',
  deviceCreated: 'device_created',
  deviceChanged: 'device_changed',
  deviceRemoved: 'device_removed',
  gatewayCreated: 'gateway_created',
  gatewayChanged: 'gateway_changed',
  gatewayRemoved: 'gateway_removed',
  gatewayState: 'gateway_state',
} as const satisfies Readonly<Record<News['kind'], string>>;

export type EventKind = (typeof WORDS)[News['kind']];

export const EVENT_KINDS: readonly EventKind[] = Object.values(WORDS);

export const eventKindOf = ({ kind }: News): EventKind => WORDS[kind];

type Row<Kind extends News['kind']> = (
  news: Extract<News, { readonly kind: Kind }>,
  viewer: Viewer,
) => NewsResponse;

/**
 * Undefined: they are not the subscriber's. `owner`: whose the device or gateway is that the news
 * are about, as the event shows it.
 */
export function newsResponse(news: News, owner: string, viewer: Viewer): NewsResponse | undefined {
  const isOwn =
    news.kind === 'multicast' ? viewer.sees(news.status.gatewayEui) : owner === viewer.subscriber;
  if (!isOwn) return undefined;
  const response = (ROWS[news.kind] as Row<News['kind']>)(news as never, viewer);
  return response.device === null && !viewer.isOfGateways ? undefined : response;
}

/** Events that name only their device or gateway. */
function bare(news: News): NewsResponse {
  const [what, eui] = thingOf(news)!;
  return what === 'device' ? ofDevice(eui) : ofGateway(eui);
}

const ofDevice = (devEui: string, data: object = {}): NewsResponse => ({
  device: devEui,
  gateways: [],
  data: { device: devEui, ...data },
});

const ofGateway = (eui: string, data: object = {}): NewsResponse => ({
  device: null,
  gateways: [eui],
  data: { gateway: eui, ...data },
});

const ROWS: { readonly [Kind in News['kind']]: Row<Kind> } = {
  uplink: ({ uplink: { devEui, fCnt, fPort, payload, dataRate } }) =>
    ofDevice(devEui, {
      f_cnt: fCnt,
      f_port: fPort < 0 ? null : fPort,
      payload: hexOf(payload),
      data_rate: dataRate,
    }),
  multicast: ({ status }, viewer) => ofMulticast(status, viewer),
  downlink: ({ id, sender, devEui, what }, viewer) => {
    const gateway = 'gatewayEui' in what && viewer.sees(what.gatewayEui) ? what.gatewayEui : null;
    const from = { downlink_id: id, sender: sender.kind, sender_id: sender.id };
    const data = { ...from, ...fateOf(what, viewer), gateway };
    return { ...ofDevice(devEui, data), gateways: gateway === null ? [] : [gateway] };
  },
  joined: bare,
  frameUp: ({ frame }, viewer) => ofFrameUp(frame, viewer),
  frameDown: ({ frame }, viewer) => ofFrameDown(frame, viewer),
  deviceStatus: ({ devEui, battery, marginDb }) =>
    ofDevice(devEui, { battery, margin_db: marginDb }),
  deviceCreated: bare,
  deviceChanged: bare,
  deviceRemoved: bare,
  gatewayCreated: bare,
  gatewayChanged: bare,
  gatewayRemoved: bare,
  gatewayState: ({ eui, fault, on }) => ofGateway(eui, { fault, on }),
};

// ── frames, and what became of downlinks ─────────────────────────────────────────────────────────

const hexOf = (bytes: Uint8Array): string => toHex(bytes).toUpperCase();
const hexWord = (word: number): string => word.toString(16).toUpperCase().padStart(8, '0');

const CENTI = 100;

/** FRMPayload and its header, as both directions have them. */
const dataOf = (data: NonNullable<FrameUp['data']> | NonNullable<FrameDown['data']>) => ({
  dev_addr: hexWord(data.devAddr),
  f_cnt: data.fCnt,
  f_port: data.fPort,
  adr: data.adr,
  ack: data.ack,
  f_opts: hexOf(data.fOpts),
  payload: hexOf(data.payload),
  in_clear: data.inClear,
});

function ofFrameUp(frame: FrameUp, { sees }: Viewer): NewsResponse {
  const own = frame.receptions.filter(({ gatewayEui }) => sees(gatewayEui));
  const receptions = own.map(({ gatewayEui, rssiCentiDbm, snrCentiDb, late }) => ({
    gateway: gatewayEui,
    rssi_dbm: rssiCentiDbm / CENTI,
    snr_db: snrCentiDb / CENTI,
    late,
  }));
  const data = {
    type: frame.type,
    verdict: frame.verdict,
    frequency_hz: frame.frequencyHz,
    data_rate: frame.dataRate,
    airtime_us: frame.airtimeUs,
    ...(frame.data && dataOf(frame.data)),
    receptions,
  };
  const gateways = own.map(({ gatewayEui }) => gatewayEui);
  return { ...ofDevice(frame.devEui, data), gateways };
}

function ofFrameDown(frame: FrameDown, { sees, timeOf }: Viewer): NewsResponse {
  const { devEui, mcAddr, type, counter, data, sending, outcome } = frame;
  const gateway = sending !== null && sees(sending.gatewayEui) ? sending.gatewayEui : null;
  const response = {
    device: devEui,
    gateway,
    type,
    outcome: outcome.kind,
    reason: outcome.kind === 'refused' ? outcome.reason : null,
    counter,
    mc_addr: mcAddr === null ? null : hexWord(mcAddr),
    ...(data && dataOf(data)),
    ...(sending && {
      window: sending.window,
      starts_at: timeOf(sending.startsAtUs),
      frequency_hz: sending.frequencyHz,
      data_rate: sending.dataRate,
      airtime_us: sending.airtimeUs,
    }),
  };
  return { device: devEui, gateways: gateway === null ? [] : [gateway], data: response };
}

function ofMulticast({ mcAddr, gatewayEui, fCnt, outcome }: MulticastTxStatus, viewer: Viewer) {
  const isLater = outcome.kind === 'noBudget';
  return ofGateway(gatewayEui, {
    mc_addr: hexWord(mcAddr),
    f_cnt: fCnt,
    outcome: isLater ? 'no_budget' : outcome.kind,
    reason: outcome.kind === 'refused' ? outcome.reason : null,
    not_before: isLater ? viewer.timeOf(outcome.notBeforeUs) : null,
  });
}

/** What became of a downlink, but for the gateway. */
function fateOf(what: DownlinkFateNews, { timeOf }: Viewer): object {
  switch (what.kind) {
    case 'planned':
      return { fate: what.kind, window: what.window, starts_at: timeOf(what.startsAtUs) };
    case 'answered':
      return { fate: what.kind, f_cnt: what.fCnt, f_port: what.fPort < 0 ? null : what.fPort };
    case 'dropped':
      return { fate: what.kind, reason: what.reason };
    default:
      return { fate: what.kind };
  }
}
