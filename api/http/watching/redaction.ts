/**
 * Redaction of secrets in bodies and queries before they are stored. Rows of operations say which
 * fields are secret; beside them, what is called as secrets are called is one.
 */
import type { Kind } from '../../../sim/base/rows/fields.ts';

export const REDACTED = '[redacted]';

/** What is secret of a body. */
export interface Secrets {
  /** In lower case, as some families take keys in any case. */
  readonly names: ReadonlySet<string>;
  /** The whole body is: secrets stand in it that have no name. */
  readonly whole: boolean;
}

/** The secrets of a body of this kind; null: there is no body. */
export function secretsOf(kind: Kind | null): Secrets {
  const names = new Set<string>();
  const whole = kind !== null && isSecret(kind, names);
  return { names, whole };
}

/** Whether a value is secret as a whole; names of those that are so within it are added. */
function isSecret(kind: Kind, names: Set<string>): boolean {
  if (kind.secret) return true;
  switch (kind.type) {
    case 'list':
      return isSecret(kind.of, names);
    case 'map':
      return [kind.keys, kind.of].map((each) => isSecret(each, names)).includes(true);
    case 'either':
      return kind.kinds.map((each) => isSecret(each, names)).includes(true);
    case 'record':
      for (const [name, row] of Object.entries(kind.fields)) {
        if (isSecret(row, names)) names.add(name.toLowerCase());
      }
      return false;
    default:
      return false;
  }
}

/** As secrets are called, in any family. */
const CALLED_SO = /pass(word|wd|phrase)|secret|token|authorization|credential|keys?$/i;

/** Names are looked at one by one only where some could be meant. */
const MAY_BE_CALLED_SO = /pass|secret|token|authorization|credential|key|\\u/i;

/** A JSON string; the last one of a text may have been cut off. */
const STRING = /"(?:[^"\\]|\\.)*(?:"|\\?$)/gs;
const COLON = /\s*:\s*/y;

/**
 * JSON text, which may end anywhere, with `"[redacted]"` in the place of each value whose key is a
 * secret's name.
 */
export function redactedJson(text: string, { names, whole }: Secrets): string {
  if (whole) return REDACTED;
  if (names.size === 0 && !MAY_BE_CALLED_SO.test(text)) return text;
  let [stored, from] = ['', 0];
  for (const [key, at] of stringsIn(text)) {
    const valueAt = at < from ? undefined : matchedTo(COLON, text, at + key.length);
    if (valueAt === undefined || !isNameOfSecret(unquoted(key), names)) continue;
    stored += `${text.slice(from, valueAt)}"${REDACTED}"`;
    from = endOfValue(text, valueAt);
  }
  return stored + text.slice(from);
}

function* stringsIn(text: string): Iterable<readonly [string, number]> {
  for (const match of text.matchAll(STRING)) yield [match[0], match.index];
}

const isNameOfSecret = (name: string, names: ReadonlySet<string>): boolean =>
  names.has(name.toLowerCase()) || CALLED_SO.test(name);

function unquoted(key: string): string {
  try {
    return JSON.parse(key);
  } catch {
    return key;
  }
}

const STRING_HERE = new RegExp(STRING.source, 'sy');
const NUMBER_OR_WORD = /[^\s,\]}]*/y;
const STRING_OR_BRACKET = new RegExp(`${STRING.source}|[[\\]{}]`, 'gs');

/** Where the value that begins here ends; the end of the text where it was cut off. */
function endOfValue(text: string, at: number): number {
  const first = text[at];
  if (first === '"') return matchedTo(STRING_HERE, text, at) ?? text.length;
  if (first !== '{' && first !== '[') return matchedTo(NUMBER_OR_WORD, text, at) ?? text.length;
  let depth = 0;
  for (const { 0: found, index } of text.slice(at).matchAll(STRING_OR_BRACKET)) {
    if (found === '{' || found === '[') depth++;
    else if (found === '}' || found === ']') depth--;
    if (depth === 0) return at + index + 1;
  }
  return text.length;
}

/** Where a sticky pattern ends that fits at a place. */
function matchedTo(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** A path with its query, whose secrets are left out. */
export function redactedUrl(url: string): string {
  const at = url.indexOf('?');
  if (at < 0 || (!MAY_BE_CALLED_SO.test(url) && !url.includes('%'))) return url;
  const parts = url
    .slice(at + 1)
    .split('&')
    .map((part) => {
      const [name = ''] = part.split('=', 1);
      return isNameOfSecret(decoded(name), new Set()) ? `${name}=${REDACTED}` : part;
    });
  return `${url.slice(0, at)}?${parts.join('&')}`;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
