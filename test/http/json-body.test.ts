/** JSON bodies: what is read, and what is refused with its place. */

import fc from 'fast-check';
import fastify, { type FastifyInstance } from 'fastify';
import { scan } from 'secure-json-parse';
import { afterAll, describe, expect, it } from 'vitest';
import { acceptJson, bodyRefusal, parseBody, takesBody } from '../../api/http/json-body.ts';
import { faultAt, tooDeepAt } from '../../api/http/json-text.ts';
import { type BodyLimits, BULK_BODIES, ORDINARY_BODY } from '../../api/http/limits.ts';
import { Refusal } from '../../api/http/refusal.ts';

const parse = (body: string | Buffer, limits: BodyLimits = ORDINARY_BODY) =>
  parseBody(typeof body === 'string' ? Buffer.from(body) : body, limits);

const read = (body: string | Buffer, limits?: BodyLimits): unknown => {
  const result = parse(body, limits);
  return result.ok ? result.value : result.failure;
};

/** A failure's message and the place that it points to. */
const complaint = (body: string | Buffer, limits?: BodyLimits): [string, string?] => {
  const result = parse(body, limits);
  if (result.ok) throw new Error('it was read');
  const { code, message, path } = result.failure;
  expect(code).toBe('body.malformed');
  return path === undefined ? [message] : [message, path];
};

const isRead = (body: string | Buffer, limits?: BodyLimits): boolean => parse(body, limits).ok;

describe('a body of JSON', () => {
  it('is read as JSON.parse reads it', () => {
    const bodies = fc.json({ maxDepth: 8 }).filter((text) => !/\\|[_c]/.test(text));
    fc.assert(
      fc.property(bodies, (text) => {
        const numbers = [...text.matchAll(/-?\d[\d.eE+-]*/g)].map(([number]) => Number(number));
        fc.pre(numbers.every((number) => Math.abs(number) <= Number.MAX_SAFE_INTEGER));
        expect(read(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('may be a bare string, number, array, or null', () => {
    expect([`"ab"`, '7', '[1,"2"]', 'null', 'true'].map((text) => read(text))).toEqual([
      'ab',
      7,
      [1, '2'],
      null,
      true,
    ]);
  });

  it('that is empty, or nothing but white space, is an empty object', () => {
    for (const text of ['', ' ', '\r\n\t ', '\ufeff', '\ufeff\n']) expect(read(text)).toEqual({});
  });

  it('may begin with a byte order mark', () => {
    expect(read('\ufeff{"a":1}')).toEqual({ a: 1 });
  });

  it('has the last value of a key that is given twice', () => {
    expect(read('{"a":1,"a":2}')).toEqual({ a: 2 });
  });
});

describe('what is no JSON', () => {
  it.each([
    ['{"a":}', 1, 6, '}'],
    ['{\n  "a": 1,\n}', 3, 1, '}'],
    ['[1,]', 1, 4, ']'],
    ['[1 2]', 1, 4, '2'],
    ['{a:1}', 1, 2, 'a'],
    ["{'a':1}", 1, 2, "'"],
    ['{"a" 1}', 1, 6, '1'],
    ['[01]', 1, 3, '1'],
    ['[.5]', 1, 2, '.'],
    ['[1.]', 1, 4, ']'],
    ['[1e]', 1, 4, ']'],
    ['[+1]', 1, 2, '+'],
    ['[NaN]', 1, 2, 'N'],
    ['[nul]', 1, 5, ']'],
    ['[True]', 1, 2, 'T'],
    ['["\\x"]', 1, 4, 'x'],
    ['["\\u12g4"]', 1, 7, 'g'],
    ['["\n"]', 1, 3, '\\n'],
    ['{"a":1}}', 1, 8, '}'],
    ['{} {}', 1, 4, '{'],
    ['[1}', 1, 3, '}'],
    ['"ä"\u{1f600}', 1, 4, '\u{1f600}'],
    ['// a', 1, 1, '/'],
    ['\u00a0{}', 1, 1, '\u00a0'],
  ])('%j is reported with its place', (text, line, column, character) => {
    expect(complaint(text)).toEqual([
      `The body is no JSON: "${character}" cannot stand at line ${line}, column ${column}.`,
    ]);
  });

  it.each([
    ['{', 1, 2],
    ['[1,\n"a', 2, 3],
    ['-', 1, 2],
    ['{"a":tru', 1, 9],
    ['"\\', 1, 3],
    ['"\\u1', 1, 5],
  ])('%j ends too early', (text, line, column) => {
    const place = `line ${line}, column ${column}`;
    expect(complaint(text)).toEqual([`The body is no JSON: it ends too early, at ${place}.`]);
  });

  /** JSON with a few characters lost, added or changed. */
  const damaged = fc
    .tuple(
      fc.json({ maxDepth: 4 }),
      fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.constantFrom(...'[]{},:"\\-.e0u19tfn \n\0')), {
        maxLength: 3,
      }),
    )
    .map(([json, edits]) =>
      edits.reduce((text, [at, gone, added]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + added + text.slice(place + gone);
      }, json),
    );

  /** Small JSON in which one mark, key or value is lost, or another one. */
  const oneOff = fc
    .tuple(
      fc.jsonValue({ maxDepth: 2, stringUnit: fc.constant('a') }),
      fc.nat(),
      fc.constantFrom('', ...'[]{},:1', '"a"'),
    )
    .map(([value, at, other]) => {
      const tokens = JSON.stringify(value).match(/"\w*"|[\w.+-]+|[[\]{},:]/g)!;
      return tokens.with(at % tokens.length, other).join('');
    });
  const texts = fc.oneof(damaged, oneOff);

  it('is what JSON.parse does not read, and only that', () => {
    fc.assert(
      fc.property(texts, (text) => {
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        expect(faultAt(text) === undefined).toBe(isJson);
      }),
      { numRuns: 10_000 },
    );
  });

  it('is reported at the first place from which no end makes it JSON', () => {
    // What stands before the place can be completed: no shorter beginning has a fault inside.
    fc.assert(
      fc.property(texts, (text) => {
        const at = faultAt(text);
        if (at === undefined) return;
        expect(faultAt(text.slice(0, at)) ?? at).toBe(at);
        if (at < text.length) expect(faultAt(text.slice(0, at + 1))).toBe(at);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('bytes that are not UTF-8', () => {
  const bytes = (...parts: (string | number[])[]): Buffer =>
    Buffer.concat(parts.map((part) => Buffer.from(part as string)));

  it.each([
    ['a lone continuation', bytes('{"a":"', [0x80], '"}'), 7],
    ['an overlong slash', bytes('"', [0xc0, 0xaf], '"'), 2],
    ['a surrogate', bytes('"', [0xed, 0xa0, 0x80], '"'), 3],
    ['beyond Unicode', bytes('"', [0xf4, 0x90, 0x80, 0x80], '"'), 3],
    ['Latin-1', bytes('"caf', [0xe9], '"'), 6],
    ['UTF-16', bytes([0xff, 0xfe, 0x7b, 0x00]), 1],
    ['a character that breaks off', bytes('"', [0xe2, 0x82]), 4],
  ])('%s is reported with its place', (_, body, byte) => {
    expect(complaint(body)).toEqual([`The body is not UTF-8: byte ${byte} cannot stand there.`]);
  });

  it('are refused, and all that is UTF-8 is not', () => {
    const texts = fc.string({ unit: 'binary' });
    fc.assert(fc.property(texts, (text) => isRead(JSON.stringify(text))));
    // Letters, and whatever begins or continues with a character of several bytes.
    const letters = fc
      .uint8Array({ minLength: 1, maxLength: 8 })
      .map((some) => [...some].map((byte) => (byte < 0x60 ? 0x61 : byte)));
    fc.assert(
      fc.property(letters, (inner) => {
        const body = bytes('"', inner, '"');
        expect(isRead(body)).toBe(Buffer.from(body.toString()).equals(body));
      }),
    );
  });
});

describe('the depth', () => {
  const nested = (depth: number, open = '[', close = ']') =>
    open.repeat(depth) + close.repeat(depth);

  it('is 32 at most', () => {
    expect(isRead(nested(32))).toBe(true);
    expect(complaint(`\n${nested(33)}`)).toEqual([
      'The body is too deep at line 2, column 33: objects and arrays are at most 32 deep.',
    ]);
    expect(isRead(`${'{"a":'.repeat(32)}1${'}'.repeat(32)}`)).toBe(true);
    expect(isRead(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`)).toBe(false);
    expect(isRead(`${'[{"a":'.repeat(16)}1${'}]'.repeat(16)}`)).toBe(true);
    expect(isRead(`[${'[{"a":'.repeat(16)}1${'}]'.repeat(16)}]`)).toBe(false);
  });

  it('counts what is open, not what there is, and no brackets in strings', () => {
    expect(isRead(`[${Array(500).fill(nested(31)).join()}]`)).toBe(true);
    expect(isRead(JSON.stringify(Array(100).fill('[[{"\\"[')))).toBe(true);
    expect(isRead(JSON.stringify({ ['[{'.repeat(50)]: '\\' }))).toBe(true);
  });

  it('is that of the value', () => {
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
        : 0;
    const values = fc.jsonValue({ maxDepth: 7, stringUnit: fc.constantFrom(...'[]{}"\\a') });
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 8 }), (value, limit) => {
        const isTooDeep = tooDeepAt(JSON.stringify(value), limit) !== undefined;
        expect(isTooDeep).toBe(depthOf(value) > limit);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is looked at before parsing, however deep', () => {
    expect(complaint('['.repeat(1 << 20))[0]).toMatch(/too deep at line 1, column 33/);
    expect(complaint('{"a":'.repeat(200_000))[0]).toMatch(/too deep at line 1, column 161/);
  });
});

describe('numbers', () => {
  it.each([
    ['9007199254740991', true],
    ['-9007199254740991', true],
    ['9007199254740992', false],
    ['9007199254740993', false],
    ['-9007199254740993', false],
    ['1e999', false],
    ['-1e999', false],
    ['1e15', true],
    ['1e16', false],
    ['1e-999', true],
    ['48.123456789012345678', true],
    ['100000000000000000000000', false],
  ])('%s: %s', (number, isGood) => {
    for (const text of [number, `[${number}]`, `{"a":[1,{"b":${number}}]}`]) {
      expect(isRead(text), text).toBe(isGood);
    }
  });

  it('that are whole are those up to 2^53 − 1, by their digits', () => {
    const near = fc.bigInt({ min: 2n ** 53n - 4n, max: 2n ** 53n + 4n });
    const whole = fc.oneof(near, fc.bigInt({ min: 0n, max: 2n ** 70n }));
    fc.assert(
      fc.property(whole, fc.boolean(), (number, isNegative) => {
        const text = `${isNegative ? '-' : ''}${number}`;
        expect(isRead(`{"a":${text}}`)).toBe(number <= 2n ** 53n - 1n);
      }),
    );
  });

  it('that are not allowed are pointed to', () => {
    expect(complaint('{"a/b":[0,{"~":1e999}]}')).toEqual([
      'Numbers are at most 2^53 − 1.',
      '/a~1b/1/~0',
    ]);
    expect(complaint('1e999')).toEqual(['Numbers are at most 2^53 − 1.', '']);
  });
});

describe('keys that would change prototypes', () => {
  it.each([
    ['{"__proto__":{"a":1}}', '/__proto__'],
    ['{"a":[{"__proto__":null}]}', '/a/0/__proto__'],
    ['{"\\u005f_proto_\\u005F":1}', '/__proto__'],
    ['{"constructor":{"prototype":{}}}', '/constructor'],
    ['{"a":{"\\u0063onstructor":{"prototype":1}}}', '/a/constructor'],
  ])('are refused: %s', (text, path) => {
    expect(complaint(text)).toEqual(['No key is called so.', path]);
  });

  it('are those that secure-json-parse refuses', () => {
    const key = fc.constantFrom(
      '__proto__',
      'constructor',
      'prototype',
      'a',
      '__proto',
      'toString',
    );
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('1', '"__proto__"', 'null', '[]'),
        fc.array(tie('tree'), { maxLength: 3 }).map((items) => `[${items.join()}]`),
        fc
          .array(fc.tuple(key, tie('tree')), { maxLength: 3 })
          .map((all) => `{${all.map(([name, value]) => `"${name}":${value}`).join()}}`),
      ),
    }));
    fc.assert(
      fc.property(tree, (text) => {
        const isSafe = scan([JSON.parse(text)], { safe: true }) !== null;
        expect(isRead(text)).toBe(isSafe);
      }),
      { numRuns: 2_000 },
    );
  });

  it('are no matter as values', () => {
    expect(isRead('{"a":"__proto__","constructor":{"a":"prototype"},"prototype":1}')).toBe(true);
  });

  it('leave the prototype of all objects as it was', () => {
    read('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe('sizes', () => {
  const object = (keys: number) => `{${Array.from({ length: keys }, (_, i) => `"k${i}":0`)}}`;
  const array = (items: number) => `[${Array(items).fill('0').join()}]`;

  it('an object has at most 1 000 keys, an array 10 000 items', () => {
    expect(isRead(object(1_000))).toBe(true);
    expect(complaint(`[${object(1_001)}]`)).toEqual(['Objects have at most 1000 keys.', '/0']);
    expect(isRead(array(10_000))).toBe(true);
    expect(complaint(`{"a":${array(10_001)}}`)).toEqual(['Arrays have at most 10000 items.', '/a']);
  });

  it('a list of members has at most 20 000 items, a map of keys 10 000', () => {
    const { members, keys } = BULK_BODIES;
    expect(isRead(array(20_000), members)).toBe(true);
    expect(isRead(array(20_001), members)).toBe(false);
    expect(isRead(object(10_000), keys)).toBe(true);
    expect(isRead(object(10_001), keys)).toBe(false);
  });
});

describe('over HTTP', () => {
  const app: FastifyInstance = fastify();
  app.setErrorHandler((error, _, reply) => {
    const refusal = error instanceof Refusal ? error : bodyRefusal(error);
    return reply
      .code(refusal?.status ?? 500)
      .headers(refusal?.headers ?? {})
      .send(refusal?.failure ?? { message: `${error}` });
  });
  acceptJson(app);
  app.post('/one', async ({ body }) => ({ body }));
  app.post('/bulk', takesBody(BULK_BODIES.members), async ({ body }) => (body as unknown[]).length);
  app.get('/one', async ({ body }) => ({ body }));
  afterAll(() => app.close());

  const post = (body: string | Buffer, type?: string, more: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url: '/one',
      body,
      headers: { ...more, ...(type !== undefined && { 'content-type': type }) },
    });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/JSON',
    'application/merge-patch+json',
    'application/problem+json; charset=utf-8',
  ])('%s is JSON', async (type) => {
    expect((await post('{"a":1}', type)).json()).toEqual({ body: { a: 1 } });
  });

  it.each(['text/plain', 'application/xml', 'application/jsonish', 'text/json'])(
    '%s is not: 415, but for an empty body',
    async (type) => {
      const answer = await post('{"a":1}', type);
      expect(answer.statusCode).toBe(415);
      expect(answer.json()).toMatchObject({ code: 'body.media-type' });
      expect((await post('', type)).statusCode).toBe(200);
    },
  );

  it('what is no media type at all is 415', async () => {
    expect((await post('{}', 'nonsense')).statusCode).toBe(415);
  });

  it('a body of no type is 415, an empty one is not', async () => {
    const untyped = await app.inject({ method: 'POST', url: '/one', body: Buffer.from('{}') });
    expect(untyped.statusCode).toBe(415);
    expect((await app.inject({ method: 'POST', url: '/one' })).statusCode).toBe(200);
  });

  it('an empty body with the type of JSON is an empty object', async () => {
    expect((await post('', 'application/json')).json()).toEqual({ body: {} });
  });

  it('an encoded body is 415 with the encoding that is taken', async () => {
    for (const encoding of ['gzip', 'br', 'deflate, gzip']) {
      const answer = await post('{}', 'application/json', { 'content-encoding': encoding });
      expect(answer.statusCode).toBe(415);
      expect(answer.json()).toMatchObject({ code: 'body.encoding' });
      expect(answer.headers['accept-encoding']).toBe('identity');
    }
    const plain = await post('{}', 'application/json', { 'content-encoding': 'Identity' });
    expect(plain.statusCode).toBe(200);
  });

  it('a malformed body is 400 with its place', async () => {
    const answer = await post('{"a":\n]', 'application/json');
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({
      code: 'body.malformed',
      message: 'The body is no JSON: "]" cannot stand at line 2, column 1.',
    });
  });

  it('a body with fewer or more bytes than it says is 400', async () => {
    const short = await post('{}', 'application/json', { 'content-length': '3' });
    expect(short.statusCode).toBe(400);
    expect(short.json()).toMatchObject({ code: 'body.malformed' });
  });

  it('a body that is too large is 413', async () => {
    const answer = await post(`"${'a'.repeat(ORDINARY_BODY.bytes)}"`, 'application/json');
    expect(answer.statusCode).toBe(413);
    expect(answer.json()).toMatchObject({ code: 'body.too-large' });
  });

  it('a route of bulk takes more entries than others', async () => {
    const body = JSON.stringify(Array(20_000).fill(0));
    const headers = { 'content-type': 'application/json' };
    const bulk = await app.inject({ method: 'POST', url: '/bulk', body, headers });
    expect(bulk.body).toBe('20000');
    expect((await post(body, 'application/json')).statusCode).toBe(400);
  });

  it('a body of a GET is passed over, whatever it is', async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await app.inject({ method: 'GET', url: '/one', body: '{"a', headers });
    expect(answer.json()).toEqual({});
  });

  it('a path that is not known is 404, whatever the body is', async () => {
    for (const type of ['application/json', 'text/plain']) {
      const headers = { 'content-type': type };
      const answer = await app.inject({ method: 'POST', url: '/none', body: '{"a', headers });
      expect(answer.statusCode).toBe(404);
    }
  });
});
