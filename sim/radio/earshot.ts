/**
 * What each gateway hears of one frequency: numbers of signals with their power there, in the order
 * of their start.
 *
 * A signal is entered once at every gateway that it reaches. So whether a frame survives at a
 * gateway asks for what is near that gateway, however large the network is. It derives from the log
 * and the links of its senders, and is made again when a world is loaded.
 */

/** Signals that are forgotten stay in place until this many have gathered. */
const COMPACT_AT = 16;

/** What one gateway hears: entries `first … end − 1`. */
export class Ear {
  signals = new Int32Array(8);
  powersMw = new Float64Array(8);
  first = 0;
  end = 0;

  /** Takes a later signal in, and forgets those before `oldest`. */
  add(signal: number, powerMw: number, oldest: number): void {
    while (this.first < this.end && this.signals[this.first] < oldest) this.first++;
    if (this.first >= COMPACT_AT && 2 * this.first >= this.end) this.#compact();
    if (this.end === this.signals.length) this.#grow();
    this.signals[this.end] = signal;
    this.powersMw[this.end++] = powerMw;
  }

  #compact(): void {
    this.signals.copyWithin(0, this.first, this.end);
    this.powersMw.copyWithin(0, this.first, this.end);
    this.end -= this.first;
    this.first = 0;
  }

  #grow(): void {
    const { signals, powersMw } = this;
    this.signals = new Int32Array(2 * signals.length);
    this.powersMw = new Float64Array(2 * powersMw.length);
    this.signals.set(signals);
    this.powersMw.set(powersMw);
  }
}

export class Earshot {
  readonly #ears: (Ear | undefined)[] = [];

  /** What a gateway hears; undefined before it has heard anything. */
  of(gateway: number): Ear | undefined {
    return this.#ears[gateway];
  }

  /** A gateway hears a signal, by its number; those before `oldest` are over. */
  add(gateway: number, signal: number, powerMw: number, oldest: number): void {
    while (this.#ears.length <= gateway) this.#ears.push(undefined);
    const ear = this.#ears[gateway] ?? new Ear();
    this.#ears[gateway] = ear;
    ear.add(signal, powerMw, oldest);
  }

  clear(): void {
    this.#ears.length = 0;
  }
}
