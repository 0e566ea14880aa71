/** What is wrong with the scenarios of a study, at the places of the study file that made it so. */
import { pointerTo } from '../../sim/base/json-pointer.ts';
import type { Problem, Source } from '../language/problem.ts';
import { judgedPaths } from './judged.ts';
import type { Row } from './point-settings.ts';
import { settingOf } from './setting.ts';
import type { StudyFile } from './study-schema.ts';

/** Where a scenario's problem stands in the study that made it. */
export interface InStudy {
  readonly file: StudyFile;
  readonly source: Source;
  readonly set: readonly string[];
  readonly row?: Row;
  /** Of the point, from 1. */
  readonly number?: number;
}

const WRITTEN = '--set ';
const CHOSEN = '--variant ';

/** Problems of what the study wrote stand where it says so; all others where they are. */
export function inStudy(problems: readonly Problem[], where: InStudy): readonly Problem[] {
  const { source, number, row, file } = where;
  const which = row === undefined ? '' : `at ${pointNamed(file, row, number ?? 0)}: `;
  return problems.map((problem): Problem => {
    const isChosen = problem.where.startsWith(CHOSEN);
    if (!isChosen && !problem.where.startsWith(WRITTEN)) {
      return { ...problem, message: `${which}${problem.message}` };
    }
    const path = isChosen ? ['variant'] : pathOfSetting(problem, where);
    const place = source.locate(path);
    return { ...problem, where: place.where, line: place.line, pointer: pointerTo(path) };
  });
}

/** `point 3 (redundancy 10 %, loss 5 %)`. */
export function pointNamed({ parameters }: StudyFile, { levels }: Row, number: number): string {
  const names = Object.keys(parameters).map((name, i) => `${name} ${levels[i]!.label}`);
  return `point ${number} (${names.join(', ')})`;
}

function pathOfSetting({ where, pointer }: Problem, { file, set, row }: InStudy) {
  const setting = where.slice(WRITTEN.length);
  const ofAll = set.indexOf(setting);
  if (ofAll >= 0) return ['set', Object.keys(file.set)[ofAll]!];
  if (setting.startsWith('expectations=[')) {
    const [, index = 0] = /^\/expectations\/(\d+)/.exec(pointer) ?? [];
    return judgedPaths(file)[Number(index)] ?? [];
  }
  const entries = Object.entries(file.parameters);
  for (const [i, [name, { set: paths, values, between }]] of entries.entries()) {
    const level = row?.levels[i];
    const isIt = paths.some((path) => level && settingOf(path, level.value) === setting);
    if (!isIt) continue;
    if (between !== undefined) return ['parameters', name, 'between'];
    if (values?.by !== 'list') return ['parameters', name, 'values'];
    return ['parameters', name, 'values', values.values.indexOf(level?.value)];
  }
  const linked = Object.keys(file.linked).find((path) => setting.startsWith(`${path}=`));
  return linked === undefined ? [] : ['linked', linked];
}
