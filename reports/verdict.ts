/** What an expectation was judged on, in the unit of the figure that it names. */
import type { ExpectationResult } from '../core/result.ts';
import { KPIS, type Kpi } from './kpi.ts';

/**
 * The row of `KPIS` that the expectation compares with its bound; undefined when it compares a
 * quotient or a count of the result.
 */
export function expectedKpi({ expectation }: ExpectationResult): Kpi | undefined {
  const name = /^\s*([A-Za-z][\w.-]*)\s*(?:[<>=≥≤]|within\b)/.exec(expectation)?.[1] ?? '';
  return Object.hasOwn(KPIS, name) ? KPIS[name] : undefined;
}

/** How an expectation list as a whole went. */
export function verdict(expectations: readonly ExpectationResult[]): {
  readonly state: 'holds' | 'fails' | 'open';
  readonly sentence: string;
} {
  const total = expectations.length;
  const failed = expectations.filter(({ holds }) => !holds).length;
  if (total === 0) return { state: 'open', sentence: 'The scenario states no expectations' };
  if (failed === 0) {
    const sentence = total === 1 ? 'The expectation holds' : `All ${total} expectations hold`;
    return { state: 'holds', sentence };
  }
  if (total === 1) return { state: 'fails', sentence: 'The expectation fails' };
  const sentence = `${failed} of ${total} expectations ${failed === 1 ? 'fails' : 'fail'}`;
  return { state: 'fails', sentence };
}
