/**
 * YAML text to plain data that remembers where each value stood, within limits of depth and
 * aliases.
 */
import {
  type Alias,
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type Pair,
  Parser,
  visit,
  type YAMLMap,
} from 'yaml';
import { quote, sentence } from './complaint.ts';
import {
  firstOf,
  type Path,
  type Place,
  PROBLEMS_MAX,
  type Problem,
  type Source,
} from './problem.ts';

/** Deepest nesting of maps and lists. */
const DEPTH_MAX = 32;
/** Most times that aliases may repeat a value. */
const ALIASES_MAX = 100;

/**
 * Most lexemes of a file, so that any text of 16 MiB is read or refused in some seconds: a timeline
 * of 10 000 commands with seven fields each has 700 000.
 */
const LEXEMES_MAX = 1_000_000;
/**
 * Most maps, lists and values, those that aliases repeat counted each time; without aliases the
 * lexemes end before.
 */
export const VALUES_MAX = 500_000;

/** Keys that are there twice are found by `repeatedKeys`. */
const OPTIONS = { version: '1.2', merge: true, stringKeys: true, uniqueKeys: false } as const;

export interface YamlSource {
  readonly value: unknown;
  readonly source: Source;
  readonly problems: readonly Problem[];
}

/** Errors of syntax come back as problems, all of them; only text without them has a value. */
export function parseYaml(file: string, text: string): YamlSource {
  const lines = new LineCounter();
  const at = (offset: number) => {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { where: `${file}:${line}:${col}`, line };
  };
  const refused = (problems: readonly Problem[]): YamlSource => ({
    value: undefined,
    source: { locate: () => ({ where: file, line: 0, file }) },
    problems: firstOf(problems, file),
  });
  const { tokens, endsAt } = tokensOf(text, lines);
  if (endsAt !== undefined) {
    const most = `at most ${LEXEMES_MAX} in a file`;
    const allowed = `${most}; long lists of points go into a file of their own`;
    const message = sentence({ what: 'has too many words and signs', allowed });
    return refused([{ ...at(endsAt), pointer: '', message }]);
  }
  const deep = tooDeepAt(tokens);
  if (deep !== undefined) {
    return refused([{ ...tooDeep(file), ...at(deep) }]);
  }
  const { documents, errors } = compose(tokens, text.length);
  if (errors.length > 0) {
    return refused(
      errors.map(({ pos, message }) => {
        // The first line of the parser's words, without its picture of the place.
        const [line = ''] = message.split('\n');
        const plain = line.replace(/ at line \d+, column \d+:?$/, '');
        const words = inPlainWords(plain) || 'is not YAML from here on';
        return { ...at(pos), pointer: '', message: words };
      }),
    );
  }
  const [document, second] = documents;
  if (document === undefined) return refused([empty(file)]);
  if (second !== undefined) {
    const message = 'begins a second document; allowed: one scenario a file';
    return refused([{ ...at(second.range[0]), pointer: '', message }]);
  }
  const twice = repeatedKeys(document);
  if (twice.length > 0) {
    const allowed = 'each key once in a map';
    return refused(
      twice.map(({ offset, key }) => {
        const message = sentence({ what: `${quote(key)} stands here twice`, allowed });
        return { ...at(offset), pointer: '', message };
      }),
    );
  }
  return toValue(file, document, at);
}

/** The parser speaks of its grammar; these are what people do most. */
const PLAIN_WORDS: readonly (readonly [RegExp, string])[] = [
  [
    /^Flow map in block collection must be sufficiently indented and end with a }$/,
    'a map in braces is not closed before here; allowed: "}" at its end, its lines indented',
  ],
  [
    /^Flow sequence in block collection must be sufficiently indented and end with a ]$/,
    'a list in brackets is not closed before here; allowed: "]" at its end, its lines indented',
  ],
  [
    /^Nested mappings are not allowed in compact mappings$/,
    'has a second ": " on its line; allowed: a text with ": " in quotation marks',
  ],
  [
    /^Missing closing (.)quote$/,
    'a text in quotation marks is not closed before here; allowed: $1 at its end',
  ],
  [/^(Tabs are not allowed as indentation)$/, '$1; allowed: spaces'],
];

function inPlainWords(message: string): string {
  const [pattern, words] = PLAIN_WORDS.find(([each]) => each.test(message)) ?? [];
  return pattern === undefined ? message : message.replace(pattern, words ?? '');
}

/** The text’s tokens, or where it ends to be read. */
function tokensOf(text: string, lines: LineCounter): { tokens: CST.Token[]; endsAt?: number } {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let lexemes = 0;
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    if (++lexemes > LEXEMES_MAX) return { tokens, endsAt: parser.offset };
    for (const token of parser.next(lexeme)) tokens.push(token);
  }
  for (const token of parser.end()) tokens.push(token);
  return { tokens };
}

interface SyntaxError {
  readonly pos: number;
  readonly message: string;
}

/** Ends the composing of a text that has more errors than are shown. */
class EnoughErrors extends Error {}

/**
 * Documents and errors. The library makes an exception of each error, and a text of 16 MiB may have
 * hundreds of thousands: so its own collector is replaced by one that ends after some.
 */
function compose(tokens: readonly CST.Token[], end: number) {
  const errors: SyntaxError[] = [];
  const note = (pos: number, message: string): void => {
    errors.push({ pos, message });
    if (errors.length > PROBLEMS_MAX) throw new EnoughErrors();
  };
  const onError: ComposeErrorHandler = (source, _code, message) => {
    if (typeof source === 'number') note(source, message);
    else note('offset' in source ? source.offset : (source[0] ?? 0), message);
  };
  const composer = new Composer(OPTIONS);
  Object.assign(composer, { onError });
  const documents: Document.Parsed[] = [];
  try {
    for (const document of composer.compose(reported(tokens, note), true, end)) {
      documents.push(document);
      if (documents.length > 1) break;
      for (const { pos, message } of document.errors) note(pos[0], message);
    }
  } catch (error) {
    if (!(error instanceof EnoughErrors)) throw error;
  }
  return { documents, errors: errors.sort((a, b) => a.pos - b.pos) };
}

/** The tokens but for those that are errors by themselves, which are noted. */
function* reported(
  tokens: readonly CST.Token[],
  note: (pos: number, message: string) => void,
): Generator<CST.Token> {
  for (const token of tokens) {
    if (token.type !== 'error') yield token;
    else note(token.offset, `${token.message}${token.source ? `: ${quote(token.source)}` : ''}`);
  }
}

type ComposeErrorHandler = (
  source: number | readonly number[] | { readonly offset: number },
  code: string,
  message: string,
) => void;

/** Where keys stand that their map has already; the library compares each key with each other. */
function repeatedKeys(document: Document.Parsed): { offset: number; key: unknown }[] {
  const twice: { offset: number; key: unknown }[] = [];
  visit(document, {
    Map(_, map) {
      const keys = new Set<unknown>();
      for (const { key } of map.items) {
        const value = isScalar(key) ? key.value : key;
        if (keys.has(value)) twice.push({ offset: offsetOf(key) ?? 0, key: value });
        keys.add(value);
      }
    },
  });
  return twice;
}

function empty(file: string): Problem {
  return { where: file, line: 0, pointer: '', message: 'is empty; allowed: a scenario' };
}

function tooDeep(file: string): Problem {
  const message = `is nested too deeply; allowed: at most ${DEPTH_MAX} levels`;
  return { where: file, line: 0, pointer: '', message };
}

type At = (offset: number) => Place;

function toValue(file: string, document: Document.Parsed, at: At): YamlSource {
  keepDigits(document);
  const targets = aliasTargets(document);
  const source: Source = {
    locate: (path, key) => ({ ...locate(document, targets, path, key === true, at), file }),
  };
  const dangling = [...targets].filter(([, target]) => target === undefined);
  if (dangling.length > 0) {
    const problems = dangling.map(([alias]) => ({
      ...at(offsetOf(alias) ?? 0),
      pointer: '',
      message: `*${alias.source} stands before or without its anchor &${alias.source}`,
    }));
    return { value: undefined, source, problems: firstOf(problems, file) };
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: ALIASES_MAX });
    if (value === null || value === undefined) return { value, source, problems: [empty(file)] };
    const excess = excessOf(file, value, 'repeats too much by aliases');
    return { value, source, problems: excess === undefined ? [] : [excess] };
  } catch (error) {
    // The library reports hostile aliases by a ReferenceError; there is no other way to ask.
    if (!(error instanceof ReferenceError)) throw error;
    const what = 'repeats values by aliases too often';
    const message = sentence({ what, allowed: `at most ${ALIASES_MAX} repetitions` });
    return { value: undefined, source, problems: [{ where: file, line: 0, pointer: '', message }] };
  }
}

/** Whether a value that is made of a file, `what` it does, is nested too deeply or too large. */
export function excessOf(file: string, value: unknown, what: string): Problem | undefined {
  const extent = extentOf(value);
  if (extent === 'right') return undefined;
  if (extent === 'deep') return tooDeep(file);
  const message = sentence({ what, allowed: `at most ${VALUES_MAX} values in all` });
  return { where: file, line: 0, pointer: '', message };
}

type Targets = ReadonlyMap<Alias, Node | undefined>;

/** The node that each alias means: the last with its anchor before it. */
function aliasTargets(document: Document.Parsed): Targets {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node | undefined>();
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) targets.set(node, anchors.get(node.source));
      else if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return targets;
}

/**
 * EUIs, keys and numbers with leading zeros stay the text they are, not the number they look
 * like.
 */
function keepDigits(document: Document.Parsed): void {
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value !== 'number' || node.source === undefined) return;
      if (/^(0\d+|\d[\dEe]{15}|\d[\dEe]{31})$/.test(node.source)) node.value = node.source;
    },
  });
}

/** Offset of the first collection nested deeper than allowed, found without recursion. */
function tooDeepAt(tokens: readonly CST.Token[]): number | undefined {
  const open: { token: CST.Token | null | undefined; depth: number }[] = [];
  for (const token of tokens) {
    open.push({ token: token.type === 'document' ? token.value : null, depth: 1 });
  }
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    if (!token || !('items' in token)) continue;
    if (depth > DEPTH_MAX) return token.offset;
    for (const { key, value } of token.items) {
      open.push({ token: key, depth: depth + 1 }, { token: value, depth: depth + 1 });
    }
  }
  return undefined;
}

/** Whether aliases nest a value deeper than its text is, without end perhaps, or make it large. */
function extentOf(value: unknown): 'right' | 'deep' | 'many' {
  const open: { value: unknown; depth: number }[] = [{ value, depth: 1 }];
  let values = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (++values > VALUES_MAX) return 'many';
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (next.depth > DEPTH_MAX) return 'deep';
    for (const child of Object.values(next.value))
      open.push({ value: child, depth: next.depth + 1 });
  }
  return 'right';
}

/** Place of the node at a path, or of the deepest parent that stands in the file. */
function locate(
  document: Document.Parsed,
  targets: Targets,
  path: Path,
  wantsKey: boolean,
  at: At,
) {
  let node: unknown = document.contents;
  let offset = offsetOf(node) ?? 0;
  for (const [index, key] of path.entries()) {
    const step = childOf(targets, node, key);
    if (step === undefined) break;
    const last = index === path.length - 1;
    offset =
      (last && wantsKey ? offsetOf(step.key) : undefined) ??
      offsetOf(step.value) ??
      offsetOf(step.key) ??
      offset;
    node = step.value;
  }
  return at(offset);
}

function childOf(targets: Targets, parent: unknown, key: string | number) {
  const node = isAlias(parent) ? targets.get(parent) : parent;
  if (isSeq(node)) {
    const value = node.items[Number(key)];
    return value === undefined ? undefined : { key: undefined, value };
  }
  if (!isMap(node)) return undefined;
  const pair = pairsOf(node).get(String(key));
  return pair === undefined ? undefined : { key: pair.key, value: pair.value };
}

/** Pairs of a map by their key, made when something in it is looked for. */
const indexes = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();

function pairsOf(map: YAMLMap): ReadonlyMap<string, Pair> {
  const known = indexes.get(map);
  if (known !== undefined) return known;
  const pairs = map.items.flatMap((pair) =>
    isScalar(pair.key) ? [[String(pair.key.value), pair] as const] : [],
  );
  const index = new Map(pairs);
  indexes.set(map, index);
  return index;
}

function offsetOf(node: unknown): number | undefined {
  return isNode(node) ? (node as Node).range?.[0] : undefined;
}
