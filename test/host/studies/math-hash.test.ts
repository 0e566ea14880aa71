/** api/host/studies/math-hash: what reports machines that compute otherwise. */
import { expect, it } from 'vitest';
import { hashOf, mathHash } from '../../../api/host/studies/math-hash.ts';

it('the math self-test is the same on every machine and engine', () => {
  expect(mathHash()).toBe('80c290099aa84faa');
});

it('the math self-test differs when one value differs in its last bit', () => {
  const right = (u: number) => Math.sqrt(u);
  let calls = 0;
  const wrong = (u: number) => {
    const value = Math.sqrt(u);
    return calls++ === 321 ? value + Number.EPSILON / 2 : value;
  };
  expect(hashOf([wrong])).not.toBe(hashOf([right]));
  expect(hashOf([right])).toBe(hashOf([right]));
});
