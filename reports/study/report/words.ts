/** What a study says, in a paragraph of plain words: what was asked, what to set, and why. */
import type {
  DesignedStudy,
  StudyChoice,
  StudyObjective,
  StudyPoint,
} from '../../../core/result/designed-study.ts';
import type { FigureUnit, Spread, StudyVerdict } from '../../../core/result/study.ts';
import { count, counted, percent } from '../../text/format.ts';
import { cautionsOf } from './cautions.ts';
import { isEstablished } from './established.ts';
import { whatMatters } from './importance.ts';
import { differenceEnds, differenceText, figureWords } from './measure.ts';
import {
  constraintsAt,
  type Dimension,
  figureAt,
  figuresOf,
  meanAt,
  pointOf,
  settingText,
  tellingDimensions,
  unitOf,
  varyingOf,
} from './reading.ts';
import { frontSentence, refusals } from './refusals.ts';
import { listed, listedParts, quoted, type Sentence, shareOfPoints } from './sentences.ts';

export interface StudyWords {
  /** What makes the rest say less than it seems to; it comes first. */
  readonly cautions: readonly Sentence[];
  /** What was varied, and what was asked for. */
  readonly question: readonly Sentence[];
  /** What to set, in a few words: a heading. */
  readonly heading: string;
  readonly answer: readonly Sentence[];
}

export function studyWords(study: DesignedStudy): StudyWords {
  return {
    cautions: cautionsOf(study),
    question: [variedSentence(study), askedSentence(study)].filter(({ length }) => length > 0),
    heading: headingOf(study),
    answer: [
      ...answerOf(study),
      ...refusals(study),
      ...frontSentence(study),
      ...whatMatters(study),
    ],
  };
}

const DESIGNS: Readonly<Record<DesignedStudy['design'], string>> = {
  grid: 'a grid of',
  list: 'a list of',
  points: 'a table of',
  latinHypercube: 'a Latin hypercube of',
  sobol: 'a Sobol’ design of',
  oneAtATime: 'one at a time around a base, that is',
};

function variedSentence(study: DesignedStudy): Sentence {
  const { points, runs, design } = study;
  const varying = varyingOf(study);
  const each = points.map((point) => point.runs);
  const least = Math.min(...each);
  const most = Math.max(...each);
  if (points.length === 1) return [`Nothing was varied: one point, ${counted(most, 'run')}.`];
  const perPoint = least === most ? counted(most, 'run') : `${count(least)} to ${count(most)} runs`;
  const many = `${counted(points.length, 'point')}, ${perPoint} each, ${count(runs)} in all.`;
  if (points.length === 0) return ['No point has a run yet.'];
  return [`Varied: ${listed(varying.map(rangeText))}; ${DESIGNS[design]} ${many}`];
}

/** Names in full while they are few. */
const NAMES_SHOWN = 5;

function rangeText({ parameter, levels, isNumeric }: Dimension): string {
  const labels = levels.map(({ label }) => label);
  const values = `${count(levels.length)} values`;
  if (isNumeric) return `${parameter.name} (${values}, ${labels[0]} to ${labels.at(-1)})`;
  const shown = labels.length <= NAMES_SHOWN ? labels.join(', ') : values;
  return `${parameter.name} (${shown})`;
}

const EXTREME = { minimise: 'least', maximise: 'greatest' } as const;

function askedSentence({ objectives, constraints }: DesignedStudy): Sentence {
  const goals = objectives.map(({ goal, figure }): Sentence => {
    return [`the ${EXTREME[goal]} `, quoted(figure)];
  });
  const bounds = constraints.map((each): Sentence => [quoted(each)]);
  if (goals.length === 0 && bounds.length === 0) return [];
  if (goals.length === 0) return ['Asked where ', ...listedParts(bounds), ' is met.'];
  const such = bounds.length === 0 ? [] : [' with ', ...listedParts(bounds)];
  return ['Asked for ', ...listedParts(goals), ...such, '.'];
}

function headingOf(study: DesignedStudy): string {
  const { choice, objectives, constraints, points } = study;
  const chosen = choice === null ? undefined : pointOf(study, choice.point);
  if (chosen !== undefined) {
    const setting = settingText(tellingDimensions(study), chosen);
    return isEstablished(study) ? `Set ${setting}` : `Best so far: ${setting}`;
  }
  const allowed = points.filter((point) => point.allowed).length;
  if (constraints.length > 0 && allowed === 0) return 'No point meets every constraint';
  if (objectives.length > 0) return 'No point can be recommended';
  if (constraints.length === 0) return 'What was found';
  const sentence = shareOfPoints(allowed, points.length);
  const verb = allowed === 1 || points.length === 1 ? 'meets' : 'meet';
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)} ${verb} every constraint`;
}

function answerOf(study: DesignedStudy): Sentence[] {
  const { choice, constraints, points } = study;
  const chosen = choice === null ? undefined : pointOf(study, choice.point);
  if (choice !== null && chosen !== undefined) {
    return [
      recommendation(study, chosen),
      ...runnerUpSentence(study, choice),
      ...constraintsAt(study, chosen).slice(0, CONSTRAINTS_LISTED).map(heldThere),
    ];
  }
  const isBarred = constraints.length > 0 && !points.some(({ allowed }) => allowed);
  if (isBarred) return nearestSentence(study);
  if (study.objectives.length === 0) return spans(study);
  return [['No allowed point has a value of the first objective, so none is recommended.']];
}

const CONSTRAINTS_LISTED = 3;

/** `0.52 % (95 % interval 0.50 % … 0.54 %)`. */
function meanText(spread: Spread, unit: FigureUnit | null): string {
  const { mean, meanInterval } = spread;
  if (meanInterval === null || meanInterval[0] === meanInterval[1]) return figureWords(mean, unit);
  const ends = meanInterval.map((end) => figureWords(end, unit)).join(' … ');
  return `${figureWords(mean, unit)} (95 % interval ${ends})`;
}

function recommendation(study: DesignedStudy, chosen: StudyPoint): Sentence {
  const setting = settingText(tellingDimensions(study), chosen);
  const objective = study.objectives[0];
  const start = `Recommended is ${setting} (point ${chosen.point})`;
  const figure = objective && figureAt(chosen, objective.figure);
  if (objective === undefined || figure === undefined) return [`${start}.`];
  const { unit } = figure;
  const rank = rankText(study, objective, chosen);
  return [`${start}, with `, quoted(objective.figure), ` of ${meanText(figure, unit)}${rank}.`];
}

/** Reported where it is so: who chooses may have reasons beside the mean. */
function rankText(study: DesignedStudy, { goal, figure }: StudyObjective, chosen: StudyPoint) {
  const allowed = study.points.filter((point) => point.allowed);
  const means = allowed.flatMap((point) => meanAt(point, figure) ?? []);
  const best = goal === 'minimise' ? Math.min(...means) : Math.max(...means);
  if (meanAt(chosen, figure) !== best || means.length < 2) return '';
  const among =
    study.constraints.length === 0 || allowed.length === study.points.length
      ? `all ${count(means.length)} points`
      : `the ${count(means.length)} points that meet every constraint`;
  return `, the ${EXTREME[goal]} of ${among}`;
}

function runnerUpSentence(study: DesignedStudy, { runnerUp, margin }: StudyChoice): Sentence[] {
  const second = runnerUp === null ? undefined : pointOf(study, runnerUp);
  if (second === undefined) {
    return study.points.length < 2
      ? []
      : [['No other point is allowed, so there is no runner-up.']];
  }
  const name = `The runner-up, ${settingText(tellingDimensions(study), second)}`;
  const start = `${name} (point ${second.point}),`;
  const figure = study.objectives[0]?.figure;
  if (margin === null || figure === undefined) return [[`${start} shares no seed with it.`]];
  const unit = study.objectives[0]?.unit ?? unitOf(study, figure);
  const [least, most] = margin.interval ?? [Number.NaN, Number.NaN];
  if (margin.mean === 0 && least === most) return [[`${start} is the same in every seed.`]];
  if (margin.mean === 0) return [[`${start} is the same on average; ${CHANCE}.`]];
  const more = margin.mean > 0 ? 'more' : 'less';
  const start2 = `${start} has ${differenceText(margin.mean, unit)} ${more}`;
  if (margin.interval === null) {
    return [[`${start2}; with fewer than two pairs of seeds, that may be chance.`]];
  }
  const { timesFewerSeeds } = margin;
  const ends = `95 % interval of the difference ${differenceEnds(margin.interval, unit)}`;
  const judged = least > 0 || most < 0 ? 'more than chance' : CHANCE;
  const sentence: Sentence = [`${start2} over pairs of seeds (${ends}): ${judged}.`];
  if (timesFewerSeeds === null || timesFewerSeeds < 2) return [sentence];
  const times = count(timesFewerSeeds);
  return [
    sentence,
    [`With seeds of its own at each point that would take ${times} times as many.`],
  ];
}

const CHANCE = 'that may be chance, and more seeds would tell';

function heldThere({ expectation, held, seeds, shareInterval }: StudyVerdict): Sentence {
  const all =
    shareInterval === null
      ? ''
      : ` (of all seeds ${shareInterval.map((share) => percent(share)).join(' … ')})`;
  const many = held === seeds && seeds > 1 ? `all ${count(seeds)}` : `${count(held)} of ${seeds}`;
  return ['There ', quoted(expectation), ` holds in ${many} ${nounOf(seeds)}${all}.`];
}

const nounOf = (seeds: number): string => (seeds === 1 ? 'seed' : 'seeds');

/** Where nothing is allowed: the point whose worst constraint lacks the least. */
function nearestSentence(study: DesignedStudy): Sentence[] {
  const none: Sentence = ['No point meets every constraint, so none is recommended.'];
  const lacking = study.points.flatMap((point) => {
    const failing = constraintsAt(study, point).filter(({ holds, seeds }) => !holds && seeds > 0);
    const worst = failing.toSorted((a, b) => lackOf(b) - lackOf(a))[0];
    return worst === undefined ? [] : [{ point, worst }];
  });
  const nearest = lacking.toSorted((a, b) => lackOf(a.worst) - lackOf(b.worst))[0];
  if (nearest === undefined) return [none];
  const { point, worst } = nearest;
  const setting = settingText(tellingDimensions(study), point);
  const needed = percent(worst.needed, 0);
  const mean = worst.actual.mean;
  const where = mean === null ? '' : `, its mean is ${figureWords(mean, worst.unit)}`;
  return [
    none,
    [
      `Nearest comes ${setting} (point ${point.point}): there `,
      quoted(worst.expectation),
      ` holds in ${count(worst.held)} of ${counted(worst.seeds, 'seed')}${where}; ` +
        `${needed} of seeds are needed.`,
    ],
  ];
}

const lackOf = ({ held, seeds, needed }: StudyVerdict): number => needed - held / seeds;

/** Where nothing is chosen: between what each figure lies, and where. */
function spans(study: DesignedStudy): Sentence[] {
  const dimensions = tellingDimensions(study);
  return figuresOf(study)
    .slice(0, FIGURES_LISTED)
    .flatMap((name): Sentence[] => {
      const measured = study.points.filter((point) => meanAt(point, name) !== null);
      const sorted = measured.toSorted((a, b) => meanAt(a, name)! - meanAt(b, name)!);
      const [least, most] = [sorted[0], sorted.at(-1)];
      if (least === undefined || most === undefined) return [];
      const unit = unitOf(study, name);
      const label = quoted(name);
      const text = (point: StudyPoint) => figureWords(meanAt(point, name), unit);
      if (meanAt(least, name) === meanAt(most, name)) {
        return [
          [label, ` is ${text(least)} at ${shareOfPoints(measured.length, measured.length)}.`],
        ];
      }
      const at = (point: StudyPoint) => `${text(point)} (${settingText(dimensions, point)})`;
      return [[label, ` lies between ${at(least)} and ${at(most)}.`]];
    });
}

const FIGURES_LISTED = 4;
