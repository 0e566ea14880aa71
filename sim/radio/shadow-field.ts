/**
 * Shadowing as a landscape: what a gateway loses to a place, correlated as exp(−d / correlation
 * distance) between places d apart (Gudmundson's model, as in ns-3 lorawan; docs/standard.md,
 * Path loss).
 *
 * The field is a sum of plane waves. Their wave numbers are drawn so that the covariance of the sum
 * is exactly the exponential, and they belong to the gateway alone. The value at a place needs no
 * other place, so devices may come in any order and at any time. Two devices in one place share
 * their shadow (docs/decisions/0018).
 */
import { cos, sin } from '../base/math.ts';
import { DrawPurpose, draw, type EntityKey, toUnit } from '../base/random.ts';
import { cutSigmas } from './propagation.ts';

/** More waves make the values more normal; this many are off by less than the cut. */
const WAVES = 64;
const TURN = 2 * Math.PI;
/** The longest wave numbers are cut here, in units of 1 / correlation distance. */
const LEAST_REST = 1e-4;
/** Draws per wave. */
const DRAWS = 3;

export class ShadowField {
  /** Turns per metre east and north, and turns at the origin, of each wave. */
  readonly #east = new Float64Array(WAVES);
  readonly #north = new Float64Array(WAVES);
  readonly #phase = new Float64Array(WAVES);

  constructor({ key0, key1 }: EntityKey, correlationMeters: number) {
    for (let wave = 0; wave < WAVES; wave++) {
      const unit = (which: number) =>
        toUnit(draw(key0, key1, DrawPurpose.shadowField, wave * DRAWS + which));
      // Wave numbers of an exponential covariance in the plane: P(beyond k) = 1 / √(1 + k²). One
      // is drawn from each of as many equally likely ranges.
      const rest = Math.max(LEAST_REST, (wave + 1 - unit(0)) / WAVES);
      const number = Math.sqrt(1 / (rest * rest) - 1) / correlationMeters;
      const angle = TURN * unit(1);
      this.#east[wave] = (number * cos(angle)) / TURN;
      this.#north[wave] = (number * sin(angle)) / TURN;
      this.#phase[wave] = unit(2);
    }
  }

  /** Loss at a place in standard deviations, −4…4. */
  sigmasAt(xMeters: number, yMeters: number): number {
    let sum = 0;
    for (let wave = 0; wave < WAVES; wave++) {
      const turns = this.#east[wave] * xMeters + this.#north[wave] * yMeters + this.#phase[wave];
      sum += cos(TURN * (turns - Math.floor(turns)));
    }
    return cutSigmas(sum * Math.sqrt(2 / WAVES));
  }
}
