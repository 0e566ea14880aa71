/** The data of a thing that has types, by the rows of its type. */
import { andThen, type Result } from '../../sim/base/result.ts';
import { effective, type Fields } from '../../sim/base/rows/fields.ts';
import { fieldsReader } from '../base/reading.ts';
import type { Data } from './secrets.ts';

/** Reads data by its type, with the defaults of that type. */
export function dataReader<Type extends string, const Code extends string>(
  rows: Readonly<Record<Type, Fields>>,
  failure: Code,
) {
  const at = { path: '/data', name: 'data', failure };
  const readers = new Map(
    Object.entries<Fields>(rows).map(([type, fields]) => [type, fieldsReader(fields, at)]),
  );
  return (type: Type, given: object): Result<Data, Code> => {
    const read = readers.get(type)!(given) as Result<Data, Code>;
    return andThen(read, (data) => ({ ok: true, value: effective(rows[type], data) }) as const);
  };
}
