/** Overrides from the command line: `devices.meter.count=50` written over what the file says. */
import { parse, YAMLParseError } from 'yaml';
import { nearest, sentence } from './complaint.ts';
import type { Path, Problem } from './problem.ts';

interface Settings {
  readonly value: unknown;
  readonly problems: readonly Problem[];
  /** What each override wrote, for problems that are found there later. */
  readonly places: readonly { readonly path: Path; readonly text: string }[];
}

/** List entries are named by their index, by their `name`, or by `*` for all of them. */
export function applySettings(value: unknown, settings: readonly string[]): Settings {
  // Aliases share their values in memory; an override must change one place only.
  const copy: unknown = settings.length === 0 ? value : unshare(value, 0);
  const problems: Problem[] = [];
  const places: { path: Path; text: string }[] = [];
  for (const text of settings) {
    const equals = text.indexOf('=');
    const keys = text.slice(0, Math.max(equals, 0)).trim().split('.');
    if (equals < 1 || keys.includes('')) {
      problems.push(
        wrong(text, 'is not an override; allowed: path=value such as devices.0.count=50'),
      );
      continue;
    }
    const setting = readValue(text.slice(equals + 1));
    if (!setting.ok) {
      problems.push(
        wrong(text, `${setting.message}; allowed: a YAML value such as 10 km or {link: 5 dB}`),
      );
      continue;
    }
    const refused = write(copy, keys, [], setting.value, (path) => places.push({ path, text }));
    if (refused !== undefined) problems.push(wrong(text, refused));
  }
  return { value: copy, problems, places };
}

function wrong(text: string, message: string): Problem {
  return { where: `--set ${text}`, line: 0, pointer: '', message };
}

function readValue(text: string): { ok: true; value: unknown } | { ok: false; message: string } {
  if (/^[0-9]{16}$|^[0-9]{32}$|^0\d+$/.test(text)) return { ok: true, value: text };
  try {
    return {
      ok: true,
      value: parse(text, { version: '1.2', maxAliasCount: 0, logLevel: 'error' }),
    };
  } catch (error) {
    // The library's only way to say that text is not YAML.
    if (!(error instanceof YAMLParseError) && !(error instanceof ReferenceError)) throw error;
    return { ok: false, message: `"${text}" is not a value` };
  }
}

/** Writes at every place that `keys` name below `at`; answers why not. */
function write(
  at: unknown,
  keys: readonly string[],
  path: Path,
  value: unknown,
  wrote: (path: Path) => void,
): string | undefined {
  const [key = '', ...rest] = keys;
  if (typeof at !== 'object' || at === null) {
    const what = `${path.join('.') || 'the file'} is not a map or list`;
    return sentence({ what, allowed: 'a path through maps and lists' });
  }
  if (Array.isArray(at) && key === '*') {
    const refusals = at.map((_, index) => write(at, [String(index), ...rest], path, value, wrote));
    return refusals.find((refused) => refused !== undefined);
  }
  const place = Array.isArray(at) ? indexIn(at, key, path) : key;
  if (typeof place === 'object') return place.refused;
  const parent = at as Record<string | number, unknown>;
  if (rest.length === 0) {
    Object.defineProperty(parent, place, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
    wrote([...path, place]);
    return undefined;
  }
  const next = Object.hasOwn(parent, place) ? parent[place] : undefined;
  if (next !== undefined && next !== null) return write(next, rest, [...path, place], value, wrote);
  const made: Record<string, unknown> = {};
  Object.defineProperty(parent, place, {
    value: made,
    writable: true,
    enumerable: true,
    configurable: true,
  });
  return write(made, rest, [...path, place], value, wrote);
}

function indexIn(list: readonly unknown[], key: string, path: Path): number | { refused: string } {
  if (/^\d{1,7}$/.test(key) && Number(key) < list.length) return Number(key);
  const names = list.map((entry) => String((entry as { name?: unknown } | null)?.name ?? ''));
  const index = names.indexOf(key);
  if (index >= 0 && key !== '') return index;
  const meant = nearest(key, names);
  const known = names.filter((name) => name !== '').join(', ');
  const allowed = `an index below ${list.length}${known === '' ? '' : `, or ${known}`}, or *`;
  const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
  return { refused: `"${key}" is not in ${path.join('.')}; allowed: ${allowed}${hint}` };
}

/** A deep copy of parsed YAML; the depth was limited when it was parsed. */
function unshare(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > 64) return value;
  if (Array.isArray(value)) return value.map((entry) => unshare(entry, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, unshare(entry, depth + 1)]),
  );
}
