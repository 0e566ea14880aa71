/**
 * A deliverer by itself: a world that a test reports the effects of, and senders that it answers.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Deliverer } from '../../api/host/deliveries/deliverer.ts';
import { DeliveryStore } from '../../api/host/deliveries/delivery-store.ts';
import type { Sent } from '../../api/host/deliveries/network/attempt-result.ts';
import type { Delivery, Sender } from '../../api/host/deliveries/senders/sender.ts';
import { Senders } from '../../api/host/deliveries/senders/senders.ts';
import type { Effect, Effects, End } from '../../core/delivery/deliveries/effects.ts';
import type { Way } from '../../core/delivery/targets/kinds.ts';
import type { Json } from '../../sim/base/json.ts';
import { ManualTime } from './manual-time.ts';

export const TAKEN: Sent = { answer: 200, retryAfterS: 0, says: '' };
export const answered = (answer: Sent['answer'], more: Partial<Sent> = {}): Sent => ({
  ...TAKEN,
  answer,
  ...more,
});

const HOOK = { kind: 'webhook', url: 'https://hook.example/in', headers: [], secret: '' } as const;

export class DeliveredTown {
  readonly time = new ManualTime();
  readonly sent: Delivery[] = [];
  readonly troubles: unknown[] = [];
  readonly disabled: string[] = [];
  readonly folder: string;
  /** What each attempt is answered. */
  answer: (delivery: Delivery, signal: AbortSignal) => Sent | Promise<Sent> = () => TAKEN;
  /** By target; one that is not here is reached. */
  readonly ways = new Map<string, Way | undefined>();
  holds = 0;
  ordinal = 0;
  deliverer!: Deliverer;
  #stored: DeliveryStore | undefined;
  #report: Effects = () => undefined;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(folder?: string, past?: (town: DeliveredTown) => void): Promise<DeliveredTown> {
    const town = new DeliveredTown(folder ?? (await mkdtemp(join(tmpdir(), 'deliveries-'))));
    await town.start(0, past);
    return town;
  }

  /** A process begins, or the next one. `past`: what the world reports while it is made again. */
  async start(life = 0, past: (town: DeliveredTown) => void = () => undefined): Promise<void> {
    const { time } = this;
    this.deliverer = await Deliverer.open({
      exists: true,
      open: (onWritten) => this.#store(onWritten),
      senders: this.#senders(),
      time,
      onTrouble: (error) => void this.troubles.push(error),
      onBroken: (error) => void this.troubles.push(error),
    });
    await this.begin(life, past);
  }

  async #store(onWritten: () => void): Promise<DeliveryStore> {
    const { time, folder } = this;
    const onTrouble = (error: unknown) => void this.troubles.push(error);
    const key = new Uint8Array(32);
    this.#stored = await DeliveryStore.open({ folder, key, time, onTrouble, onWritten });
    return this.#stored;
  }

  #senders(): Senders {
    const sender: Sender = {
      send: async (delivery, _, signal) => {
        this.sent.push(delivery);
        return this.answer(delivery, signal);
      },
      forget: async () => undefined,
      close: async () => undefined,
    };
    return new Senders(() => sender);
  }

  /** A world of a life takes the place of the last one. */
  async begin(life: number, past: (town: DeliveredTown) => void = () => undefined): Promise<void> {
    this.#report = this.deliverer.effectsOf(life);
    past(this);
    const town = this;
    await this.deliverer.begin({
      life,
      facts: {
        get latestDelivery() {
          return town.ordinal;
        },
        wayTo: (_, target) =>
          this.ways.has(target) ? this.ways.get(target) : { route: HOOK, enabled: true },
      },
      disable: (_, target) => {
        this.disabled.push(target);
        this.ways.set(target, { route: HOOK, enabled: false });
      },
      hold: () => void this.holds++,
      release: () => void this.holds--,
    });
  }

  report(effect: Effect): void {
    this.#report(effect);
  }

  /** There is something to deliver; its ordinal. */
  emit(target = 'desk', owner = 'ann', body: Json = { n: this.ordinal + 1 }): number {
    const id = `world.${++this.ordinal}`;
    const to = { kind: 'webhook', address: HOOK.url } as const;
    const what = { kind: 'uplink', about: '0A' } as const;
    this.report({ kind: 'emitted', id, atUs: this.ordinal, owner, target, to, what, body });
    return this.ordinal;
  }

  end(ordinal: number, how: End = 'left', target = 'desk', owner = 'ann'): void {
    this.report({ kind: 'ended', id: `world.${ordinal}`, atUs: ordinal, owner, target, how });
  }

  /** The number of leave the world. */
  leave(count: number, target = 'desk', owner = 'ann'): void {
    for (let i = 0; i < count; i++) this.end(this.emit(target, owner), 'left', target, owner);
  }

  /**
   * All that happens by itself at this instant has happened: what was reported is written down,
   * nothing is read, and no attempt has begun meanwhile. Answers that a test keeps back are not
   * waited for.
   */
  async settled(): Promise<void> {
    for (let isSettled = false; !isSettled; ) {
      await this.deliverer.settle();
      const before = this.sent.length;
      do await new Promise((resolve) => setImmediate(resolve));
      while (this.#stored?.isBusy);
      isSettled = before === this.sent.length;
    }
  }

  /** Wall time goes on, in steps. */
  async pass(ms: number, steps = 1): Promise<void> {
    for (let step = 0; step < steps; step++) {
      this.time.pass(ms / steps);
      await this.settled();
    }
  }

  queue(target = 'desk', owner = 'ann') {
    const sendingQueue = this.deliverer.queues?.of(owner, target);
    if (sendingQueue === undefined) throw new Error(`nothing has left for ${target}`);
    return sendingQueue;
  }

  bodies(): unknown[] {
    return this.sent.map(({ body }) => JSON.parse(body).n);
  }

  async stop(): Promise<void> {
    await this.deliverer.close();
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true });
  }
}
