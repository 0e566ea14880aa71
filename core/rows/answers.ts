/**
 * Rows of answers, in the language of what callers give (fields.ts): what a field holds is what can
 * occur. All fields of an answer are there unless their row says otherwise, and no others are.
 */
import { ANY_NUMBER, type Field, type Fields, type Kind } from '../../sim/base/rows/fields.ts';

/** A record that is answered. */
export const record = <const F extends Fields>(fields: F) => ({ type: 'record', fields }) as const;

/** A list of as many as there are. */
export const listOf = <const K extends Kind>(of: K) =>
  ({ type: 'list', of, most: ANY_NUMBER }) as const;

/** Something for each device, by its DevEUI. */
export const byDevEui = <const K extends Kind>(of: K) =>
  ({ type: 'map', keys: HEX_EUI, of, most: ANY_NUMBER }) as const;

export const COUNT = { type: 'whole', least: 0, most: ANY_NUMBER } as const;
/** An EUI-64, or a version of firmware and hardware. */
export const HEX_EUI = { type: 'hex', digits: 16 } as const;
export const INSTANT = { type: 'instant' } as const;

/** The SHA-256 of something. */
export const SHA256 = {
  type: 'text',
  pattern: /^[0-9a-f]{64}$/,
  allowed: '64 hexadecimal digits in lower case',
} as const satisfies Kind;

/** What a row says of what is given alone, and not of what is answered. */
const OF_INPUT = [
  'default',
  'failure',
  'null',
  'only',
  'drawn',
  'body',
  'orOne',
  'required',
] as const;

/** The row of a field that is always answered; a row of what is given serves, too. */
export function responseField<const Row extends Field>(row: Row) {
  const stored = Object.entries(row).filter(([name]) => !OF_INPUT.some((each) => each === name));
  return { ...Object.fromEntries(stored), required: true } as unknown as ResponseField<Row>;
}

export type ResponseField<Row> = Omit<Row, (typeof OF_INPUT)[number]> & { readonly required: true };

/** The same where null says that there is none, or none yet. */
export const responseFieldOrNull = <const Row extends Field>(row: Row) =>
  ({ ...responseField(row), null: 'nothing' }) as const;
