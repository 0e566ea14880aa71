/** UTF-8 bytes to text, refusing what is not UTF-8, and back (RFC 3629). */

/**
 * Smallest code point of a sequence by its length in bytes; a shorter form of the same is not
 * allowed.
 */
const LEAST = [0, 0, 0x80, 0x800, 0x10000];

/** The text without a byte order mark, or the index of the first byte that is not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): { text: string } | { badByteAt: number } {
  const pieces: string[] = [];
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (at < bytes.length) {
    const end = asciiEnd(bytes, at);
    if (end > at) {
      pieces.push(String.fromCharCode.apply(null, bytes.subarray(at, end) as unknown as number[]));
      at = end;
      continue;
    }
    const first = bytes[at] ?? 0;
    const length = first >> 5 === 6 ? 2 : first >> 4 === 14 ? 3 : first >> 3 === 30 ? 4 : 0;
    let code = first & (0xff >> (length + 1));
    for (let i = 1; i < length; i++) {
      const next = bytes[at + i] ?? 0;
      if (next >> 6 !== 2) return { badByteAt: at };
      code = (code << 6) | (next & 63);
    }
    const surrogate = code >= 0xd800 && code <= 0xdfff;
    if (length === 0 || code < (LEAST[length] ?? 0) || code > 0x10ffff || surrogate) {
      return { badByteAt: at };
    }
    pieces.push(String.fromCodePoint(code));
    at += length;
  }
  return { text: pieces.join('') };
}

/** Bytes that become characters in one call: more arguments could exceed the stack. */
const RUN_MAX = 4096;

/** The end of the run of ASCII from here on, at most `RUN_MAX` bytes. */
function asciiEnd(bytes: Uint8Array, from: number): number {
  const most = Math.min(bytes.length, from + RUN_MAX);
  let end = from;
  while (end < most && bytes[end]! < 0x80) end++;
  return end;
}

const REPLACEMENT = 0xfffd;

/** The bytes of a text; half of a surrogate pair becomes the replacement character. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? REPLACEMENT;
    const point = code >= 0xd800 && code <= 0xdfff ? REPLACEMENT : code;
    const length = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    const lead = length === 1 ? 0 : 0xf00 >> length;
    bytes.push((lead & 0xff) | (point >> (6 * (length - 1))));
    for (let rest = length - 2; rest >= 0; rest--)
      bytes.push(0x80 | ((point >> (6 * rest)) & 0x3f));
  }
  return Uint8Array.from(bytes);
}
