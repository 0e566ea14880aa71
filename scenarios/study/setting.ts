/** Values as the words of an override: `campaigns.update.redundancy=10 %`. */
import { parse } from 'yaml';

/** The override that writes the value; plain words where they are the same value again. */
export function settingOf(path: string, value: unknown): string {
  const plain = typeof value === 'string' ? value : JSON.stringify(value);
  return `${path}=${isReadAs(plain, value) ? plain : JSON.stringify(value)}`;
}

const PLAIN = /^[A-Za-z0-9+-][\w.+-]*( [\w%°µ.+-]+)*$/;

function isReadAs(text: string, value: unknown): boolean {
  return PLAIN.test(text) && parse(text, { version: '1.2', logLevel: 'silent' }) === value;
}

const NEEDS_NO_QUOTES = /^[\w@%+=:,./-]+$/;

/** As a shell takes it. */
export const shellWord = (word: string): string =>
  NEEDS_NO_QUOTES.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
