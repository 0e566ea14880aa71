/** Lists as tables: a row for each entry, and for each of its fields a column. */
import type { Field, Fields } from '../../sim/base/rows/fields.ts';

/** A thing that is named beside its id, such as a group. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/** What a field of a row holds. Instants are ms since 1970; null: there is none. */
export type Cell = string | number | boolean | null | readonly Named[];

/** The cells of a field, by row. */
export type Column = (row: number) => Cell;

/** Columns by the names of fields. */
export type ColumnsBy = (name: string) => Column;

/** What a list makes of a field: how it is compared, filtered and put in order. */
export type Sort = 'text' | 'hex' | 'choice' | 'flag' | 'number' | 'instant' | 'groups';

/** Of a row of an answer. */
export function sortOf(row: Field): Sort {
  switch (row.type) {
    case 'number':
    case 'whole':
      return 'number';
    case 'list':
      return 'groups';
    case 'hex':
    case 'choice':
    case 'flag':
    case 'instant':
      return row.type;
    default:
      return 'text';
  }
}

/** A word of these that differs from what is written in case and punctuation alone. */
function meant(written: string, words: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const bare = plain(written);
  return bare === '' ? undefined : words.find((word) => plain(word) === bare);
}

/** `; did you mean name?`, or nothing. */
export const orMeant = (written: string, words: readonly string[]): string => {
  const other = meant(written, words);
  return other === undefined ? '' : `; did you mean ${other}?`;
};

/** Characters of what was written that a message repeats. */
const SHOWN = 60;

export const quoted = (written: string): string =>
  JSON.stringify(written.length > SHOWN ? `${written.slice(0, SHOWN)}…` : written);

export const namesOf = (fields: Fields): readonly string[] => Object.keys(fields);
