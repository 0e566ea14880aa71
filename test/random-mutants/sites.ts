/**
 * Places of a source where a small fault can be planted, found in its syntax tree. What no run can
 * notice is left out: types, imports, messages, and the conditions of assertions.
 */
import { parseSync } from 'rolldown/utils';

export const KINDS = [
  'relation',
  'arithmetic',
  'logic',
  'flag',
  'number',
  'condition',
  'removed call',
  'swapped arguments',
] as const;
export type Kind = (typeof KINDS)[number];

/** A text of the source, and what stands in its place. */
export interface Site {
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
  readonly replace: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

const RELATIONS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
};
const ARITHMETIC: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*' };
const LOGIC: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' };
/** Calls that change nothing for who keeps the rules. */
const UNNOTICED = /^(assert\w*|unreachable|console\.\w+)$/;
/** Reserve room ahead of time: without them the same room is made when it is needed. */
const HINTS = /(^|\.)#?reserve$/;
/** Only the signs count of what their comparisons return. */
const SORTS = /\.(sort|toSorted)$/;
/** A function is no argument that is mistaken for another one. */
const FUNCTIONS = /^(ArrowFunctionExpression|FunctionExpression|SpreadElement)$/;

export function sitesOf(file: string, text: string): readonly Site[] {
  const { program } = parseSync(file, text);
  const found: Site[] = [];
  walk(program as unknown as Node, (node) => found.push(...sitesAt(node, text)));
  return found;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

function walk(node: Node, visit: (node: Node) => void): void {
  if (node.type === 'CallExpression' && SORTS.test(calleeOf(node))) return walkSort(node, visit);
  if (/^(Import|ExportAll|TSType|TSInterface|TSEnum)/.test(node.type)) return;
  if (/^TS/.test(node.type) && !isNode(node.expression)) return;
  if (node.type === 'CallExpression' && UNNOTICED.test(calleeOf(node))) return;
  visit(node);
  for (const [key, value] of Object.entries(node)) {
    if (key === 'typeAnnotation' || key === 'returnType' || key === 'typeArguments') continue;
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) walk(each, visit);
  }
}

/** A sort: numbers from 1 that its comparison returns stay as they are. */
function walkSort(node: Node, visit: (node: Node) => void): void {
  const besideSigns = (each: Node) => {
    const isSign = each.type === 'Literal' && Number(each.value) >= 1;
    if (!isSign) visit(each);
  };
  visit(node);
  for (const each of [node.callee, ...(node.arguments as readonly unknown[])]) {
    if (isNode(each)) walk(each, /Function/.test(each.type) ? besideSigns : visit);
  }
}

function calleeOf({ callee }: Node): string {
  if (!isNode(callee)) return '';
  if (callee.type === 'Identifier') return String(callee.name);
  const { object, property } = callee;
  const names = [object, property].map((each) => (isNode(each) ? String(each.name) : ''));
  return names.join('.');
}

function sitesAt(node: Node, text: string): readonly Site[] {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return operatorSites(node, text);
    case 'Literal':
      return literalSites(node);
    case 'IfStatement':
    case 'ConditionalExpression':
      return negated(node.test, text);
    case 'ExpressionStatement':
      return removed(node);
    case 'CallExpression':
      return swapped(node, text);
    default:
      return [];
  }
}

function operatorSites({ left, right, operator }: Node, text: string): readonly Site[] {
  if (!isNode(left) || !isNode(right)) return [];
  const sign = String(operator);
  const start = text.indexOf(sign, left.end);
  if (start < 0 || start >= right.start) return [];
  const at = { start, end: start + sign.length };
  const isOfText = [left, right].some(
    ({ type, value }) => type === 'TemplateLiteral' || typeof value === 'string',
  );
  if (sign in RELATIONS) return [{ ...at, kind: 'relation', replace: RELATIONS[sign]! }];
  if (sign in LOGIC) return [{ ...at, kind: 'logic', replace: LOGIC[sign]! }];
  if (sign in ARITHMETIC && !isOfText) {
    return [{ ...at, kind: 'arithmetic', replace: ARITHMETIC[sign]! }];
  }
  return [];
}

function literalSites({ value, start, end }: Node): readonly Site[] {
  if (typeof value === 'boolean') return [{ kind: 'flag', start, end, replace: String(!value) }];
  if (typeof value === 'number') {
    return [{ kind: 'number', start, end, replace: String(value + 1) }];
  }
  return [];
}

function negated(test: unknown, text: string): readonly Site[] {
  if (!isNode(test)) return [];
  const { start, end } = test;
  return [{ kind: 'condition', start, end, replace: `!(${text.slice(start, end)})` }];
}

function removed({ expression, start, end }: Node): readonly Site[] {
  if (!isNode(expression) || expression.type !== 'CallExpression') return [];
  const callee = calleeOf(expression);
  if (callee === '' || UNNOTICED.test(callee) || HINTS.test(callee)) return [];
  return [{ kind: 'removed call', start, end, replace: ';' }];
}

/** Functions that ask nobody which argument comes first. */
const COMMUTATIVE = /^Math\.(imul|min|max|hypot)$/;

function swapped(call: Node, text: string): readonly Site[] {
  const { arguments: given } = call;
  if (COMMUTATIVE.test(calleeOf(call))) return [];
  const [first, second] = Array.isArray(given) ? (given as readonly unknown[]) : [];
  if (!isNode(first) || !isNode(second)) return [];
  if (FUNCTIONS.test(first.type) || FUNCTIONS.test(second.type)) return [];
  const [one, other] = [first, second].map(({ start, end }) => text.slice(start, end));
  if (one === other) return [];
  const between = text.slice(first.end, second.start);
  const replace = `${other}${between}${one}`;
  return [{ kind: 'swapped arguments', start: first.start, end: second.end, replace }];
}
