/** Keys that vendors put into devices (docs/operations.md, Multicast keys). */
import { sha256 } from '../../sim/base/sha256.ts';

const KEY_BYTES = 16;

/**
 * The key, 16 bytes, that the vendor puts into a subscriber's device: the first half of the SHA-256
 * of `vendor/<subscriber>/<DevEUI>`, the DevEUI in upper case, in UTF-16, big-endian.
 */
export function vendorKey(subscriber: string, devEui: string): Uint8Array {
  const text = ['vendor', subscriber, devEui.toUpperCase()].join('/');
  const bytes = new Uint8Array(2 * text.length);
  for (let i = 0; i < text.length; i++) {
    bytes[2 * i] = text.charCodeAt(i) >> 8;
    bytes[2 * i + 1] = text.charCodeAt(i);
  }
  return sha256(bytes).slice(0, KEY_BYTES);
}
