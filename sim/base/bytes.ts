/** Hexadecimal text, base64 text and little-endian numbers in byte arrays. */
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

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BASE64_CODES = Uint8Array.from(BASE64, (digit) => digit.charCodeAt(0));
const PADDING = '='.charCodeAt(0);
/** Six bits by the code of their character; -1 where there are none. */
const SIX_BITS = Int8Array.from({ length: 128 }, (_, code) =>
  BASE64.indexOf(String.fromCharCode(code)),
);

/** Characters that become a text at once: as many arguments as every engine takes. */
const PIECE = 4_096;

/** Base64 with padding, in one line (RFC 4648 §4). */
export function toBase64(bytes: Uint8Array): string {
  const codes = new Uint8Array(4 * Math.ceil(bytes.length / 3)).fill(PADDING);
  const whole = bytes.length - (bytes.length % 3);
  let to = 0;
  for (let i = 0; i < whole; i += 3) {
    const word = (bytes[i]! << 16) | (bytes[i + 1]! << 8) | bytes[i + 2]!;
    codes[to++] = BASE64_CODES[word >> 18]!;
    codes[to++] = BASE64_CODES[(word >> 12) & 63]!;
    codes[to++] = BASE64_CODES[(word >> 6) & 63]!;
    codes[to++] = BASE64_CODES[word & 63]!;
  }
  // One or two bytes are left: two or three digits, and padding.
  const rest = bytes.length - whole;
  const word = ((bytes[whole] ?? 0) << 16) | ((bytes[whole + 1] ?? 0) << 8);
  for (let d = 0; rest > 0 && d <= rest; d++) {
    codes[to + d] = BASE64_CODES[(word >> (18 - 6 * d)) & 63]!;
  }
  // Made of pieces: a text that grows is stored as a tree of all its additions.
  const pieces: string[] = [];
  for (let from = 0; from < codes.length; from += PIECE) {
    pieces.push(String.fromCharCode(...codes.subarray(from, from + PIECE)));
  }
  return pieces.join('');
}

/**
 * The bytes of base64 text with its padding, as `toBase64` writes it; white space within is
 * skipped. Undefined: it is none, or bits are set that belong to no byte.
 */
export function fromBase64(text: string): Uint8Array | undefined {
  const dense = /\s/.test(text) ? text.replace(/\s+/g, '') : text;
  if (dense.length % 4 !== 0) return undefined;
  const padding = dense.endsWith('==') ? 2 : dense.endsWith('=') ? 1 : 0;
  const digits = dense.length - padding;
  const bytes = new Uint8Array((dense.length / 4) * 3 - padding);
  let word = 0;
  for (let i = 0; i < digits; i++) {
    const bits = SIX_BITS[dense.charCodeAt(i)] ?? -1;
    if (bits < 0) return undefined;
    word = (word << 6) | bits;
    const rest = i & 3;
    if (rest === 0) continue;
    // A byte is whole; the bits that are left begin the next one.
    const spare = 6 - 2 * rest;
    bytes[(i >> 2) * 3 + rest - 1] = word >> spare;
    word &= (1 << spare) - 1;
  }
  return word === 0 ? bytes : undefined;
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

/** The number of bytes are compared four at a time, where they stand so. */
const MANY_BYTES = 256;

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let comparison = 0;
  if (a.length >= MANY_BYTES && a.byteOffset % 4 === 0 && b.byteOffset % 4 === 0) {
    const words = a.length >> 2;
    const ofA = new Int32Array(a.buffer, a.byteOffset, words);
    const ofB = new Int32Array(b.buffer, b.byteOffset, words);
    for (let i = 0; i < words; i++) if (ofA[i] !== ofB[i]) return false;
    comparison = 4 * words;
  }
  for (let i = comparison; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
