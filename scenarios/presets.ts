/** Radio figures that others published, under the names a scenario uses for them. */
import { log10 } from '../sim/base/math.ts';
import type { PathLossPlan } from '../sim/network-plan.ts';

/**
 * Log-distance models by name. Sources: ns-3 lorawan, LoRaSim, FLoRa (Oulu measurements), FLoRa
 * (Hata).
 */
export const PATH_LOSSES = {
  ns3LogDistance: logDistance(3.76, 7.7, 1),
  loRaSim: logDistance(2.08, 127.41, 40),
  oulu: logDistance(2.32, 128.95, 1000),
  floraHata: logDistance(3.52, 127.5, 1000),
} as const satisfies Record<string, PathLossPlan>;

function logDistance(exponent: number, referenceLossDb: number, referenceMeters: number) {
  return { model: 'logDistance', exponent, referenceLossDb, referenceMeters } as const;
}

/**
 * Sensitivity at 125 kHz by spreading factor SF5…SF12, 1/100 dBm. Where a source does not tell
 * SF5 and SF6 its series is continued by its own step; no data rate of EU868 uses them.
 */
export const SENSITIVITIES = {
  /** ns-3 lorawan, GatewayLoraPhy. */
  ns3Gateway: [-12500, -12750, -13000, -13250, -13500, -13750, -14000, -14250],
  /** ns-3 lorawan, EndDeviceLoraPhy. */
  ns3EndDevice: [-11800, -12100, -12400, -12700, -13000, -13300, -13500, -13700],
  /** Semtech SX1272 data sheet, as in FLoRa. */
  sx1272: [-11800, -12100, -12400, -12700, -13000, -13300, -13500, -13700],
  /** Measured by the authors of LoRaSim. */
  loRaSim: [-12250, -12450, -12650, -12725, -13125, -13275, -13450, -13325],
} as const;

/**
 * Lowest SNR by spreading factor SF5…SF12, dB. Source: Semtech's ADR tables, as brocaar and TTS
 * use them.
 */
const SNR_FLOORS_DB = [-2.5, -5, -7.5, -10, -12.5, -15, -17.5, -20];

/** Thermal noise in 125 kHz, dBm: −174 + 10·log10(125 000). */
const NOISE_125_KHZ_DBM = -174 + 10 * log10(125_000);

/** Noise floor plus SNR floor, SF5…SF12, 1/100 dBm. */
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
