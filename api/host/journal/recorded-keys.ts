/**
 * Idempotency keys as a journal has them: answers that were given, and requests whose command is
 * durable but whose answer a crash prevented. Those of the last 24 hours, within the bounds of
 * `AnswerStore`.
 */
import type { Result } from '../../../sim/base/result.ts';
import {
  ANSWER_BOUNDS,
  AnswerStore,
  type Claim,
  type GivenAnswer,
  type Interrupted,
  idOf,
  type KeyedRequest,
} from '../requests/response-store.ts';

/** A claim as an entry has it. */
export interface RecordedClaim extends KeyedRequest {
  readonly beganAtMs: number;
}

/** An answer as an entry has it: with its body as text. */
export interface AnswerEntry {
  readonly status: number;
  readonly headers: GivenAnswer['headers'];
  readonly body?: string;
}

/** An entry that ends a claim. */
export type KeyEntry =
  /** Without an answer the request is as if it had never come. */
  | {
      readonly kind: 'answered';
      readonly atUs: number;
      readonly life: number;
      readonly claim: RecordedClaim;
      readonly givenAtMs: number;
      readonly answer?: AnswerEntry;
    }
  /** Result of the command of a claim, as a start has replayed it; JSON. */
  | {
      readonly kind: 'resulted';
      readonly atUs: number;
      readonly life: number;
      readonly claim: RecordedClaim;
      readonly result: string;
    };

/** A claim whose result is not known before its command is replayed. */
export interface OpenClaim {
  readonly claim: RecordedClaim;
  /** Place of its command among those of the world. */
  readonly command: number;
}

interface Pending {
  readonly claim: RecordedClaim;
  readonly command?: number;
  readonly result?: Result<unknown>;
}

export class RecordedKeys {
  #latestMs = 0;
  #answers = this.#emptyStore();
  readonly #pending = new Map<string, Pending>();

  /** The claim of a command, which is the one in this place. */
  began(claim: RecordedClaim, command: number): void {
    this.#add({ claim, command });
  }

  /** The result of a claim is known. */
  resulted(claim: RecordedClaim, result: Result<unknown>): void {
    this.#add({ claim, result });
  }

  answered(claim: RecordedClaim, givenAtMs: number, answer: AnswerEntry | undefined): void {
    this.#pending.delete(idOf(claim));
    if (answer === undefined) return;
    this.#latestMs = Math.max(this.#latestMs, givenAtMs);
    this.#answers.restore({ request: requestOf(claim), answer: inBytes(answer), givenAtMs });
  }

  /** The command in this place is not carried out: its request is as if it had never come. */
  steppedOver(command: number): void {
    for (const [id, pending] of this.#pending) {
      if (pending.command === command) this.#pending.delete(id);
    }
  }

  /** Another world takes the place of the one whose keys these are. */
  clear(): void {
    this.#answers = this.#emptyStore();
    this.#pending.clear();
  }

  /** In the order in which they came. */
  get open(): readonly OpenClaim[] {
    return [...this.#pending.values()].flatMap(({ claim, command }) =>
      command === undefined ? [] : [{ claim, command }],
    );
  }

  /** Puts everything that is known into the store of a world that begins. */
  restoreTo(store: AnswerStore): void {
    for (const recorded of this.#answers.answers()) store.restore(recorded);
    for (const { claim, result } of this.#pending.values()) {
      if (result !== undefined) store.resume(interruptedOf(claim, result));
    }
  }

  #add(pending: Pending): void {
    const { beganAtMs } = pending.claim;
    this.#latestMs = Math.max(this.#latestMs, beganAtMs);
    this.#pending.set(idOf(pending.claim), pending);
    for (const [id, { claim }] of this.#pending) {
      if (claim.beganAtMs > this.#latestMs - ANSWER_BOUNDS.rememberedMs) return;
      this.#pending.delete(id);
    }
  }

  #emptyStore(): AnswerStore {
    return new AnswerStore(() => this.#latestMs);
  }
}

const requestOf = ({ beganAtMs: _, ...request }: RecordedClaim): KeyedRequest => request;

const interruptedOf = (claim: RecordedClaim, result: Result<unknown>): Interrupted => ({
  request: requestOf(claim),
  beganAtMs: claim.beganAtMs,
  result,
});

export const recordedClaim = ({ request, beganAtMs }: Claim): RecordedClaim => ({
  ...request,
  beganAtMs,
});

/** Bodies of what creations answer are JSON. */
export const inText = ({ status, headers, body }: GivenAnswer): AnswerEntry => ({
  status,
  headers,
  ...(body === undefined ? {} : { body: Buffer.from(body).toString('utf8') }),
});

const inBytes = ({ status, headers, body }: AnswerEntry): GivenAnswer => ({
  status,
  headers,
  body: body === undefined ? undefined : Buffer.from(body, 'utf8'),
});
