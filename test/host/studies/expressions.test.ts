/** Expressions of study files: what they compute, and what hostile ones come to. */
import { performance } from 'node:perf_hooks';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadExpressions } from '../../../api/host/studies/expressions.ts';

const { evaluate } = await loadExpressions();

const computed = (text: string, names: Readonly<Record<string, number>> = {}) => {
  const evaluated = evaluate(text, names);
  expect(evaluated).toMatchObject({ ok: true });
  return evaluated.ok ? evaluated.value : undefined;
};
const refusalOf = (text: string, names: Readonly<Record<string, number>> = {}): string => {
  const evaluated = evaluate(text, names);
  expect(evaluated, text).toMatchObject({ ok: false });
  return evaluated.ok ? '' : evaluated.what;
};

describe('an expression', () => {
  it.each<[string, number | readonly number[]]>([
    ['range(0, 0.5, 0.1)', [0, 0.1, 0.2, 0.3, 0.4]],
    ['range(1, 4)', [1, 2, 3]],
    ['range(5, 0, -2)', [5, 3, 1]],
    ['range(0, 0.3, 0.1)', [0, 0.1, 0.2]],
    ['linspace(0, 1, 5)', [0, 0.25, 0.5, 0.75, 1]],
    ['linspace(3, 9, 1)', [3]],
    ['logspace(1, 1000, 4)', [1, 10, 100, 1000]],
    ['concat([1, 2], range(5, 7))', [1, 2, 5, 6]],
    ['sort([3, 1, 2])', [1, 2, 3]],
    ['2 * range(0, 3)', [0, 2, 4]],
    ['[1, 2 + 3, max(4, 5)]', [1, 5, 5]],
    ['0.1 + 0.2', 0.3],
    ['2 ^ 10', 1024],
    ['round(7 / 2)', 4],
    ['3 > 2 ? 10 : 20', 10],
    ['mod(7, 4) + sqrt(16)', 7],
    ['2 * pi', 6.28318530718],
    ['1 / 3', 0.333333333333],
    ['[2000 / 3, 2 / 3000000]', [666.666666667, 6.66666666667e-7]],
  ])('%s is %j', (text, value) => {
    expect(computed(text)).toEqual(value);
  });

  it('knows the names of parameters, and no others', () => {
    expect(computed('3600 / rate', { rate: 10 })).toBe(360);
    expect(refusalOf('speed * 2', { rate: 10 })).toContain('"speed" is no parameter');
  });

  it('knows names that every object has only where they are parameters', () => {
    for (const name of ['constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
      expect(computed(`${name} + 1`, { [name]: 2 })).toBe(3);
      expect(refusalOf(`${name} + 1`)).toContain(`"${name}" is no parameter`);
    }
  });

  it('says that a parameter hides a function', () => {
    expect(refusalOf('min(min, 2)', { min: 1 })).toContain('"min" is a parameter here');
    expect(computed('min + 1', { min: 1 })).toBe(2);
  });

  it('computes the same as arithmetic of numbers does, to twelve digits', () => {
    const number = fc.integer({ min: -1000, max: 1000 });
    fc.assert(
      fc.property(number, number, number, (a, b, c) => {
        const value = computed('a * b + c / 4 - (a - c)', { a, b, c });
        expect(value).toBe(Number((a * b + c / 4 - (a - c)).toPrecision(12)));
      }),
    );
  });
});

/** What mathjs can, and a study file may not. */
const HOSTILE = [
  'import({a: 1})',
  'f(x) = x; f(1)',
  'a = 1',
  'createUnit("x")',
  'evaluate("1")',
  'parse("1")',
  'simplify("1")',
  'config({})',
  'map([1], sqrt)',
  'cos.constructor("return 1")()',
  '"a".constructor',
  '[].constructor',
  '{a: 1}',
  '{"__proto__": 1}',
  '__proto__',
  'range.constructor',
  'ones(10000, 10000)',
  'zeros(10000, 10000)',
  'identity(5000)',
  'random()',
  'now()',
  '170!',
  "[1, 2]'",
  '1; 2',
  '0:1e9',
  '1:3',
  '5 cm',
  '5 cm to inch',
  '"text"',
  'true',
  'i',
  'sqrt(-1)',
  '1 / 0',
  '0 / 0',
  '1e400',
  'range(0, 1e9)',
  'range(0, 1, 0)',
  'range(0, 1, 1e-9)',
  'range(0)',
  'range(1 / 0, 3)',
  'range("a", "b")',
  'linspace(0, 1, 1e9)',
  'linspace(0, 1, -1)',
  'linspace(0, 1, 2.5)',
  'logspace(0, 1, 3)',
  'logspace(1, 10, 1e9)',
  '[[1, 2], [3, 4]]',
  'sum([[1, 2], [3, 4]])',
  'max([range(0, 9)] + [sort([1])])',
  '[range(0, 9999)]',
  '[sort([1, 2])]',
  '[[[1]], [[2]]] * [[1]]',
  '',
  ' ',
  '(((',
  '\u0000',
];

describe('a hostile expression', () => {
  it.each(HOSTILE)('%s is refused in words', (text) => {
    const what = refusalOf(text);
    expect(what).not.toMatch(/undefined|\[object|TypeError/);
    expect(what).toContain(': ');
    expect(what.split('allowed:').length).toBeLessThanOrEqual(2);
  });

  it('is as long, or as deep, as one may write', () => {
    expect(refusalOf('1 + '.repeat(200))).toContain('allowed: 500 characters');
    expect(computed(`${'('.repeat(249)}1${')'.repeat(249)}`)).toBe(1);
    expect(computed(`${'-'.repeat(498)}1`)).toBe(1);
  });

  it('cannot change what later ones compute', () => {
    for (const text of HOSTILE) evaluate(text, {});
    expect(computed('range(0, 3)')).toEqual([0, 1, 2]);
    expect(computed('sqrt(max(4, 9))')).toBe(3);
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false);
  });

  it('takes less than a second, whatever it is', () => {
    const many = 'range(0, 10000)';
    const heavy = [
      `concat(${Array.from({ length: 28 }, () => many).join(', ')})`,
      Array.from({ length: 25 }, () => many).join(' + '),
      Array.from({ length: 25 }, () => many).join(' * '),
      `sort(sort(sort(${many})))`,
      `${many} ^ 2`,
      '9 ^ 9 ^ 9 ^ 9',
      `sum(${many}) * ${many}`,
      `pow(${many}, 3)`,
    ];
    for (const text of heavy) {
      const started = performance.now();
      evaluate(text, {});
      expect(performance.now() - started, text).toBeLessThan(1000);
    }
  });

  it('is any text: an answer in numbers, or a refusal', () => {
    const word = fc.constantFrom(
      ...'range linspace concat sort max sum a b 1 2.5 1e9'.split(' '),
      ...'( ) [ ] , + - * / ^ ? : < > == ! % .'.split(' '),
    );
    const text = fc.oneof(
      fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
      fc.string({ maxLength: 40 }),
    );
    fc.assert(
      fc.property(text, (given) => {
        const evaluated = evaluate(given, { a: 2, b: 3 });
        if (!evaluated.ok) return;
        const numbers = [evaluated.value].flat();
        expect(numbers.every((each) => Number.isFinite(each))).toBe(true);
        expect(numbers.length).toBeLessThanOrEqual(10_000);
      }),
      { numRuns: 1000 },
    );
  });
});
