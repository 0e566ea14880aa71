/**
 * Pool of broker connections, open while they are used: for each target one per client id, a
 * hundred at most. The one that was idle for the longest gives way.
 */
import { setMaxListeners } from 'node:events';
import type { Appointment } from '../../clock/host-time.ts';
import { inSequence } from '../../process/serial-queue.ts';
import type { SocketPlace } from '../network/tcp-socket.ts';
import { Permits } from '../semaphore.ts';
import { BrokerConnection, type LineNeeds, type Login } from './broker-connection.ts';
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
  /** Expiry of the credentials given to the broker, ms since 1970. Absent: never. */
  readonly goodUntilMs?: number;
}

interface Stored {
  readonly key: string;
  readonly target: string;
  /** Key of a connection: address and identity. */
  readonly like: string;
  readonly goodUntilMs: number;
  readonly line: Promise<BrokerConnection>;
  users: number;
  idles?: Appointment;
}

/** Pool of one target: limits busy connections; a mutex serialises acquire and evict. */
interface Turns {
  readonly permits: Permits;
  readonly inTurn: ReturnType<typeof inSequence>;
}

const newTurns = (): Turns => ({
  permits: new Permits(MOST_LINES_OF_TARGET),
  inTurn: inSequence(),
});

export class BrokerLines {
  readonly #needs: LineNeeds;
  readonly #closing = new AbortController();
  /** The one that was used last is the last. */
  readonly #stored = new Map<string, Stored>();
  readonly #turns = new Map<string, Turns>();

  constructor(needs: SenderNeeds) {
    const { signal } = this.#closing;
    setMaxListeners(0, signal);
    this.#needs = { ...needs, signal };
  }

  /** Does something over the connection of a way, which is opened where there is none. */
  async over<Value>(way: Way, act: (line: BrokerConnection) => Promise<Value>): Promise<Value> {
    const turns = this.#turns.get(way.target) ?? newTurns();
    this.#turns.set(way.target, turns);
    // So one of a hundred others is idle where there are as many.
    return turns.permits.with(async () => {
      const stored = await turns.inTurn(() => this.#take(way));
      try {
        return await act(await stored.line);
      } finally {
        this.#release(stored);
      }
    });
  }

  async forget(target: string): Promise<void> {
    this.#turns.delete(target);
    await Promise.all(this.#of(target).map((each) => this.#drop(each)));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#stored.values()].map((each) => this.#drop(each)));
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────

  async #take(way: Way): Promise<Stored> {
    const { place, login, passwordOf } = way;
    const like = JSON.stringify([place, { ...login, password: passwordOf ?? login.password }]);
    const key = `${way.target} ${way.login.clientId}`;
    const known = this.#stored.get(key);
    if (known !== undefined && this.#isGood(known, like)) return this.#use(known);
    if (known !== undefined) await this.#drop(known);
    await this.#evict(way.target);
    return this.#use(this.#open(key, like, way));
  }

  #isGood({ like, goodUntilMs }: Stored, wanted: string): boolean {
    return like === wanted && this.#needs.time.wallMs() < goodUntilMs;
  }

  #use(stored: Stored): Stored {
    stored.users++;
    stored.idles?.cancel();
    this.#stored.delete(stored.key);
    this.#stored.set(stored.key, stored);
    return stored;
  }

  #release(stored: Stored): void {
    if (--stored.users > 0) return;
    stored.idles = this.#needs.time.later(() => void this.#drop(stored), IDLE_MS);
  }

  #open(key: string, like: string, way: Way): Stored {
    const { target, place, login, goodUntilMs = Number.POSITIVE_INFINITY } = way;
    const line = BrokerConnection.open(place, login, this.#needs);
    const stored: Stored = { key, target, like, goodUntilMs, line, users: 0 };
    const ends = () => {
      stored.idles?.cancel();
      if (this.#stored.get(key) === stored) this.#stored.delete(key);
    };
    line.then((open) => open.onEnd(ends), ends);
    return stored;
  }

  /** There is one less than there may be. */
  async #evict(target: string): Promise<void> {
    const own = this.#of(target);
    const all = [...this.#stored.values()];
    const among = own.length >= MOST_LINES_OF_TARGET ? own : all.length >= MOST_LINES ? all : [];
    const oldest = among.find(({ users }) => users === 0);
    if (oldest === undefined) return;
    await this.#drop(oldest);
  }

  #of(target: string): readonly Stored[] {
    return [...this.#stored.values()].filter((each) => each.target === target);
  }

  async #drop(stored: Stored): Promise<void> {
    stored.idles?.cancel();
    if (this.#stored.get(stored.key) === stored) this.#stored.delete(stored.key);
    try {
      await (await stored.line).close();
    } catch {
      // It was never open.
    }
  }
}
