/**
 * Allocator for blocks of numbers: typed columns with a fixed size of a block, in chunks of 128
 * blocks. A further block never moves the others, so adding one costs the same however many there
 * are. One that is given back is the first to be taken again; a chunk without blocks takes no
 * place.
 */
import { assert } from '../../sim/base/assert.ts';
import type { Column } from './columns.ts';

const CHUNK_BITS = 7;
const CHUNK = 1 << CHUNK_BITS;

export type BlockColumns = { readonly [name: string]: Column };

/** Numbers per block for each column, and the constructor of a column by length. */
type Specs<C extends BlockColumns> = {
  readonly [Name in keyof C]: readonly [width: number, make: (length: number) => C[Name]];
};

/** Plain data. */
export interface SavedBlocks {
  /** null: none of its blocks is in use. */
  readonly chunks: readonly (BlockColumns | null)[];
  readonly taken: number;
  readonly free: readonly number[];
}

export class Blocks<C extends BlockColumns> {
  readonly #specs: Specs<C>;
  #chunks: (C | null)[] = [];
  /** Blocks in use of each chunk. */
  #live: number[] = [];
  /** Numbers of blocks that were ever taken: 0 … taken − 1. */
  #taken = 0;
  #free: number[] = [];

  constructor(specs: Specs<C>) {
    this.#specs = specs;
  }

  /** A block of zeros. */
  take(): number {
    const again = this.#free.pop();
    const block = again ?? this.#taken++;
    const at = block >> CHUNK_BITS;
    const chunk = this.#chunks[at] ?? this.#newChunk();
    this.#chunks[at] = chunk;
    this.#live[at] = (this.#live[at] ?? 0) + 1;
    if (again === undefined) return block;
    for (const name in chunk) {
      const width = this.#specs[name]![0];
      const from = this.at(block) * width;
      chunk[name]!.fill(0, from, from + width);
    }
    return block;
  }

  /** Gives back a block that was taken. */
  give(block: number): void {
    const at = block >> CHUNK_BITS;
    assert(this.#live[at]! > 0, 'a block that is given back was taken');
    this.#free.push(block);
    this.#live[at]! -= 1;
    if (this.#live[at] === 0) this.#chunks[at] = null;
  }

  /** The columns that a block in use stands in. */
  in(block: number): C {
    return this.#chunks[block >> CHUNK_BITS] as C;
  }

  /** Numbers of all blocks, those that were given back among them, are below this. */
  get end(): number {
    return this.#taken;
  }

  /** Its place there: its numbers begin at this times their width. */
  at(block: number): number {
    return block & (CHUNK - 1);
  }

  /** Shares nothing with the blocks. */
  save(): SavedBlocks {
    const chunks = this.#chunks.map((chunk, i) => {
      if (chunk === null) return null;
      const blocks = Math.min(CHUNK, this.#taken - i * CHUNK);
      const columns = Object.entries(chunk).map(([name, column]) => {
        return [name, column.slice(0, blocks * this.#specs[name]![0])] as const;
      });
      return Object.fromEntries(columns);
    });
    return { chunks, taken: this.#taken, free: [...this.#free] };
  }

  load({ chunks, taken, free }: SavedBlocks): void {
    this.#chunks = chunks.map((columns) => {
      if (columns === null) return null;
      const chunk = this.#newChunk();
      for (const name in chunk) chunk[name]!.set(columns[name]!);
      return chunk;
    });
    this.#taken = taken;
    this.#free = [...free];
    this.#live = chunks.map((_, i) => Math.min(CHUNK, taken - i * CHUNK));
    for (const block of free) this.#live[block >> CHUNK_BITS]! -= 1;
  }

  #newChunk(): C {
    const columns = Object.entries(this.#specs).map(([name, [width, make]]) => {
      return [name, make(CHUNK * width)] as const;
    });
    // Filled name by name, an object is a hash table to V8; its copy has fixed offsets.
    return { ...(Object.fromEntries(columns) as C) };
  }
}
