/**
 * The practical rules of decoders (docs/standard.md, Reference decoders): what they take, when
 * their memory ends, and that rank alone reports when a block is complete under them.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DECODERS, type DecoderName } from '../../sim/lorawan/decoder-rules.ts';
import { Admission, admit } from '../../sim/lorawan/fragment-admission.ts';
import {
  encodeFragments,
  FragmentDecoder,
  fragmentCount,
  isDefective,
  nearestGoodFragSize,
} from '../../sim/lorawan/fragmentation-code.ts';
import { RankModel } from '../../sim/lorawan/fragmentation-rank.ts';
import { mostRuns } from '../support/long.ts';

describe('a decoder', () => {
  const state = { nbFrag: 10, highest: 5, missing: 6, usesCoded: false };

  it('that wants order drops what comes late, but not a repetition of the last', () => {
    const rules = { inOrder: true, maxLost: 10 };
    expect(admit(rules, state, 4)).toBe(Admission.outOfOrder);
    expect(admit(rules, state, 5)).toBe(Admission.taken);
    expect(admit({ ...rules, inOrder: false }, state, 4)).toBe(Admission.taken);
  });

  it('drops repetitions of uncoded fragments after the first coded one', () => {
    const decoder = new FragmentDecoder(1, 4, 1, { inOrder: true });
    const fragments = encodeFragments(1, Uint8Array.of(1, 2, 3, 4), 1, 8);
    for (const number of [1, 2, 5]) decoder.add(number, fragments[number - 1]!);
    const { missing } = decoder;
    for (const number of [3, 4]) decoder.add(number, fragments[number - 1]!);
    expect(decoder.missing).toBe(missing);
    expect(decoder.received).toBe(5);
  });

  it('has no memory when more were lost than its matrix holds at the first coded fragment', () => {
    const rules = { inOrder: true, maxLost: 5 };
    expect(admit(rules, state, 11)).toBe(Admission.noMemory);
    expect(admit(rules, { ...state, missing: 5 }, 11)).toBe(Admission.taken);
    expect(admit(rules, { ...state, usesCoded: true }, 12)).toBe(Admission.taken);
    expect(admit(rules, state, 10)).toBe(Admission.taken);
  });

  it('keeps the limits that implementations have', () => {
    const figures = (name: DecoderName) => {
      const { maxNbFrag, maxFragSize, maxLost, blocks } = DECODERS[name];
      return [maxNbFrag, maxFragSize, maxLost, blocks];
    };
    expect(figures('LoRaMac-node')).toEqual([21, 50, 5, 4]);
    expect(figures('LBM')).toEqual([100, 242, 100, 1]);
    expect(DECODERS['fuota-fragmentation-rs'].maxBlockBytes).toBe(256 * 1024);
    expect(DECODERS['fuota-fragmentation-rs'].maxLost).toBe(1600);
  });
});

/** A receiver without bytes: what a device of a simulated fleet keeps. */
class RankReceiver {
  readonly #model: RankModel;
  readonly #bits = new Int32Array(64);
  readonly #rules: { readonly inOrder: boolean; readonly maxLost: number };
  readonly #nbFrag: number;
  #highest = 0;
  #distinct = 0;
  #usesCoded = false;
  memoryError = false;

  constructor(
    version: 1 | 2,
    nbFrag: number,
    rules: { readonly inOrder: boolean; readonly maxLost: number },
  ) {
    this.#model = new RankModel(version, nbFrag);
    this.#nbFrag = nbFrag;
    this.#rules = rules;
  }

  add(number: number): boolean {
    const nbFrag = this.#nbFrag;
    const state = { nbFrag, missing: nbFrag - this.#distinct, usesCoded: this.#usesCoded };
    const admission = admit(this.#rules, { ...state, highest: this.#highest }, number);
    this.#highest = Math.max(this.#highest, number);
    if (admission === Admission.noMemory) this.memoryError = true;
    if (admission === Admission.taken) {
      const bit = 1 << ((number - 1) & 31);
      const word = (number - 1) >> 5;
      if ((this.#bits[word]! & bit) === 0) this.#distinct++;
      this.#bits[word]! |= bit;
      if (number > nbFrag) this.#usesCoded = true;
    }
    return this.#model.completesAt(this.#bits, 0, this.#highest) >= 0;
  }
}

describe('the rank model', () => {
  it('predicts when a decoder with any rules is complete, by fragment, in any order', () => {
    const shown = { complete: 0, memoryError: 0, incomplete: 0 };
    fc.assert(
      fc.property(
        fc.record({
          version: fc.constantFrom(1 as const, 2 as const),
          nbFrag: fc.integer({ min: 2, max: 40 }),
          inOrder: fc.boolean(),
          maxLost: fc.oneof(fc.integer({ min: 0, max: 8 }), fc.constant(40)),
          lost: fc.array(fc.nat(99), { maxLength: 30 }),
          late: fc.array(fc.tuple(fc.nat(79), fc.nat(79)), { maxLength: 6 }),
        }),
        ({ version, nbFrag, inOrder, maxLost, lost, late }) => {
          const rules = { inOrder, maxLost };
          const block = Uint8Array.from({ length: nbFrag }, (_, i) => i * 37 + 5);
          const fragments = encodeFragments(version, block, 1, 40);
          const numbers = fragments.map((_, i) => i + 1).filter((n) => !lost.includes(n));
          for (const [from, to] of late) {
            const [moved] = numbers.splice(from % numbers.length, 1);
            numbers.splice(to % (numbers.length + 1), 0, moved!, moved!);
          }
          const decoder = new FragmentDecoder(version, nbFrag, 1, rules);
          const receiver = new RankReceiver(version, nbFrag, rules);
          let complete = false;
          for (const number of numbers) {
            if (complete) break;
            complete = decoder.add(number, fragments[number - 1]!);
            expect(receiver.add(number)).toBe(complete);
            expect(receiver.memoryError).toBe(decoder.memoryError);
          }
          if (complete) expect(decoder.block()).toEqual(block);
          if (decoder.memoryError) shown.memoryError++;
          shown[complete ? 'complete' : 'incomplete']++;
        },
      ),
      { numRuns: mostRuns(400) },
    );
    expect(Math.min(...Object.values(shown))).toBeGreaterThan(20);
  });
});

describe('the nearest good fragment size', () => {
  it('is the size itself where the number of fragments is good', () => {
    expect(nearestGoodFragSize(20_000, 50, 100)).toBe(50);
  });

  it('is a byte away where the number is a multiple of 64 from 192 on, but no power of two', () => {
    expect(fragmentCount(19_200, 50)).toBe(384);
    expect(isDefective(384)).toBe(true);
    expect(nearestGoodFragSize(19_200, 50, 100)).toBe(51);
    expect(nearestGoodFragSize(19_200, 50)).toBe(49);
  });

  it('is good, fits, and no good size is nearer', () => {
    const sizes = fc.integer({ min: 1, max: 222 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200_000 }), sizes, sizes, (bytes, fragSize, more) => {
        const most = Math.min(222, fragSize + more);
        const good = nearestGoodFragSize(bytes, fragSize, most);
        const isGood = (size: number) => !isDefective(fragmentCount(bytes, size));
        const all = Array.from({ length: most }, (_, i) => i + 1).filter(isGood);
        if (good === undefined) return expect(all).toEqual([]);
        expect(all).toContain(good);
        const off = Math.abs(good - fragSize);
        expect(all.filter((size) => Math.abs(size - fragSize) < off)).toEqual([]);
      }),
    );
  });
});
