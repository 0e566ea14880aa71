/**
 * How long a receive window is, and when it opens: as LoRaMac-node, LoRa Basics Modem, LMIC and
 * RadioLib compute it.
 */
import { FSK, FSK_BANDWIDTH_HZ, timeOnAirUs } from './airtime.ts';

export interface ReceiveWindow {
  /** Symbols without a preamble after which it closes. */
  readonly symbols: number;
  /**
   * From the nominal time (end of the uplink plus delay) to the command that wakes the radio, ms;
   * negative is before. It listens when it has woken.
   */
  readonly offsetMs: number;
}

/**
 * LoRaMac-node (RegionCommonComputeRxWindowParameters): `rxErrorMs` is the timing error to allow
 * for, either way, default 10; `wakeUpMs` the time that the radio needs.
 */
export function loraMacNodeWindow(window: {
  readonly symbolUs: number;
  readonly minRxSymbols: number;
  readonly rxErrorMs: number;
  readonly wakeUpMs: number;
}): ReceiveWindow {
  const { symbolUs, minRxSymbols } = window;
  const span = (2 * minRxSymbols - 8) * symbolUs + 2 * window.rxErrorMs * 1000;
  const symbols = Math.max(Math.ceil(span / symbolUs), minRxSymbols);
  const offsetUs = 4 * symbolUs - (symbols * symbolUs) / 2 - window.wakeUpMs * 1000;
  return { symbols, offsetMs: Math.ceil(offsetUs / 1000) + 0 };
}

/** Largest mantissa of the symbol timeout, five bits. */
const MOST_MANTISSA = 31;
/** Most symbols that it holds. */
const MOST_TIMEOUT_SYMBOLS = 248;

/**
 * The number of symbols that a STM32WL waits for when it is asked for `symbols`: the chip keeps
 * mantissa · 2^(2·exponent + 1), and its driver cuts off what that does not hold: odd numbers, and
 * above 63 all but multiples of 8 (docs/standard.md, Receive windows).
 */
export function stm32wlSymbols(symbols: number): number {
  let mantissa = Math.min(symbols, MOST_TIMEOUT_SYMBOLS) >> 1;
  let exponent = 0;
  while (mantissa > MOST_MANTISSA) {
    mantissa >>= 2;
    exponent++;
  }
  return mantissa << (2 * exponent + 1);
}

const BASICS_MODEM_MIN_SYMBOLS = 6;
const BASICS_MODEM_MAX_SYMBOLS = 248;
const BASICS_MODEM_MIN_WINDOW_MS = 16;

/**
 * LoRa Basics Modem: `crystalPpm` is the clock's error, over the delay from the end of the uplink.
 */
export function basicsModemWindow(window: {
  readonly symbolUs: number;
  readonly rxDelayMs: number;
  readonly crystalPpm: number;
  readonly boardDelayMs: number;
}): ReceiveWindow & { readonly windowMs: number } {
  const { symbolUs } = window;
  const driftUs = (window.rxDelayMs * 2 * window.crystalPpm) / 1000;
  const wantedMs = Math.floor((driftUs + BASICS_MODEM_MIN_SYMBOLS * symbolUs) / 1000);
  const whole = Math.floor((Math.max(wantedMs, BASICS_MODEM_MIN_WINDOW_MS) * 1000) / symbolUs);
  const clamped = Math.min(Math.max(whole, BASICS_MODEM_MIN_SYMBOLS), BASICS_MODEM_MAX_SYMBOLS);
  const symbols = clamped + (clamped & 1);
  const beforeUs = symbolUs * (1 - (symbols - BASICS_MODEM_MIN_SYMBOLS) / 2);
  const windowMs = Math.floor((symbols * symbolUs) / 1000);
  return { symbols, windowMs, offsetMs: Math.trunc(beforeUs / 1000) - window.boardDelayMs };
}

/** From the nominal time to the opening, µs; negative is before. */
export interface OpenWindow {
  readonly offsetUs: number;
  readonly lengthUs: number;
}

const LMIC_SYMBOLS = 6;
const LMIC_MOST_SYMBOLS = 1023;
/** For the hardware's start, and rounding. */
const LMIC_MARGIN_US = 2000;
/** Of a clock's error, unless the library is compiled otherwise. */
const LMIC_MOST_PPM = 4000;
/** FSK: 4 080 bits, and a byte before the preamble. */
const LMIC_FSK = { offsetUs: -160, lengthUs: 81_600 };

/**
 * MCCI's LMIC (LMICcore_adjustForDrift): early by a margin and the error that LMIC_setClockError
 * allows for, and as many more symbols as both are.
 */
export function lmicWindow(window: {
  readonly spreadingFactor: number;
  readonly symbolUs: number;
  readonly rxDelayUs: number;
  readonly clockPpm: number;
}): OpenWindow {
  if (window.spreadingFactor === FSK) return LMIC_FSK;
  const { symbolUs, rxDelayUs, clockPpm } = window;
  const driftUs = Math.floor((rxDelayUs * Math.min(clockPpm, LMIC_MOST_PPM)) / 1e6);
  const more = Math.ceil((2 * driftUs + LMIC_MARGIN_US) / symbolUs);
  const symbols = Math.min(LMIC_SYMBOLS + more, LMIC_MOST_SYMBOLS);
  return { offsetUs: -(LMIC_MARGIN_US + driftUs), lengthUs: symbols * symbolUs };
}

/** FSK of an empty frame: preamble, sync word, length and checksum, bytes. */
const EMPTY_FSK_BYTES = 11;
const BYTE_BITS = 8;

/**
 * RadioLib (LoRaWANNode::receiveClassA): half a guard early, and open for an empty frame and a
 * whole guard.
 */
export function radioLibWindow(window: {
  readonly spreadingFactor: number;
  readonly bandwidthHz: number;
  readonly guardMs: number;
}): OpenWindow {
  const { spreadingFactor, bandwidthHz, guardMs } = window;
  const guardUs = guardMs * 1000;
  const emptyUs =
    spreadingFactor === FSK
      ? (EMPTY_FSK_BYTES * BYTE_BITS * 1e6) / FSK_BANDWIDTH_HZ
      : timeOnAirUs({ spreadingFactor, bandwidthHz, phyPayloadBytes: 0, crc: true });
  return { offsetUs: -Math.floor(guardUs / 2), lengthUs: Math.round(emptyUs) + guardUs };
}
