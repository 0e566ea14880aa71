/**
 * Downlinks of resources: each gets an id, and goes to the network as its sender's. What becomes of
 * it is news of the kind `downlink`.
 */
import { assert } from '../../sim/base/assert.ts';
import type { DownlinkFateNews, Sender } from '../../sim/contract/downlinks.ts';
import type { NewDownlink } from '../../sim/contract/requests.ts';
import { type Fold, foldField } from './fold.ts';
import type { Outbox } from './outbox.ts';

/** What was sent, and what would have been; what was cleared is over, and so is who was removed. */
export const isTry = (what: DownlinkFateNews): boolean =>
  what.kind === 'sent' ||
  (what.kind === 'dropped' && what.reason !== 'cleared' && what.reason !== 'deviceRemoved');

export class Downlinks {
  readonly #outbox: Outbox;
  /** Ids are never used again. */
  #latestId = 0;

  constructor(outbox: Outbox) {
    this.#outbox = outbox;
  }

  /** Requests a downlink to a device; returns its id, unique in the world. */
  send(sender: Sender, downlink: NewDownlink, nowUs: number): number {
    const id = ++this.#latestId;
    this.#outbox.add({ kind: 'downlink', id, sender, ...downlink }, nowUs);
    return id;
  }

  /** Drops the sender's downlinks that wait for a device, and no other's. */
  clear(sender: Sender, devEui: string, nowUs: number): void {
    this.#outbox.add({ kind: 'clearDownlinks', devEui, sender }, nowUs);
  }

  fold(fold: Fold): void {
    foldField(fold, 'downlinks', this.#latestId);
  }

  /** The latest id. */
  save(): number {
    return this.#latestId;
  }

  load(saved: number): void {
    assert(saved >= 0, 'a number of downlinks is saved');
    this.#latestId = saved;
  }
}
