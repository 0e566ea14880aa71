/**
 * Whether a frame survives the others on its channel (protocol reference §1.3).
 *
 * Rule `energy`: per interfering spreading factor s, E_s = Σ power · overlap; the frame survives
 * when power · duration ≥ threshold[wanted][s] · E_s for every s. Energies are summed in the order
 * in which the interferers began, which is total, so the sum has the same bits in every run. Its
 * relative error is below 2^-40 for any number of interferers that a channel can hold; within
 * `EQUAL` of the threshold the two sides count as equal, and at equality the frame survives.
 */
import { centiDbToLinear } from '../base/math.ts';
import type { InterferencePlan } from '../network-plan.ts';
import type { SignalLog } from './signal-log.ts';

const EQUAL = 1e-9;

export const LOWEST_SF = 5;
/** Spreading factors 5…12. */
export const SF_COUNT = 8;
/** The matrices begin at SF7; SF5 and SF6 use its row and column. */
const MATRIX_LOWEST_SF = 7;

/** One place that listens: a gateway or a device. */
export interface Receiver {
  /** Power it gets from the signal at a position of a log, mW; 0 when out of reach. */
  hearsMw(log: SignalLog, position: number): number;
}

export class Interference {
  readonly #model: InterferencePlan['model'];
  readonly #wholeFrame: boolean;
  /** Linear thresholds, `[wanted · SF_COUNT + interferer]`, by SF − 5. */
  readonly #thresholds: Float64Array;
  /** Energy per interfering spreading factor, mW·µs: scratch of one decision. */
  readonly #energy = new Float64Array(SF_COUNT);

  constructor(plan: InterferencePlan) {
    this.#model = plan.model;
    this.#wholeFrame = plan.window === 'wholeFrame';
    this.#thresholds = new Float64Array(SF_COUNT * SF_COUNT);
    for (let wanted = 0; wanted < SF_COUNT; wanted++) {
      for (let other = 0; other < SF_COUNT; other++) {
        const centiDb = plan.sirCentiDb[matrixIndex(wanted)]![matrixIndex(other)]!;
        this.#thresholds[wanted * SF_COUNT + other] = centiDbToLinear(centiDb);
      }
    }
  }

  /** Whether anything can be lost to interference at all. */
  get active(): boolean {
    return this.#model !== 'off';
  }

  /** From when on interferers count against a frame, µs. */
  fromUs(startUs: number, lockUs: number): number {
    return this.#wholeFrame ? startUs : lockUs;
  }

  /** Begins a sum of energies by hand; `add` adds to it and `allows` decides. */
  clear(): void {
    this.#energy.fill(0);
  }

  /** Adds an interferer's energy, mW·µs. */
  add(spreadingFactor: number, energy: number): void {
    this.#energy[spreadingFactor - LOWEST_SF] += energy;
  }

  /** Whether a frame of this energy survives what was added. */
  allows(spreadingFactor: number, wantedEnergy: number): boolean {
    if (this.#model === 'aloha') return this.#energy[spreadingFactor - LOWEST_SF] === 0;
    return this.#withstands(spreadingFactor - LOWEST_SF, wantedEnergy);
  }

  /** Whether one energy is at least so far above another. */
  exceeds(wantedEnergy: number, otherEnergy: number, centiDb: number): boolean {
    return otherEnergy * centiDbToLinear(centiDb) <= wantedEnergy * (1 + EQUAL);
  }

  /** Whether the signal at position `wanted` of a log survives at a receiver. */
  survives(log: SignalLog, wanted: number, receiver: Receiver): boolean {
    const { startUs, endUs, spreadingFactor } = log.column;
    const fromUs = this.fromUs(startUs[wanted], log.lockUs(wanted));
    const untilUs = endUs[wanted];
    const energy = this.#energy.fill(0);
    for (let other = log.firstAfter(fromUs); other < log.end; other++) {
      if (other === wanted || startUs[other] >= untilUs || endUs[other] <= fromUs) continue;
      const power = receiver.hearsMw(log, other);
      if (power === 0) continue;
      if (this.#model === 'aloha') {
        if (spreadingFactor[other] === spreadingFactor[wanted]) return false;
        continue;
      }
      const overlapUs = Math.min(untilUs, endUs[other]) - Math.max(fromUs, startUs[other]);
      energy[spreadingFactor[other] - LOWEST_SF] += power * overlapUs;
    }
    const wantedEnergy = receiver.hearsMw(log, wanted) * (untilUs - fromUs);
    return this.#withstands(spreadingFactor[wanted] - LOWEST_SF, wantedEnergy);
  }

  #withstands(wanted: number, wantedEnergy: number): boolean {
    const most = wantedEnergy * (1 + EQUAL);
    for (let other = 0; other < SF_COUNT; other++) {
      if (this.#energy[other] * this.#thresholds[wanted * SF_COUNT + other] > most) return false;
    }
    return true;
  }
}

const matrixIndex = (sfFromLowest: number): number =>
  Math.max(0, sfFromLowest + LOWEST_SF - MATRIX_LOWEST_SF);
