/**
 * Connections to brokers, kept while they are used: of each target as many as it has client ids,
 * a hundred at most. The one that was idle for the longest gives way.
 */
import { setMaxListeners } from 'node:events';
import type { Appointment } from '../../clock/host-time.ts';
import { oneByOne } from '../../process/serial-queue.ts';
import type { SocketPlace } from '../network/tcp-socket.ts';
import { Permits } from '../semaphore.ts';
import { BrokerLine, type LineNeeds, type Login } from './broker-connection.ts';
import type { SenderNeeds } from './sender.ts';

/** Of one target. */
const MOST_LINES_OF_TARGET = 100;
const MOST_LINES = 2_000;
const IDLE_MS = 600_000;

/** How a target is reached as one client. */
export interface Way {
  readonly target: string;
  readonly place: SocketPlace;
  readonly login: Login;
  /** What its password is made of, where that is another one each time. */
  readonly passwordOf?: string;
  /** Ms since 1970: what the broker was told is good until then. Absent: for ever. */
  readonly goodUntilMs?: number;
}

interface Kept {
  readonly key: string;
  readonly target: string;
  /** Who is reached there, and as whom: another answer is another connection. */
  readonly like: string;
  readonly goodUntilMs: number;
  readonly line: Promise<BrokerLine>;
  users: number;
  idles?: Appointment;
}

/** Of one target: so many are busy at a time, and one at a time takes or makes room. */
interface Turns {
  readonly permits: Permits;
  readonly inTurn: ReturnType<typeof oneByOne>;
}

const newTurns = (): Turns => ({
  permits: new Permits(MOST_LINES_OF_TARGET),
  inTurn: oneByOne(),
});

export class BrokerLines {
  readonly #needs: LineNeeds;
  readonly #closing = new AbortController();
  /** The one that was used last is the last. */
  readonly #kept = new Map<string, Kept>();
  readonly #turns = new Map<string, Turns>();

  constructor(needs: SenderNeeds) {
    const { signal } = this.#closing;
    setMaxListeners(0, signal);
    this.#needs = { ...needs, signal };
  }

  /** Does something over the connection of a way, which is opened where there is none. */
  async over<Value>(way: Way, act: (line: BrokerLine) => Promise<Value>): Promise<Value> {
    const turns = this.#turns.get(way.target) ?? newTurns();
    this.#turns.set(way.target, turns);
    // So one of a hundred others is idle where there are as many.
    return turns.permits.with(async () => {
      const kept = await turns.inTurn(() => this.#take(way));
      try {
        return await act(await kept.line);
      } finally {
        this.#release(kept);
      }
    });
  }

  async forget(target: string): Promise<void> {
    this.#turns.delete(target);
    await Promise.all(this.#of(target).map((each) => this.#drop(each)));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#kept.values()].map((each) => this.#drop(each)));
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────

  async #take(way: Way): Promise<Kept> {
    const { place, login, passwordOf } = way;
    const like = JSON.stringify([place, { ...login, password: passwordOf ?? login.password }]);
    const key = `${way.target} ${way.login.clientId}`;
    const known = this.#kept.get(key);
    if (known !== undefined && this.#isGood(known, like)) return this.#use(known);
    if (known !== undefined) await this.#drop(known);
    await this.#makeRoom(way.target);
    return this.#use(this.#open(key, like, way));
  }

  #isGood({ like, goodUntilMs }: Kept, wanted: string): boolean {
    return like === wanted && this.#needs.time.wallMs() < goodUntilMs;
  }

  #use(kept: Kept): Kept {
    kept.users++;
    kept.idles?.cancel();
    this.#kept.delete(kept.key);
    this.#kept.set(kept.key, kept);
    return kept;
  }

  #release(kept: Kept): void {
    if (--kept.users > 0) return;
    kept.idles = this.#needs.time.later(() => void this.#drop(kept), IDLE_MS);
  }

  #open(key: string, like: string, way: Way): Kept {
    const { target, place, login, goodUntilMs = Number.POSITIVE_INFINITY } = way;
    const line = BrokerLine.open(place, login, this.#needs);
    const kept: Kept = { key, target, like, goodUntilMs, line, users: 0 };
    const ends = () => {
      kept.idles?.cancel();
      if (this.#kept.get(key) === kept) this.#kept.delete(key);
    };
    line.then((open) => open.onEnd(ends), ends);
    return kept;
  }

  /** There is one less than there may be. */
  async #makeRoom(target: string): Promise<void> {
    const own = this.#of(target);
    const all = [...this.#kept.values()];
    const among = own.length >= MOST_LINES_OF_TARGET ? own : all.length >= MOST_LINES ? all : [];
    const oldest = among.find(({ users }) => users === 0);
    if (oldest === undefined) return;
    await this.#drop(oldest);
  }

  #of(target: string): readonly Kept[] {
    return [...this.#kept.values()].filter((each) => each.target === target);
  }

  async #drop(kept: Kept): Promise<void> {
    kept.idles?.cancel();
    if (this.#kept.get(kept.key) === kept) this.#kept.delete(kept.key);
    try {
      await (await kept.line).close();
    } catch {
      // It was never open.
    }
  }
}
