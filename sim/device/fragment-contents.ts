/**
 * What fragments hold, each content once for all devices, and the blocks that were rebuilt from
 * them. Where a block's integrity decides (TS004-2.0.0, MIC), a device notes which content it had
 * under each number; a block that another device has rebuilt is its own too if every one of them is
 * a fragment of that block.
 */
import { NONE } from '../kernel/columns.ts';
import { FragmentDecoder, FragmentEncoder } from '../lorawan/fragmentation-code.ts';

/** Blocks remembered by shape. */
const MOST_BLOCKS = 8;

interface KnownBlock {
  /** Fragments with the filling of the last. */
  readonly bytes: Uint8Array;
  readonly encoder: FragmentEncoder;
  /** Content of fragment N at N − 1, as far as it was asked for; NONE: no such content is known. */
  readonly contents: (number | undefined)[];
}

export class FragmentContents {
  readonly #contents: Uint8Array[] = [];
  readonly #numbers = new Map<string, number>();
  /** Numbers of byte arrays that come again: a frame is opened once for many devices. */
  readonly #again = new WeakMap<Uint8Array, number>();
  readonly #blocks = new Map<string, KnownBlock[]>();

  /** Number of a content, from 0. */
  numberOf(fragment: Uint8Array): number {
    const known = this.#again.get(fragment);
    if (known !== undefined) return known;
    const text = textOf(fragment);
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#contents.length;
      this.#numbers.set(text, number);
      this.#contents.push(fragment.slice());
    }
    this.#again.set(fragment, number);
    return number;
  }

  /**
   * The block of full rank that fragments make, version 2: `has` returns whether fragment N (from 1
   * to `highest`) is one of them, `contentOf` its content's number.
   */
  rebuild(
    nbFrag: number,
    fragSize: number,
    highest: number,
    has: (fragmentNumber: number) => boolean,
    contentOf: (fragmentNumber: number) => number,
  ): Uint8Array | undefined {
    const shape = `${nbFrag} ${fragSize}`;
    const known = this.#blocks.get(shape) ?? [];
    for (const block of known) {
      if (this.#isOf(block, highest, has, contentOf)) return block.bytes;
    }
    const decoder = new FragmentDecoder(2, nbFrag, fragSize);
    for (let number = 1; number <= highest; number++) {
      if (has(number)) decoder.add(number, this.#contents[contentOf(number)]!);
    }
    const bytes = decoder.block();
    if (bytes === undefined) return undefined;
    const encoder = new FragmentEncoder(2, bytes, fragSize);
    this.#blocks.set(shape, [{ bytes, encoder, contents: [] }, ...known].slice(0, MOST_BLOCKS));
    return bytes;
  }

  save(): readonly Uint8Array[] {
    return [...this.#contents];
  }

  load(saved: readonly Uint8Array[]): void {
    this.#contents.splice(0, this.#contents.length, ...saved);
    this.#numbers.clear();
    this.#blocks.clear();
    saved.forEach((content, number) => {
      this.#numbers.set(textOf(content), number);
    });
  }

  #isOf(
    { encoder, contents }: KnownBlock,
    highest: number,
    has: (fragmentNumber: number) => boolean,
    contentOf: (fragmentNumber: number) => number,
  ): boolean {
    for (let number = 1; number <= highest; number++) {
      if (!has(number)) continue;
      contents[number - 1] ??= this.#numbers.get(textOf(encoder.fragment(number))) ?? NONE;
      if (contents[number - 1] !== contentOf(number)) return false;
    }
    return true;
  }
}

const textOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes);
