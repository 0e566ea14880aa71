/** How an operation is carried out for a request, and how its result becomes an answer. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { finish, joined, oneStep, type Steps } from '../../core/base/in-steps.ts';
import type { Command } from '../../core/command.ts';
import { classOf, type FailureClasses } from '../../core/kit/failures.ts';
import type { Query } from '../../core/query.ts';
import { assert } from '../../sim/base/assert.ts';
import type { Failure, Result } from '../../sim/base/result.ts';
import { TextPieces } from '../host/files/chunked-text.ts';
import type { HostOperation, Underway } from '../host/requests/host-operation.ts';
import { bodyOf, type ErrorShape, PROBLEM_JSON, STATUS } from './errors.ts';
import { familyOf, pathOfOperation } from './families.ts';
import { firstSliceOf, type ListPlaces, streamOf } from './list-stream.ts';
import { documentOf, JSON_LINES, linesOf } from './list-text.ts';
import type { Refusal } from './refusal.ts';
import { locOf, tokensOf } from './requests.ts';
import type { Binding } from './route.ts';
import { type Answer, callerOf, type Served } from './served.ts';

/** What a route knows of itself when a request comes. */
export interface RouteContext {
  readonly kind: string;
  readonly binding: Binding;
  readonly success: number;
  /** All that its operation may refuse with. */
  readonly fails: FailureClasses;
  /** Media type of an answer that is no JSON. */
  readonly media: string | undefined;
  /** The list of an answer that may be had in lines of JSON. */
  readonly lines?: string | undefined;
  /** Throws where an answer that is made in steps is not of its schema; in tests. */
  readonly check?: ((value: unknown) => void) | undefined;
}

type Given = Record<string, unknown>;
/** Carries an operation out and sends what comes of it: at once, or some time. */
export type Carry = (
  given: Given,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply> | undefined;

/** A command or query of the platform, at the instant where the world's clock is. */
export function carryPlatform(served: Served, route: RouteContext, isQuery: boolean): Carry {
  return (given, request, reply) => {
    const asked = askedOf(route, given, request);
    served.catchUp();
    const result = isQuery
      ? served.ask(asked as Query)
      : served.submit(asked as Command, request.claim);
    if (result instanceof Promise) return result.then((answer) => send(reply, route, answer));
    send(reply, route, result);
    return undefined;
  };
}

/** What is asked, and who asks. */
function askedOf({ kind }: RouteContext, given: Given, { identity }: FastifyRequest): object {
  const { subscriber: by, as, permissions } = identity;
  return { ...given, kind, by, ...(as && { as }), ...(permissions && { permissions }) };
}

/**
 * A query whose answer is made in steps: what takes one slice of time is sent as any other answer;
 * what takes longer is written slice by slice, as of the instant at which it was asked for.
 */
export function carryInSteps(served: Served, route: RouteContext, places: ListPlaces): Carry {
  const { lines, check } = route;
  return (given, request, reply) => {
    const { subscriber } = request.identity;
    places.look(subscriber);
    served.catchUp();
    const opened = served.open(askedOf(route, given, request) as Query);
    if (!opened.ok) return void sendFailure(reply, opened.failure, route);
    const steps = check === undefined ? opened.value : checked(opened.value, check);
    const inLines = lines !== undefined && wants(request, JSON_LINES);
    const pieces = inLines ? linesOf(steps, lines) : documentOf(steps);
    reply.code(route.success).type(`${inLines ? JSON_LINES : 'application/json'}; charset=utf-8`);
    const { text, isLast } = firstSliceOf(pieces);
    if (isLast) return void reply.send(text);
    if (request.method === 'HEAD') return void reply.send(Readable.from([]));
    const onEnd = places.take(subscriber);
    reply.send(streamOf(text, pieces, { onEnd, caller: subscriber }));
    return undefined;
  };
}

/** For tests: the whole answer is held to its schema before anything of it is sent. */
function checked(steps: Steps<unknown>, check: (value: unknown) => void): Steps<unknown> {
  const value = finish(steps);
  check(joined(value));
  return oneStep(value);
}

/** An operation of the host, which may take its time. */
export function carryHost(operation: HostOperation, read: Reader, route: RouteContext): Carry {
  return async (given, request, reply) => {
    const asked = read(given);
    if (!asked.ok) return send(reply, route, asked);
    const gone = new AbortController();
    const leave = () => gone.abort();
    reply.raw.once('close', leave);
    const respondAsync = /\brespond-async\b/.test(String(request.headers.prefer ?? ''));
    const { subscriber: by = '', as, permissions } = request.identity ?? {};
    const handled = operation.handle(asked.value as never, {
      by,
      as,
      permissions,
      respondAsync,
      signal: gone.signal,
      claim: request.claim,
    });
    // What is there at once is sent in the caller's turn, too.
    const result = handled instanceof Promise ? await handled : handled;
    reply.raw.off('close', leave);
    return 'lookAt' in result ? sendUnderway(reply, result) : send(reply, route, result);
  };
}

type Reader = (given: Given) => Result<Readonly<Given>>;

function sendUnderway(reply: FastifyReply, { lookAt, value }: Underway): FastifyReply {
  return reply
    .code(202)
    .header('location', reply.server.worldPath + pathOfOperation(lookAt.kind, lookAt.asked))
    .header('preference-applied', 'respond-async')
    .send(value);
}

function send(reply: FastifyReply, route: RouteContext, result: Answer): FastifyReply {
  if (!result.ok) return sendFailure(reply, result.failure, route);
  if (route.media !== undefined) reply.type(`${route.media}; charset=utf-8`);
  if (result.value instanceof Readable) endWith(reply, result.value);
  const status = result.meanwhile ? 202 : route.success;
  if (result.value instanceof TextPieces) {
    if (route.media === undefined) reply.type('application/json; charset=utf-8');
    return sendPieces(reply.code(status), result.value);
  }
  return reply.code(status).send(result.value);
}

/** A text that takes more than one slice is written slice by slice. */
function sendPieces(reply: FastifyReply, { pieces }: TextPieces): FastifyReply {
  const { text, isLast } = firstSliceOf(pieces);
  if (isLast) return reply.send(text);
  const stream = streamOf(text, pieces, { onEnd: () => {}, caller: callerOf(reply.request) });
  endWith(reply, stream);
  return reply.send(stream);
}

/** A stream ends with its answer, also where nobody reads it: HEAD. */
const endWith = (reply: FastifyReply, stream: Readable) =>
  reply.raw.once('close', () => stream.destroy());

// ── refusals ─────────────────────────────────────────────────────────────────────────────────────

/** A failure of an operation, with the status of its class. */
function sendFailure(
  reply: FastifyReply,
  failure: Failure,
  { kind, binding, fails }: RouteContext,
): FastifyReply {
  const { code, path } = failure;
  assert(Object.hasOwn(fails, code), `${kind} declares that it fails with ${code}`);
  return report(reply, STATUS[classOf(failure, fails)], failure, locOf(binding, path));
}

/** A refusal by the HTTP layer. */
export function sendRefusal(reply: FastifyReply, { status, failure, headers }: Refusal) {
  const { path } = failure;
  const loc = path === undefined ? undefined : ['body', ...tokensOf(path)];
  return report(reply.headers(headers), status, failure, loc);
}

function report(
  reply: FastifyReply,
  status: number,
  { code, message }: Failure,
  loc: readonly (string | number)[] | undefined,
): FastifyReply {
  const { type, body } = worded(reply.request, status, { code, message }, loc);
  return reply
    .code(status)
    .header('content-type', `${type}; charset=utf-8`)
    .serializer(JSON.stringify)
    .send(body);
}

/** A refusal in the words of the path's family, or as the caller accepts it. */
function worded(
  request: FastifyRequest,
  status: number,
  { code, message }: Failure,
  loc: readonly (string | number)[] | undefined,
): { readonly type: string; readonly body: object } {
  const path = pathOf(request.url);
  const shape: ErrorShape = wants(request, PROBLEM_JSON)
    ? 'problem'
    : (familyOf(path)?.errors ?? 'problem');
  const instance = request.server.worldPath + path;
  const response = { status, code, message, instance, ...(loc === undefined ? {} : { loc }) };
  const type = shape === 'problem' ? PROBLEM_JSON : 'application/json';
  return { type, body: bodyOf(shape, response) };
}

/** The same as text, for an answer that is on its way out already. */
export function refusalText(request: FastifyRequest, { status, failure }: Refusal) {
  const { type, body } = worded(request, status, failure, undefined);
  return { type, text: JSON.stringify(body) };
}

const wants = ({ headers: { accept = '' } }: FastifyRequest, media: string): boolean =>
  accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((each) => each.trim().toLowerCase());
    return type === media && !parameters.some((each) => /^q=0(\.0*)?$/.test(each));
  });

/** Without its query. */
export const pathOf = (url: string): string => url.split('?', 1)[0]!;
