/** A row of a design as the overrides that make its scenario. */
import type { Fault } from '../language/problem.ts';
import { type Expressions, filled } from './expressions.ts';
import { type Level, noNumber } from './levels.ts';
import { settingOf } from './setting.ts';
import type { StudyFile } from './study-schema.ts';

/** A point, before its scenario is read. */
export interface Row {
  readonly levels: readonly Level[];
  /** Overrides over those of the whole study. */
  readonly set: readonly string[];
}

/** What a point sets; what its expressions lack is added to the faults. */
export function rowOf(
  { parameters, linked }: StudyFile,
  levels: readonly Level[],
  expressions: Expressions,
  faults: Fault[],
): Row {
  const names = Object.keys(parameters);
  const own = Object.values(parameters).flatMap(({ set }, i) =>
    set.map((path) => settingOf(path, levels[i]!.value)),
  );
  const numbers = Object.fromEntries(
    names.flatMap((name, i) => {
      const { number } = levels[i]!;
      return number === null ? [] : [[name, number]];
    }),
  );
  const others = Object.entries(linked).map(([path, text]) => {
    const value = filled(text, numbers, expressions);
    if (value.ok) return settingOf(path, value.value);
    const unusable = names.find(
      (name, i) => levels[i]!.number === null && new RegExp(`\\b${name}\\b`).test(String(text)),
    );
    const why = unusable === undefined ? value.what : noNumber(levels[names.indexOf(unusable)]!);
    if (faults.length === 0) faults.push({ path: ['linked', path], complaint: why });
    return '';
  });
  return { levels, set: [...own, ...others] };
}
