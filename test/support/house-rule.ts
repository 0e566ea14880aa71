/** What a rule of the house is, and the looks at its files that rules share. */
import { posix } from 'node:path';
import { type Import, lineOf, readSource, type Source } from './source.ts';

/** Text files by path from the root. */
export type Files = Readonly<Record<string, string>>;

export interface Rule {
  readonly name: string;
  /** One sentence per break, with the place; nothing when the rule is stored. */
  check(house: House): string[];
  /** Files that break the rule, one kind of break each. */
  readonly breaks: readonly Files[];
  /** Files that come close and keep it. */
  readonly keeps: Files;
}

export interface House {
  readonly files: Files;
  readonly sources: readonly Source[];
}

export function houseOf(files: Files): House {
  const paths = Object.keys(files).filter((path) => /\.(tsx?|mjs)$/.test(path));
  return { files, sources: paths.map((path) => readSource(path, files[path])) };
}

/** Everything a person reads, but the texts that others wrote. */
export function readable({ files }: House): [string, string][] {
  return Object.entries(files).filter(([path]) => !/^(LICENSE|package-lock\.json)$/.test(path));
}

/** A relative import as a path from the root, any other as `package:name` or `node:name`. */
export function targetOf(source: Source, { specifier }: Import): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(source.path), specifier);
  if (specifier.startsWith('node:')) return specifier;
  return `package:${/^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0]}`;
}

/** Applies `judge` to every import of the house. */
export function eachImport(
  judge: (target: string, source: Source, imported: Import) => string | undefined,
): Rule['check'] {
  return ({ sources }) =>
    sources.flatMap((source) =>
      source.imports.flatMap((imported) => {
        const why = judge(targetOf(source, imported), source, imported);
        return why === undefined ? [] : [`${source.path} imports ${imported.specifier}: ${why}`];
      }),
    );
}

/** Finds `pattern` in the code of the files that `where` names. */
export function banned(where: RegExp, pattern: RegExp, except?: RegExp): Rule['check'] {
  return ({ sources }) =>
    sources
      .filter(({ path }) => where.test(path) && !except?.test(path))
      .flatMap((source) => found(source.path, source.code, pattern));
}

export function found(path: string, text: string, pattern: RegExp): string[] {
  const all = new RegExp(pattern.source, `${pattern.flags.replace('g', '')}g`);
  return [...text.matchAll(all)].map(
    (match) => `${path}:${lineOf(text, match.index)} has ${JSON.stringify(match[0].trim())}`,
  );
}
