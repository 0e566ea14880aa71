/** Rows that operations share, and codes with which reading by rows fails. */
import type { Fields, Kind } from '../../sim/base/rows/fields.ts';

/** The row of what a request carries. */
export const body = <const F extends Fields>(fields: F) =>
  ({ type: 'record', fields, required: true, body: true, is: 'What is given.' }) as const;

/** The row of a change: any of these fields. */
export const changes = <const F extends Fields>(fields: F) =>
  ({ ...body(fields), partial: true }) as const;

/** The row of an id, of any form: what is of another form is unknown. */
export const id = (is: string) => ({ type: 'text', least: 0, required: true, is }) as const;

/** The same, where ids have the form of a UUID. */
export const uuid = (is: string) => ({ ...id(is), storedIn: 'lower' }) as const;

/** The same, of what an EUI names. */
export const euiOf = (is: string) => ({ ...id(is), storedIn: 'upper' }) as const;

/** An EUI-64, of a device, a gateway or a group; one failure wherever it stands. */
export const EUI = { type: 'hex', digits: 16, failure: 'eui.malformed' } as const;

const euis = { type: 'list', of: EUI, most: 1_000_000 } as const;

/** EUIs, each stored once. */
export const EUIS = { ...euis, distinct: true } as const;

/** EUIs, none of them twice. */
export const UNIQUE_EUIS = { ...euis, unique: true } as const;

/** Codes with which reading by these rows fails, where they have their own. */
export type CodesOf<F> = CodeOf<F[keyof F]>;
type CodeOf<K> = K extends unknown
  ?
      | (K extends { failure: infer Code extends string } ? Code : never)
      | (K extends { of: infer Each } ? CodeOf<Each> : never)
      | (K extends { keys: infer Each } ? CodeOf<Each> : never)
      | (K extends { kinds: readonly (infer Each)[] } ? CodeOf<Each> : never)
      | (K extends { fields: infer Inner } ? CodesOf<Inner> : never)
  : never;

/** The same as values, with that of the surroundings where a row has none of its own. */
export const codesOfRows = (fields: Fields, failure: string): readonly string[] =>
  Object.values(fields).flatMap((row) => codesOfKind(row, row.failure ?? failure));

function codesOfKind(kind: Kind, failure: string): readonly string[] {
  const within = (of: Kind) => codesOfKind(of, of.failure ?? failure);
  if (kind.type === 'list') return [failure, ...within(kind.of)];
  if (kind.type === 'map') return [failure, ...within(kind.keys), ...within(kind.of)];
  if (kind.type === 'either') return [failure, ...kind.kinds.flatMap(within)];
  return kind.type === 'record' ? [failure, ...codesOfRows(kind.fields, failure)] : [failure];
}
