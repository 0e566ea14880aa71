/**
 * Kinds of values (sim/base/rows/fields.ts) as files write them. The reader of rows decides what is
 * right; files write some numbers with units, and complaints find the word that was meant.
 */
import type * as z from 'zod';
import { AssertionFailed } from '../../sim/base/assert.ts';
import { allowedOf } from '../../sim/base/rows/allowed.ts';
import { ANY_NUMBER, type Kind } from '../../sim/base/rows/fields.ts';
import { kindSchema } from '../../sim/base/rows/json-schema.ts';
import { rangeFault } from '../../sim/base/rows/range.ts';
import { readerOf, Wrong } from '../../sim/base/rows/reading.ts';
import {
  type Complaint,
  nearest,
  quote,
  type Reader,
  type Reading,
  read,
  refuse,
} from './complaint.ts';
import { type Form, leaf, list } from './knob.ts';
import { DIMENSIONS, type DimensionName, inWords, quantity, unitsOf } from './quantity.ts';

type NumberKind = Kind & { readonly type: 'number' | 'whole' };

/** A value that a kind describes, as a file writes it. */
export function kindKnob(kind: Kind): z.ZodType {
  switch (kind.type) {
    case 'number':
    case 'whole':
      return numberKnob(kind);
    case 'list':
      return list(kindKnob(kind.of), kind.least ?? 0, kind.most, 'entries');
    case 'flag':
    case 'choice':
    case 'hex':
    case 'hexBytes':
    case 'text':
      return leaf(kindReader(kind), kindSchema(kind, 'file'));
    default:
      throw new AssertionFailed(`broken invariant: a knob of ${kind.type} has a reader of its own`);
  }
}

/** The reader of rows, with complaints of files. */
function kindReader<Value>(kind: Kind): Reader<Value> {
  const ofRow = readerOf(kind);
  return (input) => {
    const isWord = kind.type === 'choice' && input !== undefined;
    const value = ofRow(isWord ? String(input) : input);
    if (!(value instanceof Wrong)) return read(value as Value);
    return { ok: false, complaint: complaintOf(kind, input) };
  };
}

function complaintOf(kind: Kind, input: unknown): Complaint {
  const allowed = allowedInFile(kind);
  const shown = kind.secret ? 'what is given' : quote(input);
  if (input === undefined) return { what: 'is missing', allowed };
  switch (kind.type) {
    case 'whole': {
      if (!Number.isInteger(input)) return { what: `${shown} is not a whole number`, allowed };
      const side = rangeFault(input as number, kind);
      return { what: side ? `${shown} is too ${side}` : `${shown} is not right here`, allowed };
    }
    case 'number':
      return {
        what: `${shown} is ${Number.isFinite(input) ? 'out of range' : 'not a number'}`,
        allowed,
      };
    case 'choice':
      return meantBy(
        { what: `${shown} is not known`, allowed },
        nearest(String(input), kind.words),
      );
    case 'flag':
      return meantBy({ what: `${shown} is neither true nor false`, allowed }, flagOf(input));
    default:
      return {
        what: `${shown} is ${typeof input === 'string' ? 'not right here' : 'not text'}`,
        allowed,
      };
  }
}

const meantBy = (complaint: Complaint, meant: string | undefined): Complaint =>
  meant === undefined ? complaint : { ...complaint, meant };

/** The flag that people mean by another word. */
function flagOf(input: unknown): string | undefined {
  const word = typeof input === 'string' ? input.toLowerCase() : '';
  if (['yes', 'on', 'y'].includes(word)) return 'true';
  if (['no', 'off', 'n'].includes(word)) return 'false';
  return nearest(word, ['true', 'false']);
}

/** What a kind takes, as a file writes it. */
export function allowedInFile(kind: Kind): string {
  if (kind.allowed !== undefined) return kind.allowed;
  switch (kind.type) {
    case 'flag':
      return 'true, false';
    case 'choice':
      return kind.words.join(', ');
    case 'hex':
      return `${allowedOf(kind)}, in quotes`;
    case 'hexBytes':
      return 'hexadecimal bytes such as "01ff", in quotes';
    case 'number':
    case 'whole':
      return scaleOf(kind) === undefined ? allowedOf(kind) : rangeOf(kind);
    default:
      return allowedOf(kind);
  }
}

// ── kinds of knobs ───────────────────────────────────────────────────────────────────────────────

/** A plain whole number. */
export const count = (least: number, most: number): z.ZodType<number, unknown> =>
  kindKnob({ type: 'whole', least, most }) as z.ZodType<number, unknown>;

/** A plain number without a dimension. */
export const plainNumber = (least: number, most: number): z.ZodType<number, unknown> =>
  kindKnob({ type: 'number', least, most }) as z.ZodType<number, unknown>;

/** One word of a few. */
export const choice = <const Word extends string>(...words: readonly Word[]) =>
  kindKnob({ type: 'choice', words }) as z.ZodType<Word, unknown>;

/** `true` or `false`; the words people write instead are understood as a slip, not as a value. */
export const flag = (): z.ZodType<boolean, unknown> =>
  kindKnob({ type: 'flag' }) as z.ZodType<boolean, unknown>;

/** Text that a pattern describes; `allowed` says the pattern in words. */
export const text = (pattern: RegExp, allowed: string): z.ZodType<string, unknown> =>
  kindKnob(formed(pattern, allowed)) as z.ZodType<string, unknown>;

/** Upper-case hexadecimal digits, exactly `digits` of them. */
export const hexadecimal = (digits: number): z.ZodType<string, unknown> =>
  kindKnob({ type: 'hex', digits }) as z.ZodType<string, unknown>;

/** Bytes as hexadecimal digits of either case, two a byte. */
export const hexBytes = (least: number, most: number): z.ZodType<string, unknown> =>
  kindKnob({ type: 'hexBytes', least, most }) as z.ZodType<string, unknown>;

export const readText = (input: unknown, pattern: RegExp, allowed: string): Reading<string> =>
  kindReader<string>(formed(pattern, allowed))(input);

/** The pattern alone says how long it may be. */
const formed = (pattern: RegExp, allowed: string): Kind => {
  return { type: 'text', raw: 'unpaired', least: 0, most: ANY_NUMBER, pattern, allowed };
};

// ── numbers ──────────────────────────────────────────────────────────────────────────────────────

/** A quantity within limits that are written as quantities. */
export const measure = (
  name: DimensionName,
  least: string,
  most: string,
): z.ZodType<number, unknown> =>
  leaf(quantity(name, least, most), quantityForm(name, `${least} to ${most}`));

function quantityForm(name: DimensionName, range: string): Form {
  const dimension = DIMENSIONS[name];
  return {
    type: 'plain' in dimension ? ['string', 'number'] : 'string',
    unit: unitsOf(dimension).join(' '),
    range,
    example: dimension.example,
  };
}

/** How files write what rows have in these units. */
const UNITS = {
  s: ['duration', 's'],
  Hz: ['frequency', 'Hz'],
  MHz: ['frequency', 'MHz'],
  B: ['size', 'B'],
  m: ['length', 'm'],
  dB: ['level', 'dB'],
  share: ['share', ''],
} as const;

/** The dimension of a number's unit, and its base units in one of the row's. */
function scaleOf({ unit }: NumberKind) {
  if (unit === undefined || unit === 'dr') return undefined;
  const [name, own] = UNITS[unit];
  const dimension = DIMENSIONS[name];
  return { name, dimension, factor: (dimension.units as Record<string, number>)[own] ?? 1 };
}

function numberKnob(kind: NumberKind): z.ZodType {
  if (kind.unit === 'dr') return dataRate(kind);
  const scale = scaleOf(kind);
  if (scale === undefined) return leaf(kindReader(kind), kindSchema(kind, 'file'));
  const { name, factor } = scale;
  const range = rangeOf(kind);
  const reader = quantity(name, written(kind, kind.least), written(kind, kind.most));
  return leaf(
    (input) => {
      const reading = reader(input);
      if (!reading.ok) return reading;
      const isWhole = reading.value % factor === 0;
      if (kind.type === 'number' || isWhole) return read(reading.value / factor);
      return refuse(`${quote(input)} is not a whole number of seconds`, range);
    },
    quantityForm(name, range),
  );
}

const rangeOf = (kind: NumberKind): string =>
  `${written(kind, kind.least)} to ${written(kind, kind.most)}`;

/** A value of a row as a file writes it. */
export function written(kind: Kind, value: unknown): string {
  const scale = kind.type === 'number' || kind.type === 'whole' ? scaleOf(kind) : undefined;
  if (scale === undefined) return value as string;
  const { dimension, factor } = scale;
  const inBase = (value as number) * factor;
  return inWords(dimension, dimension.whole ? Math.round(inBase) : inBase);
}

const DATA_RATE = /^DR(0|[1-9]\d*)$/;

/** `DR5` or 5. */
function dataRate(kind: NumberKind): z.ZodType {
  const allowed = `DR${kind.least} to DR${kind.most}`;
  const ofRow = readerOf(kind);
  return leaf(
    (input) => {
      const digits = typeof input === 'string' ? DATA_RATE.exec(input)?.[1] : undefined;
      const index = ofRow(digits === undefined ? input : Number(digits));
      const what = `${quote(input)} is not a data rate of multicast`;
      return index instanceof Wrong ? refuse(what, allowed) : read(index);
    },
    { type: ['string', 'integer'], range: allowed },
  );
}
