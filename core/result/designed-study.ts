/** What a study over many points came to: the `study.json` of `fleetwave study run`. */
import type { Manifest } from './manifest.ts';
import type { FigureSpread, FigureUnit, StudyVerdict } from './study.ts';

/** One knob or several that a study turns together. */
export interface StudyParameter {
  readonly name: string;
  /** Paths of the scenario that its value is written at; empty: only linked ones use it. */
  readonly paths: readonly string[];
  /** Of all its values, where they are numbers with one unit; empty text: plain numbers. */
  readonly unit: string | null;
  /** Whether its axis is logarithmic. */
  readonly logarithmic: boolean;
}

/** A parameter's value at a point. */
export interface StudyLevel {
  /** As tables and charts call it, with its unit: `10 %`. */
  readonly label: string;
  /** In the parameter's unit; null: it is no number. */
  readonly number: number | null;
}

/** A row of the design: what it sets, and what all its seeds came to. */
export interface StudyPoint {
  /** From 1, in the order of the design. */
  readonly point: number;
  /** In the order of the parameters. */
  readonly levels: readonly StudyLevel[];
  /** Overrides `path=value`, those of the whole study left out. */
  readonly set: readonly string[];
  /** Runs that came to a result, and those that broke. */
  readonly runs: number;
  readonly faults: number;
  /** Of the table of figures those that were not 0 everywhere, and those that the study names. */
  readonly figures: readonly FigureSpread[];
  /** Of the scenario's expectations and, behind them, the study's constraints. */
  readonly verdicts: readonly StudyVerdict[];
  /** Whether all constraints of the study hold; true where there are none. */
  readonly allowed: boolean;
  /** Whether no other allowed point is as good in every objective, and better in one. */
  readonly onFront: boolean;
  /** Whether each figure of the stopping rule is known as narrowly as it asks; null: no rule. */
  readonly settled: boolean | null;
  /** Words of the command line that run its first seed alone. */
  readonly command: string;
}

export interface StudyObjective {
  readonly goal: 'minimise' | 'maximise';
  readonly figure: string;
  readonly unit: FigureUnit | null;
}

/** What share of a figure's variance each parameter explains, of a design of Sobol'. */
export interface StudySensitivity {
  readonly figure: string;
  /** Rows of the design in which it was measured at all points. */
  readonly rows: number;
  /** In the order of the parameters; null: the figure does not vary. */
  readonly indices: readonly StudyIndex[];
}

export interface StudyIndex {
  readonly first: number | null;
  readonly total: number | null;
  /** At 95 %, by resampling; null: too few rows. */
  readonly firstInterval: readonly [low: number, high: number] | null;
  readonly totalInterval: readonly [low: number, high: number] | null;
}

/** How far a figure goes while one parameter is moved by itself, of a design oneAtATime. */
export interface StudySwing {
  readonly figure: string;
  readonly parameter: string;
  /** Levels with the least and the greatest mean, and these means. */
  readonly least: { readonly label: string; readonly mean: number };
  readonly greatest: { readonly label: string; readonly mean: number };
  /** Greatest − least over pairs of seeds, for all pairs of levels together; null: one seed. */
  readonly interval: readonly [low: number, high: number] | null;
}

/** The point that the objectives and constraints choose. */
export interface StudyChoice {
  readonly point: number;
  /** The best of the others; null: there is none that is allowed. */
  readonly runnerUp: number | null;
  /**
   * Runner-up − chosen of the first objective, over pairs of seeds: mean, and its 95 % interval
   * (null: fewer than two pairs).
   */
  readonly margin: {
    readonly mean: number;
    readonly interval: readonly [low: number, high: number] | null;
    /**
     * How many times fewer seeds tell this difference than with seeds of their own (common random
     * numbers); null: nothing varies, or all pairs differ by the same.
     */
    readonly timesFewerSeeds: number | null;
  } | null;
}

export interface DesignedStudy {
  readonly study: string;
  readonly description: string;
  readonly scenario: string;
  /** SHA-256 of its plan, the first 16 hexadecimal digits. */
  readonly plan: string;
  /** SHA-256 over the rows of all runs in their order, the first 16 hexadecimal digits. */
  readonly digest: string;
  /** False: runs are missing. */
  readonly complete: boolean;
  /** Runs that are there, and those that the plan asks for so far. */
  readonly runs: number;
  readonly runsAsked: number;
  readonly design: 'grid' | 'list' | 'points' | 'latinHypercube' | 'sobol' | 'oneAtATime';
  readonly parameters: readonly StudyParameter[];
  readonly points: readonly StudyPoint[];
  readonly constraints: readonly string[];
  readonly objectives: readonly StudyObjective[];
  /** Figures that the study is about, by name: what its report draws. */
  readonly figures: readonly string[];
  /** null: no objective, or no point is allowed. */
  readonly choice: StudyChoice | null;
  /** Of the figures and objectives; empty: another design. */
  readonly sensitivity: readonly StudySensitivity[];
  /** The same, the greatest swing of each figure first. */
  readonly swings: readonly StudySwing[];
  readonly warnings: readonly string[];
  /** Its seed is the root that those of the runs are made of. */
  readonly manifest: Manifest;
}
