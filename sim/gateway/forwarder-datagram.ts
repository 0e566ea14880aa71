/**
 * What a packet forwarder and a server say to each other: datagrams of the Semtech UDP protocol,
 * version 2 (PROTOCOL.TXT of the packet forwarder; docs/standard.md, Semtech UDP protocol).
 */
import { toHex } from '../base/bytes.ts';
import { fail, ok, type Result } from '../base/result.ts';

const PROTOCOL_VERSION = 2;
const HEADER_BYTES = 4;
const EUI_BYTES = 8;

interface DatagramRow {
  readonly id: number;
  /** Whether the gateway's EUI follows the header: then the gateway is the sender. */
  readonly eui: boolean;
  readonly json: 'needed' | 'allowed' | 'none';
}

/** By name; the identifier is byte 3. */
export const DATAGRAMS = {
  PUSH_DATA: { id: 0, eui: true, json: 'needed' },
  PUSH_ACK: { id: 1, eui: false, json: 'none' },
  PULL_DATA: { id: 2, eui: true, json: 'none' },
  PULL_RESP: { id: 3, eui: false, json: 'needed' },
  PULL_ACK: { id: 4, eui: false, json: 'none' },
  TX_ACK: { id: 5, eui: true, json: 'allowed' },
} as const satisfies Readonly<Record<string, DatagramRow>>;

export type DatagramName = keyof typeof DATAGRAMS;
const NAMES = Object.keys(DATAGRAMS) as DatagramName[];

/** The object behind the header: `rxpk`, `stat`, `txpk` or `txpk_ack`, as it was sent. */
export type DatagramJson = Readonly<Record<string, unknown>>;

export interface ForwarderDatagram {
  readonly name: DatagramName;
  /** 16 bits that tie an acknowledgement to what it acknowledges. */
  readonly token: number;
  /** 16 lower-case hexadecimal digits; only from gateways. */
  readonly gatewayEui?: string;
  readonly json?: DatagramJson;
}

/** Reads a datagram; the failure says what is wrong with it. */
export function readDatagram(bytes: Uint8Array): Result<ForwarderDatagram, 'datagram.malformed'> {
  if (bytes.length < HEADER_BYTES) return malformed(`${bytes.length} bytes are no header`);
  const version = bytes[0];
  if (version !== PROTOCOL_VERSION) return malformed(`the protocol's version is 2, not ${version}`);
  const name = NAMES.find((each) => DATAGRAMS[each].id === bytes[3]);
  if (name === undefined) return malformed(`there is no datagram ${bytes[3]}, but 0 to 5`);
  const row: DatagramRow = DATAGRAMS[name];
  const jsonAt = HEADER_BYTES + (row.eui ? EUI_BYTES : 0);
  if (bytes.length < jsonAt) return malformed(`${name} has the gateway's EUI of 8 bytes`);
  const head = {
    name,
    token: bytes[1] * 256 + bytes[2],
    ...(row.eui ? { gatewayEui: toHex(bytes.subarray(HEADER_BYTES, jsonAt)) } : {}),
  };
  if (bytes.length === jsonAt) {
    return row.json === 'needed' ? malformed(`${name} carries an object`) : ok(head);
  }
  if (row.json === 'none') return malformed(`${name} ends after ${jsonAt} bytes`);
  const json = readJson(bytes.subarray(jsonAt));
  return json === undefined
    ? malformed(`${name} carries an object in JSON`)
    : ok({ ...head, json });
}

/** Writes a datagram that `datagramFault` has nothing against. */
export function writeDatagram({ name, token, gatewayEui, json }: ForwarderDatagram): Uint8Array {
  const text = json === undefined ? '' : ascii(JSON.stringify(json));
  const jsonAt = HEADER_BYTES + (gatewayEui === undefined ? 0 : EUI_BYTES);
  const out = new Uint8Array(jsonAt + text.length);
  out.set([PROTOCOL_VERSION, token >> 8, token & 255, DATAGRAMS[name].id]);
  for (let at = HEADER_BYTES; at < jsonAt; at++) {
    const digit = 2 * (at - HEADER_BYTES);
    out[at] = Number.parseInt((gatewayEui ?? '').slice(digit, digit + 2), 16);
  }
  for (let i = 0; i < text.length; i++) out[jsonAt + i] = text.charCodeAt(i);
  return out;
}

/** Why a datagram cannot be written; undefined when it can. */
export function datagramFault(datagram: ForwarderDatagram): string | undefined {
  const { name, token, gatewayEui, json } = datagram;
  if (!NAMES.includes(name)) return `name is one of ${NAMES.join(', ')}, not ${String(name)}`;
  if (!Number.isInteger(token) || token < 0 || token > 0xffff) {
    return `token is a whole number from 0 to 65535, not ${String(token)}`;
  }
  const row: DatagramRow = DATAGRAMS[name];
  if (row.eui !== (gatewayEui !== undefined)) {
    return row.eui ? `${name} has a gatewayEui` : `${name} has no gatewayEui`;
  }
  if (gatewayEui !== undefined && !/^[0-9a-fA-F]{16}$/.test(gatewayEui)) {
    return `gatewayEui has 16 hexadecimal digits, not '${gatewayEui}'`;
  }
  if (json === undefined) return row.json === 'needed' ? `${name} carries an object` : undefined;
  if (row.json === 'none') return `${name} carries no object`;
  return isObject(json) ? undefined : `json is an object`;
}

const malformed = (message: string) => fail('datagram.malformed', message);

const isObject = (value: unknown): value is DatagramJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object that UTF-8 text holds; undefined when there is none. */
function readJson(bytes: Uint8Array): DatagramJson | undefined {
  let escaped = '';
  for (const byte of bytes) escaped += `%${byte < 16 ? '0' : ''}${byte.toString(16)}`;
  try {
    const value: unknown = JSON.parse(decodeURIComponent(escaped));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Text of JSON with all but ASCII escaped. */
function ascii(json: string): string {
  let out = '';
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i);
    out += code < 128 ? json[i] : `\\u${code.toString(16).padStart(4, '0')}`;
  }
  return out;
}

// ── when a txpk goes out ─────────────────────────────────────────────────────────────────────────

/** Reading of the forwarder's counter `us` after another one: 32 bits, around in 71.6 min. */
export function counterAfter(tmst: number, us: number): number {
  const sum = (tmst + us) % 0x1_0000_0000;
  return sum < 0 ? sum + 0x1_0000_0000 : sum;
}

export type Departure =
  | { readonly by: 'now' }
  /** The forwarder's own counter, µs modulo 2^32. */
  | { readonly by: 'counter'; readonly tmst: number }
  /** GPS time, ms. */
  | { readonly by: 'gps'; readonly tmms: number };

/** `imme` wins over `tmst`, that over `tmms`; undefined when a txpk has no time or a wrong one. */
export function departureOf(txpk: DatagramJson): Departure | undefined {
  const { imme, tmst, tmms } = txpk;
  if (imme === true) return { by: 'now' };
  if (tmst !== undefined) return isWhole(tmst, MOST_COUNTER) ? { by: 'counter', tmst } : undefined;
  return isWhole(tmms, Number.MAX_SAFE_INTEGER) ? { by: 'gps', tmms } : undefined;
}

/** The counter of a concentrator has 32 bits, unsigned. */
const MOST_COUNTER = 0xffff_ffff;

const isWhole = (value: unknown, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;
