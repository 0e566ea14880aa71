/**
 * How long a receive window is, and when it opens: as LoRaMac-node and as LoRa Basics Modem compute
 * it.
 */

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
