/**
 * Rows as JSON Schema 2020-12: what OpenAPI and editors of scenario files show, and what answers
 * are serialised and checked by. Requests are read by the rows themselves.
 */
import { allowedOf } from './allowed.ts';
import { ANY_NUMBER, type Field, type Fields, type Kind } from './fields.ts';
import { charactersIn } from './range.ts';
import { UNITS } from './units.ts';

export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** What a schema is for: a request, an answer, or a map of a scenario file. */
export type Use = 'request' | 'answer' | 'file';

/** The schema of a field; scenario files' own fields are nobody's else. */
export function schemaOf(row: Field, use: Use): JsonSchema {
  const schema = { ...kindSchema(row, use), ...described(row, use) };
  return row.null === undefined ? schema : orNull(schema);
}

/** The schema of what has no sentence of its own. */
export function kindSchema(kind: Kind, use: Use): JsonSchema {
  switch (kind.type) {
    case 'flag':
      return { type: 'boolean' };
    case 'number':
    case 'whole':
      return {
        type: kind.type === 'whole' ? 'integer' : 'number',
        minimum: kind.least,
        // A count of an answer has no limit but that of numbers.
        ...(use === 'answer' && kind.most === ANY_NUMBER ? {} : { maximum: kind.most }),
      };
    case 'choice':
      return { type: 'string', enum: kind.words };
    case 'hex':
      return { type: 'string', pattern: `^${HEX_DIGIT[use]}{${kind.digits}}$` };
    case 'hexBytes':
      return {
        type: 'string',
        pattern: `^(${HEX_DIGIT[use]}{2}){${kind.least},${kind.most}}$`,
      };
    case 'instant':
      return { type: 'string', format: 'date-time' };
    case 'bytes':
      return { type: 'string', ...BYTES[use] };
    case 'text':
      return textSchema(kind);
    case 'list':
      return listSchema(kind, use);
    case 'either':
      return { anyOf: kind.kinds.map((each) => kindSchema(each, use)) };
    case 'map':
      return {
        type: 'object',
        propertyNames: kindSchema(kind.keys, use),
        additionalProperties: kindSchema(kind.of, use),
        ...(kind.most > MOST_DRAWN[use] ? {} : { maxProperties: kind.most }),
      };
    case 'json':
      return { type: 'object', additionalProperties: true };
    case 'record':
      return recordSchema(kind.fields, use, kind.partial);
    default:
      // No plain data.
      return {};
  }
}

/** Hexadecimal digits may come in any case, and are answered in upper case. */
const HEX_DIGIT = { request: '[0-9A-Fa-f]', answer: '[0-9A-F]', file: '[0-9A-Fa-f]' } as const;

/** Bytes are a file of their own in HTTP. */
const BYTES = {
  request: { format: 'binary' },
  answer: { format: 'binary' },
  file: { contentEncoding: 'base64' },
} as const;

function textSchema(kind: Kind & { type: 'text' }): JsonSchema {
  const { least, most } = charactersIn(kind);
  const { pattern } = kind;
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
const MOST_DRAWN = { request: 100, answer: 100, file: ANY_NUMBER } as const;

function listSchema(kind: Kind & { type: 'list' }, use: Use): JsonSchema {
  const items = kindSchema(kind.of, use);
  const { least = 0, most } = kind;
  const atLeast = least === 0 ? {} : { minItems: least };
  const atMost = most > MOST_DRAWN[use] ? {} : { maxItems: most };
  const unique = kind.unique ? { uniqueItems: true } : {};
  const list = { type: 'array', items, ...atLeast, ...atMost, ...unique };
  return kind.orOne && use !== 'answer' ? { anyOf: [items, list] } : list;
}

/** `partial`: a change, which gives what it changes. */
export function recordSchema(fields: Fields, use: Use, partial = false): JsonSchema {
  const rows = Object.entries(use === 'file' ? fields : documented(fields));
  const isNeeded = ({ required }: Field) => required === true && !partial;
  const required = rows.filter(([, row]) => isNeeded(row)).map(([name]) => name);
  // Null that says absence cannot stand where something has to.
  const shown = ({ null: nullIs, ...row }: Field): Field =>
    nullIs === undefined || (nullIs === 'absent' && isNeeded(row)) ? row : { ...row, null: nullIs };
  return {
    type: 'object',
    properties: Object.fromEntries(rows.map(([name, row]) => [name, schemaOf(shown(row), use)])),
    ...(required.length === 0 ? {} : { required }),
    // Unknown keys of requests are ignored, and answers have none; in files they are slips.
    ...(use !== 'request' ? { additionalProperties: false } : {}),
  };
}

/** The fields that the services document. */
export const documented = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, { only }]) => only !== 'scenario'));

/** What it means, and what no keyword says of what is allowed. */
function described(row: Field, use: Use): JsonSchema {
  const unit = 'unit' in row && row.unit !== undefined ? UNITS[row.unit].sentence : undefined;
  const rule = row.allowed === undefined ? undefined : `Allowed: ${allowedOf(row)}.`;
  const isMany = row.type === 'list' || row.type === 'map';
  const isLong = isMany && row.most > MOST_DRAWN[use] && row.most < ANY_NUMBER;
  const most = isLong && `At most ${row.most} entries.`;
  const description = [row.is, unit && `Unit: ${unit}.`, rule, most].filter(Boolean).join(' ');
  return { description, ...(row.default === undefined ? {} : { default: row.default }) };
}

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
