/**
 * `npm run examples`: chooses an example for each operation of the OpenAPI document from what the
 * tests have asked (FLEETWAVE_EXAMPLES names the folder), and writes them to
 * api/http/generated/examples.ts.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Example } from '../../api/http/example.ts';
import {
  Judge,
  type OpenApi,
  type Operation,
  operationsOf,
  type Schema,
} from '../http/fuzz/document.ts';
import { OPENAPI_FILE } from '../support/openapi.ts';
import type { Exchange } from '../support/recorded-exchanges.ts';

const FILE = 'api/http/generated/examples.ts';

/** Of the JSON text of one example; the smallest is taken where all have more. */
const MOST_CHARACTERS = 200;

const HEAD = `/** Requests that tests sent, and the responses; \`npm run examples\` writes them. */
import type { Example } from '../example.ts';

// biome-ignore format: a line for each operation
export const EXAMPLES: Readonly<Record<string, Example>> = {
`;

const folder = process.env.FLEETWAVE_EXAMPLES ?? 'dist/.examples';
const document = JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')) as OpenApi;
const operations = operationsOf(document);
const judge = new Judge(document);

const exchanges = readdirSync(folder).flatMap((file) =>
  readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Exchange),
);

const patterns = operations
  .map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  }))
  // What has no parameter comes before what has one.
  .sort((a, b) => Number(a.operation.path.includes('{')) - Number(b.operation.path.includes('{')));

const chosen = new Map<string, string>();
const bestOf = new Map<string, number>();
for (const exchange of exchanges) {
  const [path = '', query = ''] = exchange.path.split('?');
  const found = patterns.find(
    ({ operation, pattern }) => operation.method === exchange.method && pattern.test(path),
  );
  if (found === undefined) continue;
  const { operation, pattern } = found;
  const given = new URLSearchParams(query);
  for (const [name, text] of Object.entries(pattern.exec(path)?.groups ?? {})) {
    given.append(name, decodeURIComponent(text));
  }
  const example = exampleOf(operation, exchange, given);
  if (example === undefined) continue;
  const text = JSON.stringify(example);
  const score = scoreOf(example, text);
  if (score <= (bestOf.get(operation.id) ?? Number.NEGATIVE_INFINITY)) continue;
  bestOf.set(operation.id, score);
  chosen.set(operation.id, text);
}

const lines = operations.flatMap(({ id }) => {
  const text = chosen.get(id);
  if (text === undefined) console.log(`no example of ${id}`);
  return text === undefined ? [] : [`  ${JSON.stringify(id)}: ${text},\n`];
});
writeFileSync(FILE, `${HEAD}${lines.join('')}};\n`);

/** An exchange as an example; undefined: shortened it is not of the schemas. */
function exampleOf(
  operation: Operation,
  { status, body, answer }: Exchange,
  given: URLSearchParams,
): Example | undefined {
  const [success] = [...operation.answers.keys()].filter((each) => each < 300);
  if (status !== success) return undefined;
  const params = paramsOf(operation, given);
  if (params === undefined) return undefined;
  const needsBody = operation.body?.media === 'application/json';
  const asked = needsBody ? shortest(body ?? {}, operation.body.schema) : undefined;
  if (needsBody && asked === undefined) return undefined;
  const [medium] = operation.answers.get(status) ?? [];
  const came = medium && shortest(parsedAnswer(answer, medium[0]), medium[1]);
  if (medium !== undefined && came === undefined) return undefined;
  return {
    ...(Object.keys(params).length === 0 ? {} : { params }),
    ...(needsBody ? { body: asked } : {}),
    ...(came === undefined ? {} : { answer: came }),
  };
}

/** Documented parameters by their schemas; undefined: one is missing or of another kind. */
function paramsOf({ params }: Operation, given: URLSearchParams) {
  const rows = params.flatMap(({ name, required, schema }) => {
    const text = given.get(name);
    if (text === null) return required ? [[name, undefined] as const] : [];
    const values = [text, Number(text), text === 'true', given.getAll(name)];
    return [[name, values.find((each) => judge.fault(schema, each) === undefined)] as const];
  });
  return rows.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(rows);
}

/** Of text that is no JSON the beginning. */
function parsedAnswer(text: string, media: string): unknown {
  if (media !== 'application/json') return text.slice(0, MOST_CHARACTERS);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A value of a schema, shortened if it is of the schema then, too; undefined: it is not of it. */
function shortest(value: unknown, schema: Schema): unknown {
  return [shortened(value), value].find((each) => judge.fault(schema, each) === undefined);
}

/** Lists, and maps by EUI or id, have one entry. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const isMap = entries.every(([key]) => /^[0-9A-F]{16}$|^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(key));
  const stored = isMap ? entries.slice(0, 1) : entries;
  return Object.fromEntries(stored.map(([key, each]) => [key, shortened(each)]));
}

/** What says most in few characters. */
function scoreOf(example: Example, text: string): number {
  return text.length > MOST_CHARACTERS ? -text.length : leavesOf(example);
}

function leavesOf(value: unknown): number {
  if (typeof value !== 'object') return 1;
  return value === null
    ? 0
    : Object.values(value).reduce((sum: number, each) => sum + leavesOf(each), 0);
}
