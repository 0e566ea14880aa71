/** Two results, or two studies, side by side: what differs, and what of it is beyond chance. */
import { branchesOf, type Manifest } from '../../core/result/manifest.ts';
import type { RunResult } from '../../core/result/result.ts';
import type { FigureUnit, SeedResult, SeedRow } from '../../core/result/study.ts';
import { FIGURES } from '../figures/figures.ts';
import { beyondChance, type Interval, pairedDifference } from '../statistics/intervals.ts';
import { mean } from '../statistics.ts';
import { duration } from '../text/format.ts';
import { isResult } from './rows.ts';

/** A named figure in two results; null: not measured. */
export interface FigureDifference {
  readonly name: string;
  readonly unit: FigureUnit;
  readonly a: number | null;
  readonly b: number | null;
}

/** Figures that are not the same, in the order of the table of figures. */
export function figureDifferences(
  a: SeedResult['figures'],
  b: SeedResult['figures'],
): FigureDifference[] {
  return FIGURES.map(({ name, unit }) => {
    return { name, unit, a: a[name] ?? null, b: b[name] ?? null };
  }).filter((each) => each.a !== each.b);
}

/** A slice of time in which something else was counted. */
export interface SeriesDifference {
  readonly fromSeconds: number;
  readonly untilSeconds: number;
  /** What was counted otherwise. */
  readonly series: readonly string[];
}

/** The first slice that differs; undefined: none, or the slices are not as long as each other. */
export function firstSlice(a: RunResult, b: RunResult): SeriesDifference | undefined {
  const { sliceSeconds, ...ofA } = a.series;
  const { sliceSeconds: secondsOfB, ...ofB } = b.series;
  if (sliceSeconds !== secondsOfB) return undefined;
  const names = Object.keys(ofA) as (keyof typeof ofA)[];
  const slices = Math.max(...names.map((name) => (ofA[name] ?? []).length));
  for (let at = 0; at < slices; at++) {
    const series = names.filter((name) => ofA[name]?.[at] !== ofB[name]?.[at]);
    if (series.length === 0) continue;
    const fromSeconds = at * sliceSeconds;
    return { fromSeconds, untilSeconds: fromSeconds + sliceSeconds, series };
  }
  return undefined;
}

/** What two manifests differ by, in words; nothing: their worlds are to be equal. */
export function madeOtherwise(a: Manifest, b: Manifest): string[] {
  const differ = (key: keyof Manifest) => JSON.stringify(a[key]) !== JSON.stringify(b[key]);
  return [
    ...(differ('scenario') ? ['the scenario file'] : []),
    ...(differ('files') ? ['files that it names'] : []),
    ...(differ('variant') ? [`the variant (${a.variant ?? 'none'}, ${b.variant ?? 'none'})`] : []),
    ...(differ('set') ? [`overrides (${listed(a.set)}; ${listed(b.set)})`] : []),
    ...(differ('seed') ? [`the seed (${a.seed}, ${b.seed})`] : []),
    ...(JSON.stringify(branchesOf(a)) === JSON.stringify(branchesOf(b))
      ? []
      : [`branches (${branchWords(a)}; ${branchWords(b)})`]),
  ];
}

/** Where the run was left, and what was set from then on. */
const branchWords = (manifest: Manifest): string =>
  branchesOf(manifest)
    .map(({ atSeconds, set }) => `from ${duration(atSeconds)} on ${listed(set)}`)
    .join(', ') || 'none';

const listed = (set: readonly string[]): string => (set.length === 0 ? 'none' : set.join(', '));

/** A figure over the seeds that both studies have. */
export interface PairedFigure {
  readonly name: string;
  readonly unit: FigureUnit;
  /** Seeds in which both measured it. */
  readonly pairs: number;
  /** Means over those. */
  readonly a: number;
  readonly b: number;
  /** Of b − a. */
  readonly mean: number;
  readonly interval: Interval | undefined;
  /** Together with all others, at 95 % (Holm). */
  readonly isBeyondChance: boolean;
}

export interface StudyDifference {
  /** Seeds that came to their end in both. */
  readonly seeds: readonly string[];
  /** Those of them whose worlds are the same, by their digests. */
  readonly same: number;
  /** Figures that differ in some pair, in the order of the table of figures. */
  readonly figures: readonly PairedFigure[];
}

/** Pairs by seed: what the seed alone does is in both, and cancels. */
export function studyDifference(a: readonly SeedRow[], b: readonly SeedRow[]): StudyDifference {
  const ofB = new Map(b.filter(isResult).map((row) => [row.seed, row]));
  const pairs = a.filter(isResult).flatMap((row) => {
    const other = ofB.get(row.seed);
    return other === undefined ? [] : [[row, other] as const];
  });
  const found = FIGURES.flatMap(({ name, unit }) => {
    const both = pairs.flatMap(([one, other]) => {
      const values = [one.figures[name] ?? null, other.figures[name] ?? null] as const;
      return values[0] === null || values[1] === null ? [] : [[values[0], values[1]] as const];
    });
    const first = both.map(([one]) => one);
    const second = both.map(([, other]) => other);
    if (both.every(([one, other]) => one === other)) return [];
    const { byChance, ...difference } = pairedDifference(first, second);
    return [{ name, unit, a: mean(first), b: mean(second), ...difference, byChance }];
  });
  const beyond = beyondChance(found.map(({ byChance }) => byChance));
  return {
    seeds: pairs.map(([{ seed }]) => seed),
    same: pairs.filter(([one, other]) => one.digest === other.digest).length,
    figures: found.map(({ byChance: _, ...figure }, at) => {
      return { ...figure, isBeyondChance: beyond[at] === true };
    }),
  };
}
