/**
 * Knobs of what the service has as fields: a row (sim/base/rows/fields.ts) says range, default,
 * meaning and source of both. A file gives quantities, with units; what is read of them is what the
 * service takes.
 */
import type * as z from 'zod';
import type { Field, Fields, Of } from '../../sim/base/rows/fields.ts';
import { kindKnob, written } from './kinds.ts';
import { knob, maybe, needed } from './knob.ts';

/** A default of null is what absence means. */
type KnobOf<Row> = Row extends { default: infer Default }
  ? Default extends null
    ? z.ZodOptional<z.ZodType<Of<Row>, unknown>>
    : z.ZodPrefault<z.ZodType<Of<Row>, unknown>>
  : Row extends { required: true }
    ? z.ZodType<Of<Row>, unknown>
    : z.ZodOptional<z.ZodType<Of<Row>, unknown>>;

/**
 * A knob for each row. `readers` are for those that a file writes in a way of its own; they too
 * give what the service takes.
 */
export function fieldKnobs<F extends Fields>(
  rows: F,
  readers: { readonly [K in keyof F]?: z.ZodType } = {},
): { readonly [K in keyof F]: KnobOf<F[K]> } {
  const knobs = Object.entries(rows).map(([name, row]) => [
    name,
    fieldKnob(row, readers[name] ?? kindKnob(row)),
  ]);
  return Object.fromEntries(knobs) as { readonly [K in keyof F]: KnobOf<F[K]> };
}

function fieldKnob(row: Field, schema: z.ZodType): z.ZodType {
  if (row.default != null) return knob(schema, written(row, row.default), row);
  return row.required ? needed(schema, row) : maybe(schema, row);
}
