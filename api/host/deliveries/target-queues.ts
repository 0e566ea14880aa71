/** Delivery queues of all targets, and access to them. */
import { keyOfOwned } from '../../../core/base/store.ts';
import type { HostTime } from '../clock/host-time.ts';
import type { DeliveredWorld } from './delivered-world.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { Sent } from './network/attempt-result.ts';
import { Permits } from './semaphore.ts';
import type { Senders } from './senders/senders.ts';
import {
  ALL_GONE,
  ALL_QUEUES,
  ALL_RETRIES,
  type Delivery,
  type DeliveryCounts,
  ENDED_STORED,
  endedKey,
  endedOf,
  goneKey,
  type Held,
  newQueue,
  noDeliveries,
  type QueueState,
  queueKey,
  sumOf,
  waitingBehind,
  waitingKey,
} from './stored-deliveries.ts';
import { type NotSent, type QueueContext, TargetQueue } from './target-queue.ts';

export interface TargetQueuesOptions {
  readonly store: DeliveryStore;
  readonly senders: Senders;
  readonly time: HostTime;
  /** Prefix of delivery ids. */
  readonly name: string;
  readonly latestNumber: number;
  /** Undefined: there is none just now. */
  readonly world: () => DeliveredWorld | undefined;
  /** What stands on the disk is damaged. */
  readonly onBroken: (error: unknown) => void;
}

/** Attempts underway at a time, of all targets: sockets are not without number. */
const MOST_UNDERWAY = 1_000;

/** Number of queues from which removed targets are looked for. */
const LEAST_SWEPT = 100;

export interface FoundDelivery {
  readonly queue: TargetQueue;
  readonly delivery: Delivery;
}

export class TargetQueues {
  readonly #options: TargetQueuesOptions;
  readonly #context: QueueContext;
  readonly #permits = new Permits(MOST_UNDERWAY);
  readonly #byNumber = new Map<number, TargetQueue>();
  readonly #byTarget = new Map<string, TargetQueue>();
  /** Counts of targets that are gone, by their owners. */
  readonly #gone = new Map<string, DeliveryCounts>();
  #latestNumber: number;
  /** Number of queues at which removed targets are looked for next. */
  #sweepsAt = LEAST_SWEPT;

  private constructor(options: TargetQueuesOptions) {
    this.#options = options;
    this.#latestNumber = options.latestNumber;
    const { store, time } = options;
    this.#context = {
      store,
      time,
      send: (state, delivery, signal) =>
        this.#permits.with(() => this.#send(state, delivery, signal)),
      disable: ({ owner, target }) => options.world()?.disable(owner, target),
      broken: options.onBroken,
    };
  }

  static async open(options: TargetQueuesOptions): Promise<TargetQueues> {
    const queues = new TargetQueues(options);
    const { store } = options;
    for (const [, state] of await store.list<QueueState>(ALL_QUEUES, ALL)) queues.#add(state);
    for (const [, { number, seq, dueMs }] of await store.list<Retry>(ALL_RETRIES, ALL)) {
      queues.#byNumber.get(number)?.recall(seq, dueMs);
    }
    for (const [, { owner, counts }] of await store.list<Gone>(ALL_GONE, ALL)) {
      queues.#gone.set(owner, counts);
    }
    return queues;
  }

  /** Of the target that came last. */
  get latestNumber(): number {
    return this.#latestNumber;
  }

  get all(): Iterable<TargetQueue> {
    return this.#byNumber.values();
  }

  /** Something has left the world. */
  accept(held: Held): void {
    const queue = this.#byTarget.get(keyOfOwned(held.owner, held.target)) ?? this.#newQueue(held);
    const { kind, address, atUs, what, body } = held;
    Object.assign(queue.state, { kind, address });
    const leftMs = this.#options.time.wallMs();
    queue.accept({ atUs, leftMs, what, body, attempts: 0, tries: [] });
  }

  goOn(): void {
    for (const queue of this.all) queue.goOn();
  }

  /** Another world has taken the place of theirs. */
  async endAll(): Promise<void> {
    for (const queue of this.all) await queue.endAll('ended');
  }

  close(): void {
    for (const queue of this.all) queue.close();
  }

  // ── what is asked of them ──────────────────────────────────────────────────────────────────────

  /** Of all targets that are gone, together. */
  get gone(): DeliveryCounts {
    return [...this.#gone.values()].reduce(sumOf, noDeliveries());
  }

  of(owner: string, target: string): TargetQueue | undefined {
    return this.#byTarget.get(keyOfOwned(owner, target));
  }

  /** The same at every attempt. */
  idOf({ number }: QueueState, { seq }: Pick<Delivery, 'seq'>): string {
    return `msg_${this.#options.name}_${number}_${seq}`;
  }

  /** The oldest that wait, or the latest that have ended. */
  async deliveriesOf(queue: TargetQueue, which: 'waiting' | 'ended', limit: number) {
    const { number } = queue.state;
    const { store } = this.#options;
    if (which === 'waiting') {
      const listed = await store.list<Delivery>(waitingBehind(number, 0), limit);
      return listed.map(([, delivery]) => delivery);
    }
    const listed = await store.list<Delivery>(endedOf(number), ALL);
    return listed
      .map(([, delivery]) => delivery)
      .reverse()
      .slice(0, limit);
  }

  /** One that waits, or is among those that ended last. */
  async find(id: string): Promise<FoundDelivery | undefined> {
    const [, name, number, seq] = /^msg_(\w+)_(\d{1,12})_(\d{1,12})$/.exec(id) ?? [];
    const sendingQueue = this.#byNumber.get(Number(number));
    if (name !== this.#options.name || sendingQueue === undefined) return undefined;
    const { store } = this.#options;
    const waiting = await store.get<Delivery>(waitingKey(sendingQueue.state.number, Number(seq)));
    if (waiting !== undefined) return { queue: sendingQueue, delivery: waiting };
    const ended = await this.deliveriesOf(sendingQueue, 'ended', ALL);
    const oneDelivery = ended.find((each) => each.seq === Number(seq));
    return oneDelivery && { queue: sendingQueue, delivery: oneDelivery };
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────

  #newQueue(held: Held): TargetQueue {
    if (this.#byNumber.size >= this.#sweepsAt) {
      this.#sweep();
      this.#sweepsAt = Math.max(LEAST_SWEPT, 2 * this.#byNumber.size);
    }
    return this.#add(newQueue(++this.#latestNumber, held));
  }

  /** Targets that were removed, and that nothing waits for, are sums from now on. */
  #sweep(): void {
    const facts = this.#options.world()?.facts;
    if (facts === undefined) return;
    for (const { state } of [...this.all]) {
      const isGone = facts.wayTo(state.owner, state.target) === undefined;
      if (isGone && state.waiting === 0) this.#drop(state);
    }
  }

  #drop({ number, owner, target, ends, counts: its }: QueueState): void {
    const { store, senders } = this.#options;
    const counts = sumOf(this.#gone.get(owner) ?? noDeliveries(), its);
    this.#gone.set(owner, counts);
    store.put(goneKey(owner), { owner, counts } satisfies Gone);
    store.remove(queueKey(number));
    const first = Math.max(1, ends - ENDED_STORED + 1);
    for (let at = first; at <= ends; at++) store.remove(endedKey(number, at));
    this.#byNumber.delete(number);
    this.#byTarget.delete(keyOfOwned(owner, target));
    void senders.forget(String(number));
  }

  #add(state: QueueState): TargetQueue {
    const queue = new TargetQueue(state, this.#context);
    this.#byNumber.set(state.number, queue);
    this.#byTarget.set(keyOfOwned(state.owner, state.target), queue);
    return queue;
  }

  async #send(state: QueueState, delivery: Delivery, signal: AbortSignal): Promise<Sent | NotSent> {
    const world = this.#options.world();
    if (world === undefined || signal.aborted) return 'disabled';
    const way = world.facts.wayTo(state.owner, state.target);
    if (way === undefined) {
      void this.#options.senders.forget(String(state.number));
      return 'removed';
    }
    if (!way.enabled) return 'disabled';
    const { what, body } = delivery;
    const sent = { id: this.idOf(state, delivery), target: String(state.number), what, body };
    return this.#options.senders.send(sent, way.route, signal);
  }
}

interface Retry {
  readonly number: number;
  readonly seq: number;
  readonly dueMs: number;
}

interface Gone {
  readonly owner: string;
  readonly counts: DeliveryCounts;
}

const ALL = Number.MAX_SAFE_INTEGER;
