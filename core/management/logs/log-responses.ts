/**
 * Log entries in responses: the stored frame, the current state of its gateways, and the payload as
 * today's decoders read it.
 */
import { readLe, toHex } from '../../../sim/base/bytes.ts';
import type { NetworkFacts } from '../../../sim/contract/view.ts';
import { downlinkCommands, uplinkCommands } from '../../../sim/lorawan/mac-commands.ts';
import { type CommandSet, readCommands } from '../../../sim/lorawan/message.ts';
import { formatInstant } from '../../base/instant.ts';
import { rssiOf } from '../statistics/uplinks.ts';
import { bytesOf } from './bytes.ts';
import { type Chunk, deviceOf, euiAt, hexWord } from './chunk.ts';
import { type CodecOf, decodedAt } from './decoding.ts';
import { classAt, Flag, NOBODY, OUTCOMES, WINDOWS } from './entries.ts';
import { type LogEntry, MESSAGE_TYPES, NOT_OWNED } from './rows.ts';
import type { Found } from './selecting.ts';

/** State of an own gateway at the time of the response. */
export interface KnownGateway {
  readonly id: string;
  /** Degrees; nothing where it is not known, or the gateway is gone. */
  readonly latitude: string;
  readonly longitude: string;
}

/** Context for building responses. */
export interface Telling {
  readonly facts: Pick<NetworkFacts, 'unixMs' | 'channelAt'>;
  /** Virtual time, µs: copies that arrive later are not there yet. */
  readonly nowUs: number;
  /** Whose log it is. */
  readonly subscriber: string;
  gateway(eui: string): KnownGateway;
  readonly codecOf: CodecOf;
}

type Reception = LogEntry['GatewayList'][number];

export function entryResponse({ chunk, place }: Found, telling: Telling): LogEntry {
  const { entries } = chunk;
  const flags = entries.flags[place]!;
  const { down, late, activation } = classAt(entries.class[place]!);
  const { list, primary } = gatewaysOf(chunk, place, down, telling);
  const mType = entries.mType[place]!;
  const isData = activation === '';
  const { commands, payload, joinEui } = bytesOf(chunk, place, isData);
  const has = (flag: number) => ((flags & flag) === 0 ? '0' : '1');
  const counter = entries.counter[place]!;
  const { unixMs } = telling.facts;
  return {
    Timestamp: formatInstant(unixMs(entries.atUs[place]!)),
    DevEUI: deviceOf(chunk, place),
    DevAddr: isData ? hexWord(entries.devAddr[place]!) : '',
    Fport: (flags & Flag.hasPort) === 0 ? '' : String(entries.fPort[place]),
    FCnt: isData ? String(counter) : '',
    MessageType: String(mType),
    MessageTypeText: MESSAGE_TYPES[mType]!,
    PayloadHex: hexOf(payload),
    MICHex: hexWord(readLe(bigEndian(entries.mic[place]!), 0, 4)),
    PrimaryGatewayRSSI: primary?.RSSI ?? '',
    PrimaryGatewaySNR: primary?.SNR ?? '',
    PrimaryGatewayESP: primary?.ESP ?? '',
    ...radioOf(chunk, place, flags, telling),
    GatewayID: primary?.Gateway ?? '',
    ...placeOf(primary, telling),
    GatewayCount: String(list.length),
    GatewayList: list,
    DeviceLatitude: '',
    DeviceLongitude: '',
    DeviceLocationRadius: '',
    MacCommands: hexOf(commands),
    DecodedMacCommands: decodedCommands(commands, down),
    ADRbit: has(Flag.adr),
    ADRAckReq: has(Flag.adrAckReq),
    AckRequested: MESSAGE_TYPES[mType]!.startsWith('Confirmed') ? '1' : '0',
    ACKbit: has(Flag.ack),
    FPending: has(Flag.fPending),
    Late: late ? '1' : '0',
    DevNonce: activation === 'JOINREQUEST' ? hexWord(counter).slice(4) : '',
    JoinEUI: hexOf(joinEui),
    ...(primary?.Unowned && { GatewayUnowned: true }),
    GatewaySubscriberID: primary?.SubscriberID ?? '',
    GatewayNodeID: primary?.GatewayNodeID ?? '',
    PayloadDecoded: decodedAt(chunk, place, telling.facts, telling.codecOf),
    ...((flags & Flag.multicast) !== 0 && { Multicast: true }),
    ...(down && isData && { GatewayTxSuccess: OUTCOMES[entries.outcome[place]!] === 'sent' }),
    GatewayTxDetails: down ? triesOf(chunk, place) : [],
  };
}

const hexOf = (bytes: Uint8Array): string => toHex(bytes).toUpperCase();

/** The word whose least significant byte comes first in the text. */
const bigEndian = (word: number): Uint8Array =>
  Uint8Array.of(word >>> 24, word >>> 16, word >>> 8, word);

/** Six decimals, of 1/100. */
const figure = (hundredths: number): string => (hundredths / 100).toFixed(6);

// ── the radio ────────────────────────────────────────────────────────────────────────────────────

function radioOf({ entries }: Chunk, place: number, flags: number, { facts }: Telling) {
  if ((flags & Flag.onAir) === 0) {
    return { SpreadingFactor: '', Airtime: '', SubBand: '', Channel: '' };
  }
  const { subBand, channel } = facts.channelAt(entries.frequencyHz[place]!);
  const spreadingFactor = entries.spreadingFactor[place]!;
  return {
    SpreadingFactor: spreadingFactor === 0 ? '' : String(spreadingFactor),
    Airtime: (entries.airtimeUs[place]! / 1e6).toFixed(6),
    SubBand: subBand === null ? '' : `G${subBand}`,
    Channel: channel === null ? '' : `LC${channel}`,
  };
}

/** The tries of a downlink, each with its window and what became of it. */
function triesOf({ entries }: Chunk, place: number): string[] {
  const window = WINDOWS[entries.window[place]!]!;
  const outcome = OUTCOMES[entries.outcome[place]!]!;
  const last = window === '' ? outcome : `${window}: ${outcome}`;
  const tried = entries.tried[place]!;
  return tried === 0 ? [last] : [`RX1: ${OUTCOMES[tried]}`, last];
}

// ── gateways ─────────────────────────────────────────────────────────────────────────────────────

/** Receptions so far, and the best one that came in time. */
function gatewaysOf(chunk: Chunk, place: number, down: boolean, telling: Telling) {
  const { entries, receptions } = chunk;
  const { nowUs } = telling;
  const from = entries.receptionsFrom[place]!;
  const list: Reception[] = [];
  let primary: Reception | undefined;
  for (let at = from; at < from + entries.receptions[place]!; at++) {
    const atUs = entries.atUs[place]! + receptions.delayUs[at]!;
    if (!down && atUs > nowUs) continue;
    const response = receptionAt(chunk, at, atUs, down, telling);
    list.push(response);
    if (receptions.late[at] === 0) primary ??= response;
  }
  return { list, primary: primary ?? list[0] };
}

function receptionAt(
  { receptions, gateways }: Chunk,
  at: number,
  atUs: number,
  down: boolean,
  { facts, subscriber, gateway }: Telling,
): Reception {
  const esp = receptions.espCentiDbm[at]!;
  const snr = receptions.snrCentiDb[at]!;
  const radio = {
    RSSI: down ? '' : figure(rssiOf(esp, snr)),
    SNR: down ? '' : figure(snr),
    ESP: down ? '' : figure(esp),
    Time: formatInstant(facts.unixMs(atUs)),
  };
  const number = receptions.gateway[at]!;
  if (number === NOBODY) {
    return { Gateway: '', ...radio, Unowned: true, SubscriberID: '', GatewayNodeID: NOT_OWNED };
  }
  const eui = euiAt(gateways, number);
  const { id } = gateway(eui);
  return { Gateway: id, ...radio, SubscriberID: subscriber, GatewayNodeID: eui };
}

/** Where the primary gateway stands; nothing of a foreign one. */
function placeOf(primary: Reception | undefined, { gateway }: Telling) {
  const isOwn = primary !== undefined && primary.Unowned !== true;
  const { latitude, longitude } = isOwn
    ? gateway(primary.GatewayNodeID)
    : { latitude: '', longitude: '' };
  return { GatewayLatitide: latitude, GatewayLongitude: longitude };
}

// ── MAC commands ─────────────────────────────────────────────────────────────────────────────────

/**
 * `LinkADRAns: powerAck true, …`, a text for each command; unreadable bytes stay in hexadecimal.
 */
function decodedCommands(bytes: Uint8Array, down: boolean): string[] {
  if (bytes.length === 0) return [];
  const set: CommandSet = down ? downlinkCommands : uplinkCommands;
  const { commands, unreadBytes } = readCommands(set, bytes);
  const texts = commands.map(({ name, payload }) => {
    const values = Object.entries(payload as object).map(([field, value]) => `${field} ${value}`);
    return values.length === 0 ? name : `${name}: ${values.join(', ')}`;
  });
  const unread = bytes.subarray(bytes.length - unreadBytes);
  return unreadBytes === 0 ? texts : [...texts, `unknown: ${hexOf(unread)}`];
}
