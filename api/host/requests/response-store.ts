/**
 * Answers that were given to requests with an idempotency key, for 24 hours and within bounds: of
 * what is too much, the answers that were given first go first. Where the world is durable, the
 * journal has them too, so that a restart forgets none (docs/decisions/0105).
 */
import { assert } from '../../../sim/base/assert.ts';
import { fail, ok, type Result } from '../../../sim/base/result.ts';

/** An answer as it went out, without what is of the moment only. */
export interface GivenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | readonly string[]>>;
  /** Undefined: there is none. */
  readonly body: Uint8Array | undefined;
}

/**
 * A key is valid for one caller, method and path. A response may hold a secret that is shown once,
 * so no other caller of the subscriber gets it.
 */
export interface KeyedRequest {
  readonly subscriber: string;
  /** Id of its application that asks; '': its user. */
  readonly caller: string;
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
  /** When it came first, ms since 1970. */
  readonly beganAtMs: number;
  /** Result of its command, which was durable when a crash prevented its answer. */
  readonly earlier?: Result<unknown>;
  /** Whether the journal has the claim, together with a command. */
  isJournaled?: boolean;
}

/** An answer with the request that it was given to. */
export interface RecordedAnswer {
  readonly request: KeyedRequest;
  readonly answer: GivenAnswer;
  readonly givenAtMs: number;
}

/** A request whose command is durable, and which has no answer yet. */
export interface Interrupted {
  readonly request: KeyedRequest;
  readonly beganAtMs: number;
  readonly result: Result<unknown>;
}

/** Decision on a request with a key: execute it, or replay the stored response. */
export type Begun = { readonly claim: Claim } | { readonly answer: GivenAnswer };

interface Remembered extends RecordedAnswer {
  readonly bytes: number;
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
  /** By id, in the order in which they came. */
  readonly #interrupted = new Map<string, Interrupted>();
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
    const interrupted = this.#interrupted.get(id);
    const first = remembered?.request ?? interrupted?.request;
    const fingerprint = first?.fingerprint ?? this.#underway.get(id);
    if (fingerprint !== undefined && fingerprint !== request.fingerprint) {
      const message = 'This idempotency key came with another request before.';
      return fail('idempotency.reused', message);
    }
    if (remembered !== undefined) return ok({ answer: remembered.answer });
    if (this.#underway.has(id)) {
      const message = 'The first request with this idempotency key is being answered.';
      return fail('idempotency.underway', message);
    }
    this.#underway.set(id, request.fingerprint);
    if (interrupted === undefined) return ok({ claim: { request, beganAtMs: this.#nowMs() } });
    const { beganAtMs, result } = interrupted;
    return ok({ claim: { request, beganAtMs, earlier: result, isJournaled: true } });
  }

  /** Remembers the answer, but for one that alone is larger than the bounds. */
  finish({ request }: Claim, answer: GivenAnswer): void {
    this.#underway.delete(idOf(request));
    this.#forgetExpired();
    this.restore({ request, answer, givenAtMs: this.#nowMs() });
  }

  /** As `finish`, of an answer that was given before this store was made. */
  restore(recorded: RecordedAnswer): void {
    const { request, answer } = recorded;
    const { subscriber } = request;
    const id = idOf(request);
    this.#interrupted.delete(id);
    if (this.#remembered.has(id)) this.#forget(id);
    const bytes = bytesOf(request, answer);
    if (bytes > this.#bounds.bytes) return;
    this.#remembered.set(id, { ...recorded, bytes });
    this.#bytes += bytes;
    const ids = this.#idsOf.get(subscriber) ?? new Set();
    this.#idsOf.set(subscriber, ids.add(id));
    if (ids.size > this.#bounds.keysPerSubscriber) this.#forget(first(ids)!);
    while (this.#bytes > this.#bounds.bytes) this.#forget(first(this.#remembered.keys())!);
    assert(this.#bytes >= 0, 'no more is forgotten than was remembered');
  }

  /** A request that comes again gets the answer that follows from this result. */
  resume(interrupted: Interrupted): void {
    this.#interrupted.set(idOf(interrupted.request), interrupted);
  }

  /**
   * The request is as if it had never come: the next one with its key is carried out. One whose
   * command is durable is not carried out again all the same.
   */
  abandon({ request }: Claim): void {
    this.#underway.delete(idOf(request));
  }

  /** Answers in the order in which they were given. */
  answers(): readonly RecordedAnswer[] {
    return [...this.#remembered.values()];
  }

  /** A clock that was set back may leave some behind that are due; those go as soon as it shows. */
  #forgetExpired(): void {
    const bornBeforeMs = this.#nowMs() - this.#bounds.rememberedMs;
    for (const [id, { beganAtMs }] of this.#interrupted) {
      if (beganAtMs > bornBeforeMs) break;
      this.#interrupted.delete(id);
    }
    for (const [id, { givenAtMs }] of this.#remembered) {
      if (givenAtMs > bornBeforeMs) return;
      this.#forget(id);
    }
  }

  #forget(id: string): void {
    const { request, bytes } = this.#remembered.get(id)!;
    this.#remembered.delete(id);
    this.#bytes -= bytes;
    const ids = this.#idsOf.get(request.subscriber)!;
    ids.delete(id);
    if (ids.size === 0) this.#idsOf.delete(request.subscriber);
  }
}

/** A name of subscriber, caller, method, path and key together. */
export const idOf = ({ subscriber, caller, method, path, key }: KeyedRequest): string =>
  JSON.stringify([subscriber, caller, method, path, key]);

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
