/** Requests for an operation: right, at its limits, and wrong in every way that is worth a try. */
import fc from 'fast-check';
import type { Operation, Parameter } from './document.ts';
import { type Asked, type FormPart, formOf, NAMES, type Name } from './fleet.ts';
import { namedBy, type Pools } from './pools.ts';
import {
  boundary,
  type Edit,
  edit,
  edited,
  jsonText,
  type Known,
  Raw,
  resolved,
  valid,
  WILD,
} from './values.ts';

/** What is done to a request that is right so far. */
const TWISTS = [
  'none',
  'no-token',
  'bad-token',
  'cut-off',
  'not-utf8',
  'no-json',
  'wrong-type',
  'no-type',
  'odd-type',
  'encoded',
  'empty',
  'too-large',
  'wrong-method',
  'wrong-path',
  'broken-percent',
  'long-segment',
  'long-url',
  'query-twice',
  'odd-query',
  'many-headers',
] as const;
type Twist = (typeof TWISTS)[number];

export interface Case {
  readonly operation: Operation;
  readonly as: Name;
  readonly style: 'valid' | 'boundary' | 'mutated' | 'twisted';
  readonly params: readonly unknown[];
  readonly body: unknown;
  readonly edits: readonly Edit[];
  readonly twist: Twist;
  readonly nth: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Characters that mean something to somebody, or nothing to anybody. */
const ODD = [
  ...'aZ09 .,;:/\\%&=?#+~{}[]"\'<>\n\r\t\0\u007f\u0085\u202e\u2028\ufeffß😀',
  '\ud800',
  '\udfff',
];

const oddText = (maxLength: number) => fc.string({ unit: fc.constantFrom(...ODD), maxLength });

const NONE = fc.constant(undefined);

const created = new Map<string, fc.Arbitrary<Case>>();

/** Cases of an operation, a quarter of each style. */
export function casesOf(operation: Operation): fc.Arbitrary<Case> {
  const cases = created.get(operation.id) ?? makeCases(operation);
  created.set(operation.id, cases);
  return cases;
}

function makeCases(operation: Operation): fc.Arbitrary<Case> {
  const of = (style: Case['style']): fc.Arbitrary<Case> => {
    const value = style === 'boundary' ? boundary : valid;
    const params = operation.params.map((each) => paramOf(operation.path, each, style, value));
    return fc.record({
      operation: fc.constant(operation),
      as: fc.constantFrom(...NAMES),
      style: fc.constant(style),
      params: fc.tuple(...params),
      body: operation.body === undefined ? NONE : value(operation.body.schema),
      edits: style === 'mutated' ? fc.array(edit, { minLength: 1, maxLength: 3 }) : fc.constant([]),
      twist: style === 'twisted' ? fc.constantFrom(...TWISTS) : fc.constant('none' as const),
      nth: fc.nat(),
      text: oddText(20),
      headers: headersOf,
    });
  };
  return fc.oneof(of('valid'), of('boundary'), of('mutated'), of('twisted'));
}

function paramOf(
  path: string,
  { name, required, schema }: Parameter,
  style: Case['style'],
  value: typeof valid,
): fc.Arbitrary<unknown> {
  const right = value(schema, namedBy(path, name));
  const wild = fc.oneof(fc.constantFrom(...WILD), oddText(300));
  const weighted = style === 'mutated' ? fc.oneof(right, wild) : right;
  return required ? weighted : fc.option(weighted, { nil: undefined });
}

const HEADERS: readonly (readonly [string, string])[] = [
  ...['*/*', 'application/problem+json', 'application/problem+json', 'text/html', '', 'q=;;'].map(
    (value) => ['accept', value] as const,
  ),
  ...['respond-async', 'respond-async, wait=10', 'wait=-1', ''].map(
    (value) => ['prefer', value] as const,
  ),
  ...['a', 'c'.repeat(255), 'd'.repeat(256), 'e f', 'ß', ''].map(
    (value) => ['idempotency-key', value] as const,
  ),
  ['x-unknown', 'f'.repeat(4_000)],
  ['expect', '100-continue'],
  ['origin', 'https://evil.example'],
];

const headersOf = fc
  .subarray(HEADERS as [string, string][], { maxLength: 3 })
  .map((headers) => Object.fromEntries(headers));

/** A case as it is sent; `body`: its value if it is JSON that was not twisted. */
export interface Request extends Asked {
  readonly body?: unknown;
}

export function requestOf(given: Case, pools: Pools, token: string): Request {
  const { operation, nth } = given;
  const pick = (known: Known) => pools.pick(given.as, known, nth);
  const params = operation.params.map((param, i) => [param, resolved(given.params[i], pick)]);
  const path = pathOf(operation.path, params as never);
  const query = queryOf(params as never);
  const url = query === '' ? path : `${path}?${query}`;
  const headers = { ...given.headers, authorization: `Bearer ${token}` };
  const base = { method: operation.method, url, headers };
  return twisted(given, withBody(given, base, pick));
}

function withBody(given: Case, base: Asked, pick: (known: Known) => unknown): Request {
  const { body } = given.operation;
  if (body === undefined) {
    // A body that nobody asked for is passed over, or has to be right in itself.
    if (given.nth % 4 > 0) return base;
    const headers = { ...base.headers, 'content-type': 'application/json' };
    return { ...base, headers, payload: Buffer.from(given.nth % 8 > 0 ? '{}' : '') };
  }
  const right = resolved(given.body, pick);
  if (body.media.startsWith('multipart/')) return withForm(given, base, right);
  const value = given.edits.reduce(edited, right);
  const text = jsonText(value);
  const headers = { ...base.headers, 'content-type': 'application/json' };
  return { ...base, headers, payload: Buffer.from(text), body: read(text) };
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// ── paths and queries ────────────────────────────────────────────────────────────────────────────

const asText = (value: unknown): string =>
  value instanceof Raw
    ? value.text.slice(0, 300)
    : typeof value === 'string'
      ? value
      : (JSON.stringify(value) ?? 'undefined');

/** With replacement characters for unpaired surrogates. */
const wellFormed = (text: string): string => Buffer.from(text).toString();

const encoded = (value: unknown): string => encodeURIComponent(wellFormed(asText(value)));

type Params = readonly (readonly [Parameter, unknown])[];

function pathOf(path: string, params: Params): string {
  const byName = new Map(params.map(([{ name }, value]) => [name, value]));
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => inPath(byName.get(name)));
}

/** Dots alone would be taken out of the path by the client. */
const inPath = (value: unknown): string => encoded(value).replace(/^\.{1,2}$/, 'dot');

function queryOf(params: Params): string {
  return params
    .filter(([param, value]) => param.in === 'query' && value !== undefined)
    .flatMap(([{ name }, value]) => {
      const values = Array.isArray(value) ? (value as unknown[]) : [value];
      if (values.length % 2 > 0) return values.map((each) => `${name}=${encoded(each)}`);
      return [`${name}=${values.map(encoded).join(',')}`];
    })
    .join('&');
}

// ── twists ───────────────────────────────────────────────────────────────────────────────────────

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function twisted(given: Case, request: Request): Request {
  const { twist } = given;
  if (twist === 'none') return request;
  const { body: _, ...stored } = request;
  return {
    ...stored,
    ...(HEAD_TWISTS[twist]?.(stored, given) ?? BODY_TWISTS[twist]?.(stored, given)),
  };
}

type Twists = Partial<Record<Twist, (request: Asked, given: Case) => Partial<Asked>>>;

const HEAD_TWISTS: Twists = {
  'no-token': ({ headers: { authorization: _, ...headers } }) => ({ headers }),
  'bad-token': ({ headers }, { nth }) => ({
    headers: {
      ...headers,
      authorization: ['Bearer', 'Bearer a.b.c', `Basic ${'a'.repeat(9)}`, 'Bearer  x', ''][
        nth % 5
      ]!,
    },
  }),
  'wrong-method': (_, { nth }) => ({ method: METHODS[nth % METHODS.length]! }),
  'wrong-path': ({ url }, { nth }) => ({
    url: [`${url}/more`, `${url}/`, url.toUpperCase(), `/api/latest${url}`, url.slice(0, -2)][
      nth % 5
    ]!,
  }),
  'broken-percent': ({ url }, { nth }) => ({
    url: `${url}${['%', '%zz', '%C3', '%00', '%2e%2e', '%2F', '%ED%A0%80', '%252e'][nth % 8]}`,
  }),
  'long-segment': ({ url }) => ({ url: `${url}${'a'.repeat(200)}` }),
  'long-url': ({ url }) => ({
    url: `${url}${url.includes('?') ? '&' : '?'}a=${'a'.repeat(70_000)}`,
  }),
  'query-twice': ({ url }) => ({ url: url.includes('?') ? `${url}&${url.split('?')[1]}` : url }),
  'odd-query': ({ url }, { nth, text, operation }) => {
    const name = operation.params.find((each) => each.in === 'query')?.name ?? 'a';
    const odd = ['%', '&&&', `${name}`, `${name}=`, `${name}=%ff`, `${name}[]=1`, `__proto__=1`];
    const all = [...odd, `${name}=,,,`, encodeURIComponent(wellFormed(text))];
    return { url: `${url.split('?')[0]}?${all[nth % all.length]}` };
  },
  'many-headers': ({ headers }) => ({
    headers: {
      ...headers,
      ...Object.fromEntries(Array.from({ length: 70 }, (_, i) => [`x-${i}`, '1'])),
    },
  }),
};

const typed = ({ headers }: Asked, type: string) => ({ ...headers, 'content-type': type });
const JSON_TYPE = 'application/json';

const BODY_TWISTS: Twists = {
  'cut-off': ({ payload = Buffer.from('{}') }, { nth }) => ({
    payload: payload.subarray(0, nth % Math.max(1, payload.length)),
  }),
  'not-utf8': (request, { nth }) => ({
    headers: typed(request, JSON_TYPE),
    payload: Buffer.from([0x22, [0xff, 0xc3, 0xed, 0xc0][nth % 4]!, [0xa0, 0x22][nth % 2]!, 0x22]),
  }),
  'no-json': (request, { nth, text }) => ({
    headers: typed(request, JSON_TYPE),
    payload: Buffer.from(
      [text, '{"a":1,}', "{'a':1}", '{a:1}', '[1', '"', 'tru', '{} {}'][nth % 8]!,
    ),
  }),
  'wrong-type': (request, { nth }) => ({
    headers: typed(request, ['text/plain', 'application/xml', 'image/png'][nth % 3]!),
    payload: request.payload ?? Buffer.from('{}'),
  }),
  'no-type': ({ headers: { 'content-type': _, ...headers }, payload }) => ({
    headers,
    payload: payload ?? Buffer.from('{}'),
  }),
  'odd-type': (request, { nth }) => ({
    headers: typed(request, ODD_TYPES[nth % ODD_TYPES.length]!),
    payload: request.payload ?? Buffer.from('{}'),
  }),
  encoded: (request, { nth }) => ({
    headers: { ...request.headers, 'content-encoding': ['gzip', 'br', 'identity', ''][nth % 4]! },
    payload: request.payload ?? Buffer.from('{}'),
  }),
  empty: (request) => ({ headers: typed(request, JSON_TYPE), payload: Buffer.alloc(0) }),
  // The largest are few: one of 16 MiB takes as long as a thousand others.
  'too-large': (request, { nth }) => ({
    headers: typed(request, JSON_TYPE),
    payload: Buffer.alloc(nth % 16 === 0 ? 16 * 2 ** 20 + 1 : 2 ** 20 + 1, 0x20),
  }),
};

const ODD_TYPES = [
  'application/json; charset=utf-16',
  'application/merge-patch+json',
  'APPLICATION/JSON',
  'application/json;',
  'application/',
  ';',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'application/x-www-form-urlencoded',
];

// ── multipart ────────────────────────────────────────────────────────────────────────────────────

const FILE_NAMES = [
  '../../etc/passwd.bin',
  '..bin',
  '.bin',
  'a\u202eb.bin',
  'CON.bin',
  'a b.bin',
  `${'n'.repeat(96)}.bin`,
  `${'n'.repeat(97)}.bin`,
  'ä.bin',
  'a.exe',
  '',
  '%252e.bin',
  'a\u0000.bin',
  'a;b.bin',
];

function withForm(given: Case, base: Asked, value: unknown): Request {
  const { nth, style, text, edits } = given;
  const fields = (value ?? {}) as Readonly<Record<string, unknown>>;
  const names = style === 'valid' ? [`image-${nth % 50}.bin`] : FILE_NAMES;
  const bytes = style === 'boundary' && nth % 40 === 0 ? SIZES[nth % SIZES.length]! : nth % 700;
  const file = { name: 'image', fileName: names[nth % names.length]!, bytes: filled(bytes, nth) };
  const others = Object.entries(fields)
    .filter(([name]) => name !== 'image')
    .flatMap(([name, each]) =>
      [each].flat().map((one) => ({ name, bytes: Buffer.from(asText(one)) })),
    );
  const parts: FormPart[] = [file, ...others];
  const { type, body } = formOf(edits.reduce((all, each) => editedForm(all, each, text), parts));
  return { ...base, headers: { ...base.headers, 'content-type': type }, payload: body };
}

/** Of the largest image. */
const MIB_4 = 4 * 2 ** 20;
const SIZES = [0, 1, MIB_4, MIB_4 + 1];

const filled = (size: number, nth: number): Buffer => Buffer.alloc(size, nth % 256);

function editedForm(parts: FormPart[], { at, wild }: Edit, text: string): FormPart[] {
  const many = (count: number, size = 1) =>
    Array.from({ length: count }, (_, i) => ({ name: `f${i}`, bytes: filled(size, i) }));
  const ways: (() => FormPart[])[] = [
    () => parts.slice(1),
    () => [...parts, ...parts],
    () => [],
    () => [...parts, ...many(11)],
    () => [...parts, ...many(9)],
    () => [...parts, ...many(1, 64 * 1024 + 1)],
    () => [...parts, { name: 'tags', bytes: Buffer.from(asText(wild)) }],
    () => [...parts, { name: 'tags', bytes: Buffer.from(`[${asText(wild)}]`) }],
    () => [...parts, { name: '__proto__', bytes: Buffer.from('a') }],
    () => [...parts, { name: 'bytes', bytes: Buffer.from('a') }],
    () => [...parts, { name: 'name', bytes: Buffer.from('other.bin') }],
    () => [...parts, { name: 'by', bytes: Buffer.from('bob') }],
    () => [...parts, { name: 'kind', bytes: Buffer.from('image.delete') }],
    () => [...parts, { name: text.replaceAll(/["\r\n]/g, ''), bytes: Buffer.from(text) }],
    () => parts.map(({ name, bytes }) => ({ name, bytes })),
    () => parts.map(({ fileName: _, ...part }) => ({ ...part, fileName: 'b.bin' })),
    () => [{ name: 'other', fileName: 'a.bin', bytes: filled(10, 1) }, ...parts],
    () => [{ ...parts[0]!, name: 'image"; x="', fileName: 'a.bin' }],
  ];
  return parts.length === 0 ? parts : ways[at % ways.length]!();
}
