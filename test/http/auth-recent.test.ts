import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Recent } from '../../api/http/auth/recent.ts';

describe('what was needed lately', () => {
  it('has at most as many entries as it is reported, however many come', () => {
    const recent = new Recent<number, number>(10_000);
    for (let i = 0; i < 100_000; i++) recent.set(i, i);
    expect(recent.size).toBeLessThanOrEqual(10_000);
    expect(recent.size).toBeGreaterThanOrEqual(5_000);
    expect(recent.get(99_999)).toBe(99_999);
    expect(recent.get(0)).toBeUndefined();
  });

  it('has all entries up to half of them, and counts them', () => {
    const recent = new Recent<number, number>(8);
    for (let i = 0; i < 7; i++) {
      expect(recent.size).toBe(i);
      recent.set(i, i);
    }
    recent.delete(1);
    recent.delete(6);
    expect(recent.size).toBe(5);
    expect([1, 6].map((key) => recent.get(key))).toEqual([undefined, undefined]);
  });

  it('keeps what is asked for while others come and go', () => {
    const recent = new Recent<string, number>(100);
    recent.set('asked for', 1);
    for (let i = 0; i < 10_000; i++) {
      recent.set(`other ${i}`, i);
      if (i % 40 === 0) expect(recent.get('asked for')).toBe(1);
    }
  });

  it('answers with the latest value, or with nothing', () => {
    const step = fc.tuple(fc.nat(12), fc.option(fc.nat()));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const recent = new Recent<number, number>(8);
        const all = new Map<number, number>();
        for (const [key, value] of steps) {
          if (value !== null) {
            recent.set(key, value);
            all.set(key, value);
          }
          const found = recent.get(key);
          if (value !== null) expect(found).toBe(value);
          else if (found !== undefined) expect(found).toBe(all.get(key));
          expect(recent.size).toBeLessThanOrEqual(8);
        }
      }),
    );
  });
});
