/**
 * Objects of the Semtech UDP protocol: `rxpk`, `stat` and `txpk_ack` as a packet forwarder writes
 * them, `txpk` as it reads them (PROTOCOL.TXT of the packet forwarder; docs/bridge.md).
 */

import type { GatewayRefusal } from '../../sim/base/counts.ts';
import { fail, ok, type Result } from '../../sim/base/result.ts';
import type {
  Departure,
  ForwardedUplink,
  Transmission,
  TransmissionAnswer,
} from '../../sim/contract/forwarding.ts';
import { type DatagramJson, departureOf } from '../../sim/gateway/forwarder-datagram.ts';
import { LONGEST_PHY_PAYLOAD, MType } from '../../sim/lorawan/frame.ts';
import type { ChannelPlan } from '../../sim/spectrum/channel-plan.ts';

const CENTI = 100;
const HZ_A_MHZ = 1_000_000;
const MS_A_SECOND = 1_000;

/** Data rates of the region as the protocol words them. */
export type RatePlan = Pick<ChannelPlan, 'spreadingFactor' | 'bandwidthHz' | 'channelNumber'>;

/** `SF7BW125`, or the bit rate of FSK as a number. */
function datrOf({ spreadingFactor, bandwidthHz }: RatePlan, dataRate: number): string | number {
  const factor = spreadingFactor[dataRate]!;
  return factor === 0 ? FSK_BITS_A_SECOND : `SF${factor}BW${bandwidthHz[dataRate]! / 1_000}`;
}

const FSK_BITS_A_SECOND = 50_000;

/** The data rate of a txpk; −1: the region has none such. */
function dataRateOf(rates: RatePlan, datr: unknown): number {
  return rates.spreadingFactor.findIndex(
    (factor, dataRate) =>
      (factor > 0 || rates.bandwidthHz[dataRate]! > 0) && datrOf(rates, dataRate) === datr,
  );
}

/** `startUnixMs`: the wall's time at the world's start. */
export function rxpk(uplink: ForwardedUplink, rates: RatePlan, startUnixMs: number): DatagramJson {
  const { frequencyHz, dataRate, phyPayload, tmst, tmms, endedAtUs } = uplink;
  const isLora = rates.spreadingFactor[dataRate]! > 0;
  return {
    tmst,
    ...(tmms !== undefined && { time: instantOf(startUnixMs, endedAtUs), tmms }),
    chan: ((rates.channelNumber(frequencyHz) ?? 1) - 1) % CHAINS,
    rfch: 0,
    freq: frequencyHz / HZ_A_MHZ,
    stat: 1,
    modu: isLora ? 'LORA' : 'FSK',
    datr: datrOf(rates, dataRate),
    ...(isLora && { codr: '4/5' }),
    rssi: Math.round(uplink.rssiCentiDbm / CENTI),
    ...(isLora && { lsnr: Math.round(uplink.snrCentiDb / 10) / 10 }),
    size: phyPayload.length,
    data: Buffer.from(phyPayload).toString('base64'),
  };
}

/** IF chains of a concentrator, as `chan` names them. */
const CHAINS = 10;

/** RFC 3339 with microseconds. */
function instantOf(startUnixMs: number, atUs: number): string {
  const ms = Math.floor(atUs / MS_A_SECOND);
  const us = String(atUs % MS_A_SECOND).padStart(3, '0');
  return new Date(startUnixMs + ms).toISOString().replace('Z', `${us}Z`);
}

/** What a forwarder counts between two `stat` objects. */
export interface StatCounts {
  rxnb: number;
  rxfw: number;
  dwnb: number;
  txnb: number;
}

/** `ackedShare`: of its PUSH_DATA, 0…1. */
export function stat(
  counts: Readonly<StatCounts>,
  ackedShare: number,
  unixMs: number,
  place: { readonly latitude: number; readonly longitude: number },
): DatagramJson {
  const [date, time] = new Date(unixMs).toISOString().split(/[T.]/);
  return {
    time: `${date} ${time} GMT`,
    lati: Number(place.latitude.toFixed(5)),
    long: Number(place.longitude.toFixed(5)),
    alti: 0,
    rxnb: counts.rxnb,
    rxok: counts.rxnb,
    rxfw: counts.rxfw,
    ackr: Math.round(ackedShare * 1_000) / 10,
    dwnb: counts.dwnb,
    txnb: counts.txnb,
  };
}

/** The protocol's words; a full queue is a collision to the reference forwarder. */
const REFUSAL_WORDS: Readonly<Record<GatewayRefusal, string>> = {
  tooLate: 'TOO_LATE',
  tooEarly: 'TOO_EARLY',
  collision: 'COLLISION_PACKET',
  queueFull: 'COLLISION_PACKET',
  collisionBeacon: 'COLLISION_BEACON',
  frequency: 'TX_FREQ',
  gpsUnlocked: 'GPS_UNLOCKED',
  dutyCycle: 'DUTY_CYCLE_OVERFLOW',
  radioFault: 'INTERNAL_ERROR',
  channelBusy: 'INTERNAL_ERROR',
  backhaulLoss: 'INTERNAL_ERROR',
  gatewayGone: 'INTERNAL_ERROR',
};

/** `requestedCentiDbm`: radiated power of the request. */
export function txpkAck(answer: TransmissionAnswer, requestedCentiDbm: number): DatagramJson {
  const { refusal, sendsAtCentiDbm } = answer;
  if (refusal !== undefined) return { txpk_ack: { error: REFUSAL_WORDS[refusal] } };
  if (sendsAtCentiDbm >= requestedCentiDbm) return { txpk_ack: { error: 'NONE' } };
  return { txpk_ack: { warn: 'TX_POWER', value: Math.round(sendsAtCentiDbm / CENTI) } };
}

type ReadTransmission = Omit<Transmission, 'id' | 'gatewayEui'>;
const malformed = (message: string): Result<ReadTransmission, 'txpk.malformed'> =>
  fail('txpk.malformed', message);

/** Power of a txpk without one, dBm. */
const USUAL_DBM = 14;
const MOST_DBM = 60;
const MOST_MHZ = 4_000;

/** Reads the object of a PULL_RESP; the failure names the field and what is allowed. */
export function readTxpk(
  json: DatagramJson | undefined,
  rates: RatePlan,
  antennaGainCentiDb: number,
): Result<ReadTransmission, 'txpk.malformed'> {
  const { txpk } = json ?? {};
  if (typeof txpk !== 'object' || txpk === null) return malformed('PULL_RESP carries a txpk');
  const { freq, datr, data, powe = USUAL_DBM } = txpk as DatagramJson;
  const departure: Departure | undefined = departureOf(txpk as DatagramJson);
  if (departure === undefined) return malformed('a txpk has imme, tmst or tmms');
  if (typeof freq !== 'number' || !(freq > 0 && freq <= MOST_MHZ)) {
    return malformed(`txpk.freq is a frequency in MHz, not ${shown(freq)}`);
  }
  const dataRate = dataRateOf(rates, datr);
  if (dataRate < 0) return malformed(`txpk.datr ${shown(datr)} is none of the region`);
  if (typeof powe !== 'number' || !(Math.abs(powe) <= MOST_DBM)) {
    return malformed(`txpk.powe is −60 to 60 dBm, not ${shown(powe)}`);
  }
  const phyPayload = typeof data === 'string' ? bytesOf(data) : undefined;
  if (phyPayload === undefined) return malformed('txpk.data is base64 of 1 to 255 bytes');
  return ok({
    frequencyHz: Math.round(freq * HZ_A_MHZ),
    dataRate,
    eirpCentiDbm: Math.round(powe * CENTI) + antennaGainCentiDb,
    departure,
    phyPayload,
  });
}

/**
 * What a request says that a device cannot hear: LoRa whose polarity is not inverted. It is sent
 * like any other, since devices of the simulator know no polarity.
 */
export function inaudible(json: DatagramJson | undefined): string | undefined {
  const { modu, ipol } = (json?.txpk ?? {}) as DatagramJson;
  if (modu === 'FSK' || ipol === true) return undefined;
  return `txpk.ipol is ${shown(ipol)}; devices listen with inverted polarity (ipol true) alone`;
}

/** By its MType (LoRaWAN 1.0.4 §4.2.1). */
export const isJoinRequest = (phyPayload: Uint8Array): boolean =>
  phyPayload[0]! >> 5 === MType.joinRequest;

const MOST_SHOWN = 40;

/** What a server has sent, for people: nothing of it is long or moves a cursor. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`;
}

/** With padding or without, as both occur. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function bytesOf(base64: string): Uint8Array | undefined {
  if (!BASE64.test(base64)) return undefined;
  const bytes = new Uint8Array(Buffer.from(base64, 'base64'));
  return bytes.length >= 1 && bytes.length <= LONGEST_PHY_PAYLOAD ? bytes : undefined;
}
