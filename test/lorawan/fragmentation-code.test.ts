/** TS004's redundancy code: rows and fragments of five implementations, and the decoder. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../sim/base/bytes.ts';
import {
  encodeFragments,
  type FragmentationVersion,
  FragmentDecoder,
  fragmentCount,
  parityRow,
  prbs23,
} from '../../sim/lorawan/fragmentation-code.ts';
import { vectors } from '../support/vectors.ts';

interface CodeRow {
  rowsSha256: string;
  codedSha256: string;
  rowWeights: number[];
  rows: string[];
  coded: string[];
}

interface CaseRow {
  M: number;
  fragSize: number;
  redundancy: number;
  xorshift32Seed: number;
  dataSha256: string;
  v1: CodeRow;
  v2: CodeRow;
}

const { cases, bigN, prbs23FromSeed1002 } = vectors<{
  cases: CaseRow[];
  bigN: { M: number; n: number; seed: number; v1Row: string; v2Row: string }[];
  prbs23FromSeed1002: number[];
}>('fragmentation');

const VERSIONS: readonly FragmentationVersion[] = [1, 2];

const sha256 = (parts: readonly Uint8Array[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

/** The vectors' hash of rows: of their hexadecimal lines. */
const sha256OfLines = (rows: readonly Uint8Array[]): string =>
  createHash('sha256').update(rows.map(toHex).join('\n')).digest('hex');

/** Entry 0 is the most significant bit of byte 0, as the vectors are printed. */
function packed(row: Uint8Array): Uint8Array {
  const bytes = new Uint8Array((row.length + 7) >> 3);
  row.forEach((bit, place) => {
    bytes[place >> 3]! |= bit << (7 - (place & 7));
  });
  return bytes;
}

function xorshiftBytes(seed: number, count: number): Uint8Array {
  let x = seed;
  return Uint8Array.from({ length: count }, () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return x;
  });
}

describe('the row generator', () => {
  it('has the states of the reference', () => {
    let state = 1002;
    for (const expected of prbs23FromSeed1002) {
      state = prbs23(state);
      expect(state).toBe(expected);
    }
  });

  it.each(bigN)('adds the new bit where the state exceeds 23 bits: M $M, n $n', (row) => {
    expect(1 + 1001 * row.n).toBe(row.seed);
    expect(toHex(packed(parityRow(1, row.M, row.n)))).toBe(row.v1Row);
    expect(toHex(packed(parityRow(2, row.M, row.n)))).toBe(row.v2Row);
  });

  it('draws exactly half of the fragments in version 2, and no more in version 1', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 700 }),
        fc.integer({ min: 1, max: 15_000 }),
        (nbFrag, n) => {
          const weight = (row: Uint8Array): number => row.reduce((sum, bit) => sum + bit, 0);
          expect(weight(parityRow(2, nbFrag, n))).toBe(nbFrag >> 1);
          expect(weight(parityRow(1, nbFrag, n))).toBeLessThanOrEqual(nbFrag >> 1);
        },
      ),
    );
  });
});

describe.each(cases)('$M fragments of $fragSize bytes', (row) => {
  const data = xorshiftBytes(row.xorshift32Seed, row.M * row.fragSize);

  it('begin with the data of the vector', () => {
    expect(sha256([data])).toBe(row.dataSha256);
    expect(fragmentCount(data.length, row.fragSize)).toBe(row.M);
  });

  it.each(VERSIONS)('have the rows and coded fragments of version %i', (version) => {
    const expected = version === 1 ? row.v1 : row.v2;
    const rows = Array.from({ length: row.redundancy }, (_, i) => parityRow(version, row.M, i + 1));
    const fragments = encodeFragments(version, data, row.fragSize, row.redundancy);
    const coded = fragments.slice(row.M);
    expect(sha256(fragments.slice(0, row.M))).toBe(row.dataSha256);
    expect(rows.slice(0, expected.rows.length).map((each) => toHex(packed(each)))).toEqual(
      expected.rows,
    );
    expect(coded.slice(0, expected.coded.length).map(toHex)).toEqual(expected.coded);
    const weights = rows.map((each) => each.reduce((sum, bit) => sum + bit, 0));
    expect(weights.slice(0, expected.rowWeights.length)).toEqual(expected.rowWeights);
    expect(sha256OfLines(rows.map(packed))).toBe(expected.rowsSha256);
    expect(sha256(coded)).toBe(expected.codedSha256);
  });
});

/** A block, its code, and which fragments arrive in which order. */
const sessions = fc
  .record({
    version: fc.constantFrom(...VERSIONS),
    nbFrag: fc.integer({ min: 1, max: 40 }),
    fragSize: fc.integer({ min: 1, max: 9 }),
    redundancy: fc.integer({ min: 0, max: 60 }),
    seed: fc.integer({ min: 1, max: 0x7fffffff }),
  })
  .chain((session) => {
    const count = session.nbFrag + session.redundancy;
    const numbers = Array.from({ length: count }, (_, i) => i + 1);
    return fc
      .shuffledSubarray(numbers, { minLength: 0 })
      .map((arriving) => ({ ...session, arriving }));
  });

describe('the decoder', () => {
  it('rebuilds the block from any fragments of full rank, in any order', () => {
    fc.assert(
      fc.property(sessions, ({ version, nbFrag, fragSize, redundancy, seed, arriving }) => {
        const block = xorshiftBytes(seed, nbFrag * fragSize);
        const fragments = encodeFragments(version, block, fragSize, redundancy);
        const decoder = new FragmentDecoder(version, nbFrag, fragSize);
        for (const number of arriving) decoder.add(number, fragments[number - 1]!);
        expect(decoder.received).toBe(arriving.length);
        expect(decoder.complete).toBe(rankOf(version, nbFrag, arriving) === nbFrag);
        expect(decoder.missing).toBe(nbFrag - rankOf(version, nbFrag, arriving));
        expect(decoder.block()).toEqual(decoder.complete ? block : undefined);
      }),
      { numRuns: 300 },
    );
  });

  it('fills the last fragment with zeros', () => {
    const fragments = encodeFragments(1, fromHex('0102030405'), 3, 1);
    expect(fragments.slice(0, 2).map(toHex)).toEqual(['010203', '040500']);
  });

  it('drops coded fragments while more are missing than it has memory for', () => {
    const block = xorshiftBytes(7, 80);
    const fragments = encodeFragments(2, block, 4, 40);
    const decoder = new FragmentDecoder(2, 20, 4, { maxLost: 2 });
    for (let number = 4; number <= 20; number++) decoder.add(number, fragments[number - 1]!);
    decoder.add(21, fragments[20]!);
    expect(decoder.memoryError).toBe(true);
    expect(decoder.missing).toBe(3);
    decoder.add(1, fragments[0]!);
    for (let number = 21; !decoder.complete; number++) decoder.add(number, fragments[number - 1]!);
    expect(decoder.block()).toEqual(block);
  });

  it('cannot rebuild a single fragment from redundancy', () => {
    const decoder = new FragmentDecoder(1, 1, 2);
    expect(decoder.add(2, fromHex('0000'))).toBe(false);
    expect(decoder.add(1, fromHex('abcd'))).toBe(true);
    expect(decoder.block()).toEqual(fromHex('abcd'));
  });

  it('counts repetitions but does not need them', () => {
    const decoder = new FragmentDecoder(1, 2, 1);
    expect(decoder.add(1, fromHex('01'))).toBe(false);
    expect(decoder.add(1, fromHex('01'))).toBe(false);
    expect(decoder.add(2, fromHex('02'))).toBe(true);
    expect(decoder.add(2, fromHex('02'))).toBe(true);
    expect(decoder.received).toBe(4);
  });

  it('refuses what is no fragment of its session', () => {
    const decoder = new FragmentDecoder(1, 2, 3);
    expect(() => decoder.add(1, fromHex('01'))).toThrow('fragSize');
    expect(() => decoder.add(0, fromHex('010203'))).toThrow('1…16383');
    expect(() => new FragmentDecoder(1, 16_384, 3)).toThrow('1…16383');
    expect(() => encodeFragments(1, new Uint8Array(16_000), 1, 384)).toThrow('14 bits');
  });
});

/** Rank of the fragments' rows by plain elimination over numbers of any size. */
function rankOf(version: FragmentationVersion, nbFrag: number, numbers: number[]): number {
  const basis: bigint[] = [];
  for (const number of numbers) {
    let row = number <= nbFrag ? 1n << BigInt(number - 1) : 0n;
    if (number > nbFrag) {
      parityRow(version, nbFrag, number - nbFrag).forEach((bit, place) => {
        if (bit === 1) row |= 1n << BigInt(place);
      });
    }
    for (const vector of basis) if ((row ^ vector) < row) row ^= vector;
    if (row > 0n) basis.push(row);
  }
  return basis.length;
}
