/** What a claim is: a published figure, its tolerance, and how ours is found. */
import type { RunResult } from '../../../core/result/result.ts';

/** Shares are 0…1, counts whole numbers. */
export type Unit = 'share' | 'count' | 'seconds' | 'hours' | 'joules';

/** One published figure. */
export interface Claim {
  readonly figure: string;
  readonly unit: Unit;
  readonly published: number;
  /** Greatest distance between the published figure and the mean of ours. */
  readonly tolerance: number;
  /** Why ours is known to lie outside the tolerance, a sentence; absent: it should not. */
  readonly reason?: string;
}

/** A claim about a run of a scenario. */
export interface RunClaim extends Claim {
  readonly of: (result: RunResult) => number;
}

/** Claims about one setting of a scenario of the library. */
export interface Setting {
  /** Below scenarios/library. */
  readonly file: string;
  /** Overrides, as `--set` takes them. */
  readonly set: readonly string[];
  /** Seeds of the mean when nobody asks for other ones: 1, 2 and so on. */
  readonly seeds: number;
  readonly claims: readonly RunClaim[];
}

/** A claim that needs no world: ours has no seed. */
export interface CodeClaim extends Claim {
  readonly value: () => number;
}

/** A parameter of a scenario, a tenth lower and a tenth higher, as overrides. */
export interface Parameter {
  readonly name: string;
  readonly lower: readonly string[];
  readonly higher: readonly string[];
}

/** What a setting is varied by, one parameter at a time. */
export interface Variation {
  /** Place of the setting. */
  readonly setting: number;
  readonly parameters: readonly Parameter[];
}

export interface Claims {
  /** Word by which a block is asked for. */
  readonly name: string;
  readonly title: string;
  readonly source: string;
  readonly settings: readonly (Setting & { readonly at: string })[];
  readonly code: readonly (CodeClaim & { readonly at: string })[];
  readonly variation?: Variation;
}

/** A number of devices or fragments, with a space before thousands. */
export const spaced = (count: number): string => `${count}`.replace(/(?=(\d{3})+$)(?!^)/g, ' ');

/** Tolerance in per cent of the published figure. */
export const percent = (share: number, published: number): number => (share / 100) * published;

/** A parameter that one override sets. */
export const parameter = (
  name: string,
  path: string,
  lower: string | number,
  higher: string | number,
): Parameter => ({ name, lower: [`${path}=${lower}`], higher: [`${path}=${higher}`] });
