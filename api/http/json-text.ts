/** Where a text stops to be JSON (RFC 8259), and how deep it is, by its characters alone. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * The first character that opens an object or an array more than `depth` deep; undefined where
 * none does. What comes after the place where a text stops to be JSON may count too.
 */
export function tooDeepAt(text: string, depth: number): number | undefined {
  if (opensAtMost(text, depth)) return undefined;
  let open = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (character === QUOTE) i = endOfQuoted(text, i);
    // [ ] { } differ from each other in the bits 0x26 only.
    else if ((character & ~0x20) === 0x5b) {
      if (++open > depth) return i;
    } else if ((character & ~0x20) === 0x5d) open--;
  }
  return undefined;
}

/** Nothing is deeper than the number of its brackets; most bodies have few, and soon counted. */
function opensAtMost(text: string, count: number): boolean {
  let left = count;
  for (const bracket of '[{') {
    for (let i = text.indexOf(bracket); i >= 0; i = text.indexOf(bracket, i + 1)) {
      if (--left < 0) return false;
    }
  }
  return true;
}

/** Of the closing quote; of the end where there is none. */
function endOfQuoted(text: string, from: number): number {
  for (let i = from + 1; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (character === QUOTE) return i;
    if (character === BACKSLASH) i++;
  }
  return text.length;
}

/** What may come next: a value, a key, a punctuation mark, nothing. */
type Next = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' | 'nothing';

/**
 * The first character that cannot stand where it does; the text's length where it ends too early;
 * undefined for JSON. It takes longer than `JSON.parse`, which does not tell the place reliably.
 */
export function faultAt(text: string): number | undefined {
  const open: ('[' | '{')[] = [];
  let next: Next = 'value';
  let i = afterSpace(text, 0);
  while (i < text.length) {
    const character = text[i]!;
    const after = afterMark(character, next, open);
    if (after !== undefined) i++;
    else {
      const end = next.endsWith('key') ? endOfKey(text, i) : endOfScalar(text, i, next);
      if (end < 0) return -end - 1;
      i = end;
    }
    next = after ?? (next.endsWith('key') ? 'colon' : afterValue(open));
    i = afterSpace(text, i);
  }
  return next === 'nothing' ? undefined : i;
}

const afterValue = (open: readonly string[]): Next => (open.length === 0 ? 'nothing' : 'comma');

/** What comes after a bracket, a comma or a colon; undefined where none may stand here. */
function afterMark(mark: string, next: Next, open: ('[' | '{')[]): Next | undefined {
  const isValue = next === 'value' || next === 'first value';
  if (isValue && (mark === '[' || mark === '{')) {
    open.push(mark);
    return mark === '[' ? 'first value' : 'first key';
  }
  if (next === 'colon') return mark === ':' ? 'value' : undefined;
  const inner = open.at(-1);
  if (next === 'comma' && mark === ',') return inner === '[' ? 'value' : 'key';
  const closes =
    (mark === ']' && inner === '[' && (next === 'first value' || next === 'comma')) ||
    (mark === '}' && inner === '{' && (next === 'first key' || next === 'comma'));
  if (!closes) return undefined;
  open.pop();
  return afterValue(open);
}

/** Behind the scalar that begins here; else −1 − the place of the fault, as below. */
function endOfScalar(text: string, from: number, next: Next): number {
  if (next !== 'value' && next !== 'first value') return -1 - from;
  const first = text[from]!;
  if (first === '"') return endOfString(text, from);
  if (first === '-' || isDigit(text, from)) return endOfNumber(text, from);
  const word = ['true', 'false', 'null'].find((one) => one[0] === first) ?? '';
  for (let i = 0; i < word.length; i++) if (text[from + i] !== word[i]) return -1 - from - i;
  return word === '' ? -1 - from : from + word.length;
}

const endOfKey = (text: string, from: number): number =>
  text[from] === '"' ? endOfString(text, from) : -1 - from;

function endOfString(text: string, from: number): number {
  for (let i = from + 1; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (character === QUOTE) return i + 1;
    if (character < 0x20) return -1 - i;
    if (character !== BACKSLASH) continue;
    i++;
    if (text[i] === 'u') {
      for (let digit = 0; digit < 4; digit++) {
        if (!/^[0-9A-Fa-f]$/.test(text[++i] ?? '')) return -1 - i;
      }
    } else if (!'"\\/bfnrt'.includes(text[i] ?? ' ')) return -1 - i;
  }
  return -1 - text.length;
}

function endOfNumber(text: string, from: number): number {
  let i = text[from] === '-' ? from + 1 : from;
  if (!isDigit(text, i)) return -1 - i;
  i = text[i] === '0' ? i + 1 : afterDigits(text, i);
  if (text[i] === '.') {
    if (!isDigit(text, ++i)) return -1 - i;
    i = afterDigits(text, i);
  }
  if (text[i] === 'e' || text[i] === 'E') {
    i++;
    if (text[i] === '+' || text[i] === '-') i++;
    if (!isDigit(text, i)) return -1 - i;
    i = afterDigits(text, i);
  }
  return i;
}

const isDigit = (text: string, i: number): boolean => {
  const character = text.charCodeAt(i);
  return character >= 0x30 && character <= 0x39;
};

function afterDigits(text: string, from: number): number {
  let i = from;
  while (isDigit(text, i)) i++;
  return i;
}

function afterSpace(text: string, from: number): number {
  let i = from;
  while (' \n\r\t'.includes(text[i] ?? 'end')) i++;
  return i;
}

/** Lines and columns count from 1, columns in characters of UTF-16. */
export function placeOf(text: string, at: number): string {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  return `line ${line}, column ${at - before.lastIndexOf('\n')}`;
}
