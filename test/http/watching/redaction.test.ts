/** What is secret of bodies and queries: by the rows of operations, and by name. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactedJson, redactedUrl, secretsOf } from '../../../api/http/watching/redaction.ts';
import type { Kind } from '../../../sim/base/rows/fields.ts';

const NONE = { names: new Set<string>(), whole: false };

const secret = { type: 'text', secret: true, is: 'A secret.' } as const;
const KIND: Kind = {
  type: 'record',
  fields: {
    Pin: secret,
    plain: { type: 'text', is: 'No secret.' },
    all: { type: 'list', of: secret, most: 3, is: 'Secrets.' },
    by: { type: 'map', keys: { type: 'text' }, of: secret, most: 3, is: 'Secrets by name.' },
    within: { type: 'list', of: { type: 'record', fields: { deep: secret } }, most: 3, is: '.' },
  },
};

describe('the secrets of a kind', () => {
  it('have the names of their fields, in lower case, however deep', () => {
    expect(secretsOf(KIND)).toEqual({ names: new Set(['pin', 'all', 'by', 'deep']), whole: false });
  });

  it('are the whole body where they have no names', () => {
    const { whole } = secretsOf({ type: 'list', of: secret, most: 3 });
    expect(whole).toBe(true);
    expect(redactedJson('["a"]', { names: new Set(), whole })).toBe('[redacted]');
  });
});

describe('JSON text', () => {
  it.each([
    ['{"pin": "1234", "plain": "1234"}', '{"pin": "[redacted]", "plain": "1234"}'],
    ['{"PIN":1234}', '{"PIN":"[redacted]"}'],
    ['{"by":{"a":"}","b":["]"]},"c":1}', '{"by":"[redacted]","c":1}'],
    [
      '{"all":["a","b"],"d":[{"deep" : null}]}',
      '{"all":"[redacted]","d":[{"deep" : "[redacted]"}]}',
    ],
    ['{"plain":"\\"pin\\": 7","AppKey":"x"}', '{"plain":"\\"pin\\": 7","AppKey":"[redacted]"}'],
    ['{"p\\u0069n":"x"}', '{"p\\u0069n":"[redacted]"}'],
    ['{"client_secret":"abc', '{"client_secret":"[redacted]"'],
    ['{"client_secret":"abc\\', '{"client_secret":"[redacted]"'],
    ['{"by":{"a":"x"', '{"by":"[redacted]"'],
    ['{"pi', '{"pi'],
    ['{"keygen_type":"vendor"}', '{"keygen_type":"vendor"}'],
  ])('%s', (text, expected) => {
    expect(redactedJson(text, secretsOf(KIND))).toBe(expected);
  });

  it('shows nothing of a secret wherever it is cut off', () => {
    const names = fc.constantFrom('pin', 'Deep', 'password', 'AppSKey', 'refresh_token');
    const canary = 'Canary\\"}];,:';
    const leaf = fc.oneof(fc.constant(canary), fc.constant([canary]), fc.constant({ a: canary }));
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        fc.string({ unit: fc.constantFrom(...'ab"\\{}[]:,\n') }),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(names, leaf, { maxKeys: 2 }),
        fc.record({ plain: tie('tree'), more: tie('tree') }),
      ),
    }));
    fc.assert(
      fc.property(tree, fc.nat(), fc.boolean(), (value, cut, isPretty) => {
        const text = JSON.stringify(value, null, isPretty ? 1 : undefined);
        const stored = redactedJson(text.slice(0, cut % (text.length + 1)), secretsOf(KIND));
        expect(stored).not.toContain('Ca');
        const whole = redactedJson(text, secretsOf(KIND));
        expect(() => JSON.parse(whole)).not.toThrow();
        if (!text.includes('Canary')) expect(whole).toBe(text);
      }),
    );
  });
});

describe('a query', () => {
  it.each([
    ['/a?token=x&b=c', '/a?token=[redacted]&b=c'],
    ['/a?b=token', '/a?b=token'],
    ['/a?%74oken=x', '/a?%74oken=[redacted]'],
    ['/a?%=1&password', '/a?%=1&password=[redacted]'],
    ['/token/a', '/token/a'],
  ])('%s', (url, expected) => {
    expect(redactedUrl(url)).toBe(expected);
  });

  it('of no secret stays as it is, and so does a body', () => {
    expect(redactedJson('{"name":"a"}', NONE)).toBe('{"name":"a"}');
  });
});
