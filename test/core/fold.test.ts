/** How records go into digests: equal ones fold alike, others do not, empty fields fold nothing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CachedFold, type Fold, foldField } from '../../core/base/fold.ts';
import { Digest } from '../../sim/kernel/digest.ts';

/** All that is folded, in order. */
function folded(value: unknown): (number | string)[] {
  const all: (number | string)[] = [];
  const fold: Fold = {
    addNumber: (number) => void all.push(number),
    addText: (text) => void all.push(text),
    empty: () => fold,
    hex: () => '',
    mixed: () => [0, 0],
  };
  foldField(fold, 'record', value);
  return all;
}

const leaves = fc.oneof(
  fc.constantFrom(null, undefined, false, true, 0, '', 'a', 1, -1, 0.5),
  fc.string({ maxLength: 3 }),
  fc.uint8Array({ maxLength: 3 }),
);
const { record } = fc.letrec<{ record: Record<string, unknown>; value: unknown }>((tie) => ({
  value: fc.oneof({ maxDepth: 2 }, leaves, fc.array(tie('value'), { maxLength: 3 }), tie('record')),
  record: fc.dictionary(fc.constantFrom('a', 'b', 'ab'), tie('value'), { maxKeys: 3 }),
}));

/** The record as text, its fields in order, empty ones left out; written without looking there. */
function written(value: unknown, inList = true): string {
  if (value instanceof Uint8Array) return written([...value], inList);
  if (Array.isArray(value)) return `[${value.map((each) => written(each)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return `${typeof value} ${value}`;
  const fields = Object.entries(value)
    .map(([name, each]) => [name, written(each, false)] as const)
    .filter(([name]) => !EMPTY.has(written((value as Record<string, unknown>)[name], false)))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  // A map with empty fields only is not an empty map.
  const isBare = Object.keys(value).length === 0;
  return fields.length === 0 && isBare && !inList ? '{}' : `{${fields.join(';')}|}`;
}
const EMPTY = new Set(['undefined undefined', 'object null', 'boolean false', 'number 0']);
EMPTY.add('string ').add('[]').add('{}');

describe('a record', () => {
  it('folds as another one does exactly when they say the same', () => {
    fc.assert(
      fc.property(record, record, (one, other) => {
        const same = JSON.stringify(folded(one)) === JSON.stringify(folded(other));
        const isEmpty = (value: object) => Object.keys(value).length === 0;
        if (isEmpty(one) || isEmpty(other)) expect(same).toBe(isEmpty(one) && isEmpty(other));
        else expect(same).toBe(written(one) === written(other));
      }),
      { numRuns: 1000 },
    );
  });

  it('folds the same in whatever order its fields were written', () => {
    expect(folded({ a: 1, b: [2], c: { d: 3 } })).toEqual(folded({ c: { d: 3 }, b: [2], a: 1 }));
  });

  it('keeps what it folds when it gets another field that is empty', () => {
    const empty = { list: [], text: '', none: null, never: undefined, off: false, zero: 0 };
    expect(folded({ a: 1, ...empty, map: {}, bytes: new Uint8Array(0) })).toEqual(folded({ a: 1 }));
    expect(folded({ a: 1, list: [0] })).not.toEqual(folded({ a: 1 }));
  });

  it('reports lists apart by the places of their entries, empty ones too', () => {
    expect(folded([0, 1])).not.toEqual(folded([1, 0]));
    expect(folded([[1], []])).not.toEqual(folded([[], [1]]));
    expect(folded([{ a: 1 }, { b: 2 }])).not.toEqual(folded([{ a: 1, b: 2 }, {}]));
  });
});

describe('a stored fold', () => {
  it('is made once, and again after a change: what it stands for decides, not when', () => {
    const stored = new CachedFold();
    let created = 0;
    let value = 1;
    const hex = () => {
      const digest = new Digest();
      stored.into(digest, (fold) => {
        created++;
        foldField(fold, 'record', value);
      });
      return digest.hex();
    };
    const first = hex();
    expect([hex(), created]).toEqual([first, 1]);
    value = 2;
    stored.changed();
    expect([hex() === first, created]).toEqual([false, 2]);
    value = 1;
    stored.changed();
    expect([hex(), created]).toEqual([first, 3]);
  });
});
