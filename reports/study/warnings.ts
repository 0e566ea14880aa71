/** What makes figures of a study say less than they seem to. */
import type { FigureSpread, SeedRow } from '../../core/result/study.ts';
import { figureNamed } from '../figures.ts';
import { counted } from '../render/format.ts';
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

/** Times that were not reached everywhere: those that were are the shorter ones. */
function censored(rows: readonly SeedRow[], figures: readonly FigureSpread[]): string[] {
  const all = rows.filter(isResult).length;
  return figures
    .filter(({ unit, measured }) => unit === 'seconds' && measured > 0 && measured < all)
    .map(({ name, measured }) => {
      const { label } = figureNamed(name);
      const never = all - measured;
      return (
        `${label} (${name}): never in ${never} of ${counted(all, 'seed')}; mean and spread are ` +
        'of the others, so they are too low.'
      );
    });
}
