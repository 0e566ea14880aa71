/**
 * Idempotency-Key: a request that makes something may be sent again without making it twice
 * (draft-ietf-httpapi-idempotency-key-header-06).
 *
 * The first answer is given again for 24 hours, with `Idempotency-Replayed: true`. As the draft has
 * it, that is the result of the operation, be it success or an error: what the operation refuses is
 * refused again. Not remembered is what did not come from the operation, or may be another one the
 * next time: a fault of ours (5xx), a token or a permission that is missing (401, 403), and a
 * client that was too fast (429). A key that comes with another request, or while the first one is
 * underway, is a conflict. Where the world is durable, so are keys and answers: an answer is sent
 * once it is on the disk (docs/decisions/0105).
 */
import { createHash, type Hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fail } from '../../sim/base/result.ts';
import type { AnswerStore, Claim, GivenAnswer } from '../host/requests/response-store.ts';
import type { DurableKeys } from '../host/world/hosted-world.ts';
import { Refusal } from './refusal.ts';

/**
 * For a handler that knows what is asked for and has not begun: whether the answer of before has
 * been sent. Without the header of a key it is false. Throws a `Refusal`: 400
 * `idempotency.malformed`, 409 `idempotency.reused` or `idempotency.underway`.
 */
export type AnsweredBefore = (
  request: FastifyRequest,
  reply: FastifyReply,
  asking: {
    readonly subscriber: string;
    /** Id of its application; '': its user. */
    readonly caller: string;
    /** All fields, wherever they came from: plain values, and bytes of files. */
    readonly asked: unknown;
    /** What it makes ends with the process, and so does the answer. */
    readonly endsWithProcess?: boolean;
  },
) => boolean;

declare module 'fastify' {
  interface FastifyRequest {
    /** Of its idempotency key; absent: it has none, or the operation makes nothing. */
    claim: Claim | undefined;
  }
}

interface Held {
  readonly claim: Claim;
  /** Absent: the answer ends with the process. */
  readonly keys: DurableKeys | undefined;
}

/** To be called before the routes whose handlers use it are added. */
export function answerOnce(
  app: FastifyInstance,
  store: AnswerStore,
  keys?: DurableKeys,
  nowMs: () => number = Date.now,
): AnsweredBefore {
  const claims = new WeakMap<FastifyRequest, Held>();
  keys?.restoreTo(store);
  app.decorateRequest('claim', undefined);
  const end = async ({ claim, keys: durable }: Held, answer: GivenAnswer | undefined) => {
    // Until it is on the disk, who comes again is refused.
    await durable?.end(claim, answer, nowMs());
    if (answer === undefined) store.abandon(claim);
    else store.finish(claim, answer);
  };
  app.addHook('onSend', (request, reply, payload, done) => {
    const held = claims.get(request);
    if (held === undefined) return done(null, payload);
    claims.delete(request);
    end(held, answerOf(reply, payload)).then(() => done(null, payload), done);
  });
  return (request, reply, { subscriber, caller, asked, endsWithProcess = false }) => {
    const key = keyOf(request);
    if (key === undefined) return false;
    const { method, url } = request;
    const path = url.split('?', 1)[0]!;
    const fingerprint = fingerprintOf(asked);
    const begun = store.begin({ subscriber, caller, method, path, key, fingerprint });
    if (!begun.ok) throw new Refusal(409, begun.failure);
    if ('claim' in begun.value) {
      const { claim } = begun.value;
      request.claim = claim;
      claims.set(request, { claim, keys: endsWithProcess ? undefined : keys });
    } else replay(reply, begun.value.answer);
    return 'answer' in begun.value;
  };
}

function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  const message = 'An Idempotency-Key has 1 to 255 visible ASCII characters.';
  throw new Refusal(400, fail('idempotency.malformed', message).failure);
}

/** Headers of the moment or of the connection: another answer has its own. */
const OF_THE_MOMENT = new RegExp(
  '^(date|x-sim-time|x-request-id|retry-after|(x-)?ratelimit.*|' +
    'connection|keep-alive|content-length|transfer-encoding)$',
);

const isResult = (status: number): boolean =>
  status < 500 && status !== 401 && status !== 403 && status !== 429;

/** Undefined where the answer is not to be remembered. */
function answerOf(reply: FastifyReply, payload: unknown): GivenAnswer | undefined {
  const status = reply.statusCode;
  const isEmpty = payload === undefined || payload === null;
  const isWhole = isEmpty || typeof payload === 'string' || payload instanceof Uint8Array;
  if (!isResult(status) || !isWhole) return undefined;
  const headers = Object.entries(reply.getHeaders()).filter(
    ([name, value]) => value !== undefined && !OF_THE_MOMENT.test(name),
  );
  return {
    status,
    headers: Object.fromEntries(headers) as GivenAnswer['headers'],
    body: isEmpty ? undefined : Buffer.from(payload as string),
  };
}

function replay(reply: FastifyReply, { status, headers, body }: GivenAnswer): void {
  reply
    .code(status)
    .headers(headers as Record<string, string>)
    .header('idempotency-replayed', 'true')
    .send(body);
}

/**
 * SHA-256 of plain values and bytes in one form: the order of keys, white space and the boundaries
 * of a multipart body make no difference.
 */
export function fingerprintOf(asked: unknown): string {
  const hash = createHash('sha256');
  addTo(hash, asked);
  return hash.digest('base64');
}

/** Each part begins with its type and its size, so that no two values have the same bytes. */
function addTo(hash: Hash, value: unknown): void {
  if (value instanceof Uint8Array) {
    hash.update(`b${value.byteLength}:`).update(value);
  } else if (Array.isArray(value)) {
    hash.update(`a${value.length}:`);
    for (const item of value) addTo(hash, item);
  } else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
    hash.update(`o${entries.length}:`);
    for (const [key, inner] of entries.sort(([a], [b]) => (a < b ? -1 : 1))) {
      addTo(hash, key);
      addTo(hash, inner);
    }
  } else {
    const text = typeof value === 'string' ? value : `${JSON.stringify(value)}`;
    hash.update(`${typeof value === 'string' ? 's' : 'v'}${text.length}:${text};`);
  }
}
