/**
 * Exchange between network and platform: news go to the platform, and its requests to the network,
 * in turns, until both are silent.
 */
import { assert } from '../../sim/base/assert.ts';
import type { News } from '../../sim/contract/news.ts';
import { EventKind } from '../../sim/events.ts';
import type { Agenda } from '../../sim/kernel/agenda.ts';
import type { Network } from '../../sim/network/network.ts';
import { transmit } from '../../sim/network/outside-server.ts';
import { carryOut, newsOf } from '../../sim/network/requests.ts';
import type { Outbox, PlatformRequest } from '../base/outbox.ts';
import type { Platform } from '../platform.ts';
import type { RequestedTransmission } from './log.ts';
import type { WorldOptions } from './options.ts';

export class Exchange {
  readonly #agenda: Agenda;
  readonly #network: Network;
  readonly #platform: Platform;
  readonly #outbox: Outbox;
  readonly #observed: WorldOptions['news'];
  /** News of the network, queued until the end of the event. */
  #news: News[] = [];

  /** `outbox`: requests of the platform; `observed` receives all news after the platform. */
  constructor(
    agenda: Agenda,
    network: Network,
    platform: Platform,
    outbox: Outbox,
    observed: WorldOptions['news'],
  ) {
    this.#agenda = agenda;
    this.#network = network;
    this.#platform = platform;
    this.#outbox = outbox;
    this.#observed = observed;
  }

  /** Queues what the network reports. */
  add(news: News): void {
    this.#news.push(news);
  }

  /** Carries out what a network server outside the simulator requests. */
  transmit({ transmission, atUs }: RequestedTransmission): void {
    assert(atUs === this.#agenda.nowUs, 'a transmission is applied in the instant of its stamp');
    const { plan, sides } = this.#network;
    assert(plan.server.outside === true, 'the plan has its server outside');
    transmit(sides, transmission, atUs);
    this.run();
  }

  run(): void {
    if (this.#news.length === 0 && this.#outbox.isEmpty) return;
    while (this.#news.length > 0 || !this.#outbox.isEmpty) {
      const queued = this.#news;
      this.#news = [];
      for (const news of queued) {
        const about = this.#platform.hear(news, this.#agenda.nowUs);
        this.#observed?.(news, about);
      }
      for (const request of this.#outbox.drain()) this.#grant(request);
    }
    this.#outbox.rest();
  }

  /** Does what the platform requests. */
  #grant(request: PlatformRequest): void {
    const { nowUs } = this.#agenda;
    switch (request.kind) {
      case 'wakeAt': {
        const atUs = Math.max(request.atUs, nowUs + 1);
        return this.#agenda.appoint(EventKind.platformTimer, request.timer, atUs);
      }
      case 'wakeNever':
        return this.#agenda.cancel(EventKind.platformTimer, request.timer);
      default: {
        carryOut(this.#network, request, nowUs);
        const news = newsOf(request);
        if (news !== undefined) this.#news.push(news);
      }
    }
  }
}
