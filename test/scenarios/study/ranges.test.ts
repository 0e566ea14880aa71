/** scenarios/study/ranges: numbers as text, and back. */
import { expect, it } from 'vitest';
import { numbersIn, rangesOf } from '../../../scenarios/study/ranges.ts';

it.each([
  [[], ''],
  [[7], '7'],
  [[0, 1, 2], '0-2'],
  [[1, 2, 3, 7, 9, 10], '1-3,7,9-10'],
])('%s is "%s", and back', (numbers, text) => {
  expect(rangesOf(numbers)).toBe(text);
  expect(numbersIn(text)).toEqual(numbers);
});
