/**
 * Delivers to real receivers what leaves the main world (docs/decisions/0067). START HERE.
 *
 * It listens to the world's effects, records them in order, and hands what left the world to the
 * queue of its target (target-queue.ts). Nothing of a receiver reaches the world but the command
 * that disables a target. A world that repeats effects after a restart is known by their ordinals.
 */
import { randomBytes } from 'node:crypto';
import type { Effect, Effects } from '../../../core/delivery/deliveries/effects.ts';
import type { HostTime } from '../clock/host-time.ts';
import type { DeliveredWorld } from './delivered-world.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { Senders } from './senders/senders.ts';
import { ALL_HELD, type Held, heldKey, META, type Meta } from './stored-deliveries.ts';
import { TargetQueues } from './target-queues.ts';

export interface DelivererOptions {
  /** Where there is one already. */
  readonly exists: boolean;
  readonly open: (onWritten: () => void) => Promise<DeliveryStore>;
  readonly senders: Senders;
  readonly time: HostTime;
  /** The disk takes nothing, such as a full one: it is asked again. */
  readonly onTrouble: (error: unknown) => void;
  /** What stands on the disk is damaged: nobody knows what waits. */
  readonly onBroken: (error: unknown) => void;
}

/** The world stands still while more is not written down. */
const MOST_UNWRITTEN = 10_000;
const LEAST_UNWRITTEN = 1_000;
const AGAIN_MS = 1_000;

const ordinalOf = ({ id }: Effect): number => Number(id.slice(id.lastIndexOf('.') + 1));

export class Deliverer {
  readonly #options: DelivererOptions;
  #store: DeliveryStore | undefined;
  #meta: Meta = { name: randomBytes(6).toString('hex'), life: 0, heard: 0, latestNumber: 0 };
  #queues: TargetQueues | undefined;
  #world: DeliveredWorld | undefined;
  /** Of the world that is heard. */
  #life = 0;
  /** Effects of a replay belong to an earlier run, which has delivered them. */
  #isPast = false;
  #heard: Effect[] = [];
  /** Of the last delivery among them, or before them. */
  #heardTo = 0;
  /** Those of them that are being written down. */
  #inHand = 0;
  #taking: Promise<void> | undefined;
  #isHolding = false;
  #isClosed = false;

  private constructor(options: DelivererOptions) {
    this.#options = options;
  }

  /** It knows what was heard until it was closed, or its process ended. */
  static async open(options: DelivererOptions): Promise<Deliverer> {
    const deliverer = new Deliverer(options);
    if (options.exists) await deliverer.#opened();
    return deliverer;
  }

  get queues(): TargetQueues | undefined {
    return this.#queues;
  }

  // ── worlds ─────────────────────────────────────────────────────────────────────────────────────

  /** What the main world of a life is given that is about to be made. */
  effectsOf(life: number): Effects {
    this.#world = undefined;
    this.#isHolding = false;
    this.#life = life;
    this.#isPast = this.#meta.life !== life;
    if (this.#isPast) this.#heard = [];
    return (effect) => {
      if (life === this.#life && !this.#isPast) this.#hear(effect);
    };
  }

  /** That world stands where it goes on from. What waits for another one has ended. */
  async begin(world: DeliveredWorld): Promise<void> {
    this.#world = world;
    if (this.#isPast) await this.#beginLife(world);
    this.#isPast = false;
    this.#queues?.goOn();
  }

  async #beginLife({ life, facts }: DeliveredWorld): Promise<void> {
    await this.#taking;
    const store = await this.#opened();
    await this.#queues!.endAll();
    for (const [key] of await store.list<Held>(ALL_HELD, Number.MAX_SAFE_INTEGER))
      store.remove(key);
    this.#heardTo = facts.latestDelivery;
    this.#keepMeta({ life, heard: this.#heardTo });
    // Where the disk takes nothing, it is waited for: else a restart would begin the life again.
    while (!this.#isClosed && !(await store.written(true)));
  }

  /** Resolves once all effects so far are on disk: a snapshot of the world may follow. */
  async settle(): Promise<void> {
    while (this.#taking !== undefined) await this.#taking;
    await this.#store?.flush();
  }

  /** Attempts underway are cut off: they are made again at the next start. */
  async close(): Promise<void> {
    this.#queues?.close();
    await this.#options.senders.close();
    if (this.#store !== undefined) await this.#taking;
    this.#isClosed = true;
    await this.#store?.close();
  }

  // ── effects of the world ─────────────────────────────────────────────────────────────────────

  #hear(effect: Effect): void {
    if (effect.kind === 'attempted') return;
    if (effect.kind === 'emitted') {
      const ordinal = ordinalOf(effect);
      if (ordinal <= this.#heardTo) return;
      this.#heardTo = ordinal;
    }
    this.#heard.push(effect);
    this.#taking ??= this.#takeOn()
      .catch(this.#options.onBroken)
      .finally(() => {
        this.#taking = undefined;
      });
    this.#holdOrRelease();
  }

  /** In batches: effects that arrive meanwhile go with the next one. */
  async #takeOn(): Promise<void> {
    const store = await this.#openedInTheEnd();
    while (store !== undefined && this.#heard.length > 0 && !this.#isClosed) {
      const reports = this.#heard;
      this.#heard = [];
      this.#inHand = reports.length;
      const known = await this.#heldOf(reports, store);
      // All of a batch is changed in one turn, so that it is written together.
      this.#takeDown(reports, known, store);
      this.#inHand = 0;
      await store.written();
    }
  }

  /** What earlier batches have of deliveries that end in this one. */
  async #heldOf(reports: readonly Effect[], store: DeliveryStore): Promise<Map<number, Held>> {
    const emitted = new Set<number>();
    const held = new Map<number, Held>();
    for (const effect of reports) {
      const ordinal = ordinalOf(effect);
      if (effect.kind === 'emitted') emitted.add(ordinal);
      if (effect.kind !== 'ended' || emitted.has(ordinal)) continue;
      const before = await store.get<Held>(heldKey(ordinal));
      if (before !== undefined) held.set(ordinal, before);
    }
    return held;
  }

  #takeDown(reports: readonly Effect[], held: Map<number, Held>, store: DeliveryStore): void {
    const fresh = new Map<number, Held>();
    let { heard } = this.#meta;
    for (const effect of reports) {
      const ordinal = ordinalOf(effect);
      if (effect.kind === 'emitted') {
        fresh.set(ordinal, heldOf(effect));
        heard = ordinal;
      }
      if (effect.kind !== 'ended') continue;
      const delivery = fresh.get(ordinal) ?? held.get(ordinal);
      if (held.has(ordinal)) store.remove(heldKey(ordinal));
      fresh.delete(ordinal);
      if (effect.how === 'left' && delivery !== undefined) this.#queues!.accept(delivery);
    }
    for (const [ordinal, each] of fresh) store.put(heldKey(ordinal), each);
    this.#keepMeta({ heard });
    this.#queues!.goOn();
  }

  #keepMeta(changes: Partial<Meta>): void {
    const { latestNumber } = this.#queues!;
    this.#meta = { ...this.#meta, latestNumber, ...changes };
    this.#store!.put(META, this.#meta);
  }

  #holdOrRelease(): void {
    const unwritten = this.#heard.length + this.#inHand + (this.#store?.unwritten ?? 0);
    if (!this.#isHolding && unwritten > MOST_UNWRITTEN && this.#world !== undefined) {
      this.#isHolding = true;
      this.#world.hold();
    } else if (this.#isHolding && unwritten < LEAST_UNWRITTEN) {
      this.#isHolding = false;
      this.#world?.release();
    }
  }

  // ── the disk ───────────────────────────────────────────────────────────────────────────────────

  #opening: Promise<DeliveryStore> | undefined;

  #opened(): Promise<DeliveryStore> {
    this.#opening ??= this.#openAll();
    return this.#opening;
  }

  /** Undefined: it is closed before the disk takes something. */
  async #openedInTheEnd(): Promise<DeliveryStore | undefined> {
    while (!this.#isClosed) {
      try {
        return await this.#opened();
      } catch (error) {
        this.#opening = undefined;
        this.#options.onTrouble(error);
        await new Promise<void>((resolve) => this.#options.time.later(resolve, AGAIN_MS));
      }
    }
    return undefined;
  }

  async #openAll(): Promise<DeliveryStore> {
    const { open, senders, time, onBroken } = this.#options;
    const store = await open(() => this.#holdOrRelease());
    this.#store = store;
    const known = await store.get<Meta>(META);
    if (known !== undefined) this.#meta = known;
    this.#heardTo = Math.max(this.#heardTo, this.#meta.heard);
    const { name, latestNumber } = this.#meta;
    const world = () => this.#world;
    const parts = { store, senders, time, name, latestNumber, world, onBroken };
    this.#queues = await TargetQueues.open(parts);
    return store;
  }
}

const heldOf = (effect: Extract<Effect, { kind: 'emitted' }>): Held => ({
  ordinal: ordinalOf(effect),
  owner: effect.owner,
  target: effect.target,
  kind: effect.to.kind,
  address: effect.to.address,
  atUs: effect.atUs,
  what: effect.what,
  body: JSON.stringify(effect.body),
});
