/**
 * Whose the entries of a scenario are: every subscriber that is named is one of the scenario's.
 */

import { type Complaint, unknownName } from '../language/complaint.ts';
import { listOf, mapOf, type Report } from '../language/members.ts';
import type { Path } from '../language/problem.ts';
import { firstOf } from '../language/subscriber-knob.ts';
import { addedSubscriber } from '../schema/command-schema.ts';

/** Lists whose entries belong to subscribers. */
const OWNED = [
  'accounts',
  'roles',
  'applications',
  'gateways',
  'devices',
  'images',
  'groups',
  'endDeviceGroups',
  'gatewayGroups',
  'multicastGroups',
  'serviceProfiles',
  'gatewayProfiles',
  'decoderTypes',
  'outputProfiles',
  'configurationPolicies',
  'credentials',
  'destinations',
  'alerts',
  'receivers',
  'campaigns',
  'delegations',
  'reliableDownlinks',
  'managedCampaigns',
] as const;

interface Owned {
  readonly entry: Readonly<Record<string, unknown>>;
}

/** The subscribers that a scenario names. */
export class Subscribers {
  /** As they stand in the list; undefined: one that cannot be read. */
  readonly #listed: readonly (string | undefined)[];
  readonly #names: readonly string[];
  /** Those that commands of the timeline make. */
  readonly #created: ReadonlySet<string | undefined>;
  readonly #report: Report;
  readonly #warn: Report;

  constructor(scenario: Readonly<Record<string, unknown>>, report: Report, warn: Report) {
    this.#report = report;
    this.#warn = warn;
    this.#listed = listOf(scenario.subscribers, 'subscribers').map((name) =>
      typeof name === 'string' ? name : undefined,
    );
    this.#names = this.#listed.filter((name) => name !== undefined);
    this.#created = new Set(
      listOf(scenario.timeline, 'timeline').map((item) =>
        addedSubscriber(mapOf(mapOf(item).command)),
      ),
    );
  }

  /** One name for two, and entries of somebody who is not named. */
  check(scenario: Readonly<Record<string, unknown>>): void {
    for (const [index, name] of this.#listed.entries()) {
      const first = this.#listed.indexOf(name);
      if (name === undefined || first === index) continue;
      const what = `the name "${name}" is taken by /subscribers/${first}`;
      const allowed = 'a name of its own for every subscriber';
      this.#report(['subscribers', index], { what, allowed });
    }
    for (const list of OWNED) {
      for (const [index, item] of listOf(scenario[list], list).entries()) {
        const { subscriber } = mapOf(item);
        if (typeof subscriber === 'string') this.find(subscriber, [list, index, 'subscriber']);
      }
    }
  }

  /** Callers of a command: named subscribers, those that the timeline creates, or unknown ones. */
  findCaller(word: string, path: Path): void {
    const isKnown = this.#names.includes(word) || word === firstOf(this.#names);
    if (isKnown || this.#created.has(word)) return;
    this.#warn(path, () => unknownName(word, 'subscriber', this.#names));
  }

  /** A name that no subscriber has is reported, unless one of theirs cannot be read. */
  find(word: string, path: Path): void {
    if (this.#names.includes(word) || this.#listed.includes(undefined)) return;
    this.#report(path, () => unknownName(word, 'subscriber', this.#names));
  }

  /** Whose an entry is; undefined when that is a fault of its own. */
  of({ entry }: Owned): string | undefined {
    if (this.#listed.includes(undefined)) return undefined;
    const { subscriber = firstOf(this.#names) } = entry;
    const isKnown = entry.subscriber === undefined || this.#names.includes(String(subscriber));
    return isKnown ? String(subscriber) : undefined;
  }

  /** Whether it is known that two entries are of different subscribers. */
  areApart(one: Owned, other: Owned): boolean {
    const [a, b] = [this.of(one), this.of(other)];
    return a !== undefined && b !== undefined && a !== b;
  }

  /** That `word` names something of another subscriber than `user`'s. */
  foreign<Thing extends Owned & { readonly name: string }>(
    word: string,
    thing: Thing,
    user: Owned,
    kind: string,
    things: readonly Thing[],
  ): Complaint {
    const own = this.of(user);
    const names = things.filter((one) => this.of(one) === own).map(({ name }) => name);
    return {
      what: `"${word}" is of the subscriber ${this.of(thing)}, not of ${own}`,
      allowed: names.slice(0, 40).join(', ') || `no ${kind}, for ${own} has none`,
    };
  }
}
