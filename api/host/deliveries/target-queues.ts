/** The lanes of all targets, and who may have a look at them. */
import { keyOfOwned } from '../../../core/base/store.ts';
import type { HostTime } from '../clock/host-time.ts';
import type { DeliveredWorld } from './delivered-world.ts';
import type { ParcelStore } from './delivery-store.ts';
import type { Sent } from './network/attempt-result.ts';
import { Permits } from './semaphore.ts';
import type { Senders } from './senders/senders.ts';
import {
  ALL_GONE,
  ALL_LANES,
  ALL_RETRIES,
  ENDED_KEPT,
  endedKey,
  endedOf,
  goneKey,
  type Held,
  type LaneState,
  laneKey,
  newLane,
  noParcels,
  type Parcel,
  type ParcelCounts,
  sumOf,
  waitingBehind,
  waitingKey,
} from './stored-deliveries.ts';
import { Lane, type NotSent, type Street } from './target-queue.ts';

export interface LanesOptions {
  readonly store: ParcelStore;
  readonly senders: Senders;
  readonly time: HostTime;
  /** Ids of parcels begin with it. */
  readonly name: string;
  readonly latestNumber: number;
  /** Undefined: there is none just now. */
  readonly world: () => DeliveredWorld | undefined;
  /** What stands on the disk is damaged. */
  readonly onBroken: (error: unknown) => void;
}

/** Attempts underway at a time, of all targets: sockets are not without number. */
const MOST_UNDERWAY = 1_000;

/** Targets are looked for that are gone once there are so many. */
const LEAST_SWEPT = 100;

export interface FoundParcel {
  readonly lane: Lane;
  readonly parcel: Parcel;
}

export class Lanes {
  readonly #options: LanesOptions;
  readonly #street: Street;
  readonly #permits = new Permits(MOST_UNDERWAY);
  readonly #byNumber = new Map<number, Lane>();
  readonly #byTarget = new Map<string, Lane>();
  /** Counts of targets that are gone, by their owners. */
  readonly #gone = new Map<string, ParcelCounts>();
  #latestNumber: number;
  /** So many lanes, and those of targets that are gone are looked for. */
  #sweepsAt = LEAST_SWEPT;

  private constructor(options: LanesOptions) {
    this.#options = options;
    this.#latestNumber = options.latestNumber;
    const { store, time } = options;
    this.#street = {
      store,
      time,
      send: (state, parcel, signal) => this.#permits.with(() => this.#send(state, parcel, signal)),
      disable: ({ owner, target }) => options.world()?.disable(owner, target),
      broken: options.onBroken,
    };
  }

  static async open(options: LanesOptions): Promise<Lanes> {
    const lanes = new Lanes(options);
    const { store } = options;
    for (const [, state] of await store.list<LaneState>(ALL_LANES, ALL)) lanes.#add(state);
    for (const [, { number, seq, dueMs }] of await store.list<Retry>(ALL_RETRIES, ALL)) {
      lanes.#byNumber.get(number)?.recall(seq, dueMs);
    }
    for (const [, { owner, counts }] of await store.list<Gone>(ALL_GONE, ALL)) {
      lanes.#gone.set(owner, counts);
    }
    return lanes;
  }

  /** Of the target that came last. */
  get latestNumber(): number {
    return this.#latestNumber;
  }

  get all(): Iterable<Lane> {
    return this.#byNumber.values();
  }

  /** Something has left the world. */
  accept(held: Held): void {
    const lane = this.#byTarget.get(keyOfOwned(held.owner, held.target)) ?? this.#newLane(held);
    const { kind, address, atUs, what, body } = held;
    Object.assign(lane.state, { kind, address });
    const leftMs = this.#options.time.wallMs();
    lane.accept({ atUs, leftMs, what, body, attempts: 0, tries: [] });
  }

  goOn(): void {
    for (const lane of this.all) lane.goOn();
  }

  /** Another world has taken the place of theirs. */
  async endAll(): Promise<void> {
    for (const lane of this.all) await lane.endAll('ended');
  }

  close(): void {
    for (const lane of this.all) lane.close();
  }

  // ── what is asked of them ──────────────────────────────────────────────────────────────────────

  /** Of all targets that are gone, together. */
  get gone(): ParcelCounts {
    return [...this.#gone.values()].reduce(sumOf, noParcels());
  }

  of(owner: string, target: string): Lane | undefined {
    return this.#byTarget.get(keyOfOwned(owner, target));
  }

  /** The same at every attempt. */
  idOf({ number }: LaneState, { seq }: Pick<Parcel, 'seq'>): string {
    return `msg_${this.#options.name}_${number}_${seq}`;
  }

  /** The oldest that wait, or the latest that have ended. */
  async parcelsOf(lane: Lane, which: 'waiting' | 'ended', limit: number) {
    const { number } = lane.state;
    const { store } = this.#options;
    if (which === 'waiting') {
      const listed = await store.list<Parcel>(waitingBehind(number, 0), limit);
      return listed.map(([, parcel]) => parcel);
    }
    const listed = await store.list<Parcel>(endedOf(number), ALL);
    return listed
      .map(([, parcel]) => parcel)
      .reverse()
      .slice(0, limit);
  }

  /** One that waits, or is among those that ended last. */
  async find(id: string): Promise<FoundParcel | undefined> {
    const [, name, number, seq] = /^msg_(\w+)_(\d{1,12})_(\d{1,12})$/.exec(id) ?? [];
    const lane = this.#byNumber.get(Number(number));
    if (name !== this.#options.name || lane === undefined) return undefined;
    const { store } = this.#options;
    const waiting = await store.get<Parcel>(waitingKey(lane.state.number, Number(seq)));
    if (waiting !== undefined) return { lane, parcel: waiting };
    const ended = await this.parcelsOf(lane, 'ended', ALL);
    const parcel = ended.find((each) => each.seq === Number(seq));
    return parcel && { lane, parcel };
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────

  #newLane(held: Held): Lane {
    if (this.#byNumber.size >= this.#sweepsAt) {
      this.#sweep();
      this.#sweepsAt = Math.max(LEAST_SWEPT, 2 * this.#byNumber.size);
    }
    return this.#add(newLane(++this.#latestNumber, held));
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

  #drop({ number, owner, target, ends, counts: its }: LaneState): void {
    const { store, senders } = this.#options;
    const counts = sumOf(this.#gone.get(owner) ?? noParcels(), its);
    this.#gone.set(owner, counts);
    store.put(goneKey(owner), { owner, counts } satisfies Gone);
    store.remove(laneKey(number));
    const first = Math.max(1, ends - ENDED_KEPT + 1);
    for (let at = first; at <= ends; at++) store.remove(endedKey(number, at));
    this.#byNumber.delete(number);
    this.#byTarget.delete(keyOfOwned(owner, target));
    void senders.forget(String(number));
  }

  #add(state: LaneState): Lane {
    const lane = new Lane(state, this.#street);
    this.#byNumber.set(state.number, lane);
    this.#byTarget.set(keyOfOwned(state.owner, state.target), lane);
    return lane;
  }

  async #send(state: LaneState, parcel: Parcel, signal: AbortSignal): Promise<Sent | NotSent> {
    const world = this.#options.world();
    if (world === undefined || signal.aborted) return 'disabled';
    const way = world.facts.wayTo(state.owner, state.target);
    if (way === undefined) {
      void this.#options.senders.forget(String(state.number));
      return 'removed';
    }
    if (!way.enabled) return 'disabled';
    const { what, body } = parcel;
    const sent = { id: this.idOf(state, parcel), target: String(state.number), what, body };
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
  readonly counts: ParcelCounts;
}

const ALL = Number.MAX_SAFE_INTEGER;
