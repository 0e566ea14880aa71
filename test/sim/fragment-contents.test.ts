/** Contents of fragments that devices share, and the blocks rebuilt from them (TS004-2.0.0). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FragmentContents } from '../../sim/device/fragment-contents.ts';
import { encodeFragments, FragmentDecoder } from '../../sim/lorawan/fragmentation-code.ts';

const FRAG_SIZE = 4;

const blockOf = (seed: number, nbFrag: number): Uint8Array =>
  Uint8Array.from({ length: nbFrag * FRAG_SIZE }, (_, i) => Math.imul(seed + i, 0x9e3779b1) >>> 24);

/** What a device has: contents by fragment number. */
function rebuilt(
  contents: FragmentContents,
  nbFrag: number,
  held: ReadonlyMap<number, Uint8Array>,
) {
  const numbers = new Map([...held].map(([number, bytes]) => [number, contents.numberOf(bytes)]));
  const highest = Math.max(0, ...held.keys());
  return contents.rebuild(
    nbFrag,
    FRAG_SIZE,
    highest,
    (number) => numbers.has(number),
    (number) => numbers.get(number)!,
  );
}

const heldOf = (all: readonly Uint8Array[], numbers: readonly number[]) =>
  new Map(numbers.map((number) => [number, all[number - 1]!]));

describe('a content', () => {
  it('has one number, whichever array it stands in, and shares nothing with it', () => {
    const contents = new FragmentContents();
    const bytes = Uint8Array.of(1, 2, 3, 4);
    expect([
      contents.numberOf(bytes),
      contents.numberOf(Uint8Array.of(1, 2, 3, 5)),
      contents.numberOf(bytes.slice()),
      contents.numberOf(bytes),
    ]).toEqual([0, 1, 0, 0]);
    bytes[0] = 9;
    expect(contents.save()).toEqual([Uint8Array.of(1, 2, 3, 4), Uint8Array.of(1, 2, 3, 5)]);
  });

  it('has the same number after it was saved and loaded in the place of others', () => {
    const contents = new FragmentContents();
    const all = encodeFragments(2, blockOf(1, 5), FRAG_SIZE, 3);
    const numbers = all.map((each) => contents.numberOf(each));
    const loaded = new FragmentContents();
    loaded.numberOf(Uint8Array.of(7, 7, 7, 7));
    loaded.load(contents.save());
    expect(all.map((each) => loaded.numberOf(each.slice()))).toEqual(numbers);
    expect(loaded.numberOf(Uint8Array.of(7, 7, 7, 7))).toBe(new Set(numbers).size);
  });
});

describe('a block', () => {
  it('is rebuilt from all of its fragments, the first and the last among them', () => {
    for (const nbFrag of [1, 2, 5]) {
      const block = blockOf(3, nbFrag);
      const all = encodeFragments(2, block, FRAG_SIZE, 0);
      const numbers = all.map((_, i) => i + 1);
      expect(rebuilt(new FragmentContents(), nbFrag, heldOf(all, numbers))).toEqual(block);
      expect(
        rebuilt(new FragmentContents(), nbFrag, heldOf(all, numbers.slice(1))),
      ).toBeUndefined();
      expect(
        rebuilt(new FragmentContents(), nbFrag, heldOf(all, numbers.slice(0, -1))),
      ).toBeUndefined();
    }
  });

  it('of full rank is what a decoder of the device itself makes of its fragments', () => {
    const nbFrag = 6;
    const blocks = [1, 2, 3].map((seed) => encodeFragments(2, blockOf(seed, nbFrag), FRAG_SIZE, 8));
    const device = fc.record({
      of: fc.nat(2),
      numbers: fc.uniqueArray(fc.integer({ min: 1, max: 14 }), { minLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(device, { minLength: 1, maxLength: 12 }), (devices) => {
        const contents = new FragmentContents();
        for (const { of, numbers } of devices) {
          const held = heldOf(
            blocks[of]!,
            numbers.toSorted((a, b) => a - b),
          );
          const own = new FragmentDecoder(2, nbFrag, FRAG_SIZE);
          for (const [number, bytes] of held) own.add(number, bytes);
          const block = own.block();
          if (block !== undefined) expect(rebuilt(contents, nbFrag, held)).toEqual(block);
        }
      }),
      { numRuns: 60 },
    );
  });

  it.each([1, 2, 3])('is not that of others who have another fragment %i', (number) => {
    const contents = new FragmentContents();
    const [mine, theirs] = [1, 2].map((seed) => blockOf(seed, 3));
    const [own, others] = [mine!, theirs!].map((each) => encodeFragments(2, each, FRAG_SIZE, 0));
    expect(rebuilt(contents, 3, heldOf(own!, [1, 2, 3]))).toEqual(mine);
    const mixed = heldOf(own!, [1, 2, 3]).set(number, others![number - 1]!);
    const expected = mine!.slice();
    expected.set(others![number - 1]!, (number - 1) * FRAG_SIZE);
    expect(rebuilt(contents, 3, mixed)).toEqual(expected);
  });

  it('is the same object for several devices, while it is one of the latest eight', () => {
    const contents = new FragmentContents();
    const all = (seed: number) => encodeFragments(2, blockOf(seed, 3), FRAG_SIZE, 0);
    const rebuild = (seed: number) => rebuilt(contents, 3, heldOf(all(seed), [1, 2, 3]));
    const first = rebuild(0);
    for (let seed = 1; seed < 8; seed++) rebuild(seed);
    expect(rebuild(0)).toBe(first);
    rebuild(8);
    const again = rebuild(0);
    expect(again).toEqual(first);
    expect(again).not.toBe(first);
  });
});
