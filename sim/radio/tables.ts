/**
 * Radio figures that others published, by name: sensitivities, SIR matrices, path losses
 * (docs/standard.md, Reception in noise, Interference and Path loss).
 */

import { log10 } from '../base/math.ts';
import { SNR_FLOORS_DB } from './packet-error.ts';
import type { PathLossPlan } from './propagation.ts';

/**
 * Weakest level received, 1/100 dBm: SF5…SF12 at 125 kHz, and where the source has them the same
 * at 250 and at 500 kHz; else each doubling costs 3.01 dB. Where a source has no SF5 and SF6
 * its series is continued by its own step.
 */
export const SENSITIVITIES = {
  /** ns-3 lorawan, GatewayLoraPhy. */
  ns3Gateway: [-12500, -12750, -13000, -13250, -13500, -13750, -14000, -14250],
  /** ns-3 lorawan, EndDeviceLoraPhy. */
  ns3EndDevice: [-11800, -12100, -12400, -12700, -13000, -13300, -13500, -13700],
  /** Semtech SX1272 data sheet, as in FLoRa. */
  sx1272: [
    [-11800, -12100, -12400, -12700, -13000, -13300, -13500, -13700],
    [-11500, -11800, -12200, -12500, -12800, -13000, -13200, -13500],
    [-10800, -11100, -11600, -11900, -12200, -12500, -12800, -12900],
  ].flat(),
  /** Measured by the authors of LoRaSim. */
  loRaSim: [
    [-12250, -12450, -12650, -12725, -13125, -13275, -13450, -13325],
    [-11925, -12175, -12425, -12675, -12825, -13025, -13275, -13225],
    [-11425, -11750, -12075, -12400, -12750, -12875, -12875, -13225],
  ].flat(),
} as const satisfies Readonly<Record<string, readonly number[]>>;

const LOWEST_SF = 5;
const SPREADING_FACTORS = 8;
const CENTI_DB_PER_DOUBLING = 301;

/** What a table of 8 or 24 levels says of a spreading factor and bandwidth, 1/100 dBm. */
export function sensitivityCentiDbm(
  table: readonly number[],
  spreadingFactor: number,
  bandwidthHz: number,
): number {
  const doublings = bandwidthHz === 125_000 ? 0 : bandwidthHz === 250_000 ? 1 : 2;
  const row = spreadingFactor - LOWEST_SF;
  const own = table[doublings * SPREADING_FACTORS + row];
  return own ?? table[row]! + doublings * CENTI_DB_PER_DOUBLING;
}

/** Thermal noise in 125 kHz, dBm: −174 + 10·log10(125 000). */
const NOISE_125_KHZ_DBM = -174 + 10 * log10(125_000);

/** Noise floor plus SNR floor at 125 kHz, SF5…SF12, 1/100 dBm. */
export function formulaSensitivity(noiseFigureDb: number): number[] {
  return SNR_FLOORS_DB.map((floor) =>
    Math.round(100 * (NOISE_125_KHZ_DBM + noiseFigureDb + floor)),
  );
}

/** Weakest SIR that survives, 1/100 dB, `[wanted SF7…12][interferer SF7…12]`. */
export const SIR_MATRICES = {
  /** Goursaud and Gorce 2015, as used by ns-3 lorawan. */
  goursaud: centi([
    [6, -16, -18, -19, -19, -20],
    [-24, 6, -20, -22, -22, -22],
    [-27, -27, 6, -23, -25, -25],
    [-30, -30, -30, 6, -26, -28],
    [-33, -33, -33, -33, 6, -29],
    [-36, -36, -36, -36, -36, 6],
  ]),
  /** Croce et al. 2018, measured, as used by FLoRa. */
  croce: centi([
    [1, -8, -9, -9, -9, -9],
    [-11, 1, -11, -12, -13, -13],
    [-15, -13, 1, -13, -14, -15],
    [-19, -18, -17, 1, -17, -18],
    [-22, -22, -21, -20, 1, -20],
    [-25, -25, -25, -24, -23, 1],
  ]),
} as const;

function centi(rowsDb: readonly (readonly number[])[]): readonly (readonly number[])[] {
  return rowsDb.map((row) => row.map((db) => db * 100));
}

/**
 * Path losses by name. Sources: ns-3 lorawan, LoRaSim (FLoRa's default too), FLoRa (Oulu
 * measurements), FLoRa (Hata); free space and the Okumura–Hata formulas at 868.1 MHz between a
 * gateway 30 m and a device 1.5 m above the ground.
 */
export const PATH_LOSSES = {
  ns3LogDistance: logDistance(3.76, 7.7, 1),
  loRaSim: logDistance(2.08, 127.41, 40),
  oulu: logDistance(2.32, 128.95, 1000),
  floraHata: logDistance(3.52, 127.5, 1000),
  freeSpace: { model: 'freeSpace', frequencyHz: 868_100_000 },
  hataUrbanSmall: okumuraHata('smallCity'),
  hataUrbanLarge: okumuraHata('largeCity'),
  hataSuburban: okumuraHata('suburban'),
  hataOpen: okumuraHata('open'),
} as const satisfies Record<string, PathLossPlan>;

function logDistance(exponent: number, referenceLossDb: number, referenceMeters: number) {
  return { model: 'logDistance', exponent, referenceLossDb, referenceMeters } as const;
}

function okumuraHata(environment: Extract<PathLossPlan, { model: 'okumuraHata' }>['environment']) {
  const heights = { gatewayHeightMeters: 30, deviceHeightMeters: 1.5 } as const;
  return { model: 'okumuraHata', environment, frequencyHz: 868_100_000, ...heights } as const;
}
