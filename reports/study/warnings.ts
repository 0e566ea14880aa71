/** What makes figures of a study say less than they seem to. */
import type { FigureSpread, SeedRow } from '../../core/result/study.ts';
import { FIGURES } from '../figures/figures.ts';
import { counted } from '../text/format.ts';
import { isFault, isResult } from './rows.ts';

/** The interval of a median needs as many. */
const SEEDS_LEAST = 6;

export function studyWarnings(
  rows: readonly SeedRow[],
  figures: readonly FigureSpread[],
): string[] {
  return [...tooFew(rows), ...broken(rows), ...unfinished(rows), ...censored(rows, figures)];
}

function tooFew({ length }: readonly SeedRow[]): string[] {
  if (length === 0 || length >= SEEDS_LEAST) return [];
  const why =
    length < 2
      ? 'there is no interval of fewer than 2'
      : `those of a median need ${SEEDS_LEAST}, and intervals of means are wide`;
  return [`${counted(length, 'seed')}: ${why}.`];
}

function broken(rows: readonly SeedRow[]): string[] {
  return rows
    .filter(isFault)
    .map(({ seed, error }) => `Seed ${seed} broke, and no figure has it: ${error}`);
}

/** Their outcomes were not final at the end. */
function unfinished(rows: readonly SeedRow[]): string[] {
  const results = rows.filter(isResult);
  const names = new Set(results.flatMap((row) => row.unfinished));
  return [...names].map((name) => {
    const many = results.filter((row) => row.unfinished.includes(name)).length;
    return (
      `Campaign ${name} had devices in progress at the end in ${many} of ` +
      `${counted(results.length, 'seed')}: a longer duration would change its figures.`
    );
  });
}

/** A figure that only the study names has no label. */
const labelled = (name: string): string => {
  const figure = FIGURES.find((each) => each.name === name);
  return figure === undefined ? name : `${figure.label} (${name})`;
};

/** Times that were not reached everywhere: those that were are the shorter ones. */
function censored(rows: readonly SeedRow[], figures: readonly FigureSpread[]): string[] {
  const all = rows.filter(isResult).length;
  return figures
    .filter(({ unit, measured }) => unit === 'seconds' && measured > 0 && measured < all)
    .map(({ name, measured }) => {
      const never = all - measured;
      return (
        `${labelled(name)}: never in ${never} of ${counted(all, 'seed')}; mean and spread are ` +
        'of the others, so they are too low.'
      );
    });
}

/** Of a study over many points: what its points have in common is shown once. */
export function pointsWarnings(
  inputs: readonly { readonly rows: readonly SeedRow[] }[],
  points: readonly {
    readonly figures: readonly FigureSpread[];
    readonly settled: boolean | null;
  }[],
  isWhole: boolean,
): string[] {
  const of = (words: (at: number) => readonly string[]) => {
    const places = new Map<string, number[]>();
    for (const at of points.keys()) {
      for (const said of words(at)) {
        const known = places.get(said);
        if (known === undefined) places.set(said, [at + 1]);
        else known.push(at + 1);
      }
    }
    return [...places].map(([said, at]) => `${pointsNamed(at, points.length)}: ${said}`);
  };
  // A study that is not whole has not come to its most seeds.
  const open = [...points.keys()].filter((at) => isWhole && points[at]!.settled === false);
  return [
    ...of((at) => tooFew(inputs[at]!.rows)),
    ...of((at) => broken(inputs[at]!.rows)),
    ...of((at) => unfinished(inputs[at]!.rows)),
    ...of((at) => censored(inputs[at]!.rows, points[at]!.figures)),
    ...(open.length === 0
      ? []
      : [
          `${pointsNamed(
            open.map((at) => at + 1),
            points.length,
          )}: figures are not as narrowly known as the study asks, after its most seeds.`,
        ]),
  ];
}

/** Most points listed by name. */
const NAMED_MAX = 8;

function pointsNamed(places: readonly number[], all: number): string {
  if (places.length === all) return all === 1 ? 'The point' : `All ${all} points`;
  if (places.length === 1) return `Point ${places[0]}`;
  const more = places.length - NAMED_MAX;
  const named = places.slice(0, NAMED_MAX).join(', ');
  return `Points ${named}${more > 0 ? ` and ${more} more` : ''}`;
}
