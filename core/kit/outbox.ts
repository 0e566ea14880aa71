/**
 * What the platform requests of the network, first in, first out. The World drains it to empty
 * before the next event.
 */
import { assert } from '../../sim/base/assert.ts';
import type { NetworkRequest } from '../network-face.ts';
import { NEVER_US } from './instant.ts';

/** More requests than this in one instant are a loop. */
const MOST_PER_INSTANT = 1_000_000;

export class Outbox {
  #requests: NetworkRequest[] = [];
  #inInstant = 0;
  #instantUs = NEVER_US;

  add(request: NetworkRequest, nowUs: number): void {
    assert(nowUs >= this.#instantUs, 'requests come in the order of time');
    this.#inInstant = nowUs === this.#instantUs ? this.#inInstant + 1 : 1;
    this.#instantUs = nowUs;
    assert(this.#inInstant <= MOST_PER_INSTANT, 'an instant has a bounded number of requests');
    this.#requests.push(request);
  }

  get isEmpty(): boolean {
    return this.#requests.length === 0;
  }

  /** Takes all requests so far, in order. */
  drain(): readonly NetworkRequest[] {
    const requests = this.#requests;
    this.#requests = [];
    return requests;
  }
}
