/** Where small faults can be planted, and where none is. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EQUIVALENT } from './equivalent.ts';
import { sitesOf } from './sites.ts';

/** The source with each fault in turn. */
const faultsIn = (text: string): string[] =>
  sitesOf('a.ts', text).map(
    ({ kind, start, end, replace }) =>
      `${kind}: ${text.slice(0, start)}${replace}${text.slice(end)}`,
  );

describe('a fault', () => {
  it.each([
    ['a relation at its boundary', 'a < b;', ['relation: a <= b;']],
    ['an operator of numbers', 'a * b;', ['arithmetic: a / b;']],
    ['an operator of conditions', 'a && b;', ['logic: a || b;']],
    ['a flag', 'f = true;', ['flag: f = false;']],
    ['a number', 'n = 7;', ['number: n = 8;']],
    ['a condition', 'if (a) b;', ['condition: if (!(a)) b;']],
    ['a call that is removed', 'f(a);', ['removed call: ;']],
    ['arguments that are swapped', 'x = f(a, b);', ['swapped arguments: x = f(b, a);']],
  ])('may be of %s', (_, text, faults) => {
    expect(faultsIn(text)).toEqual(faults);
  });

  it.each([
    ['types', 'type A = 3 | true; interface B { readonly c: 4 }'],
    ['imports', "import { a } from './b.ts';"],
    ['assertions', "assert(a < b && c, 'it holds');"],
    ['texts that are joined', "x = 'a' + b;"],
    ['functions as arguments', 'x = f(() => y, z);'],
    ['equal arguments', 'x = f(a, a);'],
    ['arguments whose order is nothing', 'x = Math.imul(a, b);'],
    ['room that is reserved', 'this.rows.reserve(a);'],
  ])('is not of %s', (_, text) => {
    expect(faultsIn(text)).toEqual([]);
  });

  it('is of the sign of a comparison, and not of its size', () => {
    const text = 'x = all.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));';
    const numbers = faultsIn(text).filter((fault) => fault.startsWith('number'));
    expect(numbers).toEqual([`number: ${text.replace(': 0', ': 1')}`]);
    expect(faultsIn('x = all.sort((a, b) => f(a) - f(b));')).toHaveLength(1);
  });

  it('is found where types stand around it', () => {
    const text = 'const f = (a: number, b: 1 | 2): boolean => (a as number) >= b!;';
    expect(faultsIn(text)).toEqual([`relation: ${text.replace('>=', '>')}`]);
  });
});

it('each fault that nothing can notice is one of lines that still stand', () => {
  const gone = EQUIVALENT.filter(({ file, before }) => {
    return !readFileSync(file, 'utf8').replaceAll(/\s+/g, ' ').includes(before);
  });
  expect(gone).toEqual([]);
});
