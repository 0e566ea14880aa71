/**
 * Rows of answers, in the language of what callers give (fields.ts): what a field holds is what can
 * occur. All fields of an answer are there unless their row says otherwise, and no others are.
 */
import type { Field, Fields, Kind } from './fields.ts';

/** As many as there are. */
export const ANY_NUMBER = Number.MAX_SAFE_INTEGER;

/** A record that is answered. */
export const record = <const F extends Fields>(fields: F) => ({ type: 'record', fields }) as const;

/** A list of as many as there are. */
export const listOf = <const K extends Kind>(of: K) =>
  ({ type: 'list', of, most: ANY_NUMBER }) as const;

/** What a row says of what is given alone, and not of what is answered. */
type OfInput = 'default' | 'failure' | 'null' | 'only' | 'body' | 'orOne' | 'required';

/** The row of a field that is always answered, with what its callers may leave open decided. */
export function told<const Row extends Field>(row: Row) {
  const { default: _, failure, null: __, only, body, ...rest } = row;
  const { orOne, ...told } = rest as typeof rest & { readonly orOne?: true };
  return { ...told, required: true } as unknown as Omit<Row, OfInput> & { readonly required: true };
}

/** The SHA-256 of something. */
export const SHA256 = {
  type: 'text',
  pattern: /^[0-9a-f]{64}$/,
  allowed: '64 hexadecimal digits in lower case',
} as const satisfies Kind;
