/**
 * Deliveries a second time, in plain words: what the retry schedule, Retry-After, 410, five dead
 * days, pauses and removals come to. It looks at all deliveries of a target again and again, where
 * the product keeps lines and timers. Pauses are as long as they are reported, without any jitter.
 */
import { DAY_US, SECOND_US } from '../../sim/base/units.ts';

/** Pauses before the second to the eighth attempt, s. */
const PAUSES_S = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
const TIMEOUT_US = 15 * SECOND_US;
const AT_A_TIME = 10;

/** What a receiver does with whatever reaches it. */
export interface Ways {
  readonly answer: number;
  readonly latency: number;
  readonly retryAfter: number;
  readonly hang: number;
  readonly refusal: number;
}

interface Receiver {
  readonly ways: Ways;
  requests: number;
  received: number;
  distinct: number;
}

interface Delivery {
  readonly ordinal: number;
  readonly emittedAtUs: number;
  attempts: number;
  /** It may begin from then on; undefined while an answer is awaited. */
  fromUs: number | undefined;
}

interface Awaited {
  readonly delivery: Delivery;
  readonly address: string;
  readonly answer: string;
  readonly atUs: number;
  readonly retryAfterS: number;
}

export type Fate =
  | 'delivered'
  | 'refused'
  | 'failed'
  | 'givenUp'
  | 'left'
  | 'removed'
  | 'waiting'
  | 'paused';

class Line {
  address: string;
  enabled: boolean;
  deliveries: Delivery[] = [];
  awaited: Awaited[] = [];
  heldUntilUs = 0;
  failsSinceUs: number | undefined;
  emitted = 0;
  attempts = 0;
  readonly ended: Partial<Record<Fate, number>> = {};

  constructor(address: string, enabled: boolean) {
    this.address = address;
    this.enabled = enabled;
  }
}

export class DeliveryModel {
  nowUs = 0;
  /** What is reported of each target, in its order. */
  readonly reported = new Map<string, string[]>();
  /** By target: when it was disabled. */
  readonly disabled: (readonly [string, number])[] = [];
  readonly #receivers = new Map<string, Receiver>();
  /** What got to an address; who comes back there under its name has it still, and counts anew. */
  readonly #stored = new Map<string, Set<Delivery>>();
  readonly #lines = new Map<string, Line>();
  #ordinal = 0;

  // ── what is done ───────────────────────────────────────────────────────────────────────────────

  put(address: string, ways: Ways): void {
    const { requests = 0, received = 0, distinct = 0 } = this.#receivers.get(address) ?? {};
    this.#receivers.set(address, { ways, requests, received, distinct });
  }

  take(address: string): boolean {
    return this.#receivers.delete(address);
  }

  emit(id: string, address: string, enabled: boolean): void {
    const line = this.#lines.get(id) ?? new Line(address, enabled);
    this.#lines.set(id, line);
    line.emitted++;
    const ordinal = ++this.#ordinal;
    const { nowUs } = this;
    line.deliveries.push({ ordinal, emittedAtUs: nowUs, attempts: 0, fromUs: nowUs });
    this.#report(id, `${ordinal} emitted`);
    this.#begin(id, line);
  }

  change(id: string, address: string, enabled: boolean): void {
    const line = this.#lines.get(id);
    if (line === undefined) return;
    if (enabled && (!line.enabled || address !== line.address)) {
      line.heldUntilUs = 0;
      line.failsSinceUs = undefined;
    }
    Object.assign(line, { address, enabled });
    this.#begin(id, line);
  }

  remove(id: string): void {
    const line = this.#lines.get(id);
    if (line === undefined) return;
    for (const each of [...line.deliveries]) this.#end(id, line, each, 'removed');
    this.#lines.delete(id);
  }

  runUntil(untilUs: number): void {
    for (;;) {
      let next = Number.POSITIVE_INFINITY;
      for (const line of this.#lines.values()) next = Math.min(next, this.#nextOf(line));
      if (next > untilUs) break;
      this.nowUs = next;
      for (const [id, line] of this.#lines) this.#step(id, line);
    }
    this.nowUs = untilUs;
  }

  // ── responses ───────────────────────────────────────────────────────────────────────────

  countsOf(id: string) {
    const line = this.#lines.get(id);
    if (line === undefined) return undefined;
    const { emitted, attempts, ended, enabled, address, deliveries } = line;
    const open = { [enabled ? 'waiting' : 'paused']: deliveries.length };
    return { address, enabled, emitted, attempts, ...ended, ...open };
  }

  hadBy(address: string) {
    const receiver = this.#receivers.get(address);
    if (receiver === undefined) return undefined;
    const { requests, received, distinct } = receiver;
    return { requests, received, distinct, duplicates: received - distinct };
  }

  get waiting(): number {
    return [...this.#lines.values()].reduce((sum, { deliveries }) => sum + deliveries.length, 0);
  }

  // ── how it goes on ─────────────────────────────────────────────────────────────────────────────

  #nextOf({ awaited, deliveries, enabled, heldUntilUs }: Line): number {
    const instants = awaited.map(({ atUs }) => atUs);
    for (const { fromUs, emittedAtUs } of deliveries) {
      if (fromUs === undefined) continue;
      instants.push(emittedAtUs + 7 * DAY_US);
      const fromNowOn = Math.max(fromUs, heldUntilUs);
      if (enabled && fromNowOn > this.nowUs) instants.push(fromNowOn);
    }
    return Math.min(Number.POSITIVE_INFINITY, ...instants);
  }

  #step(id: string, line: Line): void {
    const { nowUs } = this;
    const due = line.awaited.filter(({ atUs }) => atUs <= nowUs);
    line.awaited = line.awaited.filter(({ atUs }) => atUs > nowUs);
    for (const each of due) this.#onAnswer(id, line, each);
    for (const each of [...line.deliveries]) {
      const isOld = nowUs - each.emittedAtUs >= 7 * DAY_US;
      if (each.fromUs !== undefined && isOld) this.#end(id, line, each, 'givenUp');
    }
    this.#begin(id, line);
  }

  #begin(id: string, line: Line): void {
    const { nowUs } = this;
    if (!line.enabled || nowUs < line.heldUntilUs) return;
    for (const each of [...line.deliveries]) {
      if (line.awaited.length === AT_A_TIME) return;
      if (each.fromUs === undefined || each.fromUs > nowUs) continue;
      const receiver = this.#receivers.get(line.address);
      if (receiver === undefined) this.#end(id, line, each, 'left');
      else this.#try(line, each, receiver);
    }
  }

  #try(line: Line, delivery: Delivery, receiver: Receiver): void {
    const { answer, latency, retryAfter, hang, refusal } = receiver.ways;
    const isLate = hang === 1 || latency >= 15;
    const isTaken = answer < 300;
    line.attempts++;
    delivery.attempts++;
    delivery.fromUs = undefined;
    const heeds = !isLate && refusal === 0 && (answer >= 500 || answer === 429);
    line.awaited.push({
      delivery,
      address: line.address,
      answer: refusal === 1 ? 'connection refused' : isLate ? 'timeout' : String(answer),
      // Nothing is answered in the instant in which it is asked.
      atUs:
        this.nowUs + (refusal === 1 ? 1 : isLate ? TIMEOUT_US : Math.max(1, latency * SECOND_US)),
      retryAfterS: heeds ? Math.min(retryAfter, 86_400) : 0,
    });
    if (refusal === 1) return;
    receiver.requests++;
    if (hang === 0 && !isTaken) return;
    receiver.received++;
    const stored = this.#stored.get(line.address) ?? new Set();
    this.#stored.set(line.address, stored);
    if (!stored.has(delivery)) receiver.distinct++;
    stored.add(delivery);
  }

  #onAnswer(id: string, line: Line, { delivery, address, answer, retryAfterS }: Awaited): void {
    const { nowUs } = this;
    const { ordinal, attempts } = delivery;
    const isItsOwn = address === line.address;
    const isTaken = /^2/.test(answer);
    const isFinal = /^[34]/.test(answer) && answer !== '429';
    if (isItsOwn) line.failsSinceUs = isTaken ? undefined : (line.failsSinceUs ?? nowUs);
    const isDead = line.failsSinceUs !== undefined && nowUs - line.failsSinceUs >= 5 * DAY_US;
    const disables = line.enabled && isItsOwn && (answer === '410' || isDead);
    const isOver = isTaken || isFinal || attempts === 8;
    delivery.fromUs = nowUs;
    let words = `${ordinal} ${attempts} ${answer}`;
    if (!isOver) {
      const heldUs = isItsOwn ? retryAfterS * SECOND_US : 0;
      line.heldUntilUs = Math.max(line.heldUntilUs, heldUs === 0 ? 0 : nowUs + heldUs);
      delivery.fromUs = nowUs + Math.max(heldUs, PAUSES_S[attempts - 1]! * SECOND_US);
      words += ` next ${delivery.fromUs}`;
    }
    this.#report(id, disables ? `${words} disables` : words);
    if (isOver) this.#end(id, line, delivery, fateOf(isTaken, isFinal));
    if (!disables) return;
    line.enabled = false;
    this.disabled.push([id, nowUs]);
  }

  #end(id: string, line: Line, delivery: Delivery, fate: Fate): void {
    line.deliveries = line.deliveries.filter((each) => each !== delivery);
    line.ended[fate] = (line.ended[fate] ?? 0) + 1;
    this.#report(id, `${delivery.ordinal} ${fate}`);
  }

  #report(id: string, words: string): void {
    const lines = this.reported.get(id) ?? [];
    this.reported.set(id, lines);
    lines.push(`${this.nowUs} ${words}`);
  }
}

const fateOf = (isTaken: boolean, isFinal: boolean): Fate =>
  isTaken ? 'delivered' : isFinal ? 'refused' : 'failed';
