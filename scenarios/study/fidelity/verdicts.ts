/** Ours beside what was published: mean, interval, difference and verdict of each claim. */
import type { RunResult } from '../../../core/result/result.ts';
import { type Interval, meanInterval } from '../../../reports/statistics/intervals.ts';
import { mean } from '../../../reports/statistics.ts';
import type { Claim, CodeClaim, RunClaim, Setting, Unit } from './claim.ts';

export interface Verdict {
  readonly at: string;
  readonly figure: string;
  readonly unit: Unit;
  readonly published: number;
  readonly ours: number;
  /** Of the mean over seeds (Student's t, 95 %); null with fewer than two. */
  readonly interval: Interval | null;
  readonly difference: number;
  readonly tolerance: number;
  readonly holds: boolean;
  /** 0: it needs none. */
  readonly seeds: number;
  /** Why ours lies outside, where that is known; absent: it lies inside, or nobody knows. */
  readonly reason?: string;
}

/** Verdicts on the claims about one setting, by its results under some seeds. */
export function verdictsOf(
  { at, claims }: { readonly at: string; readonly claims: readonly RunClaim[] },
  results: readonly RunResult[],
): Verdict[] {
  return claims.map((claim) => verdict(at, claim, results.map(claim.of)));
}

export const verdictOfCode = (claim: CodeClaim & { readonly at: string }): Verdict => ({
  ...verdict(claim.at, claim, [claim.value()]),
  seeds: 0,
});

/** A figure that was not measured holds nothing. */
function verdict(at: string, claim: Claim, values: readonly number[]): Verdict {
  const { figure, unit, published, tolerance } = claim;
  const ours = mean(values);
  const difference = ours - published;
  const holds = Math.abs(difference) <= tolerance;
  return {
    at,
    figure,
    unit,
    published,
    ours,
    interval: meanInterval(values) ?? null,
    difference,
    tolerance,
    holds,
    seeds: values.length,
    ...(!holds && claim.reason !== undefined && { reason: claim.reason }),
  };
}

/** Whether each figure is met, or is missed for a known reason. */
export const isAsExpected = ({ holds, reason }: Verdict): boolean => holds || reason !== undefined;

/** Seeds of a setting: those that are asked for, or its own number. */
export const seedsOf = ({ seeds }: Pick<Setting, 'seeds'>, asked: number | undefined): string[] =>
  Array.from({ length: asked ?? seeds }, (_, place) => `${place + 1}`);
