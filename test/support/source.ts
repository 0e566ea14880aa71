/** Reads source text without a compiler: what is code, what is imported, how long blocks are. */

export interface Source {
  /** Path from the project's root, with slashes. */
  readonly path: string;
  readonly text: string;
  /**
   * The text with comments and the insides of strings, templates and regular expressions blanked;
   * same length and lines. Code inside `${…}` of a template stays.
   */
  readonly code: string;
  readonly imports: readonly Import[];
}

export interface Import {
  readonly specifier: string;
  readonly how: 'static' | 'type' | 'dynamic' | 'reexport';
}

export function readSource(path: string, text: string): Source {
  const code = blankWords(text);
  return { path, text, code, imports: importsOf(text, code) };
}

/** The line that offset `at` lies in, from 1. */
export function lineOf(text: string, at: number): number {
  let line = 1;
  for (let i = 0; i < at; i++) if (text[i] === '\n') line++;
  return line;
}

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** One pattern per thing that is not code, tried where its first character stands. */
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const STRING = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y;
const REGULAR_EXPRESSION = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const TEMPLATE_PART = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y;

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** After these a slash opens a regular expression; after anything else it divides. */
const BEFORE_REGULAR_EXPRESSION =
  /(?:^|[-+*/%=<>!&|^~?:;,([{]|\b(?:return|typeof|case|in|of|await|yield|throw))\s*$/;

function blankWords(text: string): string {
  let code = '';
  /** For every open template, how many braces are open inside its current `${`. */
  const templates: number[] = [];
  let at = 0;
  const pass = (length: number): void => {
    code += text.slice(at, at + length);
    at += length;
  };
  const hide = (length: number): void => {
    code += blank(text.slice(at, at + length));
    at += length;
  };
  const templatePart = (): void => {
    hide(matchAt(TEMPLATE_PART, text, at)?.length ?? 0);
    if (text[at] === '`') pass(1);
    else {
      pass(2);
      templates.push(0);
    }
  };
  while (at < text.length) {
    const char = text[at];
    const depth = templates.length - 1;
    const comment = char === '/' ? matchAt(COMMENT, text, at) : undefined;
    const string = char === "'" || char === '"' ? matchAt(STRING, text, at) : undefined;
    const expression =
      char === '/' && BEFORE_REGULAR_EXPRESSION.test(code.slice(-40))
        ? matchAt(REGULAR_EXPRESSION, text, at)
        : undefined;
    if (comment !== undefined) hide(comment.length);
    else if (string !== undefined || expression !== undefined) {
      const length = (string ?? expression ?? '').length;
      pass(1);
      hide(length - 2);
      pass(1);
    } else if (char === '`') {
      pass(1);
      templatePart();
    } else if (char === '}' && templates[depth] === 0) {
      templates.pop();
      pass(1);
      templatePart();
    } else {
      if (char === '{' && depth >= 0) templates[depth]++;
      if (char === '}' && depth >= 0) templates[depth]--;
      pass(1);
    }
  }
  return code;
}

const IMPORT =
  /\b(import|export)(\s+type)?\b(?:[^;'"()=]*?\bfrom)?\s*(['"])|\bimport\s*\(\s*(['"])/g;

function importsOf(text: string, code: string): Import[] {
  const imports: Import[] = [];
  for (const match of code.matchAll(IMPORT)) {
    const from = match.index + match[0].length;
    const quote = match[0].at(-1) ?? '';
    const specifier = text.slice(from, text.indexOf(quote, from));
    imports.push({ specifier, how: howOf(match[1], match[2] !== undefined) });
  }
  return imports;
}

function howOf(word: string | undefined, isType: boolean): Import['how'] {
  if (word === undefined) return 'dynamic';
  if (word === 'export') return 'reexport';
  return isType ? 'type' : 'static';
}

/** A string whose inside is blank, a number, or a word for a value. */
const LITERAL = /^(?:'\s*'|"\s*"|`\s*`|-?\d[\w.]*?(?:e-\d+)?|true|false|null)$/;
/** A list or object on one line, whose items hold no other. */
const INNERMOST = /\[[^[\]{}]*\]|\{[^[\]{}]*\}/;
const KEY = /^(?:[\w$]+|'\s*'|"\s*"|\[0\]): /;

/** Whether all items of a list or object are literals. */
const hasLiteralsOnly = (list: string): boolean =>
  list
    .slice(1, -1)
    .split(',')
    .map((item) => item.trim().replace(KEY, ''))
    .every((item) => item === '' || LITERAL.test(item));

/**
 * Whether a line of code is one entry of a table: a literal, or a list or object of literals, with
 * a key or without, and a comma.
 */
export function isTableEntry(line: string): boolean {
  const [, entry = ''] = /^\s*(\S.*),$/.exec(line) ?? [];
  let value = entry.replace(KEY, '').replace(/ as const$/, '');
  for (let list = INNERMOST.exec(value); list !== null; list = INNERMOST.exec(value)) {
    if (!hasLiteralsOnly(list[0])) return false;
    value = value.replace(list[0], '0');
  }
  return LITERAL.test(value);
}

export interface Block {
  readonly kind: 'function' | 'suite' | 'other';
  readonly firstLine: number;
  /** Without entries of tables. */
  readonly lines: number;
}

/** Every block in braces with what it is; a suite is the body of a `describe`. */
export function blocksOf(code: string): Block[] {
  const blocks: Block[] = [];
  /** For every line, how many lines before it count. */
  const counted = [0];
  for (const line of code.split('\n')) counted.push(counted.at(-1)! + (isTableEntry(line) ? 0 : 1));
  const open: { at: number; line: number }[] = [];
  let line = 1;
  for (let at = 0; at < code.length; at++) {
    const char = code[at];
    if (char === '\n') line++;
    if (char === '{') open.push({ at, line });
    if (char !== '}') continue;
    const start = open.pop();
    if (start === undefined) continue;
    const kind = kindOf(code.slice(Math.max(0, start.at - 600), start.at));
    blocks.push({ kind, firstLine: start.line, lines: counted[line]! - counted[start.line - 1]! });
  }
  return blocks;
}

/** What a brace opens, recognised by what stands before it. */
function kindOf(before: string): Block['kind'] {
  const head = before.trimEnd();
  const statement = head.slice(
    Math.max(...[';', '{', '}'].map((end) => head.lastIndexOf(end))) + 1,
  );
  if (/\bdescribe\b[^;{}]*$/.test(head) && head.endsWith('=>')) return 'suite';
  if (head.endsWith('=>')) return 'function';
  if (/[=([,:?|&<]$|\breturn$|\bsatisfies$|^$/.test(head)) return 'other';
  if (/\b(?:class|interface|import|export\s+type|type)\b/.test(statement)) return 'other';
  return 'function';
}
