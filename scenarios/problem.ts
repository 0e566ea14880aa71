/**
 * One thing that is wrong with a scenario, and where: `file:line:column  /json/path  what is
 * wrong`.
 */
import type { z } from 'zod';
import { type Complaint, sentence } from './complaint.ts';

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

/** A problem at a path, placed in the file or at the override that wrote it. */
export function problemAt(
  source: Source,
  path: Path,
  complaint: Complaint | string,
  key = false,
): Problem {
  const setting = source.settings.findLast((one) => startsWith(path, one.path));
  const place =
    setting === undefined ? source.locate(path, key) : { where: `--set ${setting.text}`, line: 0 };
  const message = typeof complaint === 'string' ? complaint : sentence(complaint);
  return { where: place.where, line: place.line, pointer: toPointer(path), message };
}

function startsWith(path: Path, start: Path): boolean {
  return start.every((key, index) => String(path[index]) === String(key));
}

/** RFC 6901. */
function toPointer(path: Path): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

type Issue = z.core.$ZodIssue;

/** Problems of a schema's issues; of alternatives, those of the one that was most likely meant. */
export function problemsOf(issues: readonly Issue[], source: Source, base: Path = []): Problem[] {
  const slips = issues.filter(({ code }) => code === 'unrecognized_keys');
  return issues.flatMap((issue) => {
    const path = [...base, ...(issue.path as (string | number)[])];
    if (issue.code === 'unrecognized_keys') {
      const messages = issue.message.split('\n');
      return issue.keys.map((key, i) => problemAt(source, [...path, key], messages[i] ?? '', true));
    }
    if (issue.code === 'invalid_union') {
      return problemsOf(likeliest(issue.errors as Issue[][]), source, path);
    }
    // A map with a misspelt key is not blamed once more for lacking the right one.
    const slipped = slips.some(
      (slip) => toPointer([...base, ...(slip.path as string[])]) === toPointer(path),
    );
    return slipped ? [] : [problemAt(source, path, issue.message)];
  });
}

/**
 * Alternatives that refuse a value for its kind were not meant; among the others the fewest faults
 * win.
 */
function likeliest(branches: readonly Issue[][]): Issue[] {
  const meant = branches.filter((issues) => {
    const root = issues.filter(({ path }) => path.length === 0);
    return root.length === 0 || root.some(isAboutContent);
  });
  const [first = [], ...others] = meant.length > 0 ? meant : branches;
  return others.reduce((best, next) => (next.length < best.length ? next : best), first);
}

function isAboutContent(issue: Issue): boolean {
  if (issue.code === 'custom') return issue.params?.meant === true;
  return issue.code !== 'invalid_type';
}
