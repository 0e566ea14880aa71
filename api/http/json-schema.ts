/**
 * Rows of fields (core/rows/fields.ts) as JSON Schema 2020-12: what OpenAPI shows, what answers are
 * serialised and checked by. Requests are read by the rows themselves.
 */
import { allowedOf } from '../../core/base/allowed.ts';
import { ANY_NUMBER, type Field, type Fields, type Kind } from '../../core/rows/fields.ts';

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
        // A count of an answer has no limit but that of numbers.
        ...(direction === 'answer' && kind.most === ANY_NUMBER ? {} : { maximum: kind.most }),
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
        ...(kind.most > MOST_DRAWN ? {} : { maxProperties: kind.most }),
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
    ...(least === 0 ? {} : { minLength: least }),
    ...(most === ANY_NUMBER ? {} : { maxLength: most }),
    ...(pattern === undefined ? {} : { pattern: pattern.source }),
  };
}

/**
 * Programs that draw values by a schema draw as many entries as `maxItems` and `maxProperties`
 * have: a million of them takes all their memory. The limits of longer lists and maps are in
 * their descriptions.
 */
const MOST_DRAWN = 100;

function listSchema(kind: Kind & { type: 'list' }, direction: Direction): JsonSchema {
  const items = kindSchema(kind.of, direction);
  const { least = 0, most } = kind;
  const atLeast = least === 0 ? {} : { minItems: least };
  const atMost = most > MOST_DRAWN ? {} : { maxItems: most };
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
  const isMany = row.type === 'list' || row.type === 'map';
  const isLong = isMany && row.most > MOST_DRAWN && row.most < ANY_NUMBER;
  const most = isLong && `At most ${row.most} entries.`;
  const description = [row.is, unit && `Unit: ${unit}.`, rule, most].filter(Boolean).join(' ');
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
  const response = {
    ...(description ? { description } : {}),
    ...('default' in schema ? { default: absent } : {}),
  };
  if (typeof type !== 'string') return { anyOf: [{ ...rest }, { type: 'null' }], ...response };
  const orWords = Array.isArray(words) ? { enum: [...words, null] } : {};
  return { type: [type, 'null'], ...orWords, ...rest, ...response };
}
