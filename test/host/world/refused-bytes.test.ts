/** Refused commands of a subscriber take a bounded part of the journal (docs/decisions/0110). */
import { expect, it } from 'vitest';
import { REFUSED_BYTES, RefusedBytes } from '../../../api/host/world/refused-bytes.ts';

const { most, aSecond } = REFUSED_BYTES;

it('who has filled his bucket waits until it has drained, and nobody else does', () => {
  let nowMs = 0;
  const refused = new RefusedBytes(() => nowMs);
  refused.add('eve', most - 1);
  expect(refused.waitS('eve')).toBe(0);
  refused.add('eve', 1 + 10 * aSecond);
  expect(refused.waitS('eve')).toBe(10);
  expect(refused.waitS('ann')).toBe(0);
  nowMs = 9_000;
  expect(refused.waitS('eve')).toBe(1);
  nowMs = 10_001;
  expect(refused.waitS('eve')).toBe(0);
});

it('buckets of very many are forgotten once they are empty', () => {
  let nowMs = 0;
  const refused = new RefusedBytes(() => nowMs);
  refused.add('eve', most + 100 * aSecond);
  for (let i = 0; i < 2_000; i++) {
    refused.add(`s${i}`, aSecond);
    nowMs += 10;
  }
  expect(refused.waitS('eve')).toBe(80);
});
