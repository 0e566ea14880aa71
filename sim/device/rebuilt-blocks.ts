/**
 * Blocks that devices have rebuilt from their fragments (TS004-1.0.0), each once for all devices. A
 * block that another device has rebuilt is its own too if every fragment that it has is one of that
 * block: fragments of full rank make one block only.
 *
 * It derives from what devices have received, and no snapshot has it.
 */
import { equalBytes } from '../base/bytes.ts';
import { FragmentDecoder, FragmentEncoder } from '../lorawan/fragmentation-code.ts';

/** Blocks remembered by shape. */
const MOST_BLOCKS = 8;

/** Fragments of a device by their numbers. */
type Fragments = ReadonlyMap<number, Uint8Array>;

interface KnownBlock {
  /** Fragments with the filling of the last. */
  readonly bytes: Uint8Array;
  readonly encoder: FragmentEncoder;
  /** Fragment N at N − 1, as far as somebody had it. */
  readonly fragments: (Uint8Array | undefined)[];
}

export class RebuiltBlocks {
  readonly #blocks = new Map<string, KnownBlock[]>();

  /** The block that fragments of full rank make; whether they have it, a rank model reports. */
  rebuild(nbFrag: number, fragSize: number, fragments: Fragments): Uint8Array | undefined {
    const shape = `${nbFrag} ${fragSize}`;
    const known = this.#blocks.get(shape) ?? [];
    for (const block of known) if (isOf(block, fragments)) return block.bytes;
    const decoder = new FragmentDecoder(1, nbFrag, fragSize);
    const inOrder = [...fragments].sort(([a], [b]) => a - b);
    for (const [number, fragment] of inOrder) decoder.add(number, fragment);
    const bytes = decoder.block();
    if (bytes === undefined) return undefined;
    const encoder = new FragmentEncoder(1, bytes, fragSize);
    this.#blocks.set(shape, [{ bytes, encoder, fragments: [] }, ...known].slice(0, MOST_BLOCKS));
    return bytes;
  }

  clear(): void {
    this.#blocks.clear();
  }
}

/** Whether all fragments are those of a block; devices that heard one frame have the same bytes. */
function isOf({ encoder, fragments }: KnownBlock, given: Fragments): boolean {
  for (const [number, fragment] of given) {
    const own = fragments[number - 1] ?? encoder.fragment(number);
    if (own !== fragment && !equalBytes(own, fragment)) return false;
    fragments[number - 1] = fragment;
  }
  return true;
}
