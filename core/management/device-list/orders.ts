/**
 * Orders of each subscriber's devices by name and DevEUI, cached until one of its devices comes,
 * goes or is changed (docs/decisions/0055): a page of a cached order costs what it holds.
 */
import type { Key } from '../../listing/order.ts';

/** DevEUIs in order, by the keys of the order. */
type Cached = Map<string, readonly string[]>;

/** Subscribers with cached orders; who asks may be anybody. */
const MOST_SUBSCRIBERS = 1_000;

export class DeviceOrders {
  readonly #bySubscriber = new Map<string, Cached>();

  /** The order by these keys, cached or not yet; undefined: it depends on other fields. */
  of(subscriber: string, keys: readonly Key[]): DeviceOrder | undefined {
    // No two devices have the same DevEUI: keys behind it decide nothing.
    const last = keys.findIndex(({ name }) => name === 'dev_eui');
    const deciding = keys.slice(0, last + 1);
    const isCachable = deciding.every(({ name }) => name === 'name' || name === 'dev_eui');
    if (deciding.length === 0 || !isCachable) return undefined;
    return new DeviceOrder(this.#cachedOf(subscriber), deciding);
  }

  /**
   * A subscriber's devices have changed. Orders of lists that were begun before are not stored any
   * more.
   */
  drop(subscriber: string): void {
    this.#bySubscriber.delete(subscriber);
  }

  clear(): void {
    this.#bySubscriber.clear();
  }

  #cachedOf(subscriber: string): Cached {
    const known = this.#bySubscriber.get(subscriber);
    if (known !== undefined) return known;
    if (this.#bySubscriber.size === MOST_SUBSCRIBERS) this.clear();
    const cached: Cached = new Map();
    this.#bySubscriber.set(subscriber, cached);
    return cached;
  }
}

/** One order of a subscriber's devices. Opposite orders share what is cached. */
export class DeviceOrder {
  readonly #cached: Cached;
  readonly #keys: string;
  readonly #descending: boolean;

  constructor(cached: Cached, keys: readonly Key[]) {
    this.#cached = cached;
    this.#descending = keys[0]!.descending;
    const signOf = ({ descending }: Key) => (descending === this.#descending ? '' : '-');
    this.#keys = keys.map((key) => signOf(key) + key.name).join();
  }

  /** That many DevEUIs from a place on, and how many there are; undefined: it is not cached. */
  page(from: number, size: number): { devEuis: readonly string[]; total: number } | undefined {
    const all = this.#cached.get(this.#keys);
    if (all === undefined) return undefined;
    const total = all.length;
    if (!this.#descending) return { devEuis: all.slice(from, from + size), total };
    const [first, end] = [Math.max(0, total - from - size), Math.max(0, total - from)];
    return { devEuis: all.slice(first, end).reverse(), total };
  }

  /** Stores all DevEUIs, which are in this order. */
  store(devEuis: string[]): void {
    if (this.#cached.has(this.#keys)) return;
    this.#cached.set(this.#keys, this.#descending ? devEuis.reverse() : devEuis);
  }
}
