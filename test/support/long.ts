/**
 * How much a run of the tests tries. `npm test` has a sample of what takes long and seldom fails;
 * `npm run test:long` and each night have all of it.
 */
import { it } from 'vitest';

export const IS_LONG = process.env.FLEETWAVE_LONG === '1';

/** `npm run test:release`. */
export const IS_RELEASE = process.env.FLEETWAVE_RELEASE === '1';

/** All that `.ci/run` tries. */
const IS_THOROUGH = IS_LONG || IS_RELEASE;

/** Of the runs that a property has in the long run. */
export const PROPERTY_SAMPLE = IS_LONG ? 1 : 0.4;

/** A test of the long run alone, since others hold most of what it holds. */
export function itLong(sentence: string, test: () => unknown, timeoutMs?: number): void {
  it.runIf(IS_LONG)(sentence, test, timeoutMs);
}

/** A test of `npm run test:release`, of a file that `npm test` has otherwise. */
export function itThorough(sentence: string, test: () => unknown): void {
  it.runIf(IS_THOROUGH)(sentence, test);
}

/** There all rows, in `npm test` those that `isOne` chooses. */
export const quickly = <Row>(
  rows: readonly Row[],
  isOne: (row: Row, at: number) => boolean,
): readonly Row[] => (IS_THOROUGH ? rows : rows.filter(isOne));

/** In the long run all of that many, else one of `oneIn` of them. */
export const some = (all: number, oneIn = 16): number => (IS_LONG ? all : Math.ceil(all / oneIn));

/** The same number of runs of a property, whatever sample it has anyway. */
export const someRuns = (all: number, oneIn = 16): number =>
  Math.floor(some(all, oneIn) / PROPERTY_SAMPLE);

/** Of a property that has to come across something rare: three fifths in short runs. */
export const mostRuns = (all: number): number =>
  IS_LONG ? all : Math.floor((0.6 * all) / PROPERTY_SAMPLE);

/** In the long run all rows, else those that `isOne` chooses. */
export const sampled = <Row>(rows: readonly Row[], isOne: (row: Row) => boolean): readonly Row[] =>
  IS_LONG ? rows : rows.filter(isOne);

/**
 * What a census misses of what it has to show in the long run; a sample has to show a sixteenth of
 * what is frequent, and may miss what is not.
 */
export function missing(
  shown: ReadonlyMap<string, number>,
  must: Readonly<Record<string, number>>,
): [what: string, count: number | undefined][] {
  const least = (count: number) => (IS_LONG ? count : count < 400 ? 0 : Math.floor(count / 16));
  return Object.entries(must)
    .filter(([what, count]) => (shown.get(what) ?? 0) < least(count))
    .map(([what]) => [what, shown.get(what)]);
}
