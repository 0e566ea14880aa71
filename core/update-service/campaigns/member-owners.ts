/**
 * Whose the members of a campaign are: its owner's, but for those that others delegated to it. A
 * campaign speaks to each member with the keys and through the gateways of whose it is.
 */
import { groupedBy } from '../../base/grouped.ts';
import type { Given } from '../../base/joint-view.ts';

/** Members of one other subscriber: plain data. */
export interface DelegatedBy {
  readonly owner: string;
  /** In the group's list of devices, ascending. */
  readonly places: readonly number[];
}

/** What decides whose members are: a campaign's state has it. */
interface Parties {
  readonly owner: string;
  readonly group: { readonly devices: readonly string[] };
  readonly delegated: readonly DelegatedBy[];
}

/** What is derived of it, until the group changes. */
export class MemberOwners implements Given {
  readonly #owner: string;
  readonly #delegated: readonly DelegatedBy[];
  /** Of members that are another's. */
  readonly #byDevEui = new Map<string, string>();

  constructor({ owner, group, delegated }: Parties) {
    this.#owner = owner;
    this.#delegated = delegated;
    for (const { owner: theirs, places } of delegated) {
      for (const place of places) this.#byDevEui.set(group.devices[place]!, theirs);
    }
  }

  /** Whether it was made of this. */
  isOf(delegated: readonly DelegatedBy[]): boolean {
    return this.#delegated === delegated;
  }

  get owners(): readonly string[] {
    return this.#delegated.map(({ owner }) => owner);
  }

  ownerOf(devEui: string): string {
    return this.#byDevEui.get(devEui) ?? this.#owner;
  }

  /** Whether it is of another subscriber than the campaign. */
  isDelegated(devEui: string): boolean {
    return this.#byDevEui.size > 0 && this.#byDevEui.has(devEui);
  }
}

/** The members that are of others, in the order of their first. */
export function delegatedAmong(
  owner: string,
  devEuis: readonly string[],
  ownerOf: (devEui: string) => string,
): readonly DelegatedBy[] {
  const byOwner = groupedBy(devEuis.keys(), (place) => ownerOf(devEuis[place]!));
  return [...byOwner].flatMap(([theirs, places]) =>
    theirs === owner ? [] : [{ owner: theirs, places }],
  );
}
