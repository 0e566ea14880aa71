/** Sentences on what matters: which parameter moves a figure, or makes its variance. */
import type { DesignedStudy, StudySwing } from '../../../core/result/designed-study.ts';
import { figureText } from '../../text/format.ts';
import { differenceEnds, differenceText } from './measure.ts';
import { unitOf } from './reading.ts';
import { listed, quoted, type Sentence } from './sentences.ts';

/** Nothing of designs that do not tell. */
export const whatMatters = (study: DesignedStudy): Sentence[] => [
  ...moves(study),
  ...explains(study),
];

function moves(study: DesignedStudy): Sentence[] {
  const figures = [...new Set(study.swings.map(({ figure }) => figure))];
  return figures.flatMap((name): Sentence[] => {
    const swings = study.swings.filter(({ figure }) => figure === name);
    const [first, ...others] = swings;
    if (first === undefined || first.greatest.mean === first.least.mean) return [];
    const remaining = others.filter(({ interval }) => interval !== null && interval[0] <= 0);
    const rest =
      remaining.length === 0
        ? ''
        : `; what ${listed(remaining.map(({ parameter }) => parameter))} ` +
          `${remaining.length === 1 ? 'does' : 'do'} to it may be chance`;
    return [
      [quoted(name), ` is moved most by ${first.parameter}: ${swingText(study, first)}${rest}.`],
    ];
  });
}

function swingText(
  study: DesignedStudy,
  { figure, least, greatest, interval }: StudySwing,
): string {
  const unit = unitOf(study, figure);
  const ends = interval === null ? '' : ` (95 % interval ${differenceEnds(interval, unit)})`;
  const difference = differenceText(greatest.mean - least.mean, unit);
  return `${difference}${ends} from ${least.label} to ${greatest.label}`;
}

function explains({ sensitivity, parameters }: DesignedStudy): Sentence[] {
  return sensitivity.flatMap(({ figure, indices }): Sentence[] => {
    const named = indices.flatMap(({ first, total }, at) =>
      first === null || total === null ? [] : [{ name: parameters[at]!.name, first, total }],
    );
    const most = named.toSorted((a, b) => b.total - a.total)[0];
    if (most === undefined) return [];
    const alone = figureText(Math.max(0, most.first), 'share');
    const withOthers = figureText(Math.max(0, most.total), 'share');
    return [
      [
        `Of the variance of `,
        quoted(figure),
        ` ${most.name} makes most: ${alone} alone, ${withOthers} with what it does together with ` +
          'others.',
      ],
    ];
  });
}
