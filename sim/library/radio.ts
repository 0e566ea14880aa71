/** The radio at the public face: path loss, sensitivity, SIR, packet errors. */
import { checkOptionNames } from '../base/options.ts';
import { payloadSymbols } from '../lorawan/airtime.ts';
import { oneOf, whole, within } from '../lorawan/argument.ts';
import * as packetError from '../radio/packet-error.ts';
import type { PathLossPlan } from '../radio/propagation.ts';
import * as propagation from '../radio/propagation.ts';
import * as tables from '../radio/tables.ts';

const MOST_DB = 1_000;
const CODING_RATES = [1, 2, 3, 4] as const;
const BANDWIDTHS_HZ = [125_000, 250_000, 500_000] as const;

/** Path loss models by name. */
export const PATH_LOSS_NAMES = Object.keys(tables.PATH_LOSSES) as PathLossName[];
export type PathLossName = keyof typeof tables.PATH_LOSSES;

/** Sensitivity tables by name; `formula` is noise floor plus SNR floor. */
export type SensitivityName = keyof typeof tables.SENSITIVITIES | 'formula';
const SENSITIVITY_NAMES = ['formula', ...Object.keys(tables.SENSITIVITIES)] as SensitivityName[];

export type SirMatrixName = keyof typeof tables.SIR_MATRICES;
const SIR_MATRIX_NAMES = Object.keys(tables.SIR_MATRICES) as SirMatrixName[];

const ENVIRONMENTS = ['smallCity', 'largeCity', 'suburban', 'open'] as const;

/** Okumura and Hata's formulas: frequency in Hz, heights of the antennas in metres. */
export interface OkumuraHata {
  readonly environment: (typeof ENVIRONMENTS)[number];
  /** 400 MHz to 1.5 GHz. */
  readonly frequencyHz: number;
  readonly gatewayHeightMeters: number;
  readonly deviceHeightMeters: number;
}

const OKUMURA_HATA = [
  'environment',
  'frequencyHz',
  'gatewayHeightMeters',
  'deviceHeightMeters',
] as const;

/**
 * Median loss over a distance in metres, dB (docs/standard.md, Path loss). Names are those of ns-3
 * lorawan, LoRaSim, FLoRa (Oulu, Hata), free space and Okumura–Hata, the latter at 868.1 MHz from
 * 30 m to 1.5 m; other frequencies and heights are given by an object. Less than a metre counts as
 * one. What is no model or no distance is a RangeError.
 */
export function pathLossDb(model: PathLossName | OkumuraHata, meters: number): number {
  within('meters', meters, 0, 1e9);
  return propagation.pathLossDb(planOf(model), meters);
}

function planOf(model: PathLossName | OkumuraHata): PathLossPlan {
  if (typeof model !== 'object' || model === null) {
    return tables.PATH_LOSSES[oneOf('model', model, PATH_LOSS_NAMES)];
  }
  checkOptionNames('pathLossDb', model, OKUMURA_HATA);
  const { environment, frequencyHz, gatewayHeightMeters, deviceHeightMeters } = model;
  oneOf('environment', environment, ENVIRONMENTS);
  within('frequencyHz', frequencyHz, 400e6, 1.5e9);
  within('gatewayHeightMeters', gatewayHeightMeters, 1, 1_000);
  within('deviceHeightMeters', deviceHeightMeters, 0.1, 10);
  const heights = { gatewayHeightMeters, deviceHeightMeters };
  return { model: 'okumuraHata', environment, frequencyHz, ...heights };
}

/** Lowest SNR of a spreading factor 5…12, dB, whatever the bandwidth (Semtech's ADR tables). */
export function snrFloorDb(spreadingFactor: number): number {
  whole('spreadingFactor', spreadingFactor, 5, 12);
  return packetError.SNR_FLOORS_DB[spreadingFactor - 5]!;
}

const LISTENING = ['spreadingFactor', 'bandwidthHz', 'table', 'noiseFigureDb'] as const;

/** Which receiver, and what it listens to. */
export interface Listening {
  readonly spreadingFactor: number;
  /** 125 000 (the default), 250 000 or 500 000. */
  readonly bandwidthHz?: number;
  /** Default `formula`. */
  readonly table?: SensitivityName;
  /** For the formula, dB; default 6. */
  readonly noiseFigureDb?: number;
}

/** Weakest level that is received, dBm, by a formula or a published table (§1.2). */
export function sensitivityDbm(listening: Listening): number {
  checkOptionNames('sensitivityDbm', listening, LISTENING);
  const { spreadingFactor, bandwidthHz = 125_000, table = 'formula' } = listening;
  const { noiseFigureDb = 6 } = listening;
  whole('spreadingFactor', spreadingFactor, 5, 12);
  oneOf('bandwidthHz', bandwidthHz, BANDWIDTHS_HZ);
  oneOf('table', table, SENSITIVITY_NAMES);
  within('noiseFigureDb', noiseFigureDb, 0, 30);
  const levels =
    table === 'formula' ? tables.formulaSensitivity(noiseFigureDb) : tables.SENSITIVITIES[table];
  return tables.sensitivityCentiDbm(levels, spreadingFactor, bandwidthHz) / 100;
}

/**
 * Weakest ratio of a frame's energy to that of interferers of one spreading factor that it
 * survives, dB (§1.3); spreading factors 7…12.
 */
export function sirThresholdDb(
  matrix: SirMatrixName,
  wantedSpreadingFactor: number,
  interferingSpreadingFactor: number,
): number {
  oneOf('matrix', matrix, SIR_MATRIX_NAMES);
  whole('wantedSpreadingFactor', wantedSpreadingFactor, 7, 12);
  whole('interferingSpreadingFactor', interferingSpreadingFactor, 7, 12);
  const row = tables.SIR_MATRICES[matrix][wantedSpreadingFactor - 7]!;
  return row[interferingSpreadingFactor - 7]! / 100;
}

/** A frame in white noise. */
export interface NoisyFrame {
  readonly spreadingFactor: number;
  /** Signal to noise in the channel, dB. */
  readonly snrDb: number;
  /** Whole PHYPayload, MIC included, 0…255. */
  readonly phyPayloadBytes: number;
  /** Payload CRC: true in uplinks (the default), false in downlinks. */
  readonly crc?: boolean;
  /** 1…4 for 4/5…4/8; default 1. */
  readonly codingRate?: 1 | 2 | 3 | 4;
  /** Of 125 000 (the default), 250 000 and 500 000 Hz; it decides on low data rate optimization. */
  readonly bandwidthHz?: number;
  /** What the receiver loses against the theory, dB; default 0. */
  readonly implementationLossDb?: number;
}

const NOISY_FRAME = [
  'spreadingFactor',
  'snrDb',
  'phyPayloadBytes',
  'crc',
  'codingRate',
  'bandwidthHz',
  'implementationLossDb',
] as const;

/**
 * Probability that a frame is lost to noise, 0…1: ideal non-coherent detection; coding rates 4/5
 * and 4/6 correct nothing and the others one symbol a block (§1.2).
 */
export function packetErrorRate(frame: NoisyFrame): number {
  checkOptionNames('packetErrorRate', frame, NOISY_FRAME);
  const { spreadingFactor, snrDb, phyPayloadBytes, crc = true, codingRate = 1 } = frame;
  const { bandwidthHz = 125_000, implementationLossDb = 0 } = frame;
  whole('spreadingFactor', spreadingFactor, 5, 12);
  within('snrDb', snrDb, -MOST_DB, MOST_DB);
  whole('phyPayloadBytes', phyPayloadBytes, 0, 255);
  oneOf('crc', crc, [true, false]);
  oneOf('codingRate', codingRate, CODING_RATES);
  oneOf('bandwidthHz', bandwidthHz, BANDWIDTHS_HZ);
  within('implementationLossDb', implementationLossDb, 0, MOST_DB);
  const form = { spreadingFactor, bandwidthHz, phyPayloadBytes, crc, codingRate };
  const symbols = payloadSymbols(form);
  const snr = snrDb - implementationLossDb;
  return packetError.packetErrorRate(spreadingFactor, snr, symbols, codingRate);
}
