/**
 * Requests as an operator sees them: what each of them was and what it was answered goes to the
 * log, and what the documented operations were asked to their counters. START HERE.
 */

import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BODY_BYTES, type RequestEntry, type StoredBody } from '../../host/watching/request-log.ts';
import type { Watch } from '../../host/watching/watch.ts';
import { pathOf } from '../answering.ts';
import type { Served } from '../served.ts';
import { REDACTED, redactedJson, redactedUrl, type Secrets } from './redaction.ts';

/**
 * To be called after all else that changes an answer on its way out: what a client gets is what is
 * stored. Bodies that stream are counted while they do.
 */
export function watchRequests(
  app: FastifyInstance,
  { log }: Pick<Watch, 'log'>,
  served: Pick<Served, 'simTime'>,
): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { watched, method, url } = request;
    if (watched?.method === method) {
      watched.tally?.count(reply.raw.destroyed ? undefined : reply.statusCode);
    }
    if (isLogged(url)) {
      const entry = entryOf(log.nextId, served.simTime, request, reply, payload);
      log.add(entry);
      if (isStream(payload)) follow(payload, reply, entry);
    }
    done(null, payload);
  });
}

/** Size and time of a stream are known when it is over. */
function follow(stream: Readable, reply: FastifyReply, entry: RequestEntry): void {
  stream.on('data', ({ length }: Buffer) => {
    entry.answer.bytes += length;
  });
  reply.raw.once('close', () => {
    entry.wall_ms = reply.elapsedTime;
  });
}

/** Who looks at the log does not fill it. */
const NOT_LOGGED: ReadonlySet<string> = new Set(['/sim/v1/requests', '/sim/v1/events']);

const isLogged = (url: string): boolean =>
  !url.startsWith('/sim/v1/') || !NOT_LOGGED.has(pathOf(url));

function entryOf(
  id: number,
  at: string,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): RequestEntry {
  const { method, url, identity, watched } = request;
  return {
    id,
    at,
    // Fastify measures it where there is a logger.
    wall_ms: reply.elapsedTime,
    method,
    path: redactedUrl(url),
    operation: watched?.kind ?? null,
    subscriber: identity?.subscriber ?? null,
    client_id: identity?.clientId ?? null,
    status: reply.raw.destroyed ? null : reply.statusCode,
    request: storedRequest(request),
    answer: storedAnswer(request, reply, payload),
  };
}

// ── bodies ───────────────────────────────────────────────────────────────────────────────────────

const EMPTY: StoredBody = { bytes: 0, text: '', cut: false };

const bySize = (bytes: number): StoredBody => ({ bytes, text: null, cut: false });

const redacted = (bytes: number): StoredBody => ({ bytes, text: REDACTED, cut: false });

/** Tokens, passwords and codes are all that there is in bodies of OAuth. */
const isOfOAuth = (url: string): boolean => url.startsWith('/oauth');

function storedRequest({ sent, body, headers, url, watched }: FastifyRequest): StoredBody {
  const bytes = sent?.length ?? Number(headers['content-length'] ?? 0);
  if (isOfOAuth(url)) return redacted(bytes);
  if (sent === undefined || watched === undefined) return bytes === 0 ? EMPTY : bySize(bytes);
  // What could not be read may hold its secrets anywhere.
  const isRead = body !== undefined && body !== null;
  if (!isRead && watched.given.names.size > 0) return redacted(bytes);
  return storedJson(headOf(sent), bytes, watched.given);
}

const NOTHING: Secrets = { names: new Set(), whole: false };

function storedAnswer(
  { url, watched }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): StoredBody {
  if (payload === undefined || payload === null || payload === '') return EMPTY;
  if (isStream(payload)) return bySize(0);
  const bytes = Buffer.byteLength(payload as string | Uint8Array);
  if (isOfOAuth(url)) return redacted(bytes);
  const isJson = JSON_TYPE.test(String(reply.getHeader('content-type')));
  if (!isJson) return bySize(bytes);
  const isShort = typeof payload === 'string' && bytes <= BODY_BYTES;
  const head = isShort ? payload : headOf(bytesOf(payload as string | Uint8Array));
  return storedJson(head, bytes, watched?.answered ?? NOTHING);
}

/** Not fewer than the entries stored. */
const bytesOf = (payload: string | Uint8Array): Buffer =>
  Buffer.from(payload.slice(0, BODY_BYTES) as string);

const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/;

const storedJson = (head: string, bytes: number, secrets: Secrets): StoredBody => ({
  bytes,
  text: redactedJson(head, secrets),
  cut: bytes > BODY_BYTES,
});

/** The first bytes as text, which holds nothing of the rest; one that is cut is left out. */
const headOf = (bytes: Buffer): string =>
  bytes.length <= BODY_BYTES
    ? bytes.toString()
    : new StringDecoder('utf8').write(bytes.subarray(0, BODY_BYTES));

const isStream = (payload: unknown): payload is Readable =>
  typeof (payload as Readable | undefined)?.pipe === 'function';
