/**
 * Records of delegations, and what they covered before they were changed or deleted: who was
 * permitted once receives the failure that the delegation has ended, not that the device is unknown
 * (docs/decisions/0050).
 */
import type { Fold } from '../base/fold.ts';
import { hashOf } from '../base/hash.ts';
import { instantOf } from '../base/instant.ts';
import { keyOfOwned, Store } from '../base/store.ts';
import { type Cover, coverOf, isWithin } from './delegation-cover.ts';
import type { DelegationFields } from './delegation-fields.ts';

/** `owner` created it, and the devices are its. */
export interface Delegation extends DelegationFields {
  readonly owner: string;
  readonly id: string;
  readonly createdAtUs: number;
}

/** What is found by its two parties. */
interface BetweenTwo {
  readonly owner: string;
  readonly delegate_to: string;
}

/** What a delegation covered once. */
type FormerCover = Cover & BetweenTwo;

/** Plain data. */
export interface SavedDelegations {
  readonly delegations: readonly Delegation[];
  readonly former: readonly FormerCover[];
}

const parties = ({ owner, delegate_to }: BetweenTwo) => [keyOfOwned(owner, delegate_to)];

export class DelegationRecords {
  readonly #records = new Store('delegations', ({ id }: Delegation) => id, {
    to: ({ delegate_to }: Delegation) => [delegate_to],
    parties,
  });
  /** The same cover is stored once, however often it comes and goes. */
  readonly #former = new Store('formerDelegations', formerKey, { parties });

  ofAnybody(id: string): Delegation | undefined {
    return this.#records.ofAnybody(id);
  }

  /** Those that a subscriber created, in the order of their ids. */
  from(owner: string): readonly Delegation[] {
    return this.#records.list(owner);
  }

  /** Those that name a subscriber, in the order of their creators and ids. */
  to(subscriber: string): readonly Delegation[] {
    return this.#records.by('to', subscriber);
  }

  /** Adds a record, or puts it in the place of the one with its id. */
  put(record: Delegation): void {
    const old = this.#records.get(record.owner, record.id);
    if (old !== undefined && !isWithin(old, record)) this.#remember(old);
    this.#records.put(record);
  }

  remove(record: Delegation): void {
    this.#remember(record);
    this.#records.remove(record.owner, record.id);
  }

  /** Which devices one subscriber delegates to another at an instant. */
  between(from: string, to: string, unixMs: number): (devEui: string) => boolean {
    const valid = this.#records
      .by('parties', keyOfOwned(from, to))
      .filter((each) => unixMs <= instantOf(each.expires_at));
    return coverOf(valid);
  }

  /** Which ones it delegates or delegated, over or not. */
  everBetween(from: string, to: string): (devEui: string) => boolean {
    const both = keyOfOwned(from, to);
    return coverOf([...this.#records.by('parties', both), ...this.#former.by('parties', both)]);
  }

  fold(fold: Fold): void {
    this.#records.saving.fold(fold);
    this.#former.saving.fold(fold);
  }

  save(): SavedDelegations {
    return { delegations: this.#records.saving.save(), former: this.#former.saving.save() };
  }

  load({ delegations, former }: SavedDelegations): void {
    this.#records.saving.load(delegations);
    this.#former.saving.load(former);
  }

  #remember({ owner, delegate_to, include_devices, exclude_devices }: Delegation): void {
    this.#former.put({ owner, delegate_to, include_devices, exclude_devices });
  }
}

function formerKey({ delegate_to, include_devices, exclude_devices }: FormerCover): string {
  const text = [include_devices.join(), exclude_devices.join()].join('\n');
  const ascii = Uint8Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  return `${delegate_to}\n${hashOf(ascii)}`;
}
