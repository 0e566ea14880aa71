/** What faults of the API do to the requests that they strike. */
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fail } from '../../../sim/base/result.ts';
import type {
  ApiFaults,
  FaultRequest,
  FaultRule,
  Strikes,
} from '../../host/watching/api-faults.ts';
import { pathOf, refusalText } from '../answering.ts';
import { rateLimitHeaders } from '../auth/limits.ts';
import { oauthBody } from '../auth/oauth-refusal.ts';
import { Refusal } from '../refusal.ts';
import type { Served } from '../served.ts';

/**
 * To be called after what remembers answers, which is to remember the true ones, and before what
 * notes what a client gets. Faults strike where a handler would be asked: who may not ask is
 * refused as ever.
 */
export function strikeRequests(app: FastifyInstance, faults: ApiFaults, served: Served): void {
  const struck = new WeakMap<FastifyRequest, Strikes>();
  app.addHook('preHandler', (request, reply, done) => {
    if (faults.isEmpty) return done();
    served.catchUp();
    const strikes = faults.strike(faultRequestOf(request, served.nowUs));
    if (strikes === undefined) return done();
    struck.set(request, strikes);
    const isBefore = strikes.rule !== undefined && strikes.rule.asked.when !== 'after';
    inSomeMs(strikes.beforeMs, () => void (isBefore ? reply.send('') : done()));
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const strikes = struck.get(request);
    if (strikes === undefined) return done(null, payload);
    const { rule, afterMs } = strikes;
    const response = rule === undefined ? payload : failed(rule, reply, payload as Payload);
    inSomeMs(afterMs, () => done(null, response));
  });
}

/** What goes out, as the hooks of fastify have it. */
type Payload = string | Uint8Array | Readable | null | undefined;

function faultRequestOf({ method, url, watched }: FastifyRequest, nowUs: number): FaultRequest {
  const path = pathOf(url);
  return { method, path, documented: watched?.paths ?? [path], operation: watched?.kind, nowUs };
}

/** At once where there is nothing to wait for. A wait keeps no process alive. */
function inSomeMs(ms: number, act: () => void): void {
  if (ms === 0) act();
  else setTimeout(act, ms).unref();
}

// ── kinds of faults ──────────────────────────────────────────────────────────────────────────────

/** What goes out instead. */
function failed(rule: FaultRule, reply: FastifyReply, payload: Payload): Payload {
  const { status, broken_body } = rule.asked;
  if (status !== undefined) return refused(rule, status, reply, payload);
  if (broken_body === true) return broken(rule, reply, payload);
  drop(payload);
  reply.raw.destroy();
  return '';
}

/** Headers that every answer has; the others tell of what came of the operation. */
const OF_EVERY_ANSWER: ReadonlySet<string> = new Set([
  'x-sim-time',
  'date',
  'x-content-type-options',
  'cache-control',
]);

/** 429 and 503 tell when to come again. */
const COME_AGAIN: Readonly<Record<number, number>> = { 429: 1, 503: 1 };

function refused(
  { id, asked }: FaultRule,
  status: number,
  reply: FastifyReply,
  payload: Payload,
): string {
  drop(payload);
  for (const name of Object.keys(reply.getHeaders())) {
    if (!OF_EVERY_ANSWER.has(name)) reply.removeHeader(name);
  }
  const retryAfter = asked.retry_after ?? COME_AGAIN[status];
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  if (status === 429) reply.headers(rateLimitHeaders(1, retryAfter ?? 1));
  const { failure } = fail('apiFault.struck', `The fault ${id} has this request fail.`);
  const { type, text } = wordsOf(reply.request, new Refusal(status, failure));
  reply.code(status).header('content-type', `${type}; charset=utf-8`);
  return text;
}

const wordsOf = (request: FastifyRequest, refusal: Refusal) =>
  request.url.startsWith('/oauth')
    ? { type: 'application/json', text: JSON.stringify(oauthBody(refusal)) }
    : refusalText(request, refusal);

/** The beginning of what has none. */
const BEGUN = '{"';

/** Half of the body; a status that has none, such as 204, has none still. */
function broken({ asked }: FaultRule, reply: FastifyReply, payload: Payload): Payload {
  const isBody = typeof payload === 'string' || payload instanceof Uint8Array;
  reply.removeHeader('content-length');
  if (asked.when === 'after' && isBody) return payload.slice(0, Math.ceil(payload.length / 2));
  drop(payload);
  const success = reply.request.watched?.success ?? 200;
  if (asked.when !== 'after') reply.code(success === 204 ? 200 : success);
  reply.header('content-type', 'application/json; charset=utf-8');
  return BEGUN;
}

/** Nobody reads a stream whose answer is another one. */
function drop(payload: Payload): void {
  if (typeof (payload as Readable | undefined)?.destroy === 'function') {
    (payload as Readable).destroy();
  }
}
