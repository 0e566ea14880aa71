/**
 * Commands in JSON Schema, for editors of scenario files: the fields of each kind, made of its rows
 * (core/rows/fields.ts).
 */
import { allowedOf } from '../../core/base/allowed.ts';
import type { Field, Fields, Kind } from '../../core/rows/fields.ts';
import type { Form } from '../language/knob.ts';

/** What a map with `kind` holds beside it, and nothing else: a condition a kind. */
export const commandForms = (rows: ReadonlyMap<string, Fields>): Form => ({
  allOf: [...rows].map(([kind, fields]) => ({
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema (2020-12, §10.2.2).
    then: mapForm(fields),
    if: { properties: { kind: { const: kind } }, required: ['kind'] },
  })),
  // Instead of `additionalProperties`, which does not see what the conditions allow.
  additionalProperties: undefined,
  unevaluatedProperties: false,
});

function mapForm(fields: Fields, partial = false): Form {
  const rows = Object.entries(fields);
  const required = rows.flatMap(([name, row]) => (row.required && !partial ? [name] : []));
  return {
    properties: Object.fromEntries(rows.map(([name, row]) => [name, fieldForm(row)])),
    ...(required.length === 0 ? {} : { required }),
  };
}

function fieldForm(row: Field): Form {
  const form = formOf(row);
  const said = { description: row.is, ...(row.default == null ? {} : { default: row.default }) };
  return row.null === undefined
    ? { ...form, ...said }
    : { anyOf: [form, { type: 'null' }], ...said };
}

function formOf(kind: Kind): Form {
  switch (kind.type) {
    case 'flag':
      return { type: 'boolean' };
    case 'number':
    case 'whole': {
      const { least: minimum, most: maximum } = kind;
      return { type: kind.type === 'whole' ? 'integer' : 'number', minimum, maximum };
    }
    case 'choice':
      return { enum: kind.words };
    case 'bytes':
      return { type: 'string', contentEncoding: 'base64' };
    case 'list': {
      const items = formOf(kind.of);
      const limits = { minItems: kind.least ?? 0, maxItems: kind.most };
      const list = { type: 'array', items, ...limits, ...(kind.unique && { uniqueItems: true }) };
      return kind.orOne ? { anyOf: [items, list] } : list;
    }
    case 'either':
      return { anyOf: kind.kinds.map(formOf) };
    case 'map':
      return { type: 'object', maxProperties: kind.most, additionalProperties: formOf(kind.of) };
    case 'json':
      return { type: 'object' };
    case 'record':
      return {
        type: 'object',
        ...mapForm(kind.fields, kind.partial),
        additionalProperties: false,
      };
    default:
      // Editors show what is allowed in words; the reader says what is wrong.
      return { type: 'string', range: allowedOf(kind) };
  }
}
