/** Steps that codecs may take for one answer (docs/decisions/0106). */
import { expect, it } from 'vitest';
import { StepBudget } from '../../core/codecs/step-budget.ts';
import { codecOf, decoding, usualUplink } from '../support/codecs.ts';

const SPENT = expect.stringContaining('this answer has used up its steps');
const endless = () => codecOf(decoding('for (;;);'));

it('a budget ends an answer behind the call that has spent it', () => {
  const budget = new StepBudget(1_200_000);
  const codec = endless();
  const errors = [1, 2, 3, 4, 5].map(() => codec.decode(usualUplink(), budget).errors);
  expect(errors.slice(0, 2)).toEqual(Array(2).fill(['codec: exceeded its steps']));
  expect(errors.slice(3)).toEqual([[SPENT], [SPENT]]);
});

it('without a budget a codec is called as often as one likes', () => {
  const codec = endless();
  for (let i = 0; i < 5; i++) {
    expect(codec.decode(usualUplink())).toEqual({ errors: ['codec: exceeded its steps'] });
  }
});

it('a change of codec counts what getting ready takes, and a call of the same one does not', () => {
  const [one, other] = [{}, {}];
  const budget = new StepBudget(100);
  budget.count(one, 10, 40);
  budget.count(one, 10, 40);
  expect(budget.isSpent).toBe(false);
  budget.count(other, 10, 40);
  expect(budget.isSpent).toBe(true);
});

it('slices are counted by steps, each once', () => {
  const budget = new StepBudget();
  const codec = {};
  budget.count(codec, 150_000, 0);
  expect(budget.takeSlices()).toBe(0);
  budget.count(codec, 500_000, 0);
  expect([budget.takeSlices(), budget.takeSlices()]).toEqual([3, 0]);
});
