/**
 * Decides whether a frame survives the others on the air (docs/standard.md, Interference).
 *
 * Problem: a frame survives if its energy exceeds that of its interferers, by thresholds for each
 * pair of spreading factors. Sums of doubles depend on their order in the last bits. Near a
 * threshold two runs could decide differently.
 *
 * Approach, rule `energy`: per interfering spreading factor s, E_s = Σ power · overlap. The frame
 * survives if power · duration ≥ threshold[wanted][s] · E_s for every s. Energies are summed in the
 * order in which the interferers began: first those on the frame's own frequency, then those on
 * overlapping channels from the lowest up. That order is total, so the sum has the same bits in
 * every run. Its relative error is below 2^-40 for any number of interferers that a channel can
 * hold. Within `EQUAL` of the threshold the two sides count as equal, and at equality the frame
 * survives.
 *
 * FSK and LoRa do not disturb each other (docs/decisions/0022). Two channels overlap if their edges
 * do. Of a wider signal only the share in the frame's own channel counts (docs/decisions/0019).
 *
 * Rejected: exact sums by wide integers or compensated summation. The band of equality makes them
 * unnecessary. As the default, also rejected: the strongest interferer alone. Two weak frames
 * together would then be harmless (docs/decisions/0005).
 */
import { centiDbToLinear } from '../base/math.ts';
import { FSK, FSK_SNR_CENTI_DB } from '../lorawan/airtime.ts';
import { Overlaps } from './overlaps.ts';
import type { InterferencePlan } from './radio-plan.ts';
import type { SignalLog } from './signal-log.ts';

const EQUAL = 1e-9;

export const LOWEST_SF = 5;
/** Spreading factors 5…12, then FSK. */
const KINDS = 9;
const FSK_KIND = 8;
/** The matrices begin at SF7; SF5 and SF6 use its row and column. */
const MATRIX_LOWEST_SF = 7;

/** LoRaSim: carriers within 30, 60 and 120 kHz at 125, 250 and 500 kHz collide. */
const LORASIM_CARRIER_SHARE = 0.24;
/** LoRaSim: the stronger of two frames must be this far above the other, 1/100 dB. */
const LORASIM_CAPTURE_CENTI_DB = 600;
/** FLoRa looks at one preamble symbol more than the five of the others. */
const FLORA_MORE_SYMBOLS = 1;

/** Those who listen in one direction: gateways or devices, by row. */
export interface Receivers {
  /**
   * Adds what a row hears of a log between two times, in the order in which it began, with its
   * power there; what is out of reach is not heard.
   */
  hear(log: SignalLog, fromUs: number, untilUs: number, row: number, heard: Overlaps): void;
}

/** A signal as a receiver gets it. */
export interface ReceivedSignal {
  readonly spreadingFactor: number;
  readonly frequencyHz: number;
  readonly bandwidthHz: number;
  /** µs; `lockUs`: from when on its lock can be broken. */
  readonly startUs: number;
  readonly lockUs: number;
  readonly endUs: number;
  readonly symbolUs: number;
  readonly powerMw: number;
}

export class Interference {
  /** Whether copies of a frame that arrive together add up as echoes do. */
  readonly addsCopies: boolean;
  readonly #model: InterferencePlan['model'];
  /** Whether one other frame alone decides, not the energy of all. */
  readonly #isPairwise: boolean;
  readonly #wholeFrame: boolean;
  /** Linear thresholds, `[wanted · KINDS + interferer]`, by SF − 5. */
  readonly #thresholds: Float64Array;
  /** Energy per interfering spreading factor, mW·µs: each decision begins by clearing it. */
  readonly #energy = new Float64Array(KINDS);
  /** What a receiver hears meanwhile: each decision begins by clearing it. */
  readonly #heard = new Overlaps();
  readonly #loRaSimCapture = centiDbToLinear(LORASIM_CAPTURE_CENTI_DB);

  constructor(plan: InterferencePlan) {
    this.#model = plan.model;
    this.#isPairwise = plan.model === 'loRaSim' || plan.model === 'flora';
    this.#wholeFrame = plan.window === 'wholeFrame';
    this.addsCopies = plan.model !== 'off' && plan.simultaneousCopies !== 'capture';
    this.#thresholds = new Float64Array(KINDS * KINDS);
    for (let wanted = 0; wanted < FSK_KIND; wanted++) {
      for (let other = 0; other < FSK_KIND; other++) {
        const centiDb = plan.sirCentiDb[matrixIndex(wanted)]![matrixIndex(other)]!;
        this.#thresholds[wanted * KINDS + other] = centiDbToLinear(centiDb);
      }
    }
    this.#thresholds[FSK_KIND * KINDS + FSK_KIND] = centiDbToLinear(FSK_SNR_CENTI_DB);
  }

  /** Whether anything can be lost to interference at all. */
  get active(): boolean {
    return this.#model !== 'off';
  }

  /** From when on interferers count against a frame, µs. */
  fromUs(startUs: number, lockUs: number): number {
    return this.#wholeFrame ? startUs : lockUs;
  }

  /** Whether signals on these two channels can disturb each other. */
  overlaps(aHz: number, aBandwidthHz: number, bHz: number, bBandwidthHz: number): boolean {
    const apartHz = Math.abs(aHz - bHz);
    if (apartHz === 0) return true;
    if (this.#model === 'flora') return false;
    if (this.#model === 'loRaSim') {
      return apartHz <= LORASIM_CARRIER_SHARE * Math.max(aBandwidthHz, bBandwidthHz);
    }
    return 2 * apartHz < aBandwidthHz + bBandwidthHz;
  }

  /** Whether one energy is at least so far above another. */
  exceeds(wantedEnergy: number, otherEnergy: number, centiDb: number): boolean {
    return otherEnergy * centiDbToLinear(centiDb) <= wantedEnergy * (1 + EQUAL);
  }

  /** Whether a signal survives these others, each in the order in which it began. */
  survivesAll(wanted: ReceivedSignal, others: readonly ReceivedSignal[]): boolean {
    const fromUs = this.fromUs(wanted.startUs, wanted.lockUs);
    const energy = this.#energy.fill(0);
    for (const other of others) {
      const { startUs, endUs, powerMw, frequencyHz, bandwidthHz, spreadingFactor } = other;
      if (powerMw === 0 || startUs >= wanted.endUs || endUs <= wanted.startUs) continue;
      if (!this.overlaps(wanted.frequencyHz, wanted.bandwidthHz, frequencyHz, bandwidthHz))
        continue;
      if (this.#isPairwise) {
        if (this.#collides(wanted, other)) return false;
        continue;
      }
      const overlapUs = Math.min(wanted.endUs, endUs) - Math.max(fromUs, startUs);
      if (overlapUs <= 0) continue;
      if (this.#model === 'aloha') {
        if (spreadingFactor === wanted.spreadingFactor) return false;
        continue;
      }
      energy[kindOf(spreadingFactor)] += powerMw * overlapUs * bandShare(wanted, other);
    }
    const wantedEnergy = wanted.powerMw * (wanted.endUs - fromUs);
    return this.#withstands(kindOf(wanted.spreadingFactor), wantedEnergy, energy);
  }

  /** Whether the signal at position `wanted` of a log survives at one of the receivers. */
  survives(log: SignalLog, wanted: number, receivers: Receivers, row: number): boolean {
    if (this.#isPairwise || this.#hasWideNeighbours(log)) {
      const [signal, others] = this.#meeting(log, wanted, receivers, row);
      return this.survivesAll(signal, others);
    }
    const { startUs, endUs, spreadingFactor, bandwidthHz } = log.column;
    const fromUs = this.fromUs(startUs[wanted], log.lockUs(wanted));
    const untilUs = endUs[wanted];
    const heard = this.#hear(log, fromUs, untilUs, receivers, row);
    const energy = this.#energy.fill(0);
    let wantedEnergy = 0;
    for (let at = 0; at < heard.count; at++) {
      const other = heard.positions[at];
      const power = heard.powersMw[at];
      if (other === wanted) {
        wantedEnergy = power * (untilUs - fromUs);
        continue;
      }
      if (this.#model === 'aloha') {
        if (spreadingFactor[other] === spreadingFactor[wanted]) return false;
        continue;
      }
      const overlapUs = Math.min(untilUs, endUs[other]) - Math.max(fromUs, startUs[other]);
      const share = Math.min(1, bandwidthHz[wanted] / bandwidthHz[other]);
      energy[kindOf(spreadingFactor[other])] += power * overlapUs * share;
    }
    return this.#withstands(kindOf(spreadingFactor[wanted]), wantedEnergy, energy);
  }

  /** Whether a channel overlaps one of another frequency. */
  #hasWideNeighbours({ near, frequencyHz, widestHz }: SignalLog): boolean {
    for (const other of near) {
      if (this.overlaps(frequencyHz, widestHz, other.frequencyHz, other.widestHz)) return true;
    }
    return false;
  }

  /** A signal, and what shares time and channel with it: on its own frequency, then around it. */
  #meeting(
    log: SignalLog,
    wanted: number,
    receivers: Receivers,
    row: number,
  ): [ReceivedSignal, ReceivedSignal[]] {
    const [fromUs, untilUs] = [log.column.startUs[wanted], log.column.endUs[wanted]];
    let signal = received(log, wanted, 0);
    const others: ReceivedSignal[] = [];
    for (const one of [log, ...log.near]) {
      const heard = this.#hear(one, fromUs, untilUs, receivers, row);
      for (let at = 0; at < heard.count; at++) {
        const position = heard.positions[at];
        const found = received(one, position, heard.powersMw[at]);
        if (one === log && position === wanted) signal = found;
        else others.push(found);
      }
    }
    return [signal, others];
  }

  #hear(log: SignalLog, fromUs: number, untilUs: number, receivers: Receivers, row: number) {
    this.#heard.clear();
    receivers.hear(log, fromUs, untilUs, row, this.#heard);
    return this.#heard;
  }

  /** Rules 2 and 3: whether one other frame alone destroys a frame. */
  #collides(wanted: ReceivedSignal, other: ReceivedSignal): boolean {
    if (this.#model === 'loRaSim') {
      if (wanted.spreadingFactor !== other.spreadingFactor) return false;
      const isLater = wanted.startUs >= other.startUs;
      const [first, second] = isLater ? [other, wanted] : [wanted, other];
      if (first.endUs <= second.lockUs) return false;
      return other.powerMw * this.#loRaSimCapture > wanted.powerMw * (1 + EQUAL);
    }
    if (other.endUs <= wanted.lockUs - FLORA_MORE_SYMBOLS * wanted.symbolUs) return false;
    const row = kindOf(wanted.spreadingFactor) * KINDS;
    const threshold = this.#thresholds[row + kindOf(other.spreadingFactor)];
    return other.powerMw * threshold > wanted.powerMw * (1 + EQUAL);
  }

  #withstands(wanted: number, wantedEnergy: number, energy: Float64Array): boolean {
    const most = wantedEnergy * (1 + EQUAL);
    for (let other = 0; other < KINDS; other++) {
      if (energy[other] * this.#thresholds[wanted * KINDS + other] > most) return false;
    }
    return true;
  }
}

function received(log: SignalLog, at: number, powerMw: number): ReceivedSignal {
  const { startUs, endUs, spreadingFactor, bandwidthHz, symbolUs } = log.column;
  return {
    spreadingFactor: spreadingFactor[at],
    frequencyHz: log.frequencyHz,
    bandwidthHz: bandwidthHz[at],
    startUs: startUs[at],
    lockUs: log.lockUs(at),
    endUs: endUs[at],
    symbolUs: symbolUs[at],
    powerMw,
  };
}

/** Share of a signal's power that falls into another's channel, 0…1. */
function bandShare(wanted: ReceivedSignal, other: ReceivedSignal): number {
  const [half, otherHalf] = [wanted.bandwidthHz / 2, other.bandwidthHz / 2];
  const highest = Math.min(wanted.frequencyHz + half, other.frequencyHz + otherHalf);
  const lowest = Math.max(wanted.frequencyHz - half, other.frequencyHz - otherHalf);
  return Math.max(0, highest - lowest) / other.bandwidthHz;
}

const kindOf = (spreadingFactor: number): number =>
  spreadingFactor === FSK ? FSK_KIND : spreadingFactor - LOWEST_SF;

const matrixIndex = (sfFromLowest: number): number =>
  Math.max(0, sfFromLowest + LOWEST_SF - MATRIX_LOWEST_SF);
