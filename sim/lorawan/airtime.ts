/**
 * Time on air of LoRa and FSK frames (Semtech SX1276 datasheet §4.1.1.7, SX1261/2 datasheet §6.1.4
 * and §6.2.2).
 */
import { assert } from '../base/assert.ts';

export interface LoRaFrame {
  /** 5…12. */
  readonly spreadingFactor: number;
  /** 125 000, 250 000 or 500 000; 7 812.5 Hz steps are not LoRaWAN's. */
  readonly bandwidthHz: number;
  /** Whole PHYPayload, MIC included, 0…255. */
  readonly phyPayloadBytes: number;
  /** 1…4 for 4/5…4/8; default 1. */
  readonly codingRate?: 1 | 2 | 3 | 4;
  /** Default 8, and 12 for SF5 and SF6. */
  readonly preambleSymbols?: number;
  /** Payload CRC: true in uplinks (the default), false in downlinks and beacons. */
  readonly crc?: boolean;
  /** False in beacons only; default true. */
  readonly explicitHeader?: boolean;
  /** Default: on when a symbol lasts 16.384 ms or longer. */
  readonly lowDataRateOptimize?: boolean;
}

/**
 * Whole µs on air; a fraction (odd bandwidths only) is rounded up. Numbers out of range are an
 * assertion.
 */
export function timeOnAirUs(frame: LoRaFrame): number {
  const { spreadingFactor, bandwidthHz, phyPayloadBytes } = frame;
  assert(spreadingFactor >= 5 && spreadingFactor <= 12, 'a spreading factor lies in 5…12');
  assert(phyPayloadBytes >= 0 && phyPayloadBytes <= 255, 'a LoRa frame has 0…255 bytes');
  return airtimeOf(
    spreadingFactor,
    bandwidthHz,
    phyPayloadBytes,
    frame.codingRate ?? 1,
    frame.preambleSymbols ?? preambleSymbols(spreadingFactor),
    frame.crc ?? true,
    frame.explicitHeader ?? true,
    frame.lowDataRateOptimize ?? lowDataRate(spreadingFactor, bandwidthHz),
  );
}

/**
 * The same for a LoRaWAN data frame (coding rate 4/5, explicit header, usual preamble) and without
 * an object: for the hot loop. `crc` is true for uplinks, false for downlinks.
 */
export function loraAirtimeUs(
  spreadingFactor: number,
  bandwidthHz: number,
  phyBytes: number,
  crc: boolean,
): number {
  const preamble = spreadingFactor < 7 ? 12 : 8;
  const slow = lowDataRate(spreadingFactor, bandwidthHz);
  return airtimeOf(spreadingFactor, bandwidthHz, phyBytes, 1, preamble, crc, true, slow);
}

function airtimeOf(
  spreadingFactor: number,
  bandwidthHz: number,
  phyBytes: number,
  codingRate: number,
  preamble: number,
  crc: boolean,
  explicitHeader: boolean,
  slow: boolean,
): number {
  const blocks = payloadBlocks(spreadingFactor, phyBytes, crc, explicitHeader, slow);
  const payloadSymbols = HEADER_SYMBOLS + blocks * (codingRate + 4);
  const quarterSymbols = 4 * (preamble + payloadSymbols) + (spreadingFactor < 7 ? 25 : 17);
  return Math.ceil((quarterSymbols * (1 << spreadingFactor) * 250_000) / bandwidthHz);
}

/** Symbols at coding rate 4/8 that every frame begins with after its preamble. */
const HEADER_SYMBOLS = 8;

/** Blocks of coding rate + 4 symbols behind the header block. */
function payloadBlocks(
  spreadingFactor: number,
  phyBytes: number,
  crc: boolean,
  explicitHeader: boolean,
  slow: boolean,
): number {
  const bits =
    8 * phyBytes -
    4 * spreadingFactor +
    (spreadingFactor < 7 ? 20 : 28) +
    (crc ? 16 : 0) -
    (explicitHeader ? 0 : 20);
  const bitsPerBlock = 4 * (spreadingFactor - (slow ? 2 : 0));
  return bits > 0 ? Math.ceil(bits / bitsPerBlock) : 0;
}

/** Symbols behind the header block: those whose errors lose a frame. */
export function payloadSymbols(frame: LoRaFrame): number {
  const { spreadingFactor, bandwidthHz, phyPayloadBytes, codingRate = 1 } = frame;
  const { crc = true, explicitHeader = true } = frame;
  const slow = frame.lowDataRateOptimize ?? lowDataRate(spreadingFactor, bandwidthHz);
  const blocks = payloadBlocks(spreadingFactor, phyPayloadBytes, crc, explicitHeader, slow);
  return blocks * (codingRate + 4);
}

/** The same of a frame on air, from its length and its preamble. */
export function payloadSymbolsOnAir(
  spreadingFactor: number,
  symbolUs: number,
  preamble: number,
  airtimeUs: number,
): number {
  const syncSymbols = spreadingFactor < 7 ? 6.25 : 4.25;
  return Math.round(airtimeUs / symbolUs - preamble - syncSymbols - HEADER_SYMBOLS);
}

/** In place of a spreading factor: FSK of 50 kbit/s, whose bytes are its symbols. */
export const FSK = 0;
/** What ±25 kHz of deviation at 50 kbit/s occupy, by Carson's rule. */
export const FSK_BANDWIDTH_HZ = 100_000;
/** `FSK` needs this much above noise, or above another such frame (docs/decisions/0022). */
export const FSK_SNR_CENTI_DB = 1_000;
const FSK_BIT_RATE = 50_000;
const FSK_SYMBOL_US = 160;
const FSK_PREAMBLE_BYTES = 5;

/** Whole µs of a LoRaWAN data frame of either modulation; `FSK` has its CRC in both directions. */
export function frameAirtimeUs(
  spreadingFactor: number,
  bandwidthHz: number,
  phyBytes: number,
  crc: boolean,
): number {
  if (spreadingFactor !== FSK) return loraAirtimeUs(spreadingFactor, bandwidthHz, phyBytes, crc);
  return fskTimeOnAirUs({ bitRate: FSK_BIT_RATE, phyPayloadBytes: phyBytes });
}

/**
 * Duration of one symbol, µs (a whole number for 125, 250 and 500 kHz; SF5 at 500 kHz is 64), or of
 * one byte of `FSK`.
 */
export function symbolUs(spreadingFactor: number, bandwidthHz: number): number {
  if (spreadingFactor === FSK) return FSK_SYMBOL_US;
  return ((1 << spreadingFactor) * 1_000_000) / bandwidthHz;
}

/** Usual preamble: 8 symbols, 12 for SF5 and SF6, 5 bytes for `FSK`. */
export function preambleSymbols(spreadingFactor: number): number {
  if (spreadingFactor === FSK) return FSK_PREAMBLE_BYTES;
  return spreadingFactor < 7 ? 12 : 8;
}

/** Low data rate optimization is on when a symbol lasts at least 16.384 ms. */
export function lowDataRate(spreadingFactor: number, bandwidthHz: number): boolean {
  return (1 << spreadingFactor) * 1_000_000 >= bandwidthHz * 16_384;
}

export interface FskFrame {
  /** 50 000 in LoRaWAN. */
  readonly bitRate: number;
  readonly phyPayloadBytes: number;
  /** Default 5. */
  readonly preambleBytes?: number;
  /** Default 3. */
  readonly syncBytes?: number;
  /** Two bytes of CRC; default true. */
  readonly crc?: boolean;
}

/** Whole µs of a (G)FSK frame: preamble, sync word, one length byte, payload, CRC. */
export function fskTimeOnAirUs(frame: FskFrame): number {
  const overhead = (frame.preambleBytes ?? 5) + (frame.syncBytes ?? 3) + 1;
  const bytes = overhead + frame.phyPayloadBytes + ((frame.crc ?? true) ? 2 : 0);
  return Math.ceil((bytes * 8 * 1_000_000) / frame.bitRate);
}
