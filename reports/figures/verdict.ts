/** What an expectation was judged on, in the unit of the figure that it names. */
import type { ExpectationResult, RunResult } from '../../core/result/result.ts';
import type { Figure } from './figure.ts';
import { FIGURES, figuresOfCampaign, figuresOfOutcome, figuresOfPopulation } from './figures.ts';

/**
 * Finds the figure that an expectation compares with its bound: a row of `FIGURES`, or one of a
 * population (`meter.joined`, `campaign.meter.updated`) or campaign (`spring.t90`,
 * `campaigns.spring.t90`, `spring.meter.updated`) of this result. Undefined when the expectation
 * compares a quotient or a count of the result.
 */
export function figureFinder(result: RunResult): (one: ExpectationResult) => Figure | undefined {
  const figures = new Map<string, Figure>();
  const add = (name: string, figure: Figure): void => {
    if (!figures.has(name)) figures.set(name, figure);
  };
  for (const figure of FIGURES) add(figure.name, figure);
  for (const { name } of result.devices.populations) {
    for (const figure of figuresOfPopulation(name)) add(figure.name, figure);
    for (const figure of figuresOfOutcome(name)) add(figure.name, figure);
  }
  for (const { name, populations } of result.campaigns) {
    const own = populations.flatMap((each) =>
      each.name === null ? [] : figuresOfOutcome(each.name, name),
    );
    for (const figure of [...figuresOfCampaign(name), ...own]) {
      add(figure.name, figure);
      add(figure.name.slice('campaigns.'.length), figure);
    }
  }
  return ({ expectation }) => {
    const name = /^\s*([A-Za-z][\w.-]*)\s*(?:[<>=≥≤]|within\b)/.exec(expectation)?.[1];
    return name === undefined ? undefined : figures.get(name);
  };
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
