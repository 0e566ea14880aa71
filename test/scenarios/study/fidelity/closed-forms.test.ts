/** Published figures that need no world: all of them are met. */
import { expect, it } from 'vitest';
import { CLAIMS } from '../../../../scenarios/study/fidelity/claims.ts';
import { verdictOfCode } from '../../../../scenarios/study/fidelity/verdicts.ts';

it('claims that need no world are met', () => {
  const verdicts = CLAIMS.flatMap(({ code }) => code.map(verdictOfCode));
  expect(verdicts).toHaveLength(42);
  expect(verdicts.filter(({ holds }) => !holds)).toEqual([]);
});
