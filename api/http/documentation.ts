/** What is documented of a route: the schema that OpenAPI and the serialiser derive from. */
import { STATUS_CODES } from 'node:http';
import type { FailureClasses } from '../../core/kit/failures.ts';
import { permissionFor } from '../../core/rows/permissions.ts';
import {
  documented,
  type JsonSchema,
  kindSchema,
  recordSchema,
  schemaOf,
} from '../../sim/base/rows/json-schema.ts';
import { ERROR_SCHEMAS, type ErrorShape, STATUS } from './errors.ts';
import { BULK_BODIES } from './limits.ts';
import { JSON_LINES } from './list-text.ts';
import { type Binding, isCreation, type Route, type ServedOperation } from './route.ts';

/** Statuses that every operation may have, whatever it does. */
const EVERYWHERE = [400, 401, 403, 414, 429, 500, 503] as const;
/** Those of an operation that any token may ask for. */
const ANY_TOKEN = [400, 401, 414, 429, 500, 503] as const;
/** Those of an operation that needs no token. */
const OPEN = [400, 414, 429, 500] as const;

/** Those of an operation that takes a body: too many bytes, and no JSON or form. */
const OF_BODIES = [413, 415] as const;

export interface RouteSchema {
  readonly [part: string]: unknown;
  readonly response: Readonly<Record<number, JsonSchema>>;
}

export const successOf = ({ status }: Route, { answers }: ServedOperation): number =>
  status ?? (answers === null ? 204 : 200);

/** By operation and route: the operations of the platform are the same objects in every world. */
const builtSchemas = new WeakMap<ServedOperation, WeakMap<Route, RouteSchema>>();

/**
 * A route's schema as fastify and @fastify/swagger take it, built once a process: to build those of
 * all routes takes a third of the time in which a world is put on the network.
 */
export function routeSchema(
  route: Route,
  operations: ServedOperation,
  binding: Binding,
  errors: ErrorShape,
): RouteSchema {
  const ofOperation = builtSchemas.get(operations) ?? new WeakMap<Route, RouteSchema>();
  builtSchemas.set(operations, ofOperation);
  const built = ofOperation.get(route) ?? newSchema(route, operations, binding, errors);
  ofOperation.set(route, built);
  return built;
}

function newSchema(
  route: Route,
  operations: ServedOperation,
  binding: Binding,
  errors: ErrorShape,
): RouteSchema {
  return {
    // An operation has one route that is not deprecated.
    operationId: route.deprecated === undefined ? route.kind : `${route.kind}.deprecated`,
    summary: operations.is,
    description: descriptionOf(route, operations),
    ...(route.deprecated === undefined ? {} : { deprecated: true }),
    tags: [operations.resource],
    ...(operations.needs === null ? { security: [] } : {}),
    ...paramsOf(operations, binding),
    ...queryOf(binding),
    ...bodyOf(route, operations, binding),
    response: responsesOf(route, operations, binding, errors),
  };
}

/** What a caller has to know before the first request, beyond the summary. */
function descriptionOf(route: Route, operations: ServedOperation): string {
  const { lines, upload, bulk, deprecated } = route;
  const { needs, meanwhile } = operations;
  const token =
    needs === null
      ? 'No token is required.'
      : needs.open
        ? 'Any valid token is accepted.'
        : `Permission: \`${permissionFor(needs.object, needs.verb)}\`.`;
  const notes = [
    token,
    upload && `The part \`${upload.part}\` of the form is the file.`,
    bulk && `The body may have ${mostIn(bulk)}.`,
    lines && `With \`Accept: ${JSON_LINES}\` the response is a stream of lines of JSON.`,
    meanwhile && 'While the result is not ready the response is 202.',
    isCreation(route, operations) && 'An `Idempotency-Key` makes it safe to repeat the request.',
    deprecated && `Use \`${deprecated.successor}\` instead.`,
  ];
  return notes.filter(Boolean).join(' ');
}

const mostIn = (bulk: keyof typeof BULK_BODIES): string =>
  bulk === 'keys' ? `${BULK_BODIES.keys.keys} keys` : `lists of ${BULK_BODIES.members.items}`;

function paramsOf({ takes }: ServedOperation, { params }: Binding) {
  if (params.size === 0) return {};
  const rows = [...params].map(([shown, name]) => [shown, schemaOf(takes[name]!, 'request')]);
  const properties = Object.fromEntries(rows);
  return { params: { type: 'object', properties, required: [...params.keys()] } };
}

function queryOf({ query }: Binding) {
  if (Object.keys(query).length === 0) return {};
  return { querystring: recordSchema(query, 'request') };
}

function bodyOf({ upload }: Route, { takes }: ServedOperation, { body }: Binding) {
  if (body === undefined) return {};
  if (body.whole !== undefined) {
    const { row } = body;
    // Its fields say what a record is.
    const isRecord = row.type === 'record' && row.null === undefined;
    return { body: isRecord ? kindSchema(row, 'request') : schemaOf(row, 'request') };
  }
  if (upload === undefined) return { body: recordSchema(body.fields, 'request') };
  const { [upload.name]: _name, [upload.bytes]: file, ...others } = documented(takes);
  const parts = recordSchema(others, 'request') as { properties: object };
  const properties = { [upload.part]: schemaOf(file!, 'request'), ...parts.properties };
  return {
    consumes: ['multipart/form-data'],
    body: { ...parts, properties, required: [upload.part] },
  };
}

function responsesOf(
  route: Route,
  operations: ServedOperation,
  { body }: Binding,
  errors: ErrorShape,
): RouteSchema['response'] {
  const { answers, meanwhile, fails, needs } = operations;
  const codes = codesByStatus(fails);
  if (body !== undefined) for (const status of OF_BODIES) codes.set(status, []);
  if (isCreation(route, operations))
    codes.set(409, [...(codes.get(409) ?? []), '`idempotency.reused`']);
  const general = needs === null ? OPEN : needs.open ? ANY_TOKEN : EVERYWHERE;
  const refused = new Set([...general, ...codes.keys()]);
  const success = { [successOf(route, operations)]: answered(answers, route) };
  const soFar = meanwhile && { 202: answered(meanwhile, route) };
  const error = (status: number) => ({
    description: [STATUS_CODES[status], ...(codes.get(status) ?? [])].join(' '),
    $ref: `${ERROR_SCHEMAS[errors].$id}#`,
  });
  const errorsOf = [...refused].sort().map((status) => [status, error(status)]);
  return { ...success, ...soFar, ...Object.fromEntries(errorsOf) } as RouteSchema['response'];
}

/** The codes of an operation's own refusals, in the order in which it names them. */
function codesByStatus(fails: FailureClasses): Map<number, string[]> {
  const codes = new Map<number, string[]>();
  for (const [code, failure] of Object.entries(fails)) {
    const status = STATUS[failure];
    codes.set(status, [...(codes.get(status) ?? []), `\`${code}\``]);
  }
  return codes;
}

/** What there is to answer, as JSON unless the route says otherwise. */
function answered(answers: ServedOperation['answers'], { media, lines }: Route): JsonSchema {
  if (answers === null) return { description: 'Done.', type: 'null' };
  const schema = kindSchema(answers, 'answer');
  const description = 'Done.';
  if (lines !== undefined) {
    const ofLines = {
      type: 'string',
      description: `Each entry of \`${lines}\` is a line of JSON.`,
    };
    const content = { 'application/json': { schema }, [JSON_LINES]: { schema: ofLines } };
    return { description, content };
  }
  return media === undefined
    ? { description, ...schema }
    : { description, content: { [media]: { schema } } };
}
