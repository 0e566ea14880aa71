/** A world of a study as a row: what is stored of each seed. */

import type { ExpectationResult, RunResult } from '../../core/result/result.ts';
import type { SeedFault, SeedResult, SeedRow } from '../../core/result/study.ts';
import { FIGURES } from '../figures/figures.ts';

/** `more` are figures beside those of the table, by name. */
export function rowOf(
  result: RunResult,
  verdicts: readonly ExpectationResult[],
  more: readonly (readonly [name: string, value: number])[] = [],
): SeedResult {
  const figures = [...FIGURES.map(({ name, of }) => [name, of(result)] as const), ...more];
  return {
    seed: result.seed,
    digest: result.digest,
    figures: Object.fromEntries(figures.map(([name, value]) => [name, measured(value)])),
    expectations: verdicts.map((each) => ({ ...each, actual: measured(each.actual) })),
    unfinished: result.campaigns.filter(({ inProgress }) => inProgress > 0).map(({ name }) => name),
  };
}

/** As JSON has it. */
const measured = (value: number): number | null => (Number.isFinite(value) ? value : null);

export const isResult = (row: SeedRow): row is SeedResult => 'figures' in row;

export const isFault = (row: SeedRow): row is SeedFault => 'error' in row;
