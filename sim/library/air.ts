/** Times of the air at the public face: time on air, symbols, ping slots. */
import { checkOptionNames } from '../base/options.ts';
import * as airtime from '../lorawan/airtime.ts';
import { MAX_U32, oneOf, whole, within } from '../lorawan/argument.ts';
import * as classB from '../lorawan/class-b.ts';

const CODING_RATES = [1, 2, 3, 4] as const;

/** Bandwidths of LoRa chips: 7.8125 kHz of SX127x to 1.625 MHz of SX128x. */
const LEAST_BANDWIDTH_HZ = 7_812.5;
const MOST_BANDWIDTH_HZ = 1_625_000;

/** Preamble of LoRaWAN's LoRa frames, symbols (RP002-1.0.4, preamble formats). */
const PREAMBLE_SYMBOLS = 8;

const LORA_FRAME = [
  'spreadingFactor',
  'bandwidthHz',
  'phyPayloadBytes',
  'codingRate',
  'preambleSymbols',
  'crc',
  'explicitHeader',
  'lowDataRateOptimize',
] as const;
const FSK_FRAME = ['bitRate', 'phyPayloadBytes', 'preambleBytes', 'syncBytes', 'crc'] as const;

/**
 * Whole µs that a LoRa frame is on air; a fraction (odd bandwidths only) is rounded up. The default
 * preamble is 8 symbols for every spreading factor. A number out of range is a RangeError.
 */
export function timeOnAirUs(frame: airtime.LoRaFrame): number {
  checkOptionNames('timeOnAirUs', frame, LORA_FRAME);
  const { preambleSymbols = PREAMBLE_SYMBOLS } = frame;
  checkModulation(frame.spreadingFactor, frame.bandwidthHz);
  whole('phyPayloadBytes', frame.phyPayloadBytes, 0, 255);
  whole('preambleSymbols', preambleSymbols, 1, 65_535);
  if (frame.codingRate !== undefined) oneOf('codingRate', frame.codingRate, CODING_RATES);
  for (const name of ['crc', 'explicitHeader', 'lowDataRateOptimize'] as const) {
    if (frame[name] !== undefined) oneOf(name, frame[name], [true, false]);
  }
  return airtime.timeOnAirUs({ ...frame, preambleSymbols });
}

function checkModulation(spreadingFactor: number, bandwidthHz: number): void {
  whole('spreadingFactor', spreadingFactor, 5, 12);
  within('bandwidthHz', bandwidthHz, LEAST_BANDWIDTH_HZ, MOST_BANDWIDTH_HZ);
}

/** Duration of one LoRa symbol, µs. */
export function symbolUs(spreadingFactor: number, bandwidthHz: number): number {
  checkModulation(spreadingFactor, bandwidthHz);
  return airtime.symbolUs(spreadingFactor, bandwidthHz);
}

/** Whole µs of a (G)FSK frame: preamble, sync word, one length byte, payload, CRC. */
export function fskTimeOnAirUs(frame: airtime.FskFrame): number {
  checkOptionNames('fskTimeOnAirUs', frame, FSK_FRAME);
  whole('bitRate', frame.bitRate, 600, 300_000);
  whole('phyPayloadBytes', frame.phyPayloadBytes, 0, 255);
  if (frame.preambleBytes !== undefined) whole('preambleBytes', frame.preambleBytes, 0, 65_535);
  if (frame.syncBytes !== undefined) whole('syncBytes', frame.syncBytes, 0, 8);
  return airtime.fskTimeOnAirUs(frame);
}

/**
 * Slot (of 30 ms, from the end of the beacon's reserved time) of a first ping, 0 …
 * 32·2^periodicity − 1. `beaconTimeS` is the GPS time of the beacon in seconds, modulo 2^32;
 * `devAddr` the device's or the multicast group's. Source: LoRaWAN 1.0.4 §11.
 */
export function pingOffset(ping: {
  readonly beaconTimeS: number;
  readonly devAddr: number;
  readonly periodicity: number;
}): number {
  whole('beaconTimeS', ping.beaconTimeS, 0, MAX_U32);
  checkPing(ping.devAddr, ping.periodicity);
  return classB.pingOffset(ping);
}

/** The first ping slot that starts after a GPS time in µs. */
export function nextPingSlot(
  afterUs: number,
  devAddr: number,
  periodicity: number,
): classB.PingSlot {
  whole('afterUs', afterUs, 0, Number.MAX_SAFE_INTEGER - classB.BEACON_PERIOD_S * 2_000_000);
  checkPing(devAddr, periodicity);
  return classB.nextPingSlot(afterUs, devAddr, periodicity);
}

function checkPing(devAddr: number, periodicity: number): void {
  whole('devAddr', devAddr, 0, MAX_U32);
  whole('periodicity', periodicity, 0, 7);
}
