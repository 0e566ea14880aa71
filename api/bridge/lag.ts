/** How late the bridge did things: a histogram, so that hours cost as much memory as seconds. */

/** Bins of 0.25 ms up to 64 ms, and one for all above. */
const BIN_MS = 0.25;
const BINS = 257;

export interface LagFigures {
  /** What was late or in time: turns in which something was due. */
  readonly turns: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
}

export class Lag {
  readonly #bins = new Float64Array(BINS);
  #turns = 0;
  #mostMs = 0;

  add(ms: number): void {
    this.#turns++;
    this.#mostMs = Math.max(this.#mostMs, ms);
    const bin = Math.min(BINS - 1, Math.floor(ms / BIN_MS));
    this.#bins[bin] = this.#bins[bin]! + 1;
  }

  /** Upper ends of the bins in which the quantiles lie. */
  figures(): LagFigures {
    const at = (share: number) => {
      let left = Math.ceil(share * this.#turns);
      const bin = this.#bins.findIndex((count) => {
        left -= count;
        return left <= 0;
      });
      return bin === BINS - 1 ? this.#mostMs : Math.min(this.#mostMs, (bin + 1) * BIN_MS);
    };
    return { turns: this.#turns, p50Ms: at(0.5), p99Ms: at(0.99), mostMs: this.#mostMs };
  }
}
