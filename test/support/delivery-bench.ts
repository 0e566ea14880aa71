/** Deliveries on the bench: targets, receivers and a clock, without devices and network. */

import { Outbox } from '../../core/base/outbox.ts';
import { ownTimer, timersOf } from '../../core/base/timers.ts';
import { Deliveries } from '../../core/delivery/deliveries/deliveries.ts';
import type { Effect } from '../../core/delivery/deliveries/effects.ts';
import type { Target } from '../../core/delivery/deliveries/target.ts';
import { Receivers } from '../../core/delivery/receivers/receivers.ts';
import type { GivenReceiver } from '../../core/delivery/receivers/rows.ts';
import { DrawPurpose, draw, entityKey, expandSeed } from '../../sim/base/random.ts';
import { got } from '../core/resources/service.ts';

/** Draws in the middle of their range: every pause is as long as it is reported. */
export const MIDDLE = () => () => 0x8000_0000;

/** Draws of a seed. */
export const drawsOf = (seed: string) => {
  const words = expandSeed(seed);
  return (entity: string) => {
    const { key0, key1 } = entityKey(words, entity);
    return (counter: number) => draw(key0, key1, DrawPurpose.placement, counter);
  };
};

export interface BenchOptions {
  readonly draws?: (entity: string) => (counter: number) => number;
  /** Whether somebody listens. */
  readonly listens?: boolean;
}

export const OWNER = 'us';

export class DeliveryBench {
  nowUs = 0;
  deliveries: Deliveries;
  receivers: Receivers;
  readonly effects: Effect[] = [];
  /** Targets that were disabled, and when. */
  readonly disabled: (readonly [id: string, atUs: number])[] = [];
  /** Wake-ups so far. */
  wakes = 0;
  readonly #timers = new Map<number, number>();
  readonly #outbox = new Outbox();
  readonly #options: BenchOptions;

  constructor(options: BenchOptions = {}) {
    this.#options = options;
    this.receivers = new Receivers();
    this.deliveries = this.#make();
  }

  #make(): Deliveries {
    const { draws = MIDDLE, listens = true } = this.#options;
    const disable = (_: string, id: string, nowUs: number) => void this.disabled.push([id, nowUs]);
    const needs = {
      timers: timersOf(this.#outbox, 4),
      world: { namedId: () => 'WORLD123', placeDraws: draws },
      effects: listens ? (effect: Effect) => void this.effects.push(effect) : undefined,
      receiver: {
        receive: (...given: Parameters<Receivers['receive']>) => this.receivers.receive(...given),
      },
      outputProfile: { disable },
      destination: { disable },
    };
    return new Deliveries(needs as unknown as ConstructorParameters<typeof Deliveries>[0]);
  }

  /** Everything is saved, and goes on from that in others. */
  reload(): void {
    const saved = JSON.parse(JSON.stringify([this.deliveries.save(), this.receivers.save()]));
    this.deliveries = this.#make();
    this.receivers = new Receivers();
    this.deliveries.load(saved[0]);
    this.receivers.load(saved[1]);
  }

  put(name: string, receiver: GivenReceiver): void {
    const asking = { by: OWNER, nowUs: this.nowUs, view: undefined as never };
    got(this.receivers.handle['receiver.put']({ name, receiver }, asking));
  }

  take(name: string): void {
    const asking = { by: OWNER, nowUs: this.nowUs, view: undefined as never };
    got(this.receivers.handle['receiver.delete']({ name }, asking));
  }

  emit(target: Target, about = 'D000000000000001'): void {
    this.deliveries.emit(target, { kind: 'uplink', about }, () => ({ about }), this.nowUs);
    this.#drain();
  }

  change(target: Target): void {
    this.deliveries.changed(target, this.nowUs);
    this.#drain();
  }

  remove({ owner, id }: Target): void {
    this.deliveries.removed(owner, id, this.nowUs);
    this.#drain();
  }

  /** Goes on until an instant. */
  runUntil(untilUs: number): void {
    for (;;) {
      let next: readonly [number, number] | undefined;
      for (const each of this.#timers) if (next === undefined || each[1] < next[1]) next = each;
      if (next === undefined || next[1] > untilUs) break;
      const [timer, atUs] = next;
      this.#timers.delete(timer);
      this.nowUs = atUs;
      this.wakes++;
      this.deliveries.onTimer(timer, atUs);
      this.#drain();
    }
    this.nowUs = untilUs;
  }

  /** What is reported of targets. */
  report() {
    const asking = { by: OWNER, nowUs: this.nowUs, view: undefined as never };
    return got(this.deliveries.handle['delivery.list']({}, asking));
  }

  /** Response with one. */
  of({ id }: Target) {
    return this.report().targets.find((each) => each.id === id)!;
  }

  /** What receivers have had, by name. */
  had(name: string) {
    const asking = { by: OWNER, nowUs: this.nowUs, view: undefined as never };
    const { receivers } = got(this.receivers.handle['receiver.list']({}, asking));
    const { requests, received, distinct, duplicates } = receivers.find(
      (each) => each.name === name,
    )!;
    return { requests, received, distinct, duplicates };
  }

  #drain(): void {
    for (const request of this.#outbox.drain()) {
      if (request.kind === 'wakeAt') {
        this.#timers.set(ownTimer(request.timer).timer, Math.max(request.atUs, this.nowUs + 1));
      } else if (request.kind === 'wakeNever') {
        this.#timers.delete(ownTimer(request.timer).timer);
      }
    }
    this.#outbox.rest();
  }
}

/** A webhook, which a receiver named alike may answer. */
export const webhook = (id: string, enabled = true): Target => ({
  owner: OWNER,
  id,
  kind: 'webhook',
  address: `https://${id}.example/in`,
  enabled,
});
