/** A study as its report asks it: points by number, figures by name, settings in words. */
import type {
  DesignedStudy,
  StudyLevel,
  StudyParameter,
  StudyPoint,
} from '../../../core/result/designed-study.ts';
import type { FigureSpread, FigureUnit, StudyVerdict } from '../../../core/result/study.ts';
import { FIGURES } from '../../figures/figures.ts';
import { boundsOf } from './bounds.ts';

/** Charts ask the same points for the same figures many times. */
const FIGURES_OF = new WeakMap<StudyPoint, ReadonlyMap<string, FigureSpread>>();

export function figureAt(point: StudyPoint, name: string): FigureSpread | undefined {
  let figures = FIGURES_OF.get(point);
  if (figures === undefined) {
    figures = new Map(point.figures.map((figure) => [figure.name, figure]));
    FIGURES_OF.set(point, figures);
  }
  return figures.get(name);
}

/** Its mean; null: measured nowhere there. */
export const meanAt = (point: StudyPoint, name: string): number | null =>
  figureAt(point, name)?.mean ?? null;

/** Of a figure; null: a quotient, or a figure that no point has. */
export function unitOf({ points }: DesignedStudy, name: string): FigureUnit | null {
  for (const point of points) {
    const figure = figureAt(point, name);
    if (figure !== undefined) return figure.unit;
  }
  return null;
}

const LABELS = new Map(FIGURES.map(({ name, label }) => [name, label]));

/** Figures of one population or campaign, and quotients, are called as they are written. */
export const labelOf = (name: string): string => LABELS.get(name) ?? name;

export const pointOf = ({ points }: DesignedStudy, number: number): StudyPoint | undefined =>
  points.find(({ point }) => point === number);

/** Its verdicts on the study's constraints, in their order; empty before its first run. */
export function constraintsAt({ constraints }: DesignedStudy, point: StudyPoint): StudyVerdict[] {
  const isJudged = constraints.length > 0 && point.runs > 0;
  return isJudged ? point.verdicts.slice(-constraints.length) : [];
}

/** Figures that a study which asks for none is drawn by. */
const USUAL = ['campaign.updated', 'messagesDelivered', 'received'];

/** What is drawn: what the study names, what is asked for, and what constraints bound. */
export function figuresOf({ objectives, constraints, figures, points }: DesignedStudy): string[] {
  const asked = [
    ...figures,
    ...objectives.map(({ figure }) => figure),
    ...boundsOf(constraints).map(({ figure }) => figure),
  ];
  const names = asked.length > 0 ? asked : USUAL;
  const known = new Set(points.flatMap((point) => point.figures.map(({ name }) => name)));
  return [...new Set(names)].filter((name) => figures.includes(name) || known.has(name));
}

/** A parameter with the levels that the points have, each once. */
export interface Dimension {
  readonly parameter: StudyParameter;
  /** Its place among the parameters. */
  readonly at: number;
  /** Numbers from the least on, names in the order in which points have them. */
  readonly levels: readonly StudyLevel[];
  readonly isNumeric: boolean;
}

export function dimensionsOf({ parameters, points }: DesignedStudy): Dimension[] {
  return parameters.map((parameter, at) => {
    const byLabel = new Map<string, StudyLevel>();
    for (const { levels } of points) {
      const level = levels[at];
      if (level !== undefined && !byLabel.has(level.label)) byLabel.set(level.label, level);
    }
    const levels = [...byLabel.values()];
    const isNumeric = levels.length > 0 && levels.every(({ number }) => number !== null);
    if (isNumeric) levels.sort((a, b) => (a.number ?? 0) - (b.number ?? 0));
    return { parameter, at, levels, isNumeric };
  });
}

/** Parameters with more than one level. */
export const varyingOf = (study: DesignedStudy): Dimension[] =>
  dimensionsOf(study).filter(({ levels }) => levels.length > 1);

export const levelAt = ({ levels }: StudyPoint, { at }: Dimension): StudyLevel => levels[at]!;

/** `redundancy 20 %, dataRate DR3`: what differs between the points, or all of a lone one. */
export function settingText(dimensions: readonly Dimension[], point: StudyPoint): string {
  return dimensions
    .map((dimension) => `${dimension.parameter.name} ${levelAt(point, dimension).label}`)
    .join(', ');
}

/** Dimensions that tell points apart; of a study with one point all there are. */
export function tellingDimensions(study: DesignedStudy): Dimension[] {
  const varying = varyingOf(study);
  return varying.length > 0 ? varying : dimensionsOf(study);
}

/** Points that differ in what is compared with a bound: chosen, runner-up, on the front. */
export type Standing = 'chosen' | 'runnerUp' | 'front' | 'allowed' | 'refused' | 'notRun';

export function standingOf({ choice, objectives }: DesignedStudy, point: StudyPoint): Standing {
  if (choice?.point === point.point) return 'chosen';
  if (choice?.runnerUp === point.point) return 'runnerUp';
  if (point.runs === 0) return 'notRun';
  if (!point.allowed) return 'refused';
  return point.onFront && objectives.length > 1 ? 'front' : 'allowed';
}
