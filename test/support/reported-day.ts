/**
 * What a platform must tell of a day, computed from the day's trace and the words of its documents
 * alone: nothing here is the product's but the rows of the trace. Times are µs since the start.
 */
import { createRequire } from 'node:module';
import type lora from 'lora-packet';
import type {
  DownlinkPlanned,
  TraceRow,
  UplinkBegins,
  UplinkCollected,
  UplinkEnds,
} from '../../sim/observation/observer.ts';

const { decrypt, fromWire, verifyMIC } = createRequire(import.meta.url)(
  'lora-packet',
) as typeof lora.default;

// ── the day ──────────────────────────────────────────────────────────────────────────────────────

export const START = '2026-03-01T00:00:00Z';
export const START_MS = Date.parse(START);
export const SEED = 'a day';
export const S_US = 1_000_000;
/** Half an hour before the day is over: windows end within an hour. */
export const END_S = 23.5 * 3600;

export const SETTINGS = [
  `start=${START}`,
  'subscribers=[ann, bob]',
  'frames=real',
  'gateways=[' +
    '{ name: roof, count: 3, subscriber: ann, ' +
    'placement: [[0 km, 0 km], [2 km, 1.6 km], [-2 km, 2 km]] },' +
    '{ name: mast, count: 2, subscriber: bob, placement: [[-1.7 km, -2 km], [2 km, -2 km]] },' +
    '{ name: spare, subscriber: bob, placement: [[1 km, 0 km]] }]',
  ...[
    ['meter', 24, 'ann'],
    ['soil', 8, 'ann'],
    ['tracker', 8, 'bob'],
    ['alarm', 4, 'bob'],
  ].flatMap(([name, count, owner]) => [
    `devices.${name}.count=${count}`,
    `devices.${name}.subscriber=${owner}`,
  ]),
  'devices.alarm.traffic.every=1 h',
  // Copies that repeat, and a device that nobody answers for 64 frames.
  'devices.soil.nbTrans=2',
  'devices.soil.traffic.every=8 min',
  // More acknowledgements than RX1 has time on the air for.
  'devices.tracker.traffic.confirmed=100 %',
  'devices.tracker.traffic.every=3 min',
  'devices.tracker.dataRate=DR0',
  'images=[{ name: town-1.1.0.bin, bytes: 2 kB, subscriber: ann }]',
  'groups=[{ name: town, devices: [meter, soil], subscriber: ann }]',
  'campaigns.spring.subscriber=ann',
  'expectations=[]',
  'timeline=[' +
    [
      '{ at: 0 s, gatewayFault: { gateway: spare, fault: backhaul } }',
      '{ at: 6 h, downlink: { to: meter-17, fPort: 2, payload: "0a10", confirmed: true } }',
      '{ at: 8 h, gatewayFault: { gateway: roof-2, fault: backhaul } }',
      '{ at: 9 h, gatewayFault: { gateway: mast-1, fault: radio } }',
      '{ at: 11 h, gatewayFault: { gateway: roof-2, fault: backhaul, on: false } }',
      '{ at: 12 h, gatewayFault: { gateway: mast-1, fault: radio, on: false } }',
      '{ at: 23 h, gatewayFault: { gateway: roof-3, fault: backhaul } }',
      '{ at: 23 h, gatewayFault: { gateway: mast-2, fault: radio } }',
    ].join() +
    ']',
];

// ── its trace ────────────────────────────────────────────────────────────────────────────────────

type Of<Kind extends TraceRow['kind']> = Extract<TraceRow, { readonly kind: Kind }>;

/** An uplink whose copies the network server has gathered. */
export interface Uplink {
  readonly begins: UplinkBegins;
  readonly ends: UplinkEnds;
  readonly collected: UplinkCollected;
  readonly read: ReadFrame;
  /** Gateways that heard it and whose backhaul was up, the strongest first. */
  readonly heard: readonly { readonly gateway: string; readonly espCentiDbm: number }[];
}

/** A frame to a device or group, with all tries to send it, in their order. */
export interface Downlink {
  readonly planned: DownlinkPlanned;
  readonly read: ReadFrame;
  readonly tries: Try[];
}

export interface Try {
  readonly planned: DownlinkPlanned;
  readonly gateway: string;
  readonly window: number;
  /** What the gateway said, or that it began; null: nothing was heard of it. */
  outcome: { readonly atUs: number; readonly reason: string } | null;
}

/**
 * A day's trace, put together. All frames are read at once, before anybody is asked over HTTP: a
 * server in this thread closes connections that are idle for 5 s, and would do so meanwhile.
 */
export class TracedDay {
  readonly uplinks: Uplink[] = [];
  readonly downlinks: Downlink[] = [];
  readonly #rows: readonly TraceRow[];
  /** Instants from which on a gateway's backhaul or radio has failed, or works again. */
  readonly #faults = new Map<string, Of<'gatewayFault'>[]>();

  constructor(rows: readonly TraceRow[]) {
    this.#rows = rows;
    for (const row of this.of('gatewayFault')) {
      this.#faults.set(row.gateway, [...(this.#faults.get(row.gateway) ?? []), row]);
    }
    this.#putUplinks();
    this.#putDownlinks();
  }

  of<Kind extends TraceRow['kind']>(kind: Kind): Of<Kind>[] {
    return this.#rows.filter((row): row is Of<Kind> => row.kind === kind);
  }

  /** Whether the backhaul or the radio of a gateway has failed by an instant. */
  hasFailed(gateway: string, fault: 'backhaul' | 'radio', atUs: number): boolean {
    const rows = this.#faults.get(gateway) ?? [];
    return rows.findLast((row) => row.fault === fault && row.atUs < atUs)?.on ?? false;
  }

  #putUplinks(): void {
    const keyOf = (row: { readonly device: string; readonly frame: number }) =>
      `${row.device} ${row.frame}`;
    const begun = new Map(this.of('uplinkBegins').map((row) => [keyOf(row), row]));
    const ended = new Map(this.of('uplinkEnds').map((row) => [keyOf(row), row]));
    for (const collected of this.of('uplinkCollected')) {
      const ends = ended.get(keyOf(collected))!;
      const heard = ends.gateways
        .filter(({ fate }) => fate === 'received')
        .filter(({ gateway }) => !this.hasFailed(gateway, 'backhaul', ends.atUs))
        .map(({ gateway, rssiCentiDbm }) => ({ gateway, espCentiDbm: rssiCentiDbm }))
        .sort((a, b) => b.espCentiDbm - a.espCentiDbm);
      const begins = begun.get(keyOf(collected))!;
      this.uplinks.push({ begins, ends, collected, read: readOf(begins), heard });
    }
  }

  #putDownlinks(): void {
    const open = new Map<string, Downlink>();
    const tries = new Map<string, Try>();
    for (const row of this.#rows) {
      if (row.kind === 'downlinkPlanned' && row.purpose !== 'beacon') {
        const { gateway, window, devEui, purpose, counter, phyPayload } = row;
        const key = [devEui, purpose, counter, phyPayload, devEui === '' ? gateway : ''].join(' ');
        const before = open.get(key);
        const last = before?.tries.at(-1)?.outcome;
        const isAgain = last !== undefined && last?.reason !== 'sent';
        const downlink =
          before !== undefined && isAgain ? before : { planned: row, read: readOf(row), tries: [] };
        if (downlink !== before) this.downlinks.push(downlink);
        open.set(key, downlink);
        const one: Try = { planned: row, gateway, window, outcome: null };
        downlink.tries.push(one);
        tries.set(`${gateway} ${row.downlink}`, one);
      }
      if (row.kind !== 'downlinkBegins' && row.kind !== 'downlinkRefused') continue;
      const one = tries.get(`${row.gateway} ${row.downlink}`);
      const reason = row.kind === 'downlinkBegins' ? 'sent' : row.reason;
      if (one !== undefined) one.outcome = { atUs: row.atUs, reason };
    }
  }
}

// ── frames ───────────────────────────────────────────────────────────────────────────────────────

/** What stands in a data frame (LoRaWAN 1.0.4 §4), in hexadecimal and bits of text. */
export interface ReadFrame {
  readonly mType: number;
  readonly devAddr: string;
  readonly fPort: string;
  readonly fCnt: string;
  readonly payload: string;
  readonly mic: string;
  readonly commands: string;
  readonly adr: string;
  readonly adrAckReq: string;
  readonly ack: string;
  readonly fPending: string;
  readonly devNonce: string;
  readonly joinEui: string;
}

const NOTHING: ReadFrame = {
  mType: 0,
  devAddr: '',
  fPort: '',
  fCnt: '',
  payload: '',
  mic: '',
  commands: '',
  adr: '0',
  adrAckReq: '0',
  ack: '0',
  fPending: '0',
  devNonce: '',
  joinEui: '',
};

const upper = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();
const reversed = (bytes: Uint8Array): string => upper(Uint8Array.from(bytes).reverse());

interface Keys {
  readonly nwkSKey: string;
  readonly appSKey: string;
}

const readOf = ({ phyPayload, counter, keys }: UplinkBegins | DownlinkPlanned): ReadFrame =>
  readFrame(phyPayload, counter, keys);

/** A frame as it was on the air, in clear; its MIC is verified by lora-packet. */
function readFrame(phyPayload: string, counter: number, keys: Keys | undefined): ReadFrame {
  const bytes = Buffer.from(phyPayload, 'hex');
  const mType = bytes[0]! >> 5;
  const mic = upper(bytes.subarray(-4));
  // Encrypted as a whole: of its MIC there is what was on the air.
  if (mType === 1) return { ...NOTHING, mType, mic };
  if (mType === 0) {
    const [joinEui, devNonce] = [reversed(bytes.subarray(1, 9)), reversed(bytes.subarray(17, 19))];
    return { ...NOTHING, mType, mic, joinEui, devNonce };
  }
  const control = bytes[5]!;
  const bit = (number: number) => ((control >> number) & 1 ? '1' : '0');
  const optionsEnd = 8 + (control & 15);
  const body = bytes.subarray(optionsEnd, -4);
  const isUp = mType % 2 === 0;
  const packet = fromWire(bytes);
  const [nwkSKey, appSKey] = [keys!.nwkSKey, keys!.appSKey].map((key) => Buffer.from(key, 'hex'));
  const high = Buffer.from([(counter >>> 16) & 255, counter >>> 24]);
  if (!verifyMIC(packet, nwkSKey, undefined, high)) throw new Error(`MIC of ${phyPayload}`);
  const payload = body.length > 1 ? upper(decrypt(packet, appSKey, nwkSKey, high)!) : '';
  const fPort = body.length > 0 ? String(body[0]) : '';
  return {
    ...NOTHING,
    mType,
    mic,
    devAddr: reversed(bytes.subarray(1, 5)),
    fPort,
    fCnt: String(counter),
    payload,
    commands: fPort === '0' ? payload : upper(bytes.subarray(8, optionsEnd)),
    adr: bit(7),
    adrAckReq: isUp ? bit(6) : '0',
    ack: bit(5),
    fPending: isUp ? '0' : bit(4),
  };
}

// ── words ────────────────────────────────────────────────────────────────────────────────────────

export const NAMES = [
  'JoinRequest',
  'JoinAccept',
  'UnconfirmedDataUp',
  'UnconfirmedDataDown',
  'ConfirmedDataUp',
  'ConfirmedDataDown',
];

/** RFC 3339 of an instant, in the form and to the digit that the platform reports. */
export const instantOf = (startMs: number, atUs: number): string =>
  new Date(startMs + Math.floor(atUs / 1000)).toISOString().replace('.000Z', 'Z');

export const sixDecimals = (hundredths: number): string => (hundredths / 100).toFixed(6);

/** A line of text an entry: two lists of lines differ where the entries do. */
export const lineOf = (parts: Readonly<Record<string, unknown>>): string =>
  Object.entries(parts)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

/** The lines that only one of two lists has. */
export function differences(lines: readonly string[], wanted: readonly string[]) {
  const count = new Map<string, number>();
  for (const line of lines) count.set(line, (count.get(line) ?? 0) + 1);
  for (const line of wanted) count.set(line, (count.get(line) ?? 0) - 1);
  const some = (sign: number) =>
    [...count].filter(([, each]) => each * sign > 0).map(([line]) => line);
  const [tooMany, missing] = [some(1).sort(), some(-1).sort()];
  const counts = [tooMany.length, missing.length];
  return { counts, tooMany: tooMany.slice(0, 4), missing: missing.slice(0, 4) };
}
export const NO_DIFFERENCE = { counts: [0, 0], tooMany: [], missing: [] };

// ── figures ──────────────────────────────────────────────────────────────────────────────────────

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, each) => sum + each, 0) / values.length;

/** Frames that a device sent and nobody heard: gaps of its counter, which each join begins anew. */
export function lostOf(uplinks: readonly Uplink[]): number {
  let [lost, next, keys] = [0, 0, ''];
  for (const { begins } of uplinks) {
    if (begins.keys!.nwkSKey !== keys) next = 0;
    keys = begins.keys!.nwkSKey;
    lost += begins.counter - next;
    next = begins.counter + 1;
  }
  return lost;
}

export const healthOf = (percent: number): string =>
  percent < 10 ? 'good' : percent < 30 ? 'fair' : 'poor';
