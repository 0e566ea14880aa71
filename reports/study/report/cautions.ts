/** What makes a study say less than it seems to: missing runs, few seeds, an edge of a range. */
import type { DesignedStudy, StudyPoint } from '../../../core/result/designed-study.ts';
import { count, counted, percent } from '../../text/format.ts';
import { unsureVerdicts } from './established.ts';
import { figureAt, figuresOf, levelAt, pointOf, varyingOf } from './reading.ts';
import { quoted, type Sentence } from './sentences.ts';

/** Beside the study’s own warnings; what a reader has to know first comes first. */
export function cautionsOf(study: DesignedStudy): Sentence[] {
  const { choice } = study;
  const chosen = choice === null ? undefined : pointOf(study, choice.point);
  return [
    ...partial(study),
    ...(chosen === undefined
      ? []
      : [...unsure(study, chosen), ...censored(study, chosen), ...atTheEdge(study, chosen)]),
    ...unmeasured(study),
  ];
}

function partial({ complete, runs, runsAsked }: DesignedStudy): Sentence[] {
  if (complete) return [];
  return [
    [`Partial: ${count(runs)} of ${counted(runsAsked, 'run')} are there, and all is of those.`],
  ];
}

/** The point holds a constraint in its seeds, which do not show that it does in enough of all. */
function unsure(study: DesignedStudy, chosen: StudyPoint): Sentence[] {
  return unsureVerdicts(study, chosen).map((verdict): Sentence => {
    const { needed, shareInterval, expectation, held, seeds } = verdict;
    const [least = 0] = shareInterval ?? [];
    return [
      `At the recommended point ${count(held)} of ${counted(seeds, 'seed')} hold `,
      quoted(expectation),
      `: of all seeds that may be as few as ${percent(least)}, and ` +
        `${percent(needed, 0)} are needed. More seeds would tell.`,
    ];
  });
}

/** A range that ends at the best value may have a better one behind its end. */
function atTheEdge(study: DesignedStudy, chosen: StudyPoint): Sentence[] {
  if (study.design === 'latinHypercube' || study.design === 'sobol') return [];
  return varyingOf(study).flatMap((dimension): Sentence[] => {
    const { levels, isNumeric, parameter } = dimension;
    const { label } = levelAt(chosen, dimension);
    if (!isNumeric || levels.length < 3) return [];
    const isLeast = label === levels[0]!.label;
    if (!isLeast && label !== levels.at(-1)!.label) return [];
    const end = isLeast ? 'least' : 'greatest';
    return [
      [`The recommended ${parameter.name}, ${label}, is the ${end} that was tried: `, BEYOND],
    ];
  });
}

const BEYOND = 'a better one may lie beyond.';

function unmeasured(study: DesignedStudy): Sentence[] {
  const { points } = study;
  return figuresOf(study)
    .filter((name) => points.every((point) => (figureAt(point, name)?.mean ?? null) === null))
    .map((name): Sentence => [quoted(name), ' was measured in no seed of any point.']);
}

/** Times that were not reached in every seed: those that were are the shorter ones. */
function censored(study: DesignedStudy, chosen: StudyPoint): Sentence[] {
  return figuresOf(study).flatMap((name): Sentence[] => {
    const figure = figureAt(chosen, name);
    const results = chosen.runs - chosen.faults;
    if (figure?.unit !== 'seconds' || figure.mean === null) return [];
    if (figure.measured === results) return [];
    const many = `${count(figure.measured)} of ${counted(results, 'seed')}`;
    return [
      ['At the recommended point ', quoted(name), ` was reached in ${many}: its mean is too low.`],
    ];
  });
}
