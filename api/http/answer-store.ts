/**
 * Answers that were given to requests with an idempotency key, for 24 hours and within bounds: of
 * what is too much, the answers that were given first go first.
 */
import { fail, ok, type Result } from '../../sim/base/result.ts';

/** An answer as it went out, without what is of the moment only. */
export interface GivenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | readonly string[]>>;
  /** Undefined: there is none. */
  readonly body: Uint8Array | undefined;
}

/**
 * A key counts for one asker, method and path: an answer may hold what is told once, so nobody else
 * of the subscriber gets it.
 */
export interface KeyedRequest {
  readonly subscriber: string;
  /** Id of its application that asks; '': its user. */
  readonly asker: string;
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly key: string;
  /** Of all that is asked for; equal where the requests are the same. */
  readonly fingerprint: string;
}

export interface AnswerBounds {
  /** How long an answer is remembered, ms from when it was given. */
  readonly rememberedMs: number;
  readonly keysPerSubscriber: number;
  /** Of all answers of all subscribers, as `bytesOf` counts. */
  readonly bytes: number;
}

export const ANSWER_BOUNDS: AnswerBounds = {
  rememberedMs: 24 * 3_600_000,
  keysPerSubscriber: 10_000,
  bytes: 64 * 1024 * 1024,
};

/** The right to answer a request first; to be given up by `finish` or `abandon`, once. */
export interface Claim {
  readonly request: KeyedRequest;
}

/** What a request with a key comes to: it is carried out, or answered as before. */
export type Begun = { readonly claim: Claim } | { readonly answer: GivenAnswer };

interface Remembered {
  readonly subscriber: string;
  readonly fingerprint: string;
  readonly answer: GivenAnswer;
  readonly bytes: number;
  readonly expiresAtMs: number;
}

export class AnswerStore {
  readonly #nowMs: () => number;
  readonly #bounds: AnswerBounds;
  /** By `idOf`, in the order in which the answers were given. */
  readonly #remembered = new Map<string, Remembered>();
  /** The ids of each subscriber, in that order. */
  readonly #idsOf = new Map<string, Set<string>>();
  /** Fingerprints by id; as many as requests are being answered. */
  readonly #underway = new Map<string, string>();
  #bytes = 0;

  constructor(nowMs: () => number, bounds: AnswerBounds = ANSWER_BOUNDS) {
    this.#nowMs = nowMs;
    this.#bounds = bounds;
  }

  /**
   * Fails with `idempotency.reused` where the key came with another request before, and with
   * `idempotency.underway` where the first request has no answer yet.
   */
  begin(request: KeyedRequest): Result<Begun, 'idempotency.reused' | 'idempotency.underway'> {
    this.#forgetExpired();
    const id = idOf(request);
    const remembered = this.#remembered.get(id);
    const fingerprint = remembered?.fingerprint ?? this.#underway.get(id);
    if (fingerprint !== undefined && fingerprint !== request.fingerprint) {
      const message = 'This idempotency key came with another request before.';
      return fail('idempotency.reused', message);
    }
    if (remembered !== undefined) return ok({ answer: remembered.answer });
    if (fingerprint !== undefined) {
      const message = 'The first request with this idempotency key is being answered.';
      return fail('idempotency.underway', message);
    }
    this.#underway.set(id, request.fingerprint);
    return ok({ claim: { request } });
  }

  /** Remembers the answer, but for one that alone is larger than the bounds. */
  finish({ request }: Claim, answer: GivenAnswer): void {
    const id = idOf(request);
    const { subscriber, fingerprint } = request;
    this.#underway.delete(id);
    this.#forgetExpired();
    const bytes = bytesOf(request, answer);
    if (bytes > this.#bounds.bytes) return;
    const expiresAtMs = this.#nowMs() + this.#bounds.rememberedMs;
    this.#remembered.set(id, { subscriber, fingerprint, answer, bytes, expiresAtMs });
    this.#bytes += bytes;
    const ids = this.#idsOf.get(subscriber) ?? new Set();
    this.#idsOf.set(subscriber, ids.add(id));
    if (ids.size > this.#bounds.keysPerSubscriber) this.#forget(first(ids)!);
    while (this.#bytes > this.#bounds.bytes) this.#forget(first(this.#remembered.keys())!);
  }

  /** The request is as if it had never come: the next one with its key is carried out. */
  abandon({ request }: Claim): void {
    this.#underway.delete(idOf(request));
  }

  /** A clock that was set back may leave some behind that are due; those go as soon as it shows. */
  #forgetExpired(): void {
    const nowMs = this.#nowMs();
    for (const [id, { expiresAtMs }] of this.#remembered) {
      if (expiresAtMs > nowMs) return;
      this.#forget(id);
    }
  }

  #forget(id: string): void {
    const { subscriber, bytes } = this.#remembered.get(id)!;
    this.#remembered.delete(id);
    this.#bytes -= bytes;
    const ids = this.#idsOf.get(subscriber)!;
    ids.delete(id);
    if (ids.size === 0) this.#idsOf.delete(subscriber);
  }
}

const idOf = ({ subscriber, asker, method, path, key }: KeyedRequest): string =>
  JSON.stringify([subscriber, asker, method, path, key]);

const first = <Value>(values: Iterable<Value>): Value | undefined => {
  for (const value of values) return value;
  return undefined;
};

/** Of the maps and objects around an answer, about. */
const OVERHEAD_BYTES = 512;

/** What remembering an answer takes, about; texts have two bytes a character at most. */
export const bytesOf = (request: KeyedRequest, { headers, body }: GivenAnswer): number =>
  OVERHEAD_BYTES +
  2 * (idOf(request).length + JSON.stringify(headers).length) +
  (body?.byteLength ?? 0);
