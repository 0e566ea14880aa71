/**
 * Fading: what the moment adds to a link, anew for each frame and receiver. The draw is keyed by
 * sender, receiver and the sender's frame, so no order of events shifts it.
 *
 * To add a model, write its row in `FADING_MODELS`: the plan, the knobs, the generators and the
 * docs derive from it.
 */
import { assert } from '../base/assert.ts';
import { log, log10, normalQuantile, pow } from '../base/math.ts';
import { type DrawPurpose, drawPair, type EntityKey } from '../base/random.ts';
import type { Model, Parameters, PlanOf, ValuesOf } from './model.ts';
import { cutSigmas } from './propagation.ts';

/** Uniform numbers between 0 and 1, the ends excluded, by their number from 0 on. */
type Uniforms = (which: number) => number;

export interface FadingModel<P extends Parameters> extends Model<P> {
  /** How many uniform numbers a frame takes at most, 2 or more. */
  readonly draws?: (values: ValuesOf<P>) => number;
  /** Makes the function that gives the gain of a frame, 1/100 dB, neither rounded nor cut. */
  readonly gain: (values: ValuesOf<P>) => (uniform: Uniforms) => number;
}

const fadingModel = <const P extends Parameters>(row: FadingModel<P>): FadingModel<P> => row;

export const FADING_MODELS = {
  none: fadingModel({ is: 'every frame is as its link', parameters: {}, gain: () => () => 0 }),
  rayleigh: fadingModel({
    is: 'no direct wave, which keeps the mean power',
    parameters: {},
    gain: () => (uniform) => 1000 * log10(-log(uniform(0))),
  }),
  rician: fadingModel({
    is: 'a direct wave above scattered ones, which keeps the mean power',
    parameters: {
      factorDb: {
        knob: 'factor',
        type: 'number',
        least: -20,
        most: 40,
        unit: 'dB',
        is: 'power of the direct wave over that of the scattered ones.',
      },
    },
    gain: ({ factorDb }) => {
      const factor = pow(10, factorDb / 10);
      // Amplitudes of the direct wave and of each of the two scattered parts.
      const direct = Math.sqrt(factor / (factor + 1));
      const scattered = Math.sqrt(0.5 / (factor + 1));
      return (uniform) => {
        const along = direct + scattered * normalQuantile(uniform(0));
        const across = scattered * normalQuantile(uniform(1));
        return 1000 * log10(along * along + across * across);
      };
    },
  }),
  nakagami: fadingModel({
    is: 'scattered waves whose powers add up, which keeps the mean power',
    parameters: {
      shape: {
        knob: 'shape',
        type: 'whole',
        least: 1,
        most: 10,
        is: 'Nakagami’s m; 1 is rayleigh, and more is steadier.',
      },
    },
    draws: ({ shape }) => Math.max(2, shape),
    gain:
      ({ shape }) =>
      (uniform) => {
        // A gamma distribution of a whole shape is that of a sum of exponential ones.
        let power = 0;
        for (let i = 0; i < shape; i++) power -= log(uniform(i));
        return 1000 * log10(power / shape);
      },
  }),
  logNormal: fadingModel({
    is: 'normally distributed decibels, which keep the median power',
    parameters: {
      sigmaDb: {
        knob: 'sigma',
        type: 'number',
        least: 0,
        most: 20,
        unit: 'dB',
        is: 'standard deviation.',
      },
    },
    gain:
      ({ sigmaDb }) =>
      (uniform) =>
        100 * sigmaDb * cutSigmas(normalQuantile(uniform(0))),
  }),
};

/** Change of a link's strength from frame to frame. */
export type FadingPlan = PlanOf<typeof FADING_MODELS>;

/** Deeper and higher fades are cut, 1/100 dB. */
const DEEPEST_CENTI_DB = -4_000;
const HIGHEST_CENTI_DB = 1_500;

export class Fading {
  /** Whether frames of a link differ in strength at all. */
  readonly active: boolean;
  readonly #gain: (uniform: Uniforms) => number;
  /** Uniform numbers of a frame: the counters of its draws follow those of the frame before. */
  readonly #draws: number;

  constructor(plan: FadingPlan) {
    const { gain, draws = () => 2 } = FADING_MODELS[plan.model] as FadingModel<Parameters>;
    const values = plan as unknown as ValuesOf<Parameters>;
    this.active = plan.model !== 'none';
    this.#gain = gain(values);
    this.#draws = draws(values);
    assert(this.#draws >= 2, 'a frame has two draws at least');
  }

  /** What the sender's `frame`-th frame gains between two entities, whole 1/100 dB. */
  centiDb(device: EntityKey, gateway: EntityKey, purpose: DrawPurpose, frame: number): number {
    if (!this.active) return 0;
    const first = this.#draws * frame;
    const { key0, key1 } = device;
    const gain = this.#gain((which) => {
      const word = drawPair(key0, key1, gateway.key0, gateway.key1, purpose, first + which);
      return ((word >>> 0) + 0.5) / 0x1_0000_0000;
    });
    return Math.max(DEEPEST_CENTI_DB, Math.min(HIGHEST_CENTI_DB, Math.round(gain)));
  }
}
