/** Which seeds a study runs with: scenarios/study/seeds.ts. */
import { describe, expect, it } from 'vitest';
import { readSeeds, replicateSeed, SEEDS_MAX } from '../../../scenarios/study/seeds.ts';

describe('the seed of a replicate', () => {
  it('is the root’s own for the first one, so that a study begins with a known run', () => {
    expect(replicateSeed('town', 1)).toBe('town');
  });

  it('is made of root and number alone, and differs for every number', () => {
    expect(replicateSeed('town', 7)).toBe('town/7');
    const all = Array.from({ length: 100 }, (_, at) => replicateSeed('town', at + 1));
    expect(new Set(all).size).toBe(100);
  });
});

describe('the seeds that are asked for', () => {
  it.each([
    ['20', 20],
    ['1e9', 1e9],
    ['0', 0],
    [`1..${SEEDS_MAX + 1}`, SEEDS_MAX + 1],
  ])('%s is a count', (word, count) => {
    expect(readSeeds(word)).toEqual({ kind: 'count', count });
  });

  it.each([
    ['3..6', ['3', '4', '5', '6']],
    ['7..7', ['7']],
    ['a, b,c', ['a', 'b', 'c']],
  ])('%s are seeds themselves', (word, seeds) => {
    expect(readSeeds(word)).toEqual({ kind: 'listed', seeds });
  });

  it.each(['', ' ', 'a', '-3', '2.5', '6..3', 'a,,b', 'a,b,a', '1..', '0x10'])(
    '"%s" is neither',
    (word) => {
      expect(readSeeds(word)).toBeUndefined();
    },
  );
});
