/** Values as the words of an override: `campaigns.update.redundancy=10 %`. */
import { parse } from 'yaml';

/** The override that writes the value; plain words where they are the same value again. */
export function settingOf(path: string, value: unknown): string {
  const plain = typeof value === 'string' ? value : written(value);
  return `${path}=${isReadAs(plain, value) ? plain : written(value)}`;
}

/** What settings read as an identifier, though it is only digits. */
const IDENTIFIER = /^\d{16}$/;

/** JSON is YAML, but has no word for what is no finite number. */
function written(value: unknown): string {
  if (typeof value === 'number' && IDENTIFIER.test(String(value))) return `+${value}`;
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf';
  }
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, each]) => {
    return `${JSON.stringify(key)}:${written(each)}`;
  });
  return `{${entries.join(',')}}`;
}

const PLAIN = /^[A-Za-z0-9+-][\w.+-]*( [\w%°µ.+-]+)*$/;

function isReadAs(text: string, value: unknown): boolean {
  return PLAIN.test(text) && parse(text, { version: '1.2', logLevel: 'silent' }) === value;
}

const NEEDS_NO_QUOTES = /^[\w@%+=:,./-]+$/;

/** As a shell takes it. */
export const shellWord = (word: string): string =>
  NEEDS_NO_QUOTES.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
