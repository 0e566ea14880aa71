/**
 * Rows of fields (core/kit/fields.ts) as JSON Schema 2020-12: what OpenAPI shows, what answers are
 * serialised and checked by. Requests are read by the rows themselves.
 */
import { allowedOf } from '../../core/base/allowed.ts';
import type { Field, Fields, Kind } from '../../core/kit/fields.ts';

export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Hexadecimal digits may come in any case, and are answered in upper case. */
export type Direction = 'request' | 'answer';

/** The schema of a field; scenario files' own fields are nobody's else. */
export function schemaOf(row: Field, direction: Direction): JsonSchema {
  const schema = { ...kindSchema(row, direction), ...described(row) };
  return row.null === undefined ? schema : orNull(schema);
}

/** The schema of what has no sentence of its own. */
export function kindSchema(kind: Kind, direction: Direction): JsonSchema {
  switch (kind.type) {
    case 'flag':
      return { type: 'boolean' };
    case 'number':
    case 'whole':
      return {
        type: kind.type === 'whole' ? 'integer' : 'number',
        minimum: kind.least,
        maximum: kind.most,
      };
    case 'choice':
      return { type: 'string', enum: kind.words };
    case 'hex':
      return { type: 'string', pattern: `^${HEX_DIGIT[direction]}{${kind.digits}}$` };
    case 'hexBytes':
      return {
        type: 'string',
        pattern: `^(${HEX_DIGIT[direction]}{2}){${kind.least},${kind.most}}$`,
      };
    case 'instant':
      return { type: 'string', format: 'date-time' };
    case 'bytes':
      return { type: 'string', format: 'binary' };
    case 'text':
      return textSchema(kind);
    case 'list':
      return listSchema(kind, direction);
    case 'either':
      return { anyOf: kind.kinds.map((each) => kindSchema(each, direction)) };
    case 'map':
      return {
        type: 'object',
        propertyNames: kindSchema(kind.keys, direction),
        additionalProperties: kindSchema(kind.of, direction),
        ...(kind.most === Number.MAX_SAFE_INTEGER ? {} : { maxProperties: kind.most }),
      };
    case 'json':
      return { type: 'object', additionalProperties: true };
    case 'record':
      return recordSchema(kind.fields, direction, kind.partial);
  }
}

const HEX_DIGIT = { request: '[0-9A-Fa-f]', answer: '[0-9A-F]' } as const;

function textSchema({ least = 1, most = 250, pattern }: Kind & { type: 'text' }): JsonSchema {
  return {
    type: 'string',
    minLength: least,
    maxLength: most,
    ...(pattern === undefined ? {} : { pattern: pattern.source }),
  };
}

function listSchema(kind: Kind & { type: 'list' }, direction: Direction): JsonSchema {
  const items = kindSchema(kind.of, direction);
  const { least = 0, most } = kind;
  const atLeast = least === 0 ? {} : { minItems: least };
  const atMost = most === Number.MAX_SAFE_INTEGER ? {} : { maxItems: most };
  const unique = kind.unique ? { uniqueItems: true } : {};
  const list = { type: 'array', items, ...atLeast, ...atMost, ...unique };
  return kind.orOne && direction === 'request' ? { anyOf: [items, list] } : list;
}

/** `partial`: a change, which gives what it changes. */
export function recordSchema(fields: Fields, direction: Direction, partial = false): JsonSchema {
  const rows = Object.entries(documented(fields));
  const isNeeded = ({ required }: Field) => required === true && !partial;
  const required = rows.filter(([, row]) => isNeeded(row)).map(([name]) => name);
  // Null that says absence cannot stand where something has to.
  const shown = ({ null: nullIs, ...row }: Field): Field =>
    nullIs === undefined || (nullIs === 'absent' && isNeeded(row)) ? row : { ...row, null: nullIs };
  return {
    type: 'object',
    properties: Object.fromEntries(
      rows.map(([name, row]) => [name, schemaOf(shown(row), direction)]),
    ),
    ...(required.length === 0 ? {} : { required }),
    // Unknown keys of requests are ignored, and answers have none.
    ...(direction === 'answer' ? { additionalProperties: false } : {}),
  };
}

/** The fields that the services document. */
export const documented = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, { only }]) => only !== 'scenario'));

/** What it means, and what no keyword says of what is allowed. */
function described(row: Field): JsonSchema {
  const unit = 'unit' in row && row.unit !== undefined ? UNITS[row.unit] : undefined;
  const rule = row.allowed === undefined ? undefined : `Allowed: ${allowedOf(row)}.`;
  const description = [row.is, unit && `Unit: ${unit}.`, rule].filter(Boolean).join(' ');
  return { description, ...(row.default === undefined ? {} : { default: row.default }) };
}

const UNITS = {
  s: 'seconds',
  MHz: 'MHz',
  B: 'bytes',
  share: undefined,
  m: 'metres',
  dr: undefined,
} as const;

function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: words, description, default: absent, ...rest } = schema;
  const told = {
    ...(description ? { description } : {}),
    ...('default' in schema ? { default: absent } : {}),
  };
  if (typeof type !== 'string') return { anyOf: [{ ...rest }, { type: 'null' }], ...told };
  const orWords = Array.isArray(words) ? { enum: [...words, null] } : {};
  return { type: [type, 'null'], ...orWords, ...rest, ...told };
}
