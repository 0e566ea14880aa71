/** How much each figure of a setting depends on each parameter, changed by a tenth either way. */
import type { RunResult } from '../../../core/result/result.ts';
import type { RunClaim } from './claim.ts';

/** Results of a setting with one parameter lower and higher. */
export interface Varied {
  readonly name: string;
  readonly lower: RunResult;
  readonly higher: RunResult;
}

/** A figure and what moves it, the strongest first. */
export interface Dependence {
  readonly figure: string;
  /** Change from the lower to the higher value, as a share of the published figure. */
  readonly parameters: readonly { readonly name: string; readonly change: number }[];
}

/** What is published as 0 has no share. */
export function dependencesOf(
  claims: readonly RunClaim[],
  varied: readonly Varied[],
): readonly Dependence[] {
  return claims
    .filter(({ published }) => published !== 0)
    .map(({ figure, published, of }) => {
      const parameters = varied.map(({ name, lower, higher }) => {
        return { name, change: (of(higher) - of(lower)) / published };
      });
      parameters.sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
      return { figure, parameters };
    });
}
