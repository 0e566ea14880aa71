/**
 * Store of fragment contents, shared by all devices, and of the blocks rebuilt from them.
 *
 * Problem: TS004-2.0.0 checks a rebuilt block by its MIC, so the bytes of fragments decide.
 * Receivers may hold different bytes under one number. Bytes and a decoder for each device would
 * need memory of devices times block size.
 *
 * Approach: intern every content once, and give it a number. A device notes only which content
 * number it has under each fragment number. `rebuild` first tries known blocks of the same shape:
 * the device has that block if each of its contents is a fragment of it. The encoder computes these
 * fragments on demand. Otherwise the decoder solves the block once, and the block joins the known
 * ones. A `WeakMap` finds the number of a byte array that was seen before, since a frame is opened
 * once for many devices.
 *
 * Rejected: a decoder for each device. Devices that receive the same image would solve the same
 * equations again. Also rejected: rank alone, which is right only where all contents belong to one
 * block (`sim/lorawan/fragmentation-rank.ts`).
 *
 * The latest `MOST_BLOCKS` blocks of a shape are remembered; an older one is solved again.
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
