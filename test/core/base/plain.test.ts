/** Copies of plain data share nothing but what lasts. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { copyPlain, Lasting } from '../../../core/base/plain.ts';

it('a copy of plain data is equal to it', () => {
  const bytes = fc.uint8Array().map((each) => new Uint8Array(each));
  const value = fc.oneof(fc.jsonValue(), bytes, fc.float64Array(), fc.constant(undefined));
  fc.assert(
    fc.property(
      fc.oneof(
        value,
        fc.array(value),
        fc.dictionary(fc.string(), value, { noNullPrototype: true }),
      ),
      (data) => {
        expect(copyPlain(data)).toStrictEqual(data);
      },
    ),
  );
});

it('a copy of plain data shares neither records nor lists nor bytes, however deep they are', () => {
  const data = { a: { b: [{ c: 1 }] }, bytes: new Uint8Array([1]), numbers: new Float64Array([2]) };
  const copy = copyPlain(data);
  data.a.b[0]!.c = 9;
  data.bytes[0] = 9;
  data.numbers[0] = 9;
  expect(copy.a.b[0]).toEqual({ c: 1 });
  expect([copy.bytes[0], copy.numbers[0]]).toEqual([1, 2]);
});

it('a copy of bytes of Node.js is no view of the same bytes', () => {
  const buffer = Buffer.from([1, 2]);
  const copy = copyPlain({ buffer });
  buffer[0] = 9;
  expect(copy.buffer[0]).toBe(1);
  expect(Buffer.isBuffer(copy.buffer)).toBe(false);
});

it('a copy shares what lasts', () => {
  class Image extends Lasting {}
  const image = new Image();
  expect(copyPlain({ list: [image] }).list[0]).toBe(image);
});

it.each([null, undefined, 5, '', false])('a copy of %s is the value itself', (value) => {
  expect(copyPlain(value)).toBe(value);
  expect(copyPlain([value])).toEqual([value]);
});
