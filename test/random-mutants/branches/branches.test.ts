/** Branches are numbered, and a marked copy records which of them are reached. */
import { describe, expect, it, vi } from 'vitest';
import { bitsOf, countOf, hasBit } from './bits.ts';
import { branchAt, branchesOf, REACHED, withMarks } from './branches.ts';

/** The texts of all branches, in their order. */
const textsIn = (source: string): string[] =>
  branchesOf('a.js', source).map(({ start, end }) => source.slice(start, end));

/** The texts of the branches that a marked copy reaches. */
function reachedIn(source: string): string[] {
  const flags = new Uint8Array(20);
  vi.stubGlobal(REACHED, flags);
  new Function(withMarks('a.js', source, 0))();
  return textsIn(source).filter((_, at) => flags[at] === 1);
}

describe('a branch', () => {
  it.each([
    ['the body of a function', 'function f() { g(); }', ['{ g(); }']],
    ['what an arrow returns', 'f = (n) => 2 * n;', ['2 * n']],
    ['the body of a method', 'class Box { get size() { return 1; } }', ['{ return 1; }']],
    ['the body of a loop', 'for (const n of all) f(n);', ['f(n);']],
    ['both sides of a condition', 'if (a) b; else { c; }', ['b;', '{ c; }']],
    ['both values of a condition', 'x = a ? b : c;', ['b', 'c']],
    ['the right side of a logical operator', 'x = a && b;', ['b']],
    ['a value for where there is none', 'x ??= a;', ['a']],
    ['a case', 'switch (a) { case 1: b; break; }', ['b; break;']],
    ['what is done about an error', 'try { a; } catch { b; }', ['{ b; }']],
    [
      'what follows an early end',
      'f = () => { if (a) return; b; };',
      ['{ if (a) return; b; }', 'return;', 'b;'],
    ],
  ])('is %s', (_, source, texts) => {
    expect(textsIn(source)).toEqual(texts);
  });

  it('is neither a type nor a declaration without a body', () => {
    const typed =
      'abstract class A { abstract f(): () => void; g(n: (a: number) => 1) { return n; } }';
    const built = 'class A { g(n) { return n; } }';
    expect(branchesOf('a.ts', typed)).toHaveLength(branchesOf('a.js', built).length);
  });

  it('is found around a place, the innermost first', () => {
    const source = 'f = (a) => { if (a) { g(); } }; h();';
    const branches = branchesOf('a.js', source);
    expect(branchAt(branches, source.indexOf('g()'))).toBe(1);
    expect(branchAt(branches, source.indexOf('if'))).toBe(0);
    expect(branchAt(branches, source.indexOf('h()'))).toBe(-1);
  });
});

describe('a marked source', () => {
  it.each([
    [
      'the side of a condition',
      'if (1 < 2) a(); else b(); function a() { 1; } function b() { 2; }',
      ['a();', '{ 1; }'],
    ],
    ['the value of a condition', 'const x = 1 > 2 ? 3 : 4 + 5;', ['4 + 5']],
    ['the right side that is asked', 'const x = [0 && 1, 0 || 2 || 3];', ['2']],
    ['a branch in a branch', 'if (1) if (0) 1; else 2;', ['if (0) 1; else 2;', '2;']],
    [
      'nothing after an early end',
      'const f = () => { if (1) return; f(); }; f();',
      ['{ if (1) return; f(); }', 'return;'],
    ],
    [
      'what follows no early end',
      'const f = () => { if (0) return; 7; }; f();',
      ['{ if (0) return; 7; }', '7;'],
    ],
    ['the case that is chosen', 'switch (2) { case 1: 3; break; case 2: 4; }', ['4;']],
  ])('records %s', (_, source, texts) => {
    expect(reachedIn(source)).toEqual(texts);
  });
});

it('flags are written as bits', () => {
  const flags = new Uint8Array(19);
  for (const at of [0, 7, 8, 18]) flags[at] = 1;
  const bits = Buffer.from(bitsOf(flags), 'base64');
  expect([...flags.keys()].filter((at) => hasBit(bits, at))).toEqual([0, 7, 8, 18]);
  expect(countOf(bits)).toBe(4);
  expect(hasBit(bits, 1000)).toBe(false);
});
