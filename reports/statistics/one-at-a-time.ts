/** Swings: how far an output goes while one parameter is moved and all others stay. */
import { assert } from '../../sim/base/assert.ts';
import { mean } from '../statistics.ts';
import { CONFIDENCE, type Interval, pairedDifference } from './intervals.ts';

/** A level of a parameter, by its index, and the mean of the output there. */
export interface LevelMean {
  readonly level: number;
  readonly mean: number;
}

export interface Swing {
  /** Where the mean is least, and where it is greatest; the first of equals. */
  readonly least: LevelMean;
  readonly greatest: LevelMean;
  /** The greatest mean less the least, ≥ 0. */
  readonly range: number;
  /** The range over the mean at the base, without its sign; Infinity or NaN at a base of 0. */
  readonly ofBase: number;
  /**
   * Of the difference between these two levels, over pairs of the same seed (Student's t). It holds
   * for all pairs of the parameter's levels together (Bonferroni), since these two are chosen by
   * what was seen: an interval above 0 is a parameter that matters. Undefined of one seed, or one
   * level.
   */
  readonly interval: Interval | undefined;
}

/**
 * The swing of one parameter. `levels` has the outputs at each of its levels, the base's own among
 * them: [level][seed], with the same seeds in the same order at all levels; `base` is the index of
 * the base's level.
 */
export function parameterSwing(
  levels: readonly (readonly number[])[],
  base: number,
  confidence = CONFIDENCE,
): Swing {
  assert(base >= 0 && base < levels.length, 'the base is one of the levels');
  const seeds = levels[base]!.length;
  assert(seeds >= 1, 'there is an output at each level');
  assert(
    levels.every((outputs) => outputs.length === seeds),
    'all levels have the same seeds',
  );
  const means = levels.map((outputs, level) => ({ level, mean: mean(outputs) }));
  const least = means.reduce((best, each) => (each.mean < best.mean ? each : best));
  const greatest = means.reduce((best, each) => (each.mean > best.mean ? each : best));
  const range = greatest.mean - least.mean;
  const pairs = (levels.length * (levels.length - 1)) / 2;
  const interval =
    pairs === 0
      ? undefined
      : pairedDifference(
          levels[least.level]!,
          levels[greatest.level]!,
          1 - (1 - confidence) / pairs,
        ).interval;
  return { least, greatest, range, ofBase: range / Math.abs(means[base]!.mean), interval };
}
