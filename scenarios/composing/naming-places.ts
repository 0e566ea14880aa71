/** Faults of files that a scenario names, reported where it names them. */
import { pointerTo } from '../../sim/base/json-pointer.ts';
import type { Path, Problem, Source } from '../language/problem.ts';

/** A document whose texts may name files, relative to a folder. */
export interface Naming {
  readonly value: unknown;
  readonly source: Source;
  readonly folder: string;
}

/** The same problems; what is wrong with a file that the document names stands at its name. */
export function atTheirNames(
  problems: readonly Problem[],
  { value, source, folder }: Naming,
): readonly Problem[] {
  const names = namesIn(value, folder);
  return problems.map((problem) => {
    const { where, pointer, message } = problem;
    const file = where.replace(/(:\d+){1,2}$/, '');
    const path = names.get(where) ?? names.get(file);
    if (pointer !== '' || path === undefined) return problem;
    // In the file of the document a fault has a place of its own.
    const own = where.slice(folder.length);
    return { ...source.locate(path), pointer: pointerTo(path), message: `${own} ${message}` };
  });
}

/** Where each text stands first that may be the path of a file. */
function namesIn(value: unknown, folder: string): ReadonlyMap<string, Path> {
  const found = new Map<string, Path>();
  const look = (each: unknown, path: Path): void => {
    if (typeof each === 'string') {
      const file = folder + each;
      if (!found.has(file)) found.set(file, path);
    } else if (Array.isArray(each)) {
      for (const [i, one] of each.entries()) look(one, [...path, i]);
    } else if (typeof each === 'object' && each !== null) {
      for (const [key, one] of Object.entries(each)) look(one, [...path, key]);
    }
  };
  look(value, []);
  return found;
}
