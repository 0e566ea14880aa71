/**
 * Delivery queue of one target: sends what the world produced to a real receiver.
 *
 * Problem: receivers are slow, wrong or down. No delivery may be lost, the world must not wait, and
 * one failing target must not delay another.
 *
 * Approach: deliveries wait on disk in the order in which the world produced them. Memory holds the
 * next few, so its size does not depend on the backlog. Up to ten attempts run at a time. A failed
 * delivery is retried on a schedule of eight attempts; others pass it meanwhile. After five
 * failures in a row the queue backs off: it makes one attempt after 5 s, 10 s, up to 5 min. So
 * waiting deliveries do not use up their attempts on a target that is down. A status 410, or five
 * days without success, disables the target by a command of the world.
 *
 * Delivery is at least once: an attempt whose result was not stored before a crash is made again,
 * with the same id.
 *
 * Rejected: strict order. One delivery that fails would hold up all later ones for hours. Also
 * rejected: bodies in the state of the world. Receivers must not affect its bytes
 * (docs/decisions/0067).
 */

import { randomInt } from 'node:crypto';
import { addDue, type DueList, takeDue } from '../../../core/base/due-list.ts';
import {
  type Answer,
  DEAD_AFTER_US,
  GONE,
  isRetried,
  LONGEST_RETRY_AFTER_S,
  LONGEST_WAIT_US,
  MOST_ATTEMPTS,
  MOST_WAITING,
  pauseUs,
} from '../../../core/delivery/deliveries/schedule.ts';
import { assert } from '../../../sim/base/assert.ts';
import type { Appointment, HostTime } from '../clock/host-time.ts';
import { backOffMs, isBackedOff, mostUnderway } from './back-off.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { Sent, SentAnswer } from './network/attempt-result.ts';
import {
  type Delivery,
  type DeliveryEnd,
  ENDED_STORED,
  endedKey,
  type QueueState,
  queueKey,
  retryKey,
  waitingBehind,
  waitingKey,
} from './stored-deliveries.ts';

/** Dependencies of a queue. */
export interface QueueContext {
  readonly store: DeliveryStore;
  readonly time: HostTime;
  /** Sends, if the target is there and takes something. */
  send(state: QueueState, delivery: Delivery, signal: AbortSignal): Promise<Sent | NotSent>;
  /** The target takes nothing any more: the world pauses it. */
  disable(state: QueueState): void;
  /** What stands on the disk is damaged: nobody knows what waits. */
  broken(error: unknown): void;
}

/** `removed`: there is no such target. `disabled`: it is paused in the world. */
export type NotSent = 'removed' | 'disabled';

const READ_AHEAD = 32;
/** Of a target that fails now and then, no more wait for their next attempt. */
const MOST_RETRIES = 1_000;
/** Of a target that nobody has paused: what is beyond is given up. */
const MOST_ON_DISK = 1_000_000;
const TRIES_STORED = 16;
/** How often a target that the world has paused is looked at. */
const LOOKS_MS = 1_000;
const IN_CHUNKS_OF = 500;

const isTaken = (answer: SentAnswer): boolean =>
  answer === 'acknowledged' || (typeof answer === 'number' && answer >= 200 && answer < 300);

/** Where deliveries may not go, or cannot, no other attempt gets through. */
const isFinal = (answer: SentAnswer): boolean =>
  answer === 'address refused' ||
  answer === 'not possible' ||
  (typeof answer === 'number' && !isRetried(answer as Answer));

export class TargetQueue {
  readonly state: QueueState;
  readonly #context: QueueContext;
  /** Read from the disk, and not tried yet. */
  #ready: Delivery[] = [];
  /** All before it was read. */
  #readTo = 0;
  #isReading = false;
  /** Deliveries that wait for a retry, ordered by due time. */
  readonly #retries: DueList = [];
  readonly #retrying = new Set<number>();
  readonly #underway = new Map<number, AbortController>();
  #looksAtMs = 0;
  #next: Appointment | undefined;
  /** Passes over what waits on the disk, one at a time: each sees what the one before has left. */
  #passes: Promise<void> = Promise.resolve();
  #isShedding = false;
  /** All that waits is about to end: nothing begins. */
  #isEnding = false;
  #isClosed = false;

  constructor(state: QueueState, context: QueueContext) {
    this.state = state;
    this.#context = context;
  }

  get underway(): number {
    return this.#underway.size;
  }

  get retrying(): number {
    return this.#retrying.size;
  }

  /** It is left alone until then, ms since 1970; undefined: it is not. */
  get beginsAtMs(): number | undefined {
    const atMs = this.#beginsAtMs;
    return atMs > this.#context.time.wallMs() ? atMs : undefined;
  }

  // ── what is asked of it ────────────────────────────────────────────────────────────────────────

  /** Something has left the world: it stands on the disk with its state. */
  accept(delivery: Omit<Delivery, 'seq'>): void {
    const { state } = this;
    const seq = ++state.latestSeq;
    state.counts.left++;
    state.waiting++;
    this.#put({ ...delivery, seq });
    this.#keep();
    if (this.#isOverfull) this.#shed();
  }

  /** State of a delivery that waits for a retry after a restart. */
  recall(seq: number, dueMs: number): void {
    this.#retrying.add(seq);
    addDue(this.#retries, { atUs: dueMs, member: seq });
  }

  /** Begins what may begin. */
  goOn(): void {
    if (this.#isClosed) return;
    while (this.#mayBegin) {
      const delivery = this.#take();
      if (delivery === undefined) break;
      this.#deliver(delivery).catch(this.#context.broken);
    }
    this.#rearm();
  }

  pause(): void {
    this.state.isPaused = true;
    this.#keep();
    this.goOn();
  }

  /** It is tried at once, however it failed before. */
  resume(): void {
    const { state } = this;
    state.isPaused = false;
    this.#forgetFails();
    state.heldUntilMs = 0;
    this.#looksAtMs = 0;
    this.#keep();
    this.goOn();
  }

  /** One that has ended goes out again, with the same id; undefined: it has gone already. */
  redeliver(ended: Delivery): Delivery | undefined {
    if (this.#retrying.has(ended.seq) || this.#underway.has(ended.seq)) return undefined;
    const { end: _, ...delivery } = ended;
    const dueMs = this.#context.time.wallMs();
    const again = { ...delivery, attempts: 0, leftMs: dueMs };
    this.state.counts.redelivered++;
    this.state.waiting++;
    this.#tryAgain(again, dueMs);
    this.#keep();
    this.goOn();
    return again;
  }

  /** All that waits now has ended. */
  endAll(how: DeliveryEnd): Promise<void> {
    const { latestSeq } = this.state;
    this.#isEnding = true;
    for (const abort of this.#underway.values()) abort.abort();
    this.#ready = [];
    this.#readTo = latestSeq;
    return this.#pass(async () => {
      await this.#endUntil(latestSeq, how);
      this.#isEnding = false;
      this.goOn();
    });
  }

  async #endUntil(latestSeq: number, how: DeliveryEnd): Promise<void> {
    const { number } = this.state;
    const range = { gt: waitingBehind(number, 0).gt, lt: waitingKey(number, latestSeq + 1) };
    for (;;) {
      const some = await this.#context.store.list<Delivery>(range, IN_CHUNKS_OF);
      if (some.length === 0) return;
      for (const [, delivery] of some) this.#end(delivery, how);
      this.#keep();
    }
  }

  /** Attempts underway are cut off: they are made again. */
  close(): void {
    this.#isClosed = true;
    this.#next?.cancel();
    for (const abort of this.#underway.values()) abort.abort();
  }

  // ── whose turn it is ───────────────────────────────────────────────────────────────────────────

  get #mayBegin(): boolean {
    const { isPaused, failsInRow } = this.state;
    if (isPaused || this.#isEnding || this.#underway.size >= mostUnderway(failsInRow)) return false;
    return this.#context.time.wallMs() >= this.#beginsAtMs;
  }

  /** It is left alone until then. */
  get #beginsAtMs(): number {
    const { failsInRow, heldUntilMs } = this.state;
    const backedOffMs = failsInRow === 0 ? 0 : this.#answeredAtMs + backOffMs(failsInRow);
    return Math.max(heldUntilMs, this.#looksAtMs, backedOffMs);
  }

  /** When it answered last, or was silent for too long. */
  get #answeredAtMs(): number {
    const { last } = this.state;
    return last === undefined ? 0 : last.atMs + last.tookMs;
  }

  /** Another attempt that is due, or the oldest that was never tried; undefined: none is there. */
  #take(): number | Delivery | undefined {
    const { time } = this.#context;
    const [due] = this.#retries;
    if (due !== undefined && due.atUs <= time.wallMs()) {
      const { member } = takeDue(this.#retries)!;
      return this.#retrying.has(member) ? member : this.#take();
    }
    if (this.#isFullOfRetries) return undefined;
    if (this.#ready.length === 0) this.#readAhead();
    return this.#ready.shift();
  }

  get #isFullOfRetries(): boolean {
    return this.#retrying.size + this.#underway.size > MOST_RETRIES;
  }

  #readAhead(): void {
    if (this.#isReading || this.#readTo >= this.state.latestSeq) return;
    this.#isReading = true;
    void this.#pass(async () => {
      const { number, latestSeq } = this.state;
      const range = waitingBehind(number, this.#readTo);
      const some = await this.#context.store.list<Delivery>(range, READ_AHEAD);
      this.#isReading = false;
      // All may have ended meanwhile.
      if (this.#isEnding) return;
      this.#readTo = some.at(-1)?.[1].seq ?? latestSeq;
      const isNew = ({ seq }: Delivery) => !this.#retrying.has(seq) && !this.#underway.has(seq);
      this.#ready.push(...some.map(([, delivery]) => delivery).filter(isNew));
      this.goOn();
    });
  }

  #pass(over: () => Promise<void>): Promise<void> {
    this.#passes = this.#passes.then(over).catch(this.#context.broken);
    return this.#passes;
  }

  #rearm(): void {
    this.#next?.cancel();
    this.#next = undefined;
    const { isPaused, failsInRow } = this.state;
    const isFull = this.#underway.size >= mostUnderway(failsInRow);
    if (isPaused || isFull || this.#isEnding || this.state.waiting === 0) return;
    const { time } = this.#context;
    const isNext = this.#ready.length > 0 && !this.#isFullOfRetries;
    const dueMs = isNext ? 0 : (this.#retries[0]?.atUs ?? Number.POSITIVE_INFINITY);
    const atMs = Math.max(dueMs, this.#beginsAtMs);
    if (atMs === Number.POSITIVE_INFINITY) return;
    this.#next = time.later(() => this.goOn(), Math.max(1, atMs - time.wallMs()));
  }

  // ── an attempt ─────────────────────────────────────────────────────────────────────────────────

  async #deliver(taken: number | Delivery): Promise<void> {
    const { store, time } = this.#context;
    const seq = typeof taken === 'number' ? taken : taken.seq;
    const abort = new AbortController();
    assert(!this.#underway.has(seq), 'a delivery has one attempt at a time');
    this.#underway.set(seq, abort);
    const key = waitingKey(this.state.number, seq);
    const delivery = typeof taken === 'number' ? await store.get<Delivery>(key) : taken;
    if (delivery !== undefined) {
      const beganMs = time.wallMs();
      const sent = this.#isTooOld(delivery)
        ? 'old'
        : await this.#context.send(this.state, delivery, abort.signal);
      if (this.#isClosed) return;
      if (!abort.signal.aborted) this.#note(delivery, sent, beganMs);
    }
    this.#underway.delete(seq);
    this.goOn();
  }

  #isTooOld({ leftMs }: Delivery): boolean {
    return (this.#context.time.wallMs() - leftMs) * 1_000 >= LONGEST_WAIT_US;
  }

  #note(delivery: Delivery, sent: Sent | NotSent | 'old', beganMs: number): void {
    if (sent === 'removed') return void this.endAll('removed');
    if (sent === 'old') {
      this.#end(delivery, 'given_up');
      return this.#keep();
    }
    if (sent === 'disabled') {
      this.#forgetFails();
      this.#looksAtMs = this.#context.time.wallMs() + LOOKS_MS;
      return this.#putBack(delivery);
    }
    this.#onAnswer(delivery, sent, beganMs);
    this.#keep();
  }

  /** Its turn comes again before that of all others. */
  #putBack(delivery: Delivery): void {
    if (this.#retrying.has(delivery.seq)) {
      addDue(this.#retries, { atUs: 0, member: delivery.seq });
      return;
    }
    const later = this.#ready.findIndex(({ seq }) => seq > delivery.seq);
    this.#ready.splice(later < 0 ? this.#ready.length : later, 0, delivery);
  }

  #onAnswer(delivery: Delivery, sent: Sent, beganMs: number): void {
    const { state } = this;
    const { answer, says, isUnsent = false } = sent;
    const tookMs = Math.max(0, this.#context.time.wallMs() - beganMs);
    const isNews = beganMs > this.#answeredAtMs || !isBackedOff(state.failsInRow);
    state.last = { atMs: beganMs, tookMs, answer, says };
    this.#judge(answer, isNews);
    if (isUnsent) return this.#putBack(delivery);
    state.counts.attempts++;
    const tries = [...delivery.tries, state.last].slice(-TRIES_STORED);
    const tried = { ...delivery, attempts: delivery.attempts + 1, tries };
    if (isTaken(answer)) return this.#end(tried, 'delivered');
    if (isFinal(answer)) return this.#end(tried, 'refused');
    if (tried.attempts >= MOST_ATTEMPTS) return this.#end(tried, 'failed');
    this.#tryAgain(tried, this.#dueMsOf(tried, sent));
  }

  /**
   * What an answer says of the target. `isNews`: those that were underway together when it was
   * backed off from say that once.
   */
  #judge(answer: SentAnswer, isNews: boolean): void {
    const { state } = this;
    if (isTaken(answer)) return this.#forgetFails();
    const nowMs = this.#context.time.wallMs();
    // A target that refuses one delivery for good is reachable, and may accept the next.
    if (isFinal(answer)) state.failsInRow = 0;
    else if (isNews) state.failsInRow++;
    if (state.failsSinceMs === 0) state.failsSinceMs = nowMs;
    const isDead = (nowMs - state.failsSinceMs) * 1_000 >= DEAD_AFTER_US;
    if (answer !== GONE && !isDead) return;
    this.#forgetFails();
    // Others that are underway may say the same before the world does.
    if (this.#looksAtMs > nowMs) return;
    this.#looksAtMs = nowMs + LOOKS_MS;
    this.#context.disable(state);
  }

  #forgetFails(): void {
    this.state.failsInRow = 0;
    this.state.failsSinceMs = 0;
  }

  /** What asked to be left alone is: all of the target waits. */
  #dueMsOf({ attempts }: Delivery, { retryAfterS }: Sent): number {
    const { state } = this;
    const nowMs = this.#context.time.wallMs();
    const heldMs = Math.min(retryAfterS, LONGEST_RETRY_AFTER_S) * 1_000;
    if (heldMs > 0) state.heldUntilMs = Math.max(state.heldUntilMs, nowMs + heldMs);
    const pauseMs = Math.round(pauseUs(attempts, randomInt(2 ** 32)) / 1_000);
    return nowMs + Math.max(heldMs, pauseMs);
  }

  #tryAgain(delivery: Delivery, dueMs: number): void {
    const { number } = this.state;
    this.#put({ ...delivery, dueMs });
    this.#context.store.put(retryKey(number, delivery.seq), { seq: delivery.seq, dueMs, number });
    this.recall(delivery.seq, dueMs);
  }

  // ── ends ───────────────────────────────────────────────────────────────────────────────────────

  #end({ dueMs: _, ...delivery }: Delivery, how: DeliveryEnd): void {
    const { state } = this;
    const { store, time } = this.#context;
    const { number } = state;
    state.waiting--;
    state.counts[how]++;
    store.remove(waitingKey(number, delivery.seq));
    if (this.#retrying.delete(delivery.seq)) store.remove(retryKey(number, delivery.seq));
    this.#ready = this.#ready.filter(({ seq }) => seq !== delivery.seq);
    const end = { how, atMs: time.wallMs() };
    store.put(endedKey(number, ++state.ends), { ...delivery, end });
    if (state.ends > ENDED_STORED) store.remove(endedKey(number, state.ends - ENDED_STORED));
  }

  get #isOverfull(): boolean {
    return this.state.waiting > (this.state.isPaused ? MOST_WAITING : MOST_ON_DISK);
  }

  /** The oldest are given up. */
  #shed(): void {
    if (this.#isShedding) return;
    this.#isShedding = true;
    void this.#pass(async () => {
      while (this.#isOverfull && (await this.#giveUpSome()));
      this.#isShedding = false;
    });
  }

  /** Whether there was one whose attempt is not underway. */
  async #giveUpSome(): Promise<boolean> {
    const range = waitingBehind(this.state.number, 0);
    const oldest = await this.#context.store.list<Delivery>(range, IN_CHUNKS_OF);
    const idle = oldest.filter(([, { seq }]) => !this.#underway.has(seq));
    for (const [, delivery] of idle) if (this.#isOverfull) this.#end(delivery, 'given_up');
    this.#keep();
    return idle.length > 0;
  }

  #put(delivery: Delivery): void {
    this.#context.store.put(waitingKey(this.state.number, delivery.seq), delivery);
  }

  /** The state is written as it is now. */
  #keep(): void {
    const { counts } = this.state;
    this.#context.store.put(queueKey(this.state.number), { ...this.state, counts: { ...counts } });
  }
}
