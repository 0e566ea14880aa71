/** JSON pointers, by RFC 6901. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keysOf, pointerTo } from '../../sim/base/json-pointer.ts';

describe('a JSON pointer', () => {
  /** RFC 6901 §5, with the documents of its example read as the keys that they lead through. */
  it.each([
    ['', []],
    ['/foo', ['foo']],
    ['/foo/0', ['foo', '0']],
    ['/', ['']],
    ['/a~1b', ['a/b']],
    ['/c%d', ['c%d']],
    ['/i\\j', ['i\\j']],
    ['/ ', [' ']],
    ['/m~0n', ['m~n']],
  ])('%j leads through %j', (pointer, keys) => {
    expect(keysOf(pointer)).toEqual(keys);
    expect(pointerTo(keys)).toBe(pointer);
  });

  it('of ~01 is a tilde and a one, and no slash (§4)', () => {
    expect(keysOf('/~01')).toEqual(['~1']);
  });

  it('leads through the keys that it was made of, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (keys) => {
        expect(keysOf(pointerTo(keys))).toEqual(keys);
      }),
    );
  });

  it('has the digits of an index', () => {
    expect(pointerTo(['devices', 12])).toBe('/devices/12');
  });
});
