/** The store of answers against a list that is searched from end to end. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ANSWER_BOUNDS,
  type AnswerBounds,
  AnswerStore,
  bytesOf,
  type Claim,
  type GivenAnswer,
  type KeyedRequest,
} from '../../../api/host/requests/response-store.ts';

const answerOf = (bytes: number): GivenAnswer => ({
  status: 201,
  headers: { 'content-type': 'application/json' },
  body: new Uint8Array(bytes),
});

const requestOf = (key: string, subscriber = 'one', fingerprint = 'f'): KeyedRequest => ({
  subscriber,
  caller: '',
  method: 'POST',
  path: '/v1/devices',
  key,
  fingerprint,
});

/** What is remembered, and what is underway, in the order in which it came to be. */
class Model {
  remembered: { request: KeyedRequest; answer: GivenAnswer; atMs: number }[] = [];
  underway: KeyedRequest[] = [];
  readonly bounds: AnswerBounds;

  constructor(bounds: AnswerBounds) {
    this.bounds = bounds;
  }

  begin(request: KeyedRequest, nowMs: number): string {
    this.forget(nowMs);
    const before = this.remembered.find((one) => isSameKey(one.request, request));
    const first = before?.request ?? this.underway.find((one) => isSameKey(one, request));
    if (first === undefined) {
      this.underway.push(request);
      return 'claim';
    }
    if (first.fingerprint !== request.fingerprint) return 'idempotency.reused';
    return before ? `answer of ${before.answer.body?.length}` : 'idempotency.underway';
  }

  finish(request: KeyedRequest, answer: GivenAnswer, atMs: number): void {
    this.abandon(request);
    if (bytesOf(request, answer) > this.bounds.bytes) return;
    this.remembered.push({ request, answer, atMs });
    this.forget(atMs);
  }

  abandon(request: KeyedRequest): void {
    this.underway = this.underway.filter((one) => !isSameKey(one, request));
  }

  forget(nowMs: number): void {
    const { rememberedMs, keysPerSubscriber, bytes } = this.bounds;
    this.remembered = this.remembered.filter(({ atMs }) => atMs + rememberedMs > nowMs);
    for (const subscriber of new Set(this.remembered.map(({ request }) => request.subscriber))) {
      const theirs = this.remembered.filter(({ request }) => request.subscriber === subscriber);
      const gone = theirs.slice(0, Math.max(0, theirs.length - keysPerSubscriber));
      this.remembered = this.remembered.filter((one) => !gone.includes(one));
    }
    const total = () =>
      this.remembered.reduce((sum, { request, answer }) => sum + bytesOf(request, answer), 0);
    while (total() > bytes) this.remembered.shift();
  }
}

const isSameKey = (a: KeyedRequest, b: KeyedRequest): boolean =>
  (['subscriber', 'caller', 'method', 'path', 'key'] as const).every((each) => a[each] === b[each]);

const said = (begun: ReturnType<AnswerStore['begin']>): string => {
  if (!begun.ok) return begun.failure.code;
  return 'claim' in begun.value ? 'claim' : `answer of ${begun.value.answer.body?.length}`;
};

describe('a store of answers', () => {
  const requests = fc.record({
    subscriber: fc.constantFrom('one', 'two'),
    caller: fc.constantFrom('', 'x'),
    method: fc.constantFrom('POST', 'PUT'),
    path: fc.constantFrom('/a', '/b'),
    key: fc.constantFrom('k', 'l', 'm'),
    fingerprint: fc.constantFrom('f', 'g'),
  });
  const steps = fc.oneof(
    { weight: 3, arbitrary: fc.record({ begin: requests }) },
    { weight: 3, arbitrary: fc.record({ finish: fc.nat(), bytes: fc.nat(3_600) }) },
    { weight: 1, arbitrary: fc.record({ abandon: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ passMs: fc.nat(80) }) },
  );

  it('says what a list says that is searched from end to end', () => {
    const bounds = { rememberedMs: 100, keysPerSubscriber: 3, bytes: 4_000 };
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 80 }), (all) => {
        let nowMs = 0;
        const store = new AnswerStore(() => nowMs, bounds);
        const model = new Model(bounds);
        const claims: Claim[] = [];
        const taken = (choice: number) => claims.splice(choice % claims.length, 1)[0]!;
        for (const step of all) {
          if ('passMs' in step) nowMs += step.passMs;
          else if ('begin' in step) {
            const begun = store.begin(step.begin);
            expect(said(begun)).toBe(model.begin(step.begin, nowMs));
            if (begun.ok && 'claim' in begun.value) claims.push(begun.value.claim);
          } else if (claims.length > 0 && 'finish' in step) {
            const claim = taken(step.finish);
            store.finish(claim, answerOf(step.bytes));
            model.finish(claim.request, answerOf(step.bytes), nowMs);
          } else if (claims.length > 0 && 'abandon' in step) {
            const claim = taken(step.abandon);
            store.abandon(claim);
            model.abandon(claim.request);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('remembers 10 000 keys of a subscriber, and those of others beside them', () => {
    const store = new AnswerStore(() => 0);
    const put = (request: KeyedRequest) => {
      const begun = store.begin(request);
      if (begun.ok && 'claim' in begun.value) store.finish(begun.value.claim, answerOf(100));
    };
    put(requestOf('k', 'two'));
    for (let i = 0; i < 10_001; i++) put(requestOf(`k${i}`));
    expect(said(store.begin(requestOf('k0')))).toBe('claim');
    expect(said(store.begin(requestOf('k1')))).toBe('answer of 100');
    expect(said(store.begin(requestOf('k10000')))).toBe('answer of 100');
    expect(said(store.begin(requestOf('k', 'two')))).toBe('answer of 100');
  });

  it('remembers 64 MiB in all, and nothing of an answer that is larger', () => {
    const store = new AnswerStore(() => 0);
    const put = (request: KeyedRequest, bytes: number) => {
      const begun = store.begin(request);
      if (begun.ok && 'claim' in begun.value) store.finish(begun.value.claim, answerOf(bytes));
    };
    const MIB = 1 << 20;
    for (let i = 0; i < 65; i++) put(requestOf(`k${i}`, `s${i}`), MIB);
    const remembered = Array.from({ length: 65 }, (_, i) =>
      said(store.begin(requestOf(`k${i}`, `s${i}`))).startsWith('answer'),
    );
    expect(remembered.indexOf(true)).toBe(2);
    expect(remembered.lastIndexOf(false)).toBe(1);
    put(requestOf('large', 's64'), ANSWER_BOUNDS.bytes);
    expect(said(store.begin(requestOf('large', 's64')))).toBe('claim');
    expect(said(store.begin(requestOf('k2', 's2')))).toBe(`answer of ${MIB}`);
  });

  it('remembers for 24 hours', () => {
    expect(ANSWER_BOUNDS.rememberedMs).toBe(86_400_000);
  });
});
