/** What many worlds of one scenario came to, each with a seed of its own: `study.json`. */

import type { Manifest } from './manifest.ts';
import type { ExpectationResult } from './result.ts';

/** What one seed came to. */
export type SeedRow = SeedResult | SeedFault;

export interface SeedResult {
  /** `fleetwave run FILE --seed` with it runs the same world alone. */
  readonly seed: string;
  /** The world's: 16 hexadecimal digits. */
  readonly digest: string;
  /** Every named figure of a run; null: not measured. */
  readonly figures: Readonly<Record<string, number | null>>;
  /** In the scenario's order. */
  readonly expectations: readonly SeedVerdict[];
  /** Campaigns with devices that had neither confirmed nor failed at the end. */
  readonly unfinished: readonly string[];
}

/** An expectation in one seed; null: not measured, which holds nothing. */
export interface SeedVerdict extends Omit<ExpectationResult, 'actual'> {
  readonly actual: number | null;
}

/** A world that broke: deterministic, so that it is a result as any other. */
export interface SeedFault {
  readonly seed: string;
  readonly error: string;
}

/** How one figure is spread over the seeds in which it was measured. */
export interface Spread {
  /** Seeds in which it was measured. */
  readonly measured: number;
  /** null, as the rest: measured nowhere. */
  readonly mean: number | null;
  /** At 95 %, by Student's t, cut to what the figure can be; null: fewer than two. */
  readonly meanInterval: readonly [low: number, high: number] | null;
  /** Divided by n − 1; null: fewer than two. */
  readonly standardDeviation: number | null;
  readonly least: number | null;
  /** By nearest rank. */
  /** The middle value; of an even number the mean of the two in the middle. */
  readonly median: number | null;
  /** Two of the values, with the median between them at 95 %; null: fewer than six. */
  readonly medianInterval: readonly [low: number, high: number] | null;
  readonly greatest: number | null;
}

export interface FigureSpread extends Spread {
  readonly name: string;
  readonly unit: FigureUnit;
}

export type FigureUnit = 'share' | 'count' | 'seconds' | 'joules';

/** An expectation over all seeds. */
export interface StudyVerdict {
  readonly expectation: string;
  /** Seeds in which it holds, of all; one that broke holds nothing. */
  readonly held: number;
  readonly seeds: number;
  /** 95 % interval of the share of all seeds that there are, by Wilson's score; null: no seed. */
  readonly shareInterval: readonly [low: number, high: number] | null;
  /** Share of seeds in which it has to hold, 0…1. */
  readonly needed: number;
  readonly holds: boolean;
  /** Of what it was judged on. */
  readonly actual: Spread;
  /** Of that; null: a count by its path, or a ratio. */
  readonly unit: FigureUnit | null;
}

export interface StudyResult {
  readonly scenario: string;
  /** False: stopped before all seeds were run. */
  readonly complete: boolean;
  /** SHA-256 over the rows in their order, the first 16 hexadecimal digits. */
  readonly digest: string;
  /** Seeds that were asked for. */
  readonly seeds: number;
  readonly figures: readonly FigureSpread[];
  readonly expectations: readonly StudyVerdict[];
  readonly warnings: readonly string[];
  /** In the order of the seeds. */
  readonly rows: readonly SeedRow[];
  /** Its seed is the one that those of the rows are made of. */
  readonly manifest: Manifest;
}
