/**
 * Requests as an operator sees them: what each of them was and what it was answered goes to the
 * log, and what the documented operations were asked to their counters. START HERE.
 */

import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BODY_BYTES, type KeptBody, type RequestEntry } from '../../host/watching/request-log.ts';
import type { Watch } from '../../host/watching/watch.ts';
import { pathOf } from '../answering.ts';
import type { Served } from '../served.ts';
import { REDACTED, redactedJson, redactedUrl, type Secrets } from './redaction.ts';

/**
 * To be called after all else that changes an answer on its way out: what a client gets is what is
 * kept. Bodies that stream are counted while they do.
 */
export function watchRequests(
  app: FastifyInstance,
  { log }: Pick<Watch, 'log'>,
  served: Pick<Served, 'simTime'>,
): void {
  const streaming = new WeakMap<FastifyRequest, RequestEntry>();
  app.addHook('onSend', (request, reply, payload, done) => {
    const { watched } = request.routeOptions.config;
    const isClosed = reply.raw.destroyed;
    if (watched?.method === request.method) {
      watched.tally?.count(isClosed ? undefined : reply.statusCode);
    }
    if (isLogged(request.url)) {
      const entry = log.add(entryOf(request, reply, payload, served.simTime));
      if (isStream(payload)) {
        streaming.set(request, entry);
        payload.on('data', ({ length }: Buffer) => {
          entry.answer.bytes += length;
        });
      }
    }
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const entry = streaming.get(request);
    if (entry !== undefined) entry.wall_ms = reply.elapsedTime;
    done();
  });
}

/** Who looks at the log does not fill it. */
const NOT_LOGGED: ReadonlySet<string> = new Set(['/sim/v1/requests', '/sim/v1/events']);

const isLogged = (url: string): boolean =>
  !url.startsWith('/sim/v1/') || !NOT_LOGGED.has(pathOf(url));

function entryOf(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  at: string,
): Omit<RequestEntry, 'id'> {
  const { method, url, identity } = request;
  return {
    at,
    wall_ms: reply.elapsedTime,
    method,
    path: redactedUrl(url),
    operation: request.routeOptions.config.watched?.kind ?? null,
    subscriber: identity?.subscriber ?? null,
    client_id: identity?.clientId ?? null,
    status: reply.raw.destroyed ? null : reply.statusCode,
    request: keptRequest(request),
    answer: keptAnswer(request, reply, payload),
  };
}

// ── bodies ───────────────────────────────────────────────────────────────────────────────────────

const EMPTY: KeptBody = { bytes: 0, text: '', cut: false };

const bySize = (bytes: number): KeptBody => ({ bytes, text: null, cut: false });

const redacted = (bytes: number): KeptBody => ({ bytes, text: REDACTED, cut: false });

/** Tokens, passwords and codes are all that there is in bodies of OAuth. */
const isOfOAuth = (url: string): boolean => url.startsWith('/oauth');

function keptRequest({ sent, body, headers, url, routeOptions }: FastifyRequest): KeptBody {
  const bytes = sent?.length ?? Number(headers['content-length'] ?? 0);
  if (isOfOAuth(url)) return redacted(bytes);
  const { watched } = routeOptions.config;
  if (sent === undefined || watched === undefined) return bytes === 0 ? EMPTY : bySize(bytes);
  // What could not be read may hold its secrets anywhere.
  const isRead = body !== undefined && body !== null;
  if (!isRead && watched.given.names.size > 0) return redacted(bytes);
  return keptJson(headOf(sent), bytes, watched.given);
}

const NOTHING: Secrets = { names: new Set(), whole: false };

function keptAnswer(
  { url, routeOptions }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): KeptBody {
  if (payload === undefined || payload === null || payload === '') return EMPTY;
  if (isStream(payload)) return bySize(0);
  const bytes = Buffer.byteLength(payload as string | Uint8Array);
  if (isOfOAuth(url)) return redacted(bytes);
  const isJson = JSON_TYPE.test(String(reply.getHeader('content-type')));
  if (!isJson) return bySize(bytes);
  const isShort = typeof payload === 'string' && bytes <= BODY_BYTES;
  const head = isShort ? payload : headOf(bytesOf(payload as string | Uint8Array));
  return keptJson(head, bytes, routeOptions.config.watched?.answered ?? NOTHING);
}

/** At least as many as are kept. */
const bytesOf = (payload: string | Uint8Array): Buffer =>
  Buffer.from(payload.slice(0, BODY_BYTES) as string);

const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/;

const keptJson = (head: string, bytes: number, secrets: Secrets): KeptBody => ({
  bytes,
  text: redactedJson(head, secrets),
  cut: bytes > BODY_BYTES,
});

/** The first bytes as text, which holds nothing of the rest; one that is cut is left out. */
const headOf = (bytes: Buffer): string =>
  new StringDecoder('utf8').write(bytes.subarray(0, BODY_BYTES));

const isStream = (payload: unknown): payload is Readable =>
  typeof (payload as Readable | undefined)?.pipe === 'function';
