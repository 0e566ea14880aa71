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
  LineCounter,
  type Node,
  Parser,
  visit,
} from 'yaml';
import { sentence } from './complaint.ts';
import type { Path, Problem, Source } from './problem.ts';

/** Deepest nesting of maps and lists. */
const DEPTH_MAX = 32;
/** Most times that aliases may repeat a value. */
const ALIASES_MAX = 100;

const OPTIONS = { version: '1.2', merge: true, stringKeys: true } as const;

export interface YamlSource {
  readonly value: unknown;
  readonly source: Source;
  readonly problems: readonly Problem[];
}

/** Errors of syntax come back as problems, all of them; only text without them has a value. */
export function parseYaml(file: string, text: string): YamlSource {
  const lines = new LineCounter();
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const at = (offset: number) => {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { where: `${file}:${line}:${col}`, line };
  };
  const locateNothing: Source = { locate: () => ({ where: file, line: 0 }), settings: [] };
  const refused = (problems: readonly Problem[]): YamlSource => ({
    value: undefined,
    source: locateNothing,
    problems,
  });
  const deep = tooDeepAt(tokens);
  if (deep !== undefined) {
    return refused([{ ...tooDeep(file), ...at(deep) }]);
  }
  const documents = [...new Composer(OPTIONS).compose(tokens, true, text.length)];
  const [document, second] = documents;
  if (document === undefined) return refused([empty(file)]);
  const wrong = documents.flatMap(({ errors, warnings }) => [...errors, ...warnings]);
  if (wrong.length > 0) {
    return refused(
      wrong.map(({ pos, message }) => ({ ...at(pos[0]), pointer: '', message: plain(message) })),
    );
  }
  if (second !== undefined) {
    const message = 'begins a second document; allowed: one scenario a file';
    return refused([{ ...at(second.range[0]), pointer: '', message }]);
  }
  return toValue(file, document, at);
}

function empty(file: string): Problem {
  return { where: file, line: 0, pointer: '', message: 'is empty; allowed: a scenario' };
}

function tooDeep(file: string): Problem {
  const message = `is nested too deeply; allowed: at most ${DEPTH_MAX} levels`;
  return { where: file, line: 0, pointer: '', message };
}

/** First line of the parser's words, without its picture of the place. */
function plain(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
}

type At = (offset: number) => { where: string; line: number };

function toValue(file: string, document: Document.Parsed, at: At): YamlSource {
  keepDigits(document);
  const targets = aliasTargets(document);
  const source: Source = {
    locate: (path, key) => locate(document, targets, path, key === true, at),
    settings: [],
  };
  const dangling = [...targets].filter(([, target]) => target === undefined);
  if (dangling.length > 0) {
    const problems = dangling.map(([alias]) => ({
      ...at(offsetOf(alias) ?? 0),
      pointer: '',
      message: `*${alias.source} stands before or without its anchor &${alias.source}`,
    }));
    return { value: undefined, source, problems };
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: ALIASES_MAX });
    if (value === null || value === undefined) return { value, source, problems: [empty(file)] };
    return { value, source, problems: isTooDeep(value) ? [tooDeep(file)] : [] };
  } catch (error) {
    // The library tells hostile aliases by a ReferenceError; there is no other way to ask.
    if (!(error instanceof ReferenceError)) throw error;
    const what = 'repeats values by aliases too often';
    const message = sentence({ what, allowed: `at most ${ALIASES_MAX} repetitions` });
    return { value: undefined, source, problems: [{ where: file, line: 0, pointer: '', message }] };
  }
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

/** Whether aliases nest a value deeper than its text is, without end perhaps. */
function isTooDeep(value: unknown): boolean {
  const open: { value: unknown; depth: number }[] = [{ value, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (next.depth > DEPTH_MAX) return true;
    for (const child of Object.values(next.value))
      open.push({ value: child, depth: next.depth + 1 });
  }
  return false;
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
  const pair = node.items.find(
    ({ key: own }) => isScalar(own) && String(own.value) === String(key),
  );
  return pair === undefined ? undefined : { key: pair.key, value: pair.value };
}

function offsetOf(node: unknown): number | undefined {
  return isNode(node) ? (node as Node).range?.[0] : undefined;
}
