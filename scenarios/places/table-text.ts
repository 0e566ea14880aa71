/**
 * Text of a table's bytes: UTF-8, or as spreadsheets also write it, UTF-16 with a byte order mark
 * or Windows-1252 (WHATWG Encoding).
 */
import { decodeUtf8 } from '../../core/base/utf8.ts';
import { FILE_BYTES_MAX, textOf } from '../composing/texts.ts';
import type { Problem } from '../language/problem.ts';

/** Characters of the bytes 80 to 9F in Windows-1252. */
const FROM_0X80 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** A table's text, or what is wrong with it. */
export function tableText(file: string, bytes: Uint8Array): string | Problem {
  // GeoJSON is UTF-8 (RFC 7946), and a NUL is in no text of one byte a character.
  const isOther = bytes.length <= FILE_BYTES_MAX && !/json$/.test(file);
  if (isOther && bytes[0] === 0xff && bytes[1] === 0xfe) return utf16Of(bytes);
  if (!isOther) return textOf(file, bytes, FILE_BYTES_MAX);
  const decoded = decodeUtf8(bytes);
  if ('text' in decoded) return decoded.text;
  return bytes.includes(0) ? textOf(file, bytes, FILE_BYTES_MAX) : ansiOf(bytes);
}

/** Little-endian, as Excel writes it. */
function utf16Of(bytes: Uint8Array): string {
  const units: string[] = [];
  for (let at = 2; at + 1 < bytes.length; at += 2) {
    units.push(String.fromCharCode(bytes[at]! | (bytes[at + 1]! << 8)));
  }
  return units.join('');
}

const ansiOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) =>
    byte >= 0x80 && byte < 0xa0 ? FROM_0X80.charAt(byte - 0x80) : String.fromCharCode(byte),
  ).join('');
