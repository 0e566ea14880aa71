import { describe, expect, it } from 'vitest';
import { cacheLatest } from '../../../api/host/process/one-value-cache.ts';

describe('what is stored of the cacheLatest key', () => {
  it('is made once while the key is the same, and anew for each other one', () => {
    const created: number[] = [];
    const twice = cacheLatest((key: number) => {
      created.push(key);
      return 2 * key;
    });
    expect([1, 1, 2, 2, 1, 0, 0].map(twice)).toEqual([2, 2, 4, 4, 2, 0, 0]);
    expect(created).toEqual([1, 2, 1, 0]);
  });
});
