/** Small structures of the platform against plain maps: runs of EUIs, indexes, blocks, UTF-8. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Blocks } from '../../../core/base/blocks.ts';
import type { Cell } from '../../../core/base/fold.ts';
import { type OwnedRun, OwnedRuns } from '../../../core/base/owned-runs.ts';
import { RecordIndex } from '../../../core/base/record-index.ts';
import { decodeUtf8, encodeUtf8 } from '../../../core/base/utf8.ts';

const euiOf = (number: bigint): string => number.toString(16).toUpperCase().padStart(16, '0');

describe('owners of EUIs in runs', () => {
  const HIGH = 0xc0ffee00n << 32n;

  /** Runs with gaps between them, none, or in another upper half; in any order. */
  const runs = fc
    .array(
      fc.record({
        gap: fc.constantFrom(0, 0, 1, 2, 5),
        following: fc.constantFrom(0, 0, 1, 3),
        owner: fc.constantFrom('ann', 'bob'),
        leaps: fc.boolean(),
      }),
      { maxLength: 12 },
    )
    .chain((parts) => {
      let next = HIGH;
      const all = parts.map(({ gap, following, owner, leaps }): OwnedRun => {
        if (leaps) next = ((next >> 32n) + 1n) << 32n;
        const first = next + BigInt(gap);
        next = first + BigInt(following) + 1n;
        return following === 0 ? [euiOf(first), owner] : [euiOf(first), owner, following];
      });
      return fc.shuffledSubarray(all, { minLength: all.length });
    });

  const expectedOf = (given: readonly OwnedRun[]): Map<string, string> =>
    new Map(
      given.flatMap(([eui, owner, following = 0]) =>
        Array.from({ length: following + 1 }, (_, i) => {
          return [euiOf(BigInt(`0x${eui}`) + BigInt(i)), owner] as const;
        }),
      ),
    );

  it('are those of a map, also from what is saved', () => {
    fc.assert(
      fc.property(runs, fc.array(fc.nat(40), { maxLength: 30 }), (given, asked) => {
        const expected = expectedOf(given);
        const owned = new OwnedRuns(given);
        const again = new OwnedRuns(owned.save());
        for (const place of asked) {
          for (const half of [0n, 1n, 2n, 3n]) {
            const eui = euiOf(HIGH + (half << 32n) + BigInt(place));
            const owner = expected.get(eui);
            expect([owned.ownerOf(eui), again.ownerOf(eui)]).toEqual([owner, owner]);
          }
        }
        expect(owned.isEmpty).toBe(given.length === 0);
        expect(again.save()).toEqual(owned.save());
      }),
      { numRuns: 300 },
    );
  });

  it('are saved as few runs as there can be, in the order of EUIs', () => {
    const owned = new OwnedRuns([
      [euiOf(20n), 'bob'],
      [euiOf(12n), 'ann', 3],
      [euiOf(10n), 'ann', 1],
      [euiOf(16n), 'bob'],
      [euiOf((1n << 32n) + 17n), 'bob'],
    ]);
    expect(owned.save()).toEqual([
      [euiOf(10n), 'ann', 5],
      [euiOf(16n), 'bob'],
      [euiOf(20n), 'bob'],
      [euiOf((1n << 32n) + 17n), 'bob'],
    ]);
  });

  it.each<[string, OwnedRun[]]>([
    [
      'twice',
      [
        [euiOf(7n), 'ann'],
        [euiOf(7n), 'ann'],
      ],
    ],
    [
      'as the last of a run',
      [
        [euiOf(5n), 'ann', 2],
        [euiOf(7n), 'bob'],
      ],
    ],
  ])('are never two of one EUI: %s', (_, given) => {
    expect(() => new OwnedRuns(given)).toThrow('an EUI has one owner');
  });

  it('are none of what is no EUI', () => {
    const owned = new OwnedRuns([[euiOf(10n), 'ann', 5]]);
    for (const text of ['', '000000000000000', `${euiOf(10n)}0`, euiOf(10n).toLowerCase()]) {
      expect(owned.ownerOf(text)).toBe(text === euiOf(10n) ? 'ann' : undefined);
    }
    expect(new OwnedRuns([]).ownerOf(euiOf(10n))).toBeUndefined();
  });
});

describe('an index of records', () => {
  interface Thing {
    readonly tags: readonly string[];
  }
  const tags = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 });
  const steps = fc.array(
    fc.oneof(
      fc.record({ does: fc.constant('add' as const), tags }),
      fc.record({ does: fc.constant('remove' as const), which: fc.nat(20), tags }),
      fc.record({ does: fc.constant('replace' as const), which: fc.nat(20), tags }),
      fc.record({ does: fc.constant('find' as const), which: fc.nat(20), tags }),
    ),
    { maxLength: 30 },
  );

  it('finds what a look at all of them finds, whenever it is asked first', () => {
    fc.assert(
      fc.property(steps, (given) => {
        const index = new RecordIndex<Thing>(({ tags: all }) => all);
        const cells: Cell<Thing>[] = [];
        const holds = (tag: string) => {
          const found = index.find(tag, () => cells);
          const expected = cells.filter(({ record }) => record.tags.includes(tag));
          expect(new Set(found)).toEqual(new Set(expected));
          expect(found).toHaveLength(expected.length);
        };
        for (const step of given) {
          const at = 'which' in step ? step.which % Math.max(1, cells.length) : 0;
          const cell = cells[at];
          if (step.does === 'add') {
            const added = { record: { tags: step.tags } } as unknown as Cell<Thing>;
            index.add(added, added.record);
            cells.push(added);
          } else if (step.does === 'remove' && cell !== undefined) {
            index.remove(cell, cell.record);
            cells.splice(at, 1);
          } else if (step.does === 'replace' && cell !== undefined) {
            const record = { tags: step.tags };
            index.replace(cell, record);
            (cell as { record: Thing }).record = record;
          } else if (step.does === 'find') holds(step.tags[0] ?? 'a');
        }
        for (const tag of ['a', 'b', 'c', 'd', 'e']) holds(tag);
      }),
      { numRuns: 400 },
    );
  });

  it('looks at all records once, at its first question', () => {
    let looks = 0;
    const index = new RecordIndex<Thing>(({ tags: all }) => all);
    const one = { record: { tags: ['a'] } } as unknown as Cell<Thing>;
    index.add(one, one.record);
    const all = () => {
      looks++;
      return [one];
    };
    expect([index.find('a', all), index.find('b', all), index.find('a', all)]).toEqual([
      [one],
      [],
      [one],
    ]);
    expect(looks).toBe(1);
  });
});

describe('blocks of numbers', () => {
  const specs = {
    pairs: [2, (length: number) => new Uint16Array(length)],
    one: [1, (length: number) => new Float64Array(length)],
  } as const;
  type Columns = { readonly pairs: Uint16Array; readonly one: Float64Array };
  const newBlocks = () => new Blocks<Columns>(specs as never);

  it('are zeros when they are taken, and keep what is written, saved meanwhile or not', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('take', 'take', 'take', 'give', 'save'), { maxLength: 200 }),
        fc.integer({ min: 100, max: 140 }),
        (given, first) => {
          let blocks = newBlocks();
          const held = new Map<number, number>();
          let stamp = 0;
          const write = (block: number) => {
            const { pairs, one } = blocks.in(block);
            const at = blocks.at(block);
            expect([pairs[2 * at], pairs[2 * at + 1], one[at]]).toEqual([0, 0, 0]);
            held.set(block, ++stamp);
            [pairs[2 * at], pairs[2 * at + 1], one[at]] = [stamp, stamp + 1, stamp / 8];
          };
          for (let i = 0; i < first; i++) write(blocks.take());
          for (const step of given) {
            if (step === 'take') write(blocks.take());
            const [oldest] = held.keys();
            if (step === 'give' && oldest !== undefined) {
              blocks.give(oldest);
              held.delete(oldest);
            }
            if (step === 'save') {
              const loaded = newBlocks();
              loaded.load(structuredClone(blocks.save()));
              blocks = loaded;
            }
          }
          for (const [block, mark] of held) {
            const { pairs, one } = blocks.in(block);
            const at = blocks.at(block);
            expect([pairs[2 * at], pairs[2 * at + 1], one[at]]).toEqual([mark, mark + 1, mark / 8]);
            expect(block).toBeLessThan(blocks.end);
          }
          expect(blocks.end).toBeLessThanOrEqual(first + given.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('are taken again, the last given back first, and take no place when none is in use', () => {
    const blocks = newBlocks();
    const all = Array.from({ length: 130 }, () => blocks.take());
    expect(all).toEqual([...all.keys()]);
    for (const block of all.slice(0, 128)) blocks.give(block);
    expect(blocks.save().chunks.map((chunk) => chunk === null)).toEqual([true, false]);
    expect([blocks.take(), blocks.take(), blocks.end]).toEqual([127, 126, 130]);
    expect(() => {
      for (let i = 0; i < 4; i++) blocks.give(129);
    }).toThrow('a block that is given back was taken');
  });

  it('share nothing with what is saved', () => {
    const blocks = newBlocks();
    const block = blocks.take();
    blocks.in(block).one[0] = 5;
    const saved = blocks.save();
    blocks.in(block).one[0] = 6;
    expect(saved.chunks[0]!.one).toEqual(Float64Array.of(5));
    const loaded = newBlocks();
    loaded.load(saved);
    loaded.in(block).one[0] = 7;
    expect(saved.chunks[0]!.one).toEqual(Float64Array.of(5));
  });
});

describe('text in UTF-8', () => {
  const units = fc
    .array(
      fc.oneof(
        fc.nat(0xffff),
        fc.constantFrom(
          0x7f,
          0x80,
          0x7ff,
          0x800,
          0xd7ff,
          0xd800,
          0xdbff,
          0xdc00,
          0xdfff,
          0xe000,
          0xfffd,
          0xffff,
        ),
      ),
      { maxLength: 12 },
    )
    .map((all) => String.fromCharCode(...all));

  it('is what the platform makes of it, halves of pairs as replacements', () => {
    fc.assert(
      fc.property(units, (text) => {
        expect(encodeUtf8(text)).toEqual(new TextEncoder().encode(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is read as it was written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const read = text.startsWith('\ufeff') ? text.slice(1) : text;
        expect(decodeUtf8(encodeUtf8(text))).toEqual({ text: read });
      }),
      { numRuns: 300 },
    );
  });

  it('is read where the platform reads it, and nowhere else', () => {
    const strict = new TextDecoder('utf-8', { fatal: true });
    const beginnings = [
      '',
      'c2',
      'e0a0',
      'ed9f',
      'eda0',
      'f090',
      'f48f',
      'f490',
      'c1',
      'f8',
      'efbbbf',
    ].map((hex) => Buffer.from(hex, 'hex'));
    const bytes = fc
      .tuple(fc.nat(beginnings.length - 1), fc.uint8Array({ maxLength: 6 }))
      .map(([which, more]) => new Uint8Array(Buffer.concat([beginnings[which]!, more])));
    fc.assert(
      fc.property(bytes, (given) => {
        let expected: string | undefined;
        try {
          expected = strict.decode(given);
        } catch {
          expected = undefined;
        }
        const read = decodeUtf8(given);
        expect('text' in read ? read.text : undefined).toBe(expected);
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    [[0x61, 0x80], 1],
    [[0x61, 0xc3, 0xa9, 0xff], 3],
    [[0xc3], 0],
    [[0xe2, 0x82], 0],
    [[0xef, 0xbb, 0xbf, 0xc0, 0x80], 3],
    [[0xf0, 0x9f, 0x98, 0x80, 0xed, 0xa0, 0x80], 4],
  ])('is refused at its first byte that is none: %j', (given, badByteAt) => {
    expect(decodeUtf8(Uint8Array.from(given))).toEqual({ badByteAt });
  });
});
