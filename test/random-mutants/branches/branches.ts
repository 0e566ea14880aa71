/**
 * Branches of a source in its order, and a copy of it that records which of them are reached:
 * bodies of functions and loops, both sides of conditions, what follows an `if` that may leave.
 */
import { parseSync } from 'rolldown/utils';

export interface Branch {
  readonly start: number;
  readonly end: number;
  /**
   * Where its mark stands. `block`: inside the braces. `expression`: first in a comma expression.
   * `statement`: in new braces around it. `rest`: before the first statement of what is left.
   */
  readonly form: 'block' | 'expression' | 'statement' | 'rest';
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

const FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;
const LOOP = /^(For|ForIn|ForOf|While|DoWhile)Statement$/;
const LEAVES = /^(Return|Throw|Continue|Break)Statement$/;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const nodesOf = (value: unknown): readonly Node[] =>
  (Array.isArray(value) ? value : [value]).filter(isNode);

/**
 * All branches in the order of the syntax tree. That order is the same in a TypeScript source and
 * in the JavaScript that was built from it, since types have no branches.
 */
export function branchesOf(file: string, text: string): readonly Branch[] {
  const found: Branch[] = [];
  const visit = (node: Node): void => {
    found.push(...branchesAt(node));
    for (const value of Object.values(node)) for (const each of nodesOf(value)) visit(each);
  };
  visit(parseSync(file, text).program as unknown as Node);
  return found.sort((a, b) => a.start - b.start || b.end - a.end);
}

function branchesAt(node: Node): readonly Branch[] {
  const { type } = node;
  if (FUNCTION.test(type)) return nodesOf(node.body).map(bodyOf);
  if (LOOP.test(type) || type === 'CatchClause') return nodesOf(node.body).map(statementOf);
  if (type === 'IfStatement') {
    return [node.consequent, node.alternate].flatMap(nodesOf).map(statementOf);
  }
  if (type === 'ConditionalExpression') {
    return [node.consequent, node.alternate].flatMap(nodesOf).map(expressionOf);
  }
  if (/^(\?\?|\|\||&&)=?$/.test(`${node.operator}`)) return nodesOf(node.right).map(expressionOf);
  if (type === 'SwitchCase') return restsOf(nodesOf(node.consequent), 0);
  if (type === 'BlockStatement' || type === 'FunctionBody') return restsOf(nodesOf(node.body), 1);
  return [];
}

const isBlock = ({ type }: Node): boolean => type === 'BlockStatement' || type === 'FunctionBody';
const branch = ({ start, end }: Node, form: Branch['form']): Branch => ({ start, end, form });
const bodyOf = (body: Node): Branch => branch(body, isBlock(body) ? 'block' : 'expression');
const statementOf = (body: Node): Branch => branch(body, isBlock(body) ? 'block' : 'statement');
const expressionOf = (node: Node): Branch => branch(node, 'expression');

/** What follows each `if` that may leave; with `first` 0 also the whole. */
function restsOf(statements: readonly Node[], first: 0 | 1): readonly Branch[] {
  const { end } = statements.at(-1) ?? { end: 0 };
  return statements
    .filter((_, at) => (at === 0 ? first === 0 : mayLeave(statements[at - 1]!)))
    .map(({ start }) => ({ start, end, form: 'rest' }));
}

function mayLeave(statement: Node): boolean {
  if (statement.type !== 'IfStatement' || !isNode(statement.consequent)) return false;
  const { consequent } = statement;
  const last = isBlock(consequent) ? nodesOf(consequent.body).at(-1) : consequent;
  return last !== undefined && LEAVES.test(last.type);
}

/** The innermost branch around a place, by its number; -1 outside of all. */
export function branchAt(branches: readonly Branch[], place: number): number {
  return branches.findLastIndex(({ start, end }) => start <= place && place < end);
}

/** Global array with a byte for each branch; 1: it was reached. */
export const REACHED = '__fleetwaveReached';
export const MOST_BRANCHES = 2 ** 17;

/** The JavaScript with a mark at the start of each branch, numbered from `first`. */
export function withMarks(file: string, text: string, first: number): string {
  const opening: [at: number, words: string][] = [];
  const closing: [at: number, words: string][] = [];
  for (const [at, { start, end, form }] of branchesOf(file, text).entries()) {
    const mark = `${REACHED}[${first + at}] = 1`;
    if (form === 'block') opening.push([start + 1, `${mark};`]);
    if (form === 'rest') opening.push([start, `${mark};`]);
    if (form === 'expression') opening.push([start, `(${mark}, `]);
    if (form === 'statement') opening.push([start, `{${mark};`]);
    if (form === 'expression') closing.push([end, ')']);
    if (form === 'statement') closing.push([end, '}']);
  }
  // Where branches end at one place, the innermost is closed first: it stands last among them.
  const insertions = [...closing.reverse(), ...opening].sort(([a], [b]) => a - b);
  let marked = '';
  let from = 0;
  for (const [at, words] of insertions) {
    marked += text.slice(from, at) + words;
    from = at;
  }
  const array = `(globalThis.${REACHED} ??= new Uint8Array(${MOST_BRANCHES}))`;
  return `const ${REACHED} = ${array};\n${marked}${text.slice(from)}`;
}
