/** Expressions of study files, by mathjs: what computes numbers from numbers, and nothing else. */
import type { ArrayNode, FunctionNode, MathJsInstance, MathNode, SymbolNode } from 'mathjs';
import type { Evaluated, Expressions } from '../../../scenarios/study/expressions.ts';

const TEXT_MAX = 500;
const NUMBERS_MAX = 10_000;
/** So that sums of steps read as they were meant: 0.15, not 0.15000000000000002. */
const DIGITS = 12;

const FUNCTIONS: ReadonlySet<string> = new Set(
  (
    'range linspace logspace concat sort abs ceil floor round sign min max mod sum mean ' +
    'sqrt cbrt square cube pow exp log log2 log10'
  ).split(' '),
);

const NODES: ReadonlySet<string> = new Set([
  'ConstantNode',
  'SymbolNode',
  'OperatorNode',
  'ParenthesisNode',
  'FunctionNode',
  'ArrayNode',
  'ConditionalNode',
  'RelationalNode',
]);

const ALLOWED = `numbers, parameters, + - * / ^, comparisons and ${[...FUNCTIONS].join(', ')}`;

/** Loading takes a second, so that it is done when the first expression is met. */
export async function loadExpressions(): Promise<Expressions> {
  const { all, create } = await import('mathjs');
  const math = create(all ?? {}, { predictable: true });
  math.import({ range, linspace, logspace }, { override: true });
  return { evaluate: (text, names) => evaluated(math, text, names) };
}

function evaluated(
  math: MathJsInstance,
  text: string,
  names: Readonly<Record<string, number>>,
): Evaluated {
  const wrong = (why: string): Evaluated => ({ ok: false, what: `{${text.slice(0, 60)}}: ${why}` });
  if (text.length > TEXT_MAX) return wrong(`is too long; allowed: ${TEXT_MAX} characters`);
  try {
    const node = math.parse(text);
    const refused = refusalOf(node, names);
    if (refused !== undefined) return wrong(`${refused}; allowed: ${ALLOWED}`);
    // A map has no names but its own: those of every object are no parameters.
    return numbersOf(node.evaluate(new Map(Object.entries(names))), wrong);
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error));
  }
}

/** What is neither a number nor made of numbers. */
function refusalOf(root: MathNode, names: Readonly<Record<string, number>>): string | undefined {
  const found: string[] = [];
  root.traverse((node, path, parent) => {
    if (!NODES.has(node.type)) found.push(`${node.toString()} is not understood here`);
    const { fn, name } = node as unknown as { readonly fn?: unknown; readonly name: string };
    if (node.type === 'OperatorNode' && /^(ctranspose|factorial|to)$/.test(String(fn))) {
      found.push(`${node.toString()} is not understood here`);
    }
    if (node.type === 'ArrayNode' && !(node as ArrayNode).items.every(isOneNumber)) {
      found.push('a list has numbers in it, and no lists');
    }
    if (node.type !== 'SymbolNode') return;
    const isCalled = parent?.type === 'FunctionNode' && path === 'fn';
    if (isCalled && Object.hasOwn(names, name)) found.push(`"${name}" is a parameter here`);
    if (isCalled ? FUNCTIONS.has(name) : Object.hasOwn(names, name) || name === 'pi') return;
    found.push(`"${name}" is no ${isCalled ? 'function' : 'parameter'}`);
  });
  return found[0];
}

/** Functions that make a list of numbers. */
const LISTS: ReadonlySet<string> = new Set(['range', 'linspace', 'logspace', 'concat', 'sort']);
/** Functions that make one number of a list. */
const SUMS: ReadonlySet<string> = new Set(['min', 'max', 'sum', 'mean']);

/**
 * Lists of lists are multiplied with each other to more than any machine holds, and no parameter
 * needs them.
 */
function isOneNumber(node: MathNode): boolean {
  if (node.type === 'ArrayNode') return false;
  if (node.type === 'FunctionNode') {
    const { name } = (node as FunctionNode).fn as SymbolNode;
    if (LISTS.has(name)) return false;
    if (SUMS.has(name)) return true;
  }
  let isOne = true;
  node.forEach((child) => {
    isOne &&= isOneNumber(child);
  });
  return isOne;
}

function numbersOf(value: unknown, wrong: (why: string) => Evaluated): Evaluated {
  const plain = typeof value === 'object' && value !== null ? plainOf(value) : value;
  const numbers: readonly unknown[] = Array.isArray(plain) ? plain : [plain];
  if (numbers.length > NUMBERS_MAX) {
    return wrong(`has ${numbers.length} values; allowed: ${NUMBERS_MAX}`);
  }
  const other = numbers.findIndex((each) => typeof each !== 'number' || !Number.isFinite(each));
  if (other >= 0) {
    return wrong(`evaluates to ${String(numbers[other] ?? 'nothing')}; allowed: numbers`);
  }
  const rounded = (numbers as number[]).map((each) => Number(each.toPrecision(DIGITS)));
  return { ok: true, value: Array.isArray(plain) ? rounded : rounded[0]! };
}

const plainOf = (value: object): unknown =>
  'toArray' in value && typeof value.toArray === 'function' ? value.toArray() : value;

function counted(count: number): number {
  if (Number.isInteger(count) && count >= 0 && count <= NUMBERS_MAX) return count;
  throw new RangeError(`${count} values are not right; allowed: 0 to ${NUMBERS_MAX}`);
}

/** From the first on, without the end, as mathjs has it. */
function range(from: number, to: number, step = 1): number[] {
  if (step === 0) throw new RangeError('a step of 0 leads nowhere; allowed: any other');
  const steps = (to - from) / step;
  // A last step that ends at the end but for its rounding is not taken.
  const count =
    step === 0 || !Number.isFinite(steps)
      ? Number.NaN
      : Math.ceil(Number(steps.toPrecision(DIGITS)));
  return Array.from({ length: counted(Math.max(0, count)) }, (_, i) => from + i * step);
}

/** Values at equal distances, both ends included. */
function linspace(from: number, to: number, count: number): number[] {
  const last = counted(count) - 1;
  return Array.from({ length: count }, (_, i) =>
    last === 0 ? from : from + (i * (to - from)) / last,
  );
}

/** Values at equal ratios, both ends included. */
function logspace(from: number, to: number, count: number): number[] {
  if (from <= 0 || to <= 0) throw new RangeError('logspace has ends above 0');
  return linspace(Math.log(from), Math.log(to), count).map(Math.exp);
}
