/** What the documentation says of a route: the schema that OpenAPI and the serialiser derive from. */
import { STATUS_CODES } from 'node:http';
import { ERROR_SCHEMAS, type ErrorShape, STATUS } from './errors.ts';
import { documented, type JsonSchema, kindSchema, recordSchema, schemaOf } from './json-schema.ts';
import type { Binding, Offered, Route } from './route.ts';

/** Statuses that every operation may have, whatever it does. */
const EVERYWHERE = [400, 401, 403, 429, 500, 503] as const;
/** Those of an operation that needs no token. */
const OPEN = [400, 429, 500] as const;

export interface RouteSchema {
  readonly [part: string]: unknown;
  readonly response: Readonly<Record<number, JsonSchema>>;
}

export const successOf = ({ status }: Route, { answers }: Offered): number =>
  status ?? (answers === null ? 204 : 200);

/** A route's schema as fastify and @fastify/swagger take it. */
export function routeSchema(
  route: Route,
  offered: Offered,
  binding: Binding,
  errors: ErrorShape,
): RouteSchema {
  return {
    operationId: route.kind,
    summary: offered.is,
    tags: [offered.resource],
    ...(offered.needs === null ? { security: [] } : {}),
    ...paramsOf(offered, binding),
    ...queryOf(binding),
    ...bodyOf(route, offered, binding),
    response: responsesOf(route, offered, errors),
  };
}

function paramsOf({ takes }: Offered, { params }: Binding) {
  if (params.size === 0) return {};
  const rows = [...params].map(([shown, name]) => [shown, schemaOf(takes[name]!, 'request')]);
  const properties = Object.fromEntries(rows);
  return { params: { type: 'object', properties, required: [...params.keys()] } };
}

function queryOf({ query }: Binding) {
  if (Object.keys(query).length === 0) return {};
  return { querystring: recordSchema(query, 'request') };
}

function bodyOf({ upload }: Route, { takes }: Offered, { body }: Binding) {
  if (body === undefined) return {};
  if (body.whole !== undefined) return { body: schemaOf(body.row, 'request') };
  if (upload === undefined) return { body: recordSchema(body.fields, 'request') };
  const { [upload.name]: _name, [upload.bytes]: file, ...others } = documented(takes);
  const parts = recordSchema(others, 'request') as { properties: object };
  const properties = { [upload.part]: schemaOf(file!, 'request'), ...parts.properties };
  return {
    consumes: ['multipart/form-data'],
    body: { ...parts, properties, required: [upload.part] },
  };
}

function responsesOf(route: Route, offered: Offered, errors: ErrorShape) {
  const { answers, meanwhile, fails, needs } = offered;
  const named = fails.map((one) => STATUS[one]);
  const refused = [...new Set([...(needs === null ? OPEN : EVERYWHERE), ...named])].sort();
  const success = { [successOf(route, offered)]: answered(answers, offered.is) };
  const soFar = meanwhile && { 202: answered(meanwhile, 'It is still being made.') };
  const error = (status: number) => ({
    description: STATUS_CODES[status],
    $ref: `${ERROR_SCHEMAS[errors].$id}#`,
  });
  return {
    ...success,
    ...soFar,
    ...Object.fromEntries(refused.map((status) => [status, error(status)])),
  } as RouteSchema['response'];
}

const answered = (answers: Offered['answers'], is: string): JsonSchema =>
  answers === null
    ? { description: is, type: 'null' }
    : { description: is, ...kindSchema(answers, 'answer') };
