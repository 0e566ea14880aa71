/**
 * Blocks of numbers that come and go: typed columns of so many numbers a block, in chunks of 64
 * blocks. A further block never moves the others, so adding one costs the same however many there
 * are; one that is given back is the first to be taken again.
 */
import { assert } from '../../sim/base/assert.ts';
import type { Column } from './columns.ts';
import { copyPlain } from './plain.ts';

const CHUNK_BITS = 6;
const CHUNK = 1 << CHUNK_BITS;

export type BlockColumns = { readonly [name: string]: Column };

/** Numbers a block by column, and how a column of so many numbers is made. */
type Specs<C extends BlockColumns> = {
  readonly [Name in keyof C]: readonly [width: number, make: (length: number) => C[Name]];
};

/** Plain data. */
export interface SavedBlocks {
  readonly chunks: readonly BlockColumns[];
  readonly taken: number;
  readonly free: readonly number[];
}

export class Blocks<C extends BlockColumns> {
  readonly #specs: Specs<C>;
  #chunks: C[] = [];
  /** Numbers of blocks that were ever taken: 0 … taken − 1. */
  #taken = 0;
  #free: number[] = [];

  constructor(specs: Specs<C>) {
    this.#specs = specs;
  }

  /** A block of zeros. */
  take(): number {
    const again = this.#free.pop();
    if (again === undefined) {
      if (this.#taken === this.#chunks.length * CHUNK) this.#chunks.push(this.#newChunk());
      return this.#taken++;
    }
    const chunk = this.in(again);
    for (const name in chunk) {
      const width = this.#specs[name]![0];
      const from = this.at(again) * width;
      chunk[name]!.fill(0, from, from + width);
    }
    return again;
  }

  /** Gives back a block that was taken. */
  give(block: number): void {
    assert(block >= 0 && block < this.#taken, 'a block that is given back was taken');
    this.#free.push(block);
  }

  /** The columns that a block stands in. */
  in(block: number): C {
    return this.#chunks[block >> CHUNK_BITS]!;
  }

  /** Its place there: its numbers begin at this times their width. */
  at(block: number): number {
    return block & (CHUNK - 1);
  }

  /** Shares nothing with the blocks. */
  save(): SavedBlocks {
    const chunks = this.#chunks.map((chunk, i) => {
      const blocks = Math.min(CHUNK, this.#taken - i * CHUNK);
      const columns = Object.entries(chunk).map(([name, column]) => {
        return [name, column.slice(0, blocks * this.#specs[name]![0])] as const;
      });
      return Object.fromEntries(columns);
    });
    return { chunks, taken: this.#taken, free: [...this.#free] };
  }

  load(saved: SavedBlocks): void {
    const { chunks, taken, free } = copyPlain(saved);
    this.#chunks = chunks.map((columns) => {
      const chunk = this.#newChunk();
      for (const name in chunk) chunk[name]!.set(columns[name]!);
      return chunk;
    });
    this.#taken = taken;
    this.#free = [...free];
  }

  #newChunk(): C {
    const columns = Object.entries(this.#specs).map(([name, [width, make]]) => {
      return [name, make(CHUNK * width)] as const;
    });
    return Object.fromEntries(columns) as C;
  }
}
