/** When a block can be rebuilt, by plain Gaussian elimination over GF(2) (TS004). */
import { parityRow } from '../../../sim/lorawan/fragmentation-code.ts';

/** A block's fragments as equations: each is a row of nbFrag bits. */
export class Equations {
  readonly nbFrag: number;
  readonly #version: 1 | 2;
  /** Independent rows by their highest bit. */
  readonly #rows = new Map<number, bigint>();

  constructor(version: 1 | 2, nbFrag: number) {
    this.#version = version;
    this.nbFrag = nbFrag;
  }

  get rank(): number {
    return this.#rows.size;
  }

  add(fragmentNumber: number): void {
    let row = this.#rowOf(fragmentNumber);
    while (row !== 0n) {
      const highest = row.toString(2).length - 1;
      const other = this.#rows.get(highest);
      if (other === undefined) {
        this.#rows.set(highest, row);
        return;
      }
      row ^= other;
    }
  }

  #rowOf(fragmentNumber: number): bigint {
    const { nbFrag } = this;
    if (fragmentNumber <= nbFrag) return 1n << BigInt(fragmentNumber - 1);
    const bits = parityRow(this.#version, nbFrag, fragmentNumber - nbFrag);
    return [...bits].reduce((row, bit, place) => row | (BigInt(bit) << BigInt(place)), 0n);
  }
}
