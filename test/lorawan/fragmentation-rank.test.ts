/** When a receiver of TS004's code is complete: as the decoders are, and as measured. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type FragmentationVersion,
  FragmentDecoder,
  parityRow,
} from '../../sim/lorawan/fragmentation-code.ts';
import { RankModel } from '../../sim/lorawan/fragmentation-rank.ts';
import { vectors } from '../support/vectors.ts';

type Pairs = {
  fragments: [number, number];
  rowsThatSeparateThem: number;
  ofRows: number;
  firstSeparatingRow: number | null;
}[];

interface Reference {
  badPairs: { M: number; v1: Pairs; v2: Pairs }[];
  weakM: Record<string, Record<string, { minColumnDistance: number; closestPair0based: string }>>;
  referenceDecoderChecks: {
    M: number;
    lostFragments: number[];
    loraMacNode_and_LBM_v1_completeAtN?: number;
    LBM_v2_completeAtN?: number;
    completeAtN?: number;
  }[];
}

const reference = vectors<Reference>('fragmentation-decoder');

function receivedSet(numbers: Iterable<number>, sent: number): Int32Array {
  const words = new Int32Array((sent + 31) >> 5);
  for (const number of numbers) words[(number - 1) >> 5]! |= 1 << ((number - 1) & 31);
  return words;
}

function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

describe('the rank model', () => {
  const sessions = fc
    .record({
      version: fc.constantFrom<FragmentationVersion>(1, 2),
      nbFrag: fc.integer({ min: 1, max: 130 }),
      redundancy: fc.integer({ min: 0, max: 150 }),
      seed: fc.nat(0xffffff),
      loss: fc.double({ min: 0, max: 0.6, noNaN: true }),
    })
    .map((session) => {
      const draw = uniform(session.seed);
      const count = session.nbFrag + session.redundancy;
      const numbers = Array.from({ length: count }, (_, i) => i + 1);
      return { ...session, arriving: numbers.filter(() => draw() >= session.loss) };
    });

  it('completes at the fragment at which the decoder does, and misses as many before', () => {
    fc.assert(
      fc.property(sessions, ({ version, nbFrag, redundancy, arriving }) => {
        const sent = nbFrag + redundancy;
        const model = new RankModel(version, nbFrag);
        const decoder = new FragmentDecoder(version, nbFrag, 1);
        const fragment = new Uint8Array(1);
        const received = receivedSet(arriving, sent);
        const completedBy = arriving.find((number) => decoder.add(number, fragment)) ?? -1;
        expect(model.completesAt(received, 0, sent)).toBe(completedBy);
        const part = new FragmentDecoder(version, nbFrag, 1);
        const early = Math.floor(sent * 0.8);
        for (const number of arriving) if (number <= early) part.add(number, fragment);
        // What is still to come counts as missing.
        expect(model.missingAfter(received, 0, early)).toBe(part.missing);
      }),
      { numRuns: 400 },
    );
  });

  it('does so with hundreds of fragments lacking', () => {
    const draw = uniform(5);
    for (const [version, nbFrag, loss] of [
      [1, 700, 0.4],
      [2, 511, 0.5],
      [1, 384, 0.3],
      [2, 512, 0.05],
    ] as const) {
      const sent = 3 * nbFrag;
      const numbers = Array.from({ length: sent }, (_, i) => i + 1);
      const arriving = numbers.filter(() => draw() >= loss);
      const decoder = new FragmentDecoder(version, nbFrag, 1);
      const completedBy = arriving.find((number) => decoder.add(number, new Uint8Array(1))) ?? -1;
      const model = new RankModel(version, nbFrag);
      expect(completedBy).toBeGreaterThan(nbFrag);
      expect(model.completesAt(receivedSet(arriving, sent), 0, sent)).toBe(completedBy);
      expect(model.missingAfter(receivedSet(arriving, sent), 0, completedBy - 1)).toBe(1);
    }
  });

  it('reads a row of a table of receivers, and one model serves them all', () => {
    const model = new RankModel(1, 26);
    const table = new Int32Array(6);
    table.set(receivedSet([1, 2, 3], 40), 0);
    table.set(
      receivedSet(
        Array.from({ length: 26 }, (_, i) => i + 1),
        40,
      ),
      2,
    );
    expect(model.completesAt(table, 0, 40)).toBe(-1);
    expect(model.completesAt(table, 2, 40)).toBe(26);
    expect(model.completesAt(table, 2, 25)).toBe(-1);
    expect(model.missingAfter(table, 0, 3)).toBe(23);
    expect(model.missingAfter(table, 4, 0)).toBe(26);
  });

  it.each(reference.referenceDecoderChecks)(
    'completes as the reference decoders do: M $M without $lostFragments',
    (row) => {
      const sent = 2 * row.M;
      const numbers = Array.from({ length: sent }, (_, i) => i + 1);
      const received = receivedSet(
        numbers.filter((number) => !row.lostFragments.includes(number)),
        sent,
      );
      const v1 = row.completeAtN ?? row.loraMacNode_and_LBM_v1_completeAtN;
      const v2 = row.completeAtN ?? row.LBM_v2_completeAtN;
      expect(new RankModel(1, row.M).completesAt(received, 0, sent)).toBe(v1);
      expect(new RankModel(2, row.M).completesAt(received, 0, sent)).toBe(v2);
    },
  );
});

describe('numbers of fragments with nearly equal columns', () => {
  const small = reference.badPairs.filter((row) => row.M <= 832);

  it.each(small)('are distinguished by as few rows as measured: M $M', (row) => {
    for (const [version, pairs] of [
      [1, row.v1],
      [2, row.v2],
    ] as const) {
      for (const { fragments, ofRows, rowsThatSeparateThem, firstSeparatingRow } of pairs) {
        const [a, b] = fragments;
        const apart: number[] = [];
        for (let n = 1; n <= ofRows; n++) {
          const parity = parityRow(version, row.M, n);
          if (parity[a - 1] !== parity[b - 1]) apart.push(n);
        }
        expect(apart).toHaveLength(rowsThatSeparateThem);
        expect(apart[0] ?? null).toBe(firstSeparatingRow);
      }
    }
  });

  it('are those of the scan: the closest columns over the first 512 rows', () => {
    for (const M of ['96', '192', '320', '1600']) {
      for (const version of [1, 2] as const) {
        const found = reference.weakM[M]![`v${version}`];
        if (found === undefined) continue;
        const [a, b] = found.closestPair0based.match(/\d+/g)!.map(Number);
        let distance = 0;
        for (let n = 1; n <= 512; n++) {
          const parity = parityRow(version, Number(M), n);
          distance += parity[a!]! ^ parity[b!]!;
        }
        expect(distance).toBe(found.minColumnDistance);
      }
    }
  });

  it('leave version 2 one short without any uncoded fragment, when half of M is even', () => {
    const model = new RankModel(2, 40);
    const sent = 40 + 400;
    const coded = Array.from({ length: 400 }, (_, i) => 41 + i);
    expect(model.completesAt(receivedSet(coded, sent), 0, sent)).toBe(-1);
    expect(model.missingAfter(receivedSet(coded, sent), 0, sent)).toBe(1);
    const withOne = receivedSet([7, ...coded], sent);
    expect(model.completesAt(withOne, 0, sent)).toBeGreaterThan(40);
  });
});
