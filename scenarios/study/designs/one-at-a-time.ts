/** One parameter at a time: a base point, and each parameter moved alone. */
import { assert } from '../../../sim/base/assert.ts';

/**
 * The base first, then the first parameter at each of its levels but the base's, in their order,
 * with all others as in the base; then the second, and so on: 1 + Σ(levels − 1) points. `base` has
 * the index of a level for each parameter, `levels` how many it has. Rows = points, columns =
 * parameters; each value is the index of a level, 0…levels − 1.
 */
export function oneAtATimePoints(base: readonly number[], levels: readonly number[]): number[][] {
  assert(base.length === levels.length, 'the base has a level of each parameter');
  assert(
    base.every((level, at) => Number.isSafeInteger(level) && level >= 0 && level < levels[at]!),
    'the base is at levels that there are',
  );
  const moved = levels.flatMap((count, parameter) =>
    Array.from({ length: count }, (_, level) => base.with(parameter, level)).filter(
      (_, level) => level !== base[parameter],
    ),
  );
  return [[...base], ...moved];
}
