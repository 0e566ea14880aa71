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

/** A place in a text. */
export interface Place {
  /** `file:line:column`, `file`, or `--set path=value`. */
  readonly where: string;
  /** Line in the file, from 1; 0 when it has none. */
  readonly line: number;
  /** Path of the file, where it is one. */
  readonly file?: string;
}

/** Where values stand. */
export interface Source {
  /** Place of the value at a path, or of its nearest parent; `key` asks for the key instead. */
  readonly locate: (path: Path, key?: boolean) => Place;
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
  /** Where it is, if not where the path stands. */
  readonly place?: Place;
}

/** What is wrong, in words. */
export function messageOf({ complaint }: Fault): string {
  const given = typeof complaint === 'function' ? complaint() : complaint;
  return typeof given === 'string' ? given : sentence(given);
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
 * The first faults in the order of the file, each once, those of further files after it; what has
 * no line comes first.
 */
export function problemsOf(
  faults: readonly Fault[],
  source: Source,
  file: string,
): readonly Problem[] {
  const placed = faults.map((fault) => ({
    ...(fault.place ?? source.locate(fault.path, fault.ofKey)),
    fault,
  }));
  const others = [...new Set(placed.map((one) => one.file ?? file))].filter((one) => one !== file);
  const rank = (one: Place) => (one.file === undefined ? -1 : others.indexOf(one.file));
  placed.sort((a, b) => rank(a) - rank(b) || a.line - b.line);
  const shown = new Map<string, Problem>();
  let seen = 0;
  for (const { where, line, fault } of placed) {
    if (shown.size === PROBLEMS_MAX) break;
    seen++;
    const message = messageOf(fault);
    const problem = { where, line, pointer: pointerTo(fault.path), message };
    shown.set(`${where} ${problem.pointer} ${message}`, problem);
  }
  return counted([...shown.values()], shown.size + placed.length - seen, file);
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
