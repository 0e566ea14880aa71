/**
 * Code of the network and the platform as the engine runs it soonest. For api/bundle.mjs.
 *
 * A short run is over before its code is optimised, and pays for each call and look-up that the
 * engine removes from optimised code. So a bundle has three things in plainer words that mean the
 * same (docs/decisions/0142):
 *
 *  assert(condition, invariant);  (condition) || assert(false, invariant);  no call while it holds
 *  this.#name                     this.$name                                no look-up by a symbol
 *  Fate.received                  1                                         of a table of numbers
 *
 * A class that extends another one has its own name in its private ones, so that they stay apart.
 */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const OWN = /[\\/](sim|core)[\\/].*\.ts$/;

/** A plugin of Rolldown. */
export const plainCode = {
  name: 'plain-code',
  transform(code, id) {
    if (!OWN.test(id)) return null;
    const program = this.parse(code, { lang: 'ts' });
    const around = { tables: tablesIn(program, code, id), suffix: '' };
    return changed(code, [...changesOf(program, around)]);
  },
};

/** What is replaced in a node of the tree, `suffix` being that of private names around it. */
function* changesOf(node, around) {
  const { tables, suffix } = around;
  if (node.left?.type === 'PrivateIdentifier') {
    throw new Error(`#${node.left.name} in …: a plain name cannot be asked for so`);
  }
  if (node.type === 'PrivateIdentifier') {
    yield { from: node.start, to: node.end, text: `$${node.name}${suffix}` };
  }
  if (isAssertion(node)) {
    const [condition, invariant] = node.expression.arguments;
    yield { from: node.start, to: condition.start, text: '(' };
    yield { from: condition.end, to: invariant.start, text: ') || assert(false, ' };
  }
  const number = numberOf(node, tables);
  if (number !== undefined) yield { from: node.start, to: node.end, text: `${number}` };
  const within = isClass(node) ? { ...around, suffix: suffixOf(node) } : around;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === 'string') yield* changesOf(child, within);
    }
  }
}

const isClass = ({ type }) => type === 'ClassDeclaration' || type === 'ClassExpression';
const suffixOf = ({ superClass, id }) => (superClass === null ? '' : `$${id.name}`);

/** Whether a statement is a call of `assert` with a condition and what it means. */
const isAssertion = ({ type, expression }) =>
  type === 'ExpressionStatement' &&
  expression.type === 'CallExpression' &&
  expression.callee.name === 'assert' &&
  expression.arguments.length === 2;

/** What `Table.name` is, where that is a number for good. */
const numberOf = ({ type, computed, object, property }, tables) =>
  type === 'MemberExpression' && !computed && object.type === 'Identifier'
    ? tables.get(object.name)?.get(property.name)
    : undefined;

/** Tables of numbers that a module has or imports, by the name that it has for them. */
function tablesIn({ body }, code, id) {
  const tables = new Map(tablesOf(code));
  for (const { type, source, specifiers } of body) {
    if (type !== 'ImportDeclaration' || !source.value.startsWith('.')) continue;
    const there = tablesOfFile(resolve(dirname(id), source.value));
    for (const { imported, local } of specifiers) {
      const table = there.get(imported?.name);
      if (table !== undefined) tables.set(local.name, table);
    }
  }
  return tables;
}

const known = new Map();

function tablesOfFile(path) {
  if (!known.has(path)) known.set(path, new Map(tablesOf(readFileSync(path, 'utf8'))));
  return known.get(path);
}

const TABLE = /^export const (\w+) = \{([^{}]*)\} as const\b/gm;
const ROW = /^\s*(\w+):\s*(-?\w+)\s*$/;

/** Exported tables whose values are whole numbers, written out. */
function* tablesOf(code) {
  for (const [, name, inside] of code.matchAll(TABLE)) {
    const rows = inside
      .replaceAll(/\/\*.*?\*\/|\/\/.*/gs, '')
      .split(',')
      .filter((row) => row.trim());
    const pairs = rows.map((row) => ROW.exec(row)).map((row) => row && [row[1], Number(row[2])]);
    if (pairs.every((pair) => Number.isInteger(pair?.[1]))) yield [name, new Map(pairs)];
  }
}

function changed(code, changes) {
  changes.sort((a, b) => a.from - b.from);
  let out = '';
  let at = 0;
  for (const { from, to, text } of changes) {
    out += code.slice(at, from) + text;
    at = to;
  }
  return out + code.slice(at);
}
