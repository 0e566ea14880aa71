/**
 * What the platform requests of the network, first in, first out. The World drains it to empty
 * before the next event.
 */
import { assert } from '../../sim/base/assert.ts';
import type { NetworkRequest } from '../../sim/contract/requests.ts';
import { NEVER_US } from './instant.ts';

/** A request of the network, or an appointment of the platform with itself. */
export type PlatformRequest =
  | NetworkRequest
  /** The timer is due at this time, in place of an earlier appointment of it. */
  | { readonly kind: 'wakeAt'; readonly timer: number; readonly atUs: number }
  | { readonly kind: 'wakeNever'; readonly timer: number };

/** More requests than this in one conversation are a loop. */
const MOST_AT_ONCE = 1_000_000;

export class Outbox {
  #requests: PlatformRequest[] = [];
  /** Since network and platform were silent. */
  #inConversation = 0;
  #instantUs = NEVER_US;

  add(request: PlatformRequest, nowUs: number): void {
    assert(nowUs >= this.#instantUs, 'requests come in the order of time');
    this.#instantUs = nowUs;
    this.#inConversation++;
    assert(this.#inConversation <= MOST_AT_ONCE, 'a conversation has a bounded number of requests');
    this.#requests.push(request);
  }

  get isEmpty(): boolean {
    return this.#requests.length === 0;
  }

  /** Nobody has anything to say any more: any number of commands may come in an instant. */
  rest(): void {
    assert(this.isEmpty, 'a conversation ends when all is carried out');
    this.#inConversation = 0;
  }

  /** Takes all requests so far, in order. */
  drain(): readonly PlatformRequest[] {
    const requests = this.#requests;
    this.#requests = [];
    return requests;
  }
}
