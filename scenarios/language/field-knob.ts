/**
 * Knobs of what the service has as fields: a row of core's tables (core/rows/fields.ts) says range,
 * default, meaning and source of both. A file gives quantities, with units; what is read of them is
 * what the service takes.
 */
import type * as z from 'zod';
import { allowedOf } from '../../core/base/allowed.ts';
import { readFields } from '../../core/base/reading.ts';
import type { Field, Fields, Kind, Of } from '../../core/rows/fields.ts';
import { AssertionFailed } from '../../sim/base/assert.ts';
import { quote, type Reader, read, refuse } from './complaint.ts';
import {
  choice,
  count,
  flag,
  hexadecimal,
  knob,
  leaf,
  list,
  maybe,
  needed,
  plainNumber,
} from './knob.ts';
import { DIMENSIONS, inWords, quantity, unitsOf } from './quantity.ts';
import { hexBytes } from './readers.ts';

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
    fieldKnob(row, readers[name] ?? schemaOf(row)),
  ]);
  return Object.fromEntries(knobs) as { readonly [K in keyof F]: KnobOf<F[K]> };
}

function fieldKnob(row: Field, schema: z.ZodType): z.ZodType {
  if (row.default != null) return knob(schema, written(row, row.default), row);
  return row.required ? needed(schema, row) : maybe(schema, row);
}

// ── values ───────────────────────────────────────────────────────────────────────────────────────

function schemaOf(kind: Kind): z.ZodType {
  switch (kind.type) {
    case 'flag':
      return flag();
    case 'number':
    case 'whole':
      return numberOf(kind);
    case 'choice':
      return choice(...kind.words);
    case 'hex':
      return hexadecimal(kind.digits);
    case 'hexBytes':
      return hexBytes(kind.least, kind.most);
    case 'text':
      return textOf(kind);
    case 'list':
      return list(schemaOf(kind.of), kind.least ?? 0, kind.most, 'entries');
    default:
      throw new AssertionFailed(`broken invariant: a knob of ${kind.type} has a reader of its own`);
  }
}

type NumberKind = Kind & { readonly type: 'number' | 'whole' };

/** How files write what the service has in these units. */
const UNITS = {
  s: ['duration', 's'],
  MHz: ['frequency', 'MHz'],
  B: ['size', 'B'],
  m: ['length', 'm'],
  share: ['share', ''],
} as const;

/** The dimension of a number's unit, and its base units in one of the service's. */
function scaleOf({ unit }: NumberKind) {
  if (unit === undefined || unit === 'dr') return undefined;
  const [name, own] = UNITS[unit];
  const dimension = DIMENSIONS[name];
  return { name, dimension, factor: (dimension.units as Record<string, number>)[own] ?? 1 };
}

function numberOf(kind: NumberKind): z.ZodType {
  const { type, least, most, unit } = kind;
  if (unit === 'dr') return dataRate(least, most);
  const scale = scaleOf(kind);
  if (scale === undefined) return type === 'whole' ? count(least, most) : plainNumber(least, most);
  const { name, dimension, factor } = scale;
  const [low, high] = [written(kind, least), written(kind, most)];
  const reader = quantity(name, low, high);
  return leaf(
    (input) => {
      const reading = reader(input);
      if (!reading.ok) return reading;
      const isWhole = reading.value % factor === 0;
      if (type === 'number' || isWhole) return read(reading.value / factor);
      return refuse(`${quote(input)} is not a whole number of seconds`, `${low} to ${high}`);
    },
    {
      type: 'plain' in dimension ? ['string', 'number'] : 'string',
      unit: unitsOf(dimension).join(' '),
      range: `${low} to ${high}`,
      example: dimension.example,
    },
  );
}

/** A value of the service as a file writes it. */
function written(kind: Kind, value: unknown): string {
  const scale = kind.type === 'number' || kind.type === 'whole' ? scaleOf(kind) : undefined;
  if (scale === undefined) return value as string;
  return inWords(scale.dimension, Math.round((value as number) * scale.factor));
}

/** `DR5` or 5. */
function dataRate(least: number, most: number): z.ZodType {
  const indexes = Array.from({ length: most - least + 1 }, (_, i) => least + i);
  const allowed = `DR${least} to DR${most}`;
  return leaf(
    (input) => {
      const index = indexes.find((one) => one === input || `DR${one}` === input);
      const what = `${quote(input)} is not a data rate of multicast`;
      return index === undefined ? refuse(what, allowed) : read(index);
    },
    { type: ['string', 'integer'], range: allowed },
  );
}

function textOf(kind: Kind & { readonly type: 'text' }): z.ZodType<string, unknown> {
  const { least = 1, most = 250 } = kind;
  const allowed = allowedOf(kind);
  const rows = { text: { ...kind, is: '' } };
  const reader: Reader<string> = (input) => {
    if (input === undefined) return refuse('is missing', allowed);
    const shown = kind.secret ? 'what is given' : quote(input);
    if (typeof input !== 'string') return refuse(`${shown} is not text`, allowed);
    const given = readFields(rows, { text: input }, { path: '', name: '', failure: '' });
    if (!given.ok) return refuse(`${shown} is not right here`, allowed);
    return read(given.value.text as string);
  };
  return leaf(reader, {
    type: 'string',
    ...(kind.pattern === undefined
      ? { minLength: least, maxLength: most }
      : { pattern: kind.pattern.source }),
  });
}
