/** What a receiver hears during a time, one signal after the other: room that is used again. */
export class Overlaps {
  count = 0;
  /** Positions in a log. */
  positions = new Int32Array(64);
  powersMw = new Float64Array(64);

  clear(): void {
    this.count = 0;
  }

  add(position: number, powerMw: number): void {
    if (this.count === this.positions.length) this.#grow();
    this.positions[this.count] = position;
    this.powersMw[this.count++] = powerMw;
  }

  #grow(): void {
    const { positions, powersMw } = this;
    this.positions = new Int32Array(2 * positions.length);
    this.powersMw = new Float64Array(2 * powersMw.length);
    this.positions.set(positions);
    this.powersMw.set(powersMw);
  }
}
