/** UTF-8 bytes to text, refusing what is not UTF-8, and back (RFC 3629). */

/**
 * Smallest code point of a sequence by its length in bytes; a shorter form of the same is not
 * allowed.
 */
const LEAST = [0, 0, 0x80, 0x800, 0x10000];

/** The text without a byte order mark, or the index of the first byte that is not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): { text: string } | { badByteAt: number } {
  const units: string[] = [];
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (at < bytes.length) {
    const first = bytes[at] ?? 0;
    const length =
      first < 0x80 ? 1 : first >> 5 === 6 ? 2 : first >> 4 === 14 ? 3 : first >> 3 === 30 ? 4 : 0;
    let code = length === 1 ? first : first & (0xff >> (length + 1));
    for (let i = 1; i < length; i++) {
      const next = bytes[at + i] ?? 0;
      if (next >> 6 !== 2) return { badByteAt: at };
      code = (code << 6) | (next & 63);
    }
    const surrogate = code >= 0xd800 && code <= 0xdfff;
    if (length === 0 || code < (LEAST[length] ?? 0) || code > 0x10ffff || surrogate) {
      return { badByteAt: at };
    }
    units.push(String.fromCodePoint(code));
    at += length;
  }
  return { text: units.join('') };
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
