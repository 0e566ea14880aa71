/**
 * Policies: configurations that devices get without a person. A scenario's file brings them; which
 * devices a policy has follows from its list and from device profiles, and of several policies of
 * one device the first counts.
 */

import type { JsonObject } from '../../../sim/base/json.ts';
import { type Fold, foldField } from '../../base/fold.ts';
import { copyPlain } from '../../base/plain.ts';
import type { Owned } from '../../base/store.ts';

export interface Policy extends Owned {
  /** In the form of a UUID. */
  readonly id: string;
  readonly name: string;
  readonly config: JsonObject;
  /** Devices that are listed, whenever they come. */
  readonly devEuis: readonly string[];
  /** Id of the device profile whose devices it has, whenever they come; '': of none. */
  readonly profile: string;
  /** Id of the user or application that made it. */
  readonly createdBy: string;
}

/** What of a device a policy may go by. */
export interface PolicyDevice {
  readonly owner: string;
  readonly devEui: string;
  /** Id of its device profile: asked for where it matters. */
  profile(): string;
}

export class Policies {
  /** In the order in which they were made. */
  #all: Policy[] = [];
  /** DevEUIs that a policy lists, by its id. */
  readonly #listed = new Map<string, ReadonlySet<string>>();

  add(policy: Policy): void {
    this.#all.push(policy);
    this.#listed.set(policy.id, new Set(policy.devEuis));
  }

  get(id: string): Policy | undefined {
    return this.#all.find((each) => each.id === id);
  }

  count(owner: string): number {
    return this.#all.filter((each) => each.owner === owner).length;
  }

  /** The policy that a device has; undefined: none. */
  of({ owner, devEui, profile }: PolicyDevice): Policy | undefined {
    return this.#all.find((policy) => {
      if (policy.owner !== owner) return false;
      if (this.#listed.get(policy.id)!.has(devEui)) return true;
      return policy.profile !== '' && policy.profile === profile();
    });
  }

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  fold(fold: Fold): void {
    for (const { config, ...policy } of this.#all) {
      foldField(fold, 'policy', { ...policy, config: JSON.stringify(config) });
    }
  }

  save(): readonly Policy[] {
    return copyPlain(this.#all);
  }

  load(saved: readonly Policy[]): void {
    this.#all = [];
    this.#listed.clear();
    for (const policy of copyPlain(saved)) this.add(policy);
  }
}
