/** Counts of deliveries over several targets. */
import { expect, it } from 'vitest';
import { noDeliveries, sumOf } from '../../../api/host/deliveries/stored-deliveries.ts';

it('counts are added name by name', () => {
  const one = { ...noDeliveries(), left: 5, delivered: 3, refused: 1 };
  const other = { ...noDeliveries(), left: 2, delivered: 2, attempts: 9 };
  const sum = { ...noDeliveries(), left: 7, delivered: 5, refused: 1, attempts: 9 };
  expect(sumOf(one, other)).toEqual(sum);
  expect(sumOf(sum, noDeliveries())).toEqual(sum);
  expect([one.left, other.left]).toEqual([5, 2]);
});
