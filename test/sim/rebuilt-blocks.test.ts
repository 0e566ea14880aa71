/** Blocks of devices that lost different fragments are rebuilt once, as each would make them. */
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { RebuiltBlocks } from '../../sim/device/rebuilt-blocks.ts';
import {
  encodeFragments,
  FragmentDecoder,
  FragmentEncoder,
} from '../../sim/lorawan/fragmentation-code.ts';

const bytesOf = (seed: number, count: number) =>
  Uint8Array.from({ length: count }, (_, i) => Math.imul(seed + i, 0x9e3779b1) >>> 24);

describe('a fragment of a block', () => {
  it('is that of the list of all, in both versions', () => {
    const run = (version: 1 | 2, length: number, fragSize: number) => {
      const block = bytesOf(length, length);
      const all = encodeFragments(version, block, fragSize, 9);
      const encoder = new FragmentEncoder(version, block, fragSize);
      for (const number of [...all.keys(), ...[...all.keys()].reverse()]) {
        expect(encoder.fragment(number + 1)).toEqual(all[number]);
      }
    };
    const size = fc.integer({ min: 1, max: 30 });
    fc.assert(fc.property(fc.constantFrom(1, 2), fc.integer({ min: 1, max: 300 }), size, run));
  });
});

describe('a block that devices rebuild', () => {
  const FRAG_SIZE = 7;
  const FRAGMENTS = 20;
  const REDUNDANCY = 12;

  const receiver = fc.record({
    block: fc.constantFrom(1, 2),
    lost: fc.uniqueArray(fc.nat(FRAGMENTS + REDUNDANCY - 1), { maxLength: 12 }),
    /** One fragment that is another's, and which. */
    wrong: fc.option(fc.nat(FRAGMENTS + REDUNDANCY - 1), { freq: 4 }),
  });
  type Receiver = typeof receiver extends fc.Arbitrary<infer One> ? One : never;

  it('is what a decoder makes of the fragments of each by itself', () => {
    const run = (receivers: readonly Receiver[]) => {
      const blocks = new RebuiltBlocks();
      for (const { block, lost, wrong } of receivers) {
        const all = encodeFragments(
          1,
          bytesOf(block, FRAGMENTS * FRAG_SIZE),
          FRAG_SIZE,
          REDUNDANCY,
        );
        const fragments = new Map<number, Uint8Array>();
        const decoder = new FragmentDecoder(1, FRAGMENTS, FRAG_SIZE);
        all.forEach((fragment, at) => {
          if (lost.includes(at)) return;
          const bytes = at === wrong ? fragment.map((byte) => byte ^ 1) : fragment;
          fragments.set(at + 1, bytes);
          decoder.add(at + 1, bytes);
        });
        if (!decoder.complete) continue;
        expect(blocks.rebuild(FRAGMENTS, FRAG_SIZE, fragments)).toEqual(decoder.block());
      }
    };
    fc.assert(fc.property(fc.array(receiver, { maxLength: 5 }), run));
  });

  it('is decoded for the first who has fragments of it, and compared for the others', () => {
    const all = encodeFragments(1, bytesOf(3, FRAGMENTS * FRAG_SIZE), FRAG_SIZE, REDUNDANCY);
    const blocks = new RebuiltBlocks();
    const without = (lost: number) =>
      new Map(all.flatMap((bytes, at) => (at === lost ? [] : [[at + 1, bytes] as const])));
    const first = blocks.rebuild(FRAGMENTS, FRAG_SIZE, without(4));
    expect(first).toEqual(bytesOf(3, FRAGMENTS * FRAG_SIZE));
    for (let lost = 0; lost < REDUNDANCY; lost++) {
      expect(blocks.rebuild(FRAGMENTS, FRAG_SIZE, without(lost))).toBe(first);
    }
    blocks.clear();
    expect(blocks.rebuild(FRAGMENTS, FRAG_SIZE, without(4))).not.toBe(first);
  });

  it.each([
    [20, 12],
    [160, 96],
  ])('costs one decoding and one coding for all receivers: %d fragments', (nbFrag, redundancy) => {
    const all = encodeFragments(1, bytesOf(5, nbFrag * FRAG_SIZE), FRAG_SIZE, redundancy);
    const blocks = new RebuiltBlocks();
    const added = vi.spyOn(FragmentDecoder.prototype, 'add');
    const coded = vi.spyOn(FragmentEncoder.prototype, 'fragment');
    const countsAfter = (receivers: number) => {
      for (let lost = 0; lost < receivers; lost++) {
        const has = [...all.keys()].filter((at) => at % 7 !== lost % 7 || at >= nbFrag);
        blocks.rebuild(nbFrag, FRAG_SIZE, new Map(has.map((at) => [at + 1, all[at]!])));
      }
      return [added.mock.calls.length, coded.mock.calls.length] as const;
    };
    const first = countsAfter(7);
    expect(first[0]).toBeLessThanOrEqual(all.length);
    expect(first[1]).toBeLessThanOrEqual(all.length);
    expect(countsAfter(56)).toEqual(first);
    vi.restoreAllMocks();
  });
});
