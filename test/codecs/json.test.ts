/** Plain data that somebody gives: what it is, how much there may be, and that it is copied. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonCopy, MOST_JSON, parseJson } from '../../sim/base/json.ts';

/** Maps or lists in each other, `depth` of them. */
const nested = (depth: number, isList: boolean): object => {
  let value: object = {};
  for (let i = 1; i < depth; i++) value = isList ? [value] : { a: value };
  return value;
};

/** As many values as asked for, the map around them among them. */
const many = (values: number): object => ({ a: Array.from({ length: values - 2 }, () => 0) });

const plain = fc.dictionary(fc.string(), fc.jsonValue()).filter((map) => !('__proto__' in map));

describe('plain data', () => {
  it('are copied as JSON would copy them', () => {
    fc.assert(
      fc.property(plain, (map) => {
        const text = JSON.stringify(map);
        fc.pre(!text.includes('__proto__'));
        expect(jsonCopy(map)).toEqual(JSON.parse(text));
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('share nothing with their copy', () => {
    const inner = { list: [1] };
    const copy = jsonCopy({ inner }) as { inner: typeof inner };
    expect(copy).toEqual({ inner });
    expect(copy.inner).not.toBe(inner);
    expect(copy.inner.list).not.toBe(inner.list);
  });

  it.each([true, false])('may be 16 deep and no deeper, lists: %s', (isList) => {
    const { depth } = MOST_JSON;
    const [deepest, deeper] = [nested(depth, isList), nested(depth + 1, isList)];
    expect(jsonCopy(deepest)).toEqual(deepest);
    expect(jsonCopy(deeper)).toBeUndefined();
    expect(parseJson(JSON.stringify(deepest))).toEqual(deepest);
    expect(parseJson(JSON.stringify(deeper))).toBeUndefined();
    expect(jsonCopy({ a: 1 }, 1)).toEqual({ a: 1 });
    expect(jsonCopy({ a: {} }, 1)).toBeUndefined();
  });

  it('may have 10 000 values and no more, keys and maps around them counted', () => {
    const { values } = MOST_JSON;
    expect(jsonCopy(many(values))).toEqual(many(values));
    expect(jsonCopy(many(values + 1))).toBeUndefined();
    const unpaired = '\ud800';
    expect(parseJson(JSON.stringify(many(values - 1)))).toEqual(many(values - 1));
    expect(parseJson(JSON.stringify(many(values)))).toBeUndefined();
    expect(parseJson(JSON.stringify({ a: unpaired }))).toBeUndefined();
    expect(parseJson(String.raw`{"a":"\u0041"}`)).toEqual({ a: 'A' });
  });

  it.each<[string, unknown]>([
    ['a number without end', Number.POSITIVE_INFINITY],
    ['no number', Number.NaN],
    ['half a pair', '\udc00'],
    ['a key that is half a pair', { '\ud800': 1 }],
    ['the key of prototypes', JSON.parse('{"__proto__":1}')],
    ['bytes', new Uint8Array(2)],
    ['a date', new Date(0)],
    ['a function', () => 0],
    ['a large whole number', 5n],
    ['undefined in a list', [undefined]],
  ])('are not %s', (_, value) => {
    expect(jsonCopy({ value })).toBeUndefined();
    expect(jsonCopy({ list: [1, { value }] })).toBeUndefined();
  });

  it('have no key whose value is undefined, and no negative zero', () => {
    expect(jsonCopy({ a: undefined, b: -0, c: null, d: false, e: '' })).toStrictEqual({
      b: 0,
      c: null,
      d: false,
      e: '',
    });
  });

  it('may be a text that is no map', () => {
    expect(['5', 'null', '"a"', '[1,{"a":[]}]'].map(parseJson)).toEqual([
      5,
      null,
      'a',
      [1, { a: [] }],
    ]);
    expect(parseJson('1e999')).toBeUndefined();
    expect(parseJson('{"a":[1,1e999]}')).toBeUndefined();
  });
});
