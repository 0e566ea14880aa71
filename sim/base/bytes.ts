/** Hexadecimal text and little-endian numbers in byte arrays. */
import { assert } from './assert.ts';

const DIGITS = '0123456789abcdef';

/** Lower-case hexadecimal, two digits a byte. */
export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i++) text += DIGITS[bytes[i] >> 4]! + DIGITS[bytes[i] & 15];
  return text;
}

/** Bytes of an even number of hexadecimal digits of either case; anything else is an assertion. */
export function fromHex(text: string): Uint8Array {
  assert(text.length % 2 === 0, 'hexadecimal text has an even number of digits');
  assert(/^[0-9a-fA-F]*$/.test(text), 'hexadecimal text has hexadecimal digits only');
  const bytes = new Uint8Array(text.length >> 1);
  for (let i = 0; i < bytes.length; i++)
    bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

/** Unsigned little-endian number of `count` (1…6) bytes. */
export function readLe(bytes: Uint8Array, offset: number, count: number): number {
  let value = 0;
  for (let i = count - 1; i >= 0; i--) value = value * 256 + bytes[offset + i];
  return value;
}

export function writeLe(bytes: Uint8Array, offset: number, count: number, value: number): void {
  let rest = value;
  for (let i = 0; i < count; i++) {
    bytes[offset + i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
