/**
 * Fading: what the moment adds to a link, anew for each frame and receiver. Mean power is that of
 * the link; the draw is keyed by sender, receiver and the sender's frame, so no order of events
 * shifts it.
 */
import { log, log10, normalQuantile, pow } from '../base/math.ts';
import { type DrawPurpose, drawPair, type EntityKey } from '../base/random.ts';
import type { FadingPlan } from '../plan/network-plan.ts';
import { cutSigmas } from './propagation.ts';

/** Deeper and higher fades are cut, 1/100 dB. */
const DEEPEST_CENTI_DB = -4_000;
const HIGHEST_CENTI_DB = 1_500;

export class Fading {
  readonly #plan: FadingPlan;
  /** Amplitude of the direct wave and of each of the two scattered parts. */
  readonly #direct: number;
  readonly #scattered: number;

  constructor(plan: FadingPlan) {
    this.#plan = plan;
    const factor = plan.model === 'rician' ? pow(10, plan.factorDb / 10) : 0;
    this.#direct = Math.sqrt(factor / (factor + 1));
    this.#scattered = Math.sqrt(0.5 / (factor + 1));
  }

  /** Whether frames of a link differ in strength at all. */
  get active(): boolean {
    return this.#plan.model !== 'none';
  }

  /** What the sender's `frame`-th frame gains between two entities, whole 1/100 dB. */
  centiDb(device: EntityKey, gateway: EntityKey, purpose: DrawPurpose, frame: number): number {
    const plan = this.#plan;
    if (plan.model === 'none') return 0;
    const uniform = (which: number) => {
      const { key0, key1 } = device;
      const word = drawPair(key0, key1, gateway.key0, gateway.key1, purpose, 2 * frame + which);
      return ((word >>> 0) + 0.5) / 0x1_0000_0000;
    };
    if (plan.model === 'logNormal') {
      return cut(100 * plan.sigmaDb * cutSigmas(normalQuantile(uniform(0))));
    }
    if (plan.model === 'rayleigh') return cut(1000 * log10(-log(uniform(0))));
    const along = this.#direct + this.#scattered * normalQuantile(uniform(0));
    const across = this.#scattered * normalQuantile(uniform(1));
    return cut(1000 * log10(along * along + across * across));
  }
}

const cut = (centiDb: number): number =>
  Math.max(DEEPEST_CENTI_DB, Math.min(HIGHEST_CENTI_DB, Math.round(centiDb)));
