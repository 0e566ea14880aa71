/**
 * One thing that is wrong with a scenario, and where: `file:line:column  /json/path  what is
 * wrong`.
 */
import type { z } from 'zod';
import { pointerTo } from '../../sim/base/json-pointer.ts';
import { type Complaint, sentence, unknownKey } from './complaint.ts';

export interface Problem {
  /** `file:line:column`, `file`, or `--set path=value`. */
  readonly where: string;
  /** Line in the file, from 1; 0 when it has none. */
  readonly line: number;
  /** JSON pointer of the value; empty for the whole document. */
  readonly pointer: string;
  /** What is wrong, what is allowed and what was probably meant. */
  readonly message: string;
}

export type Path = readonly (string | number)[];

/** Where values stand. */
export interface Source {
  /** Place of the value at a path, or of its nearest parent; `key` asks for the key instead. */
  readonly locate: (path: Path, key?: boolean) => { readonly where: string; readonly line: number };
  /** Overrides by the path they set: what stands there comes from the command line. */
  readonly settings: readonly { readonly path: Path; readonly text: string }[];
}

export function format({ where, pointer, message }: Problem): string {
  return [where, pointer, message].filter((part) => part !== '').join('  ');
}

/** Something wrong at a path; its words are made only when it is shown. */
export interface Fault {
  readonly path: Path;
  /** Whether the key is wrong, not its value. */
  readonly ofKey?: boolean;
  readonly complaint: Complaint | string | (() => Complaint);
}

/** Most problems that are shown of a file: nobody reads more, and to word them takes time. */
export const PROBLEMS_MAX = 100;

/** The first problems; a last one counts the others. */
export function firstOf(problems: readonly Problem[], file: string): readonly Problem[] {
  return counted(problems.slice(0, PROBLEMS_MAX), problems.length, file);
}

function counted(shown: readonly Problem[], found: number, file: string): readonly Problem[] {
  const others = found - shown.length;
  if (others <= 0) return shown;
  const what = `has ${others} more ${others === 1 ? 'fault' : 'faults'}`;
  const message = sentence({ what, allowed: `the first ${PROBLEMS_MAX} are shown` });
  return [...shown, { where: file, line: 0, pointer: '', message }];
}

/**
 * The first faults in the order of the file, each once, placed in the file or at the override that
 * wrote them; what has no line comes first.
 */
export function problemsOf(
  faults: readonly Fault[],
  source: Source,
  file: string,
): readonly Problem[] {
  const placed = faults.map((fault) => ({ ...placeOf(fault, source), fault }));
  placed.sort((a, b) => a.line - b.line);
  const shown = new Map<string, Problem>();
  let seen = 0;
  for (const { where, line, fault } of placed) {
    if (shown.size === PROBLEMS_MAX) break;
    seen++;
    const { path, complaint } = fault;
    const given = typeof complaint === 'function' ? complaint() : complaint;
    const message = typeof given === 'string' ? given : sentence(given);
    const problem = { where, line, pointer: pointerTo(path), message };
    shown.set(`${where} ${problem.pointer} ${message}`, problem);
  }
  return counted([...shown.values()], shown.size + placed.length - seen, file);
}

/** One fault of a value, placed in the file or at the override that wrote it. */
export const problemAt = (path: Path, message: string, source: Source): Problem => {
  return { ...placeOf({ path, complaint: message }, source), pointer: pointerTo(path), message };
};

function placeOf({ path, ofKey = false }: Fault, source: Source) {
  const setting = source.settings.findLast((one) =>
    one.path.every((key, index) => String(path[index]) === String(key)),
  );
  if (setting !== undefined) return { where: `--set ${setting.text}`, line: 0 };
  return source.locate(path, ofKey);
}

type Issue = z.core.$ZodIssue;

/** Faults of a schema's issues; of alternatives, those of the one that was most likely meant. */
export function faultsOf(issues: readonly Issue[], base: Path = []): Fault[] {
  const pathOf = (issue: Issue): Path => [...base, ...(issue.path as (string | number)[])];
  const slips = new Set(
    issues
      .filter(({ code }) => code === 'unrecognized_keys')
      .map((slip) => pointerTo(pathOf(slip))),
  );
  return issues.flatMap((issue): Fault[] => {
    const path = pathOf(issue);
    if (issue.code === 'unrecognized_keys') {
      const known = issue.message.split(', ');
      return issue.keys.map((key) => ({
        path: [...path, key],
        ofKey: true,
        complaint: () => unknownKey(key, known),
      }));
    }
    if (issue.code === 'invalid_union') return faultsOf(likeliest(issue.errors as Issue[][]), path);
    // A map with a misspelt key is not blamed once more for lacking the right one.
    return slips.has(pointerTo(path)) ? [] : [{ path, complaint: issue.message }];
  });
}

/**
 * Alternatives that refuse a value for its kind were not meant; among the others the fewest faults
 * win.
 */
function likeliest(branches: readonly Issue[][]): Issue[] {
  const meant = branches.filter((issues) => {
    const root = issues.filter(({ path }) => path.length === 0);
    const isAboutContent = (issue: Issue) =>
      issue.code === 'custom' ? issue.params?.meant === true : issue.code !== 'invalid_type';
    return root.length === 0 || root.some(isAboutContent);
  });
  const [first = [], ...others] = meant.length > 0 ? meant : branches;
  return others.reduce((best, next) => (next.length < best.length ? next : best), first);
}
