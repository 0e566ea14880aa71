/** Long lists on their way out: pieces of text, slices of time, slow readers, and places. */
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  firstSliceOf,
  ListPlaces,
  MOST_LISTS,
  sliceOf,
  streamOf,
} from '../../api/http/list-stream.ts';
import { documentOf, linesOf, type Pieces } from '../../api/http/list-text.ts';
import type { Refusal } from '../../api/http/refusal.ts';
import { finish, oneStep, Slices, type Steps } from '../../core/base/in-steps.ts';

const all = (pieces: Pieces) => [...pieces].join('');

/** A list of numbers in slices of that many, with a step of work before each. */
const numbers = (count: number, perSlice: number) =>
  new Slices(function* () {
    for (let from = 0; from < count; from += perSlice) {
      yield [];
      yield Array.from({ length: Math.min(perSlice, count - from) }, (_, i) => ({ n: from + i }));
    }
  });

/** An answer that is there after some steps. */
function* later<Value>(steps: number, value: Value): Steps<Value> {
  for (let i = 0; i < steps; i++) yield;
  return value;
}

describe('the text of an answer in steps', () => {
  it.each([0, 1, 2, 7])('is the JSON of the whole, of %i entries', (count) => {
    const answer = {
      a: null,
      b: [numbers(count, 3), { c: numbers(2, 5), d: undefined }],
      'e"': numbers(count, 2),
      f: { g: [1, 'two', false] },
    };
    const n = (length: number) => Array.from({ length }, (_, i) => ({ n: i }));
    const whole = {
      a: null,
      b: [n(count), { c: n(2) }],
      'e"': n(count),
      f: { g: [1, 'two', false] },
    };
    expect(all(documentOf(later(3, answer)))).toBe(JSON.stringify(whole));
    expect(all(documentOf(oneStep(whole)))).toBe(JSON.stringify(whole));
  });

  it('is, in lines, the head and then each entry', () => {
    const lines = linesOf(later(2, { meta: { total: 3 }, data: numbers(3, 2) }), 'data');
    expect(all(lines)).toBe('{"meta":{"total":3}}\n{"n":0}\n{"n":1}\n{"n":2}\n');
    expect(all(linesOf(oneStep({ meta: {}, data: [] }), 'data'))).toBe('{"meta":{}}\n');
  });

  it('is begun before the entries are in order', () => {
    let sorted = 0;
    const data = new Slices(function* () {
      for (; sorted < 100; sorted++) yield [];
      yield [1];
    });
    const pieces = documentOf(oneStep({ meta: 1, data }));
    while (!pieces.next().value?.includes('"meta"'));
    expect(sorted).toBe(0);
  });
});

/** A text without end; `made` counts its pieces. */
function endless(size = 1_000) {
  const counted = { created: 0, isLeft: false };
  const pieces = (function* (): Pieces {
    try {
      for (;;) {
        counted.created++;
        yield 'x'.repeat(size);
      }
    } finally {
      counted.isLeft = true;
    }
  })();
  return { counted, pieces };
}

/**
 * Long enough for anyone who does something at each turn of the loop, however slow the machine is.
 */
async function aWhile(): Promise<void> {
  for (let i = 0; i < 100; i++) await new Promise((resolve) => setImmediate(resolve));
}

describe('a stream of a list', () => {
  it('has what was made before and all that follows', async () => {
    const pieces = documentOf(later(4, { data: numbers(20_000, 100) }));
    const first = firstSliceOf(pieces);
    expect(first.isLast).toBe(false);
    const ends: number[] = [];
    const stream = streamOf(first.text, pieces, { onEnd: () => ends.push(1) });
    let text = '';
    for await (const chunk of stream) text += chunk;
    expect(JSON.parse(text)).toEqual({ data: numbers(20_000, 100).whole() });
    expect(ends).toEqual([1]);
  });

  it('has a first slice that depends on the list alone, and later ones by time', () => {
    const small = () => documentOf(later(2, { data: numbers(3, 3) }));
    expect(firstSliceOf(small())).toEqual({ text: [...small()].join(''), isLast: true });
    const slow = () => documentOf(later(10, { data: [] }));
    expect(firstSliceOf(slow())).toEqual({ text: '', isLast: false });
    expect(sliceOf(slow(), 1_000)).toEqual({ text: '{"data":[]}', isLast: true });
    expect(sliceOf(slow(), 0)).toEqual({ text: '', isLast: false });
  });

  it('makes no more than its reader takes', async () => {
    const { counted, pieces } = endless();
    const stream = streamOf('', pieces, { onEnd: () => undefined });
    stream.once('readable', () => undefined);
    await aWhile();
    const { created } = counted;
    expect(created * 1_000).toBeLessThan(512 * 1_024);
    await aWhile();
    expect(counted.created).toBe(created);
    stream.destroy();
  });

  it('lets others have their turn between slices', async () => {
    const { pieces } = endless();
    const stream = streamOf('', pieces, { onEnd: () => undefined });
    let turns = 0;
    const turn = () => {
      turns++;
      if (!stream.destroyed) setImmediate(turn);
    };
    setImmediate(turn);
    let taken = 0;
    for await (const chunk of stream) {
      taken += chunk.length;
      if (taken > 5_000_000) break;
    }
    expect(turns).toBeGreaterThan(20);
  });

  it('frees all that it has when its reader leaves', async () => {
    const { counted, pieces } = endless();
    let ends = 0;
    const stream = streamOf('', pieces, { onEnd: () => ends++ });
    for await (const _ of stream) break;
    expect([counted.isLeft, ends, stream.destroyed]).toEqual([true, 1, true]);
  });

  it('is over when its reader takes nothing for too long', async () => {
    const { counted, pieces } = endless();
    let ends = 0;
    const stream = streamOf('', pieces, { onEnd: () => ends++, stallMs: 20 });
    stream.once('readable', () => undefined);
    const [error] = await once(stream, 'error');
    expect((error as Error).message).toMatch(/takes nothing/);
    expect([counted.isLeft, ends]).toEqual([true, 1]);
  });

  it('breaks off where its making does', async () => {
    const pieces = (function* (): Pieces {
      yield 'a';
      throw new Error('a fault');
    })();
    let ends = 0;
    const stream = streamOf('', pieces, { onEnd: () => ends++ });
    await expect(stream.toArray()).rejects.toThrow('a fault');
    expect(ends).toBe(1);
  });
});

describe('places for lists', () => {
  const refusalOf = (look: () => void): Refusal | undefined => {
    try {
      look();
      return undefined;
    } catch (error) {
      return error as Refusal;
    }
  };

  it('are four of a subscriber, and then 429; sixteen in all, and then 503', () => {
    const places = new ListPlaces();
    const gives: (() => void)[] = [];
    for (let i = 0; i < MOST_LISTS.ofAll; i++) {
      const who = `subscriber ${Math.floor(i / MOST_LISTS.ofSubscriber)}`;
      expect(refusalOf(() => places.look(who))).toBeUndefined();
      gives.push(places.take(who));
    }
    expect(refusalOf(() => places.look('subscriber 0'))).toMatchObject({
      status: 429,
      failure: { code: 'list.too-many' },
      headers: { 'retry-after': '1' },
    });
    expect(refusalOf(() => places.look('another'))).toMatchObject({
      status: 503,
      failure: { code: 'server.busy' },
    });
    gives[0]!();
    expect(refusalOf(() => places.look('subscriber 0'))).toBeUndefined();
    expect(refusalOf(() => places.look('another'))).toBeUndefined();
    for (const give of gives.slice(1)) give();
    expect(places.taken).toBe(0);
  });
});

describe('steps', () => {
  it('come to their value, however many they are', () => {
    expect(finish(later(1_000, 'there'))).toBe('there');
  });
});
