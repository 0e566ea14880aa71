/**
 * Secrets of what things are delivered with. None is answered: a row of asterisks stands in its
 * place; a request with that placeholder leaves the stored secret unchanged.
 */
import { fail, ok, type Result } from '../../sim/base/result.ts';
import type { Fields } from '../../sim/base/rows/fields.ts';

/** What is answered in the place of a secret. */
export const REDACTED = '********';

/** What is stored of something by its rows: text, mostly. */
export type Data = { readonly [field: string]: unknown };

const secretsOf = (rows: Fields, data: Data): string[] =>
  Object.keys(rows).filter((name) => rows[name]!.secret === true && data[name] !== undefined);

/** The same without its secrets. */
export function redacted(rows: Fields, data: Data): Data {
  const hidden = secretsOf(rows, data).map((name) => [name, REDACTED] as const);
  return { ...data, ...Object.fromEntries(hidden) };
}

/**
 * What is given, with what is stored in the place of asterisks; undefined: nothing is stored that
 * they may stand for.
 */
export function withStored<Code extends string>(
  rows: Fields,
  given: Data,
  stored: Data | undefined,
  code: Code,
): Result<Data, Code> {
  const storedValue: Record<string, unknown> = { ...given };
  for (const name of secretsOf(rows, given)) {
    if (given[name] !== REDACTED) continue;
    if (stored?.[name] === undefined) return nothingStored(code, `/data/${name}`);
    storedValue[name] = stored[name];
  }
  return ok(storedValue);
}

export const nothingStored = <Code extends string>(code: Code, path: string) =>
  fail(code, `${REDACTED} keeps a secret, and none is stored here.`, path);
