/**
 * Subscribers: who asks, and whose the devices and gateways are. Every resource belongs to a
 * subscriber and is visible only to it (docs/operations.md, E58).
 *
 * A subscriber is an id, any text. What nobody else owns belongs to the default subscriber: that
 * of scenarios.
 */

import type { Result } from '../../sim/base/result.ts';
import type { Fields } from '../kit/fields.ts';
import type { Permission } from '../kit/permissions.ts';
import type { OwnView } from '../network-face.ts';
import { type Fold, foldField } from './fold.ts';
import { fieldsReader } from './reading.ts';

export const DEFAULT_SUBSCRIBER = 'default';

/** Commands and queries carry who asks. */
export interface Asker {
  /** The subscriber, whose things are meant. */
  readonly by: string;
  /** What the asker may do; all when absent. */
  readonly permissions?: readonly Permission[];
}

const ASKER = {
  by: { type: 'text', required: true, is: 'The subscriber who asks.' },
  permissions: { type: 'list', of: { type: 'text' }, most: 100, is: 'What the asker may do.' },
} as const satisfies Fields;

/** Who asks, of a command or query that somebody gave. */
export const readAsker = fieldsReader(ASKER, {
  path: '',
  name: 'asker',
  failure: 'asker.malformed',
}) as (input: object, into: object) => Result<Asker>;

/** What a resource gets beside a command or query. */
export interface Asking {
  /** The subscriber who asks. */
  readonly by: string;
  /** Virtual time, µs. */
  readonly nowUs: number;
  /** The network, as far as it is the subscriber's. */
  readonly view: OwnView;
}

export type Thing = 'device' | 'gateway';

/** Plain data: EUIs with their owners. */
export interface SavedOwners {
  readonly devices: readonly (readonly [eui: string, owner: string])[];
  readonly gateways: readonly (readonly [eui: string, owner: string])[];
}

/** Owners of devices and gateways; those of the default subscriber need no entry. */
export class Owners {
  #devices = new Map<string, string>();
  #gateways = new Map<string, string>();

  owns(subscriber: string, thing: Thing, eui: string): boolean {
    return (this.#of(thing).get(eui) ?? DEFAULT_SUBSCRIBER) === subscriber;
  }

  ownerOf(thing: Thing, eui: string): string {
    return this.#of(thing).get(eui) ?? DEFAULT_SUBSCRIBER;
  }

  note(subscriber: string, thing: Thing, eui: string): void {
    if (subscriber === DEFAULT_SUBSCRIBER) this.#of(thing).delete(eui);
    else this.#of(thing).set(eui, subscriber);
  }

  forget(thing: Thing, eui: string): void {
    this.#of(thing).delete(eui);
  }

  fold(fold: Fold): void {
    foldField(fold, 'devices', sorted(this.#devices));
    foldField(fold, 'gateways', sorted(this.#gateways));
  }

  save(): SavedOwners {
    return { devices: sorted(this.#devices), gateways: sorted(this.#gateways) };
  }

  load(saved: SavedOwners): void {
    this.#devices = new Map(saved.devices);
    this.#gateways = new Map(saved.gateways);
  }

  #of(thing: Thing): Map<string, string> {
    return thing === 'device' ? this.#devices : this.#gateways;
  }
}

const sorted = (map: ReadonlyMap<string, string>) =>
  [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
