/** Masks: fields of a list's entries in a response. */
import { fail, ok, type Result } from '../../sim/base/result.ts';
import type { Fields } from '../../sim/base/rows/fields.ts';
import { namesOf, orMeant, quoted } from './cells.ts';

/**
 * Reads masks over these fields; responses always have those of `always`: the fields that are
 * reported, in their own order. All of them where no mask is given.
 */
export function maskReader<const Code extends string>(
  fields: Fields,
  always: readonly string[],
  code: Code,
  at: string,
): (given: readonly string[] | undefined) => Result<readonly string[], Code> {
  const names = namesOf(fields);
  return (given) => {
    if (given === undefined) return ok(names);
    const unknown = given.findIndex((name) => !names.includes(name));
    if (unknown < 0) return ok(names.filter((name) => [...always, ...given].includes(name)));
    const written = given[unknown]!;
    const says = `There is no field ${quoted(written)}; allowed: ${names.join(', ')}`;
    const other = orMeant(written, names);
    return fail(code, `${says}${other === '' ? '.' : other}`, `${at}/${unknown}`);
  };
}
