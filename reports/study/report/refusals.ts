/** Sentences on where constraints fail, and on the points that none is better than. */
import type { DesignedStudy, StudyPoint } from '../../../core/result/designed-study.ts';
import { count } from '../../text/format.ts';
import {
  constraintsAt,
  type Dimension,
  levelAt,
  settingText,
  tellingDimensions,
  varyingOf,
} from './reading.ts';
import { listed, listedParts, quoted, type Sentence, shareOfPoints } from './sentences.ts';

/** A sentence for each constraint that fails somewhere. */
export const refusals = (study: DesignedStudy): Sentence[] =>
  study.constraints.flatMap((_, at) => refusedBy(study, at));

/** Where a constraint fails, by one parameter where that says it all. */
function refusedBy(study: DesignedStudy, constraint: number): Sentence[] {
  const { constraints } = study;
  const points = study.points.filter(({ runs }) => runs > 0);
  const fails = points.filter((point) => constraintsAt(study, point)[constraint]?.holds === false);
  const text = quoted(constraints[constraint]!);
  if (fails.length === 0 || points.length < 2) return [];
  const start = ` fails at ${shareOfPoints(fails.length, points.length)}`;
  if (fails.length === points.length) return [[text, `${start}.`]];
  const failing = new Set(fails);
  for (const dimension of varyingOf(study)) {
    const where = ruleOf(dimension, points, failing);
    if (where !== undefined) return [[text, `${start}: wherever ${where}.`]];
  }
  if (fails.length > POINTS_LISTED) return [[text, `${start}.`]];
  const dimensions = tellingDimensions(study);
  const settings = fails.map((point) => `${settingText(dimensions, point)} (point ${point.point})`);
  return [[text, `${start}: ${listed(settings, 'and')}.`]];
}

const POINTS_LISTED = 3;
const NAMES_LISTED = 5;

/** Words for the levels that exactly the failing points have; undefined: there are none. */
function ruleOf(
  dimension: Dimension,
  points: readonly StudyPoint[],
  failing: ReadonlySet<StudyPoint>,
): string | undefined {
  const labelsOf = (some: readonly StudyPoint[]) =>
    new Set(some.map((point) => levelAt(point, dimension).label));
  const bad = labelsOf([...failing]);
  const good = labelsOf(points.filter((point) => !failing.has(point)));
  if ([...bad].some((label) => good.has(label))) return undefined;
  const { name } = dimension.parameter;
  const isBad = dimension.levels.map(({ label }) => bad.has(label));
  const labels = dimension.levels.filter((_, at) => isBad[at]).map(({ label }) => label);
  if (labels.length === 1) return `${name} is ${labels[0]}`;
  if (dimension.isNumeric && isBad.lastIndexOf(true) === labels.length - 1) {
    return `${name} is ${labels.at(-1)} or less`;
  }
  if (dimension.isNumeric && isBad.indexOf(true) === isBad.length - labels.length) {
    return `${name} is ${labels[0]} or more`;
  }
  return labels.length > NAMES_LISTED ? undefined : `${name} is ${listed(labels, 'or')}`;
}

/** Nothing of fewer than two objectives. */
export function frontSentence(study: DesignedStudy): Sentence[] {
  const { objectives, points } = study;
  if (objectives.length < 2) return [];
  const front = points.filter(({ onFront }) => onFront);
  if (front.length === 0) return [];
  const names = objectives.map(({ figure }): Sentence => [quoted(figure)]);
  const figures = listedParts(names);
  if (front.length === 1) {
    return [
      [
        `No other allowed point is better than point ${front[0]!.point} in `,
        ...listedParts(names, 'or'),
        '.',
      ],
    ];
  }
  const which =
    front.length > FRONT_LISTED ? '' : ` (${front.map(({ point }) => point).join(', ')})`;
  return [
    [
      'Where less of one is bought with more of another is a matter of price: no allowed point ' +
        'is better in all of ',
      ...figures,
      ` than any of the ${count(front.length)} points on the front${which}.`,
    ],
  ];
}

const FRONT_LISTED = 12;
