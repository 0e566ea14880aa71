/**
 * The beacons of a region in the time of a world: when and where each goes out, and what they keep
 * free around them in a gateway's transmit queue (LoRaWAN 1.0.4 §13; docs/standard.md,
 * Transmit queue of a packet forwarder).
 *
 * Beacon number n is that of GPS time n · 128 s. All gateways with GPS time send it at one instant.
 */
import { assert } from '../base/assert.ts';
import { HOUR_US, MILLION } from '../base/units.ts';
import { timeOnAirUs } from '../lorawan/airtime.ts';
import {
  BEACON_DELAY_US,
  BEACON_GUARD_US,
  BEACON_PERIOD_S,
  BEACON_RESERVED_US,
  beaconFrequencyHz,
  encodeBeacon,
} from '../lorawan/class-b.ts';
import { loraDataRate, type Region } from '../lorawan/region.ts';
import { FREE_BEFORE_US, TX_MARGIN_DELAY_US } from './queue-times.ts';

const BEACON_PERIOD_US = BEACON_PERIOD_S * MILLION;

/** Preamble of a beacon, symbols (RP002-1.0.4 §2). */
export const BEACON_PREAMBLE_SYMBOLS = 10;

/** Most beacons that meet an hour. */
const BEACONS_AN_HOUR = Math.floor(HOUR_US / BEACON_PERIOD_US) + 2;

const METERS_PER_DEGREE = 111_320;

export class Beacons {
  readonly dataRate: number;
  readonly airtimeUs: number;
  readonly bytes: number;
  readonly #region: Region;
  readonly #spreadingFactor: number;
  readonly #gpsStartUs: number;

  /** `gpsStartUs`: GPS time of the world's start. */
  constructor(region: Region, gpsStartUs: number) {
    const { dataRate, bytes } = region.beacon;
    const rate = loraDataRate(region, dataRate);
    assert(rate !== undefined, 'beacons are LoRa frames');
    this.#region = region;
    this.#gpsStartUs = gpsStartUs;
    this.#spreadingFactor = rate.spreadingFactor;
    this.dataRate = dataRate;
    this.bytes = bytes;
    this.airtimeUs = timeOnAirUs({
      spreadingFactor: rate.spreadingFactor,
      bandwidthHz: rate.bandwidthHz,
      phyPayloadBytes: bytes,
      preambleSymbols: BEACON_PREAMBLE_SYMBOLS,
      crc: false,
      explicitHeader: false,
    });
  }

  /** Number of the first beacon that begins after a world instant. */
  after(atUs: number): number {
    const number = Math.floor((this.#gpsStartUs + atUs - BEACON_DELAY_US) / BEACON_PERIOD_US) + 1;
    assert(this.startUs(number) > atUs, 'the next beacon lies in the future');
    return number;
  }

  /** When a beacon begins, µs of the world. */
  startUs(number: number): number {
    return number * BEACON_PERIOD_US + BEACON_DELAY_US - this.#gpsStartUs;
  }

  /** First instant at which a beacon is over and can be looked at. */
  endUs(number: number): number {
    return this.startUs(number) + this.airtimeUs + 1;
  }

  frequencyHz(number: number): number {
    return beaconFrequencyHz(this.#region.beacon, number * BEACON_PERIOD_S);
  }

  /** GPS time of a world instant, µs. */
  gpsUs(atUs: number): number {
    return this.#gpsStartUs + atUs;
  }

  /** World instant of a GPS time, µs. */
  worldUs(gpsUs: number): number {
    return gpsUs - this.#gpsStartUs;
  }

  /**
   * As the packet forwarder sees it: whether a frame reaches into the guard of the beacon after it,
   * or begins in the reserved time of the one before.
   */
  areHitBy(startUs: number, airtimeUs: number): boolean {
    const nextUs = this.startUs(this.after(startUs));
    const untilUs = startUs + airtimeUs + TX_MARGIN_DELAY_US;
    if (untilUs > nextUs - FREE_BEFORE_US - BEACON_GUARD_US) return true;
    const freeAtUs = nextUs - BEACON_PERIOD_US + BEACON_RESERVED_US + TX_MARGIN_DELAY_US;
    return freeAtUs > startUs - FREE_BEFORE_US;
  }

  /** Air time that an hour's beacons take at most, µs. */
  get hourlyUs(): number {
    return BEACONS_AN_HOUR * this.airtimeUs;
  }

  /** Bytes of a gateway's beacon; the world's middle lies at 0° N 0° E. */
  payload(
    number: number,
    gateway: { readonly xMeters: number; readonly yMeters: number },
  ): Uint8Array {
    return encodeBeacon(this.#spreadingFactor, {
      timeS: number * BEACON_PERIOD_S,
      param: 0,
      infoDesc: 0,
      latitude24: angle24(gateway.yMeters, 90),
      longitude24: angle24(gateway.xMeters, 180),
    });
  }
}

/** Metres from the middle as a share of the full angle, 24 bits signed. */
function angle24(meters: number, fullDegrees: number): number {
  const most = 0x7f_ffff;
  const angle = Math.trunc((meters / METERS_PER_DEGREE / fullDegrees) * 0x80_0000);
  return Math.max(-most, Math.min(most, angle));
}
