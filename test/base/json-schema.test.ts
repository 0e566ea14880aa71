/** JSON Schema of rows, by kind and by what the schema is for. */
import { describe, expect, it } from 'vitest';
import { ANY_NUMBER, type Field, type Kind } from '../../sim/base/rows/fields.ts';
import { kindSchema, recordSchema, schemaOf } from '../../sim/base/rows/json-schema.ts';

const FLAG = { type: 'flag' } as const;
const list = (more: object): Kind => ({ type: 'list', of: FLAG, ...more }) as Kind;
const map = (most: number): Kind =>
  ({ type: 'map', keys: { type: 'text', least: 1, most: 3 }, of: FLAG, most }) as Kind;

describe('the schema of a kind', () => {
  it.each<[string, Kind, object]>([
    ['a flag', FLAG, { type: 'boolean' }],
    ['a number', { type: 'number', least: 0, most: 9 }, { type: 'number', minimum: 0, maximum: 9 }],
    [
      'a whole',
      { type: 'whole', least: -1, most: 9 },
      { type: 'integer', minimum: -1, maximum: 9 },
    ],
    ['a choice', { type: 'choice', words: ['a', 'b'] }, { type: 'string', enum: ['a', 'b'] }],
    ['a text', { type: 'text', least: 0, most: ANY_NUMBER }, { type: 'string' }],
    ['a short text', { type: 'text', least: 0, most: 5 }, { type: 'string', maxLength: 5 }],
    ['a long text', { type: 'text', least: 2, most: ANY_NUMBER }, { type: 'string', minLength: 2 }],
    [
      'a text with a pattern',
      { type: 'text', pattern: /^[a-z]{2}$/, least: 2, most: 2 },
      { type: 'string', minLength: 2, maxLength: 2, pattern: '^[a-z]{2}$' },
    ],
    ['a list', list({ most: 100 }), { type: 'array', items: { type: 'boolean' }, maxItems: 100 }],
    ['a long list', list({ most: 101 }), { type: 'array', items: { type: 'boolean' } }],
    [
      'a list of one or more that differ',
      list({ least: 1, most: 3, unique: true }),
      { type: 'array', items: { type: 'boolean' }, minItems: 1, maxItems: 3, uniqueItems: true },
    ],
    [
      'a map',
      map(100),
      {
        type: 'object',
        propertyNames: { type: 'string', minLength: 1, maxLength: 3 },
        additionalProperties: { type: 'boolean' },
        maxProperties: 100,
      },
    ],
    [
      'a long map',
      map(101),
      {
        type: 'object',
        propertyNames: { type: 'string', minLength: 1, maxLength: 3 },
        additionalProperties: { type: 'boolean' },
      },
    ],
  ])('is that of %s in a request', (_, kind, schema) => {
    expect(kindSchema(kind, 'request')).toEqual(schema);
  });

  it('has no limit of a count that an answer has, and all limits in a file', () => {
    const count: Kind = { type: 'whole', least: 0, most: ANY_NUMBER };
    expect(kindSchema(count, 'answer')).toEqual({ type: 'integer', minimum: 0 });
    expect(kindSchema(count, 'request')).toHaveProperty('maximum', ANY_NUMBER);
    expect(kindSchema({ ...count, most: 5 }, 'answer')).toHaveProperty('maximum', 5);
    expect(kindSchema(list({ most: 101 }), 'file')).toHaveProperty('maxItems', 101);
    expect(kindSchema(list({ most: 101 }), 'answer')).not.toHaveProperty('maxItems');
  });

  it('takes one entry in the place of a list, but never in an answer', () => {
    const orOne = list({ most: 2, orOne: true });
    const many = { type: 'array', items: { type: 'boolean' }, maxItems: 2 };
    expect(kindSchema(orOne, 'request')).toEqual({ anyOf: [{ type: 'boolean' }, many] });
    expect(kindSchema(orOne, 'file')).toEqual({ anyOf: [{ type: 'boolean' }, many] });
    expect(kindSchema(orOne, 'answer')).toEqual(many);
  });
});

describe('the schema of a record', () => {
  const fields = {
    name: { type: 'text', least: 0, most: ANY_NUMBER, required: true, is: 'A name.' },
    share: { type: 'number', least: 0, most: 1, default: 1, is: 'A share.' },
    own: { ...FLAG, only: 'scenario', is: 'Of files.' },
  } as unknown as Record<string, Field>;

  it('names what is required, but not in a change', () => {
    expect(recordSchema(fields, 'request')).toMatchObject({ type: 'object', required: ['name'] });
    expect(recordSchema(fields, 'request', true)).not.toHaveProperty('required');
  });

  it('has what is documented, all of it in a file, and other keys in requests alone', () => {
    const keysOf = (use: 'request' | 'answer' | 'file') =>
      Object.keys(recordSchema(fields, use).properties as object);
    expect([keysOf('request'), keysOf('answer')]).toEqual([
      ['name', 'share'],
      ['name', 'share'],
    ]);
    expect(keysOf('file')).toEqual(['name', 'share', 'own']);
    expect(recordSchema(fields, 'request')).not.toHaveProperty('additionalProperties');
    expect(recordSchema(fields, 'answer')).toHaveProperty('additionalProperties', false);
    expect(recordSchema(fields, 'file')).toHaveProperty('additionalProperties', false);
  });

  it('says what a field is, its default, and that it may be null', () => {
    const { share } = fields as { share: Field };
    expect(schemaOf(share, 'request')).toEqual({
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: 'A share.',
      default: 1,
    });
    expect(schemaOf({ ...share, null: 'absent' } as Field, 'request')).toMatchObject({
      type: ['number', 'null'],
      description: 'A share.',
      default: 1,
    });
  });
});
