/** How the points of a study lie, and so which of its parameters is which part of a chart. */
import type { DesignedStudy, StudyPoint } from '../../../core/result/designed-study.ts';
import { type Dimension, levelAt, varyingOf } from './reading.ts';

/** Points that are alike in all parameters but those that a chart shows. */
export interface Panel {
  /** `class B, delay 5 s`; empty: the only one. */
  readonly label: string;
  readonly points: readonly StudyPoint[];
}

export type Layout =
  /** A numeric parameter with a point at each level, for each line of each panel. */
  | {
      readonly kind: 'curves';
      readonly across: Dimension;
      readonly lines: Dimension | undefined;
      readonly panels: readonly Panel[];
      /** A map has it upwards: the lines' parameter, or that of the panels where it is alone. */
      readonly up: Dimension | undefined;
    }
  /** One or several parameters of names, or rows that fill no grid: a row a point. */
  | { readonly kind: 'rows'; readonly dimensions: readonly Dimension[] }
  /** Points that are strewn over the ranges of parameters. */
  | { readonly kind: 'cloud'; readonly dimensions: readonly Dimension[] }
  /** A base, which comes first, and points that differ from it in one parameter. */
  | {
      readonly kind: 'oneAtATime';
      readonly base: StudyPoint;
      readonly dimensions: readonly Dimension[];
    };

/** More lines than these are distinguished by nobody. */
const LINES_MAX = 6;

export function layoutOf(study: DesignedStudy): Layout {
  const { design, points } = study;
  const varying = varyingOf(study);
  const [base] = points;
  if (base === undefined || varying.length === 0) return { kind: 'rows', dimensions: [] };
  if (design === 'oneAtATime') return { kind: 'oneAtATime', base, dimensions: varying };
  const isCloud = design === 'latinHypercube' || design === 'sobol';
  if (!isCloud && isGrid(points, varying)) return grid(points, varying);
  const isStrewn = points.length > ROWS_READ && varying.some(({ isNumeric }) => isNumeric);
  return isCloud || isStrewn
    ? { kind: 'cloud', dimensions: varying }
    : { kind: 'rows', dimensions: varying };
}

/** Rows of a list are looked at one by one while they are so few. */
const ROWS_READ = 12;

/** Whether at least half of all combinations of levels have a point, and none has two. */
function isGrid(points: readonly StudyPoint[], varying: readonly Dimension[]): boolean {
  const combinations = varying.reduce((all, { levels }) => all * levels.length, 1);
  const seen = new Set(points.map((point) => labelOf(point, varying)));
  return seen.size === points.length && points.length * 2 > combinations;
}

function grid(points: readonly StudyPoint[], varying: readonly Dimension[]): Layout {
  const byLevels = varying.toSorted((a, b) => b.levels.length - a.levels.length);
  const across = byLevels.find(({ isNumeric }) => isNumeric);
  if (across === undefined) return { kind: 'rows', dimensions: varying };
  const others = byLevels.filter((dimension) => dimension !== across);
  const lines = others.find(({ levels }) => levels.length <= LINES_MAX);
  const rest = varying.filter((dimension) => dimension !== across && dimension !== lines);
  const up = lines ?? (rest.length === 1 ? rest[0] : undefined);
  return { kind: 'curves', across, lines, panels: panelsOf(points, rest), up };
}

/** In the order of the levels. */
export function panelsOf(points: readonly StudyPoint[], rest: readonly Dimension[]): Panel[] {
  const panels = new Map<string, StudyPoint[]>();
  for (const point of points) {
    const label = labelOf(point, rest);
    const panel = panels.get(label);
    if (panel === undefined) panels.set(label, [point]);
    else panel.push(point);
  }
  const placeOf = (point: StudyPoint): number[] =>
    rest.map((dimension) => {
      const { label } = levelAt(point, dimension);
      return dimension.levels.findIndex((level) => level.label === label);
    });
  const placed = [...panels].map(([label, own]) => ({ label, points: own, at: placeOf(own[0]!) }));
  placed.sort((a, b) => {
    const first = a.at.findIndex((place, dimension) => place !== b.at[dimension]);
    return first < 0 ? 0 : a.at[first]! - b.at[first]!;
  });
  return placed;
}

function labelOf(point: StudyPoint, dimensions: readonly Dimension[]): string {
  return dimensions
    .map((dimension) => `${dimension.parameter.name} ${levelAt(point, dimension).label}`)
    .join(', ');
}

/** The base, and those that differ from it in this parameter alone. */
export function alongside(
  points: readonly StudyPoint[],
  base: StudyPoint,
  dimension: Dimension,
): StudyPoint[] {
  return points.filter((point) =>
    point.levels.every(({ label }, at) => at === dimension.at || label === base.levels[at]!.label),
  );
}
