/** Text of a list: UTF-8, UTF-16 with a byte order mark, or Windows-1252 (WHATWG Encoding). */

export interface FileText {
  readonly text: string;
  readonly encoding: 'UTF-8' | 'UTF-16' | 'Windows-1252';
}

/** UTF-8 unless the bytes cannot be it; then Windows-1252, which reads Latin-1 as well. */
export function fileText(bytes: Uint8Array): FileText {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decoded('utf-16le', bytes, 'UTF-16');
  if (first === 0xfe && second === 0xff) return decoded('utf-16be', bytes, 'UTF-16');
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' };
  } catch {
    return decoded('windows-1252', bytes, 'Windows-1252');
  }
}

/** A byte order mark is no part of the text. */
const decoded = (label: string, bytes: Uint8Array, encoding: FileText['encoding']): FileText => ({
  text: new TextDecoder(label).decode(bytes),
  encoding,
});
