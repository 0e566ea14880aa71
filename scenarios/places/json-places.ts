/** Where a value stands in a JSON text that has no fault; looked for when it is reported. */

/** A string, a sign of structure, or a bare word, with the space before it. */
const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+)/y;

interface Token {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

function tokenAt(text: string, at: number): Token {
  TOKEN.lastIndex = at;
  const token = TOKEN.exec(text)?.[1] ?? '';
  const to = token === '' ? text.length : TOKEN.lastIndex;
  return { text: token, from: to - token.length, to };
}

/** Offset of the value at a path, or of the deepest value on the way to it. */
export function offsetIn(text: string, path: readonly (string | number)[]): number {
  let here = tokenAt(text, 0);
  for (const key of path) {
    const next = childOf(text, here, key);
    if (next === undefined) break;
    here = next;
  }
  return here.from;
}

/** The first token of the value with this key or index. */
function childOf(text: string, parent: Token, key: string | number): Token | undefined {
  if (parent.text !== '{' && parent.text !== '[') return undefined;
  let next = tokenAt(text, parent.to);
  for (let index = 0; next.text !== '}' && next.text !== ']' && next.text !== ''; index++) {
    let own: string | number = index;
    if (parent.text === '{') {
      own = JSON.parse(next.text) as string;
      next = tokenAt(text, tokenAt(text, next.to).to);
    }
    if (own === key) return next;
    next = tokenAt(text, endOf(text, next));
    if (next.text === ',') next = tokenAt(text, next.to);
  }
  return undefined;
}

/** Where a value ends. */
function endOf(text: string, first: Token): number {
  let depth = 0;
  for (let token = first; ; token = tokenAt(text, token.to)) {
    if (token.text === '{' || token.text === '[') depth++;
    if (token.text === '}' || token.text === ']') depth--;
    if (depth <= 0 || token.text === '') return token.to;
  }
}

/** Line and column, from 1. */
export function placeOfOffset(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
