/**
 * What callers give is read by rows (sim/base/rows/fields.ts). What is wrong is put into words only
 * when something is.
 */
import { fail, ok, type Result } from '../../sim/base/result.ts';
import { allowedOf } from '../../sim/base/rows/allowed.ts';
import type { Fields, Kind } from '../../sim/base/rows/fields.ts';
import { quote, recordReader, Wrong } from '../../sim/base/rows/reading.ts';

/** Where a value stands, and the code of its failure. */
interface Place {
  /** JSON pointer into what a request carries. */
  readonly path: string;
  readonly name: string;
  readonly failure: string;
}

type Keyed = Record<string, unknown>;

/**
 * Reads what is given for the rows, in their order, into a record that shares nothing with it; what
 * no row names is left out. Reading what was read gives the same. Made once for rows that are read
 * often.
 */
export function fieldsReader(fields: Fields, at: Place) {
  const read = recordReader(fields);
  return (input: unknown, into: Keyed = {}): Result<Readonly<Keyed>> => {
    const given = read(input, into);
    return given instanceof Wrong ? refusalOf(given.at(at.path, at)) : ok(into);
  };
}

function refusalOf({ value, kind, name, failure, path }: Wrong): Result<never> {
  const shown = hasSecret(kind) ? 'something else' : quote(value);
  const what = value === undefined ? 'missing' : shown;
  return fail(failure as string, `${name} is ${what}; it has to be ${allowedOf(kind)}.`, path);
}

/** Whether secrets belong here or within. */
function hasSecret(kind: Kind): boolean {
  if (kind.type === 'list' || kind.type === 'map') return hasSecret(kind.of);
  if (kind.type === 'either') return kind.kinds.some(hasSecret);
  if (kind.type === 'record') return Object.values(kind.fields).some(hasSecret);
  return kind.secret === true;
}
