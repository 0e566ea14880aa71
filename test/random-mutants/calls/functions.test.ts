/** Functions are numbered, and a marked copy records which of them are called. */
import { expect, it, vi } from 'vitest';
import { CALLED, functionAt, functionsOf, withMarks } from './functions.ts';

const SOURCE = `
  const twice = (n) => 2 * n;
  function outer(n) { return [n].map((each) => { return twice(each); }); }
  class Box { get size() { return 1; } }
  outer(3);
`;

it('the functions of a source are numbered in their order', () => {
  const functions = functionsOf('a.js', SOURCE);
  expect(functions.map(({ start, end }) => SOURCE.slice(start, end))).toEqual([
    '2 * n',
    '{ return [n].map((each) => { return twice(each); }); }',
    '{ return twice(each); }',
    '{ return 1; }',
  ]);
  expect(functionAt(functions, SOURCE.indexOf('twice(each)'))).toBe(2);
  expect(functionAt(functions, SOURCE.indexOf('[n]'))).toBe(1);
  expect(functionAt(functions, SOURCE.indexOf('outer(3)'))).toBe(-1);
});

it('types and declarations without a body change no number', () => {
  const typed =
    'abstract class A { abstract f(): () => void; g(n: (a: number) => 1) { return n; } }';
  const built = 'class A { g(n) { return n; } }';
  expect(functionsOf('a.ts', typed)).toHaveLength(functionsOf('a.js', built).length);
});

it('a marked source records the functions that are called', () => {
  const called = new Uint8Array(20);
  vi.stubGlobal(CALLED, called);
  new Function(withMarks('a.js', SOURCE, 10))();
  expect([...called.keys()].filter((at) => called[at] === 1)).toEqual([10, 11, 12]);
});
