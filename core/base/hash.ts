/** SHA-256 of contents: what stands for bytes wherever they are named. */
import { toHex } from '../../sim/base/bytes.ts';
import { sha256 } from '../../sim/base/sha256.ts';

/** Contents do not change once they are admitted, and a large one takes long to hash. */
const hashes = new WeakMap<Uint8Array, string>();

/** SHA-256 of bytes that nobody changes, lower-case hexadecimal. */
export function hashOf(bytes: Uint8Array): string {
  const known = hashes.get(bytes) ?? toHex(sha256(bytes));
  hashes.set(bytes, known);
  return known;
}
