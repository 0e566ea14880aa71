/** Functions of a source in its order, and a copy of it that records which of them are called. */
import { parseSync } from 'rolldown/utils';

export interface FunctionBody {
  readonly start: number;
  readonly end: number;
  /** Whether the body is an expression, `x => x + 1`. */
  readonly isExpression: boolean;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

const FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/**
 * Bodies of all functions in the order of the syntax tree. That order is the same in a TypeScript
 * source and in the JavaScript that was built from it, since types have no bodies.
 */
export function functionsOf(file: string, text: string): readonly FunctionBody[] {
  const found: FunctionBody[] = [];
  const visit = (node: Node): void => {
    const { body } = node;
    if (FUNCTION.test(node.type) && isNode(body)) {
      const isExpression = body.type !== 'BlockStatement' && body.type !== 'FunctionBody';
      found.push({ start: body.start, end: body.end, isExpression });
    }
    for (const value of Object.values(node)) {
      for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) visit(each);
    }
  };
  visit(parseSync(file, text).program as unknown as Node);
  return found.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** The innermost function around a place, by its number; -1 outside of all. */
export function functionAt(functions: readonly FunctionBody[], place: number): number {
  return functions.findLastIndex(({ start, end }) => start <= place && place < end);
}

/** Global array with a byte for each function; 1: it was called. */
export const CALLED = '__fleetwaveCalled';

/** The JavaScript with a mark at the start of each function, numbered from `first`. */
export function withMarks(file: string, text: string, first: number): string {
  const insertions: [at: number, words: string][] = [];
  for (const [at, { start, end, isExpression }] of functionsOf(file, text).entries()) {
    const mark = `${CALLED}[${first + at}] = 1`;
    if (isExpression) insertions.push([start, `(${mark}, `], [end, ')']);
    else insertions.push([start + 1, `${mark};`]);
  }
  let marked = '';
  let from = 0;
  for (const [at, words] of insertions.sort(([a], [b]) => a - b)) {
    marked += text.slice(from, at) + words;
    from = at;
  }
  const array = `const ${CALLED} = (globalThis.${CALLED} ??= new Uint8Array(65536));\n`;
  return `${array}${marked}${text.slice(from)}`;
}
