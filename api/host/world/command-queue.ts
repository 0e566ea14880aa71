/**
 * Commands that wait to be durable, by subscriber. A turn takes of each subscriber as many as cost
 * him some milliseconds, by what his commands have cost before. So a subscriber whose commands cost
 * much waits for himself, and nobody else waits for him (docs/decisions/0102).
 */

import { assert } from '../../../sim/base/assert.ts';

/** What the commands of one subscriber may cost in a turn, about, ms; one is always taken. */
const SHARE_MS = 20;
/** What a command costs whose subscriber has given none yet, ms. */
const UNKNOWN_MS = 1;
/** Commands of one turn, at most. */
const MOST_IN_TURN = 1_024;
/** Weight of what came before in the mean of costs. */
const BEFORE = 0.8;

interface Numbered<Waiting> {
  readonly number: number;
  readonly waiting: Waiting;
}

/** Commands that came between two acts, which end it. */
interface Stretch<Waiting, Act> {
  readonly bySubscriber: Map<string, Numbered<Waiting>[]>;
  act: Act | undefined;
}

export class CommandLine<Waiting, Act> {
  readonly #stretches: Stretch<Waiting, Act>[] = [];
  /** Mean of what a command costs, ms, by subscriber. */
  readonly #meanMs = new Map<string, number>();
  #numbers = 0;

  get isEmpty(): boolean {
    return this.#stretches.length === 0;
  }

  add(by: string, waiting: Waiting): void {
    const { bySubscriber } = this.#last();
    const list = bySubscriber.get(by) ?? [];
    bySubscriber.set(by, list);
    list.push({ number: this.#numbers++, waiting });
  }

  /** To be done when all that came before is carried out, and before all that comes later. */
  addBetween(act: Act): void {
    this.#last().act = act;
  }

  /** The commands of a turn, in the order in which they came; none where an act is next. */
  take(): readonly Waiting[] {
    const [stretch] = this.#stretches;
    if (stretch === undefined) return [];
    const { bySubscriber, act } = stretch;
    const taken: Numbered<Waiting>[] = [];
    for (const [by, list] of [...bySubscriber]) {
      const share = Math.floor(SHARE_MS / (this.#meanMs.get(by) ?? UNKNOWN_MS));
      const count = Math.min(Math.max(1, share), MOST_IN_TURN - taken.length);
      if (count === 0) break;
      taken.push(...list.splice(0, count));
      bySubscriber.delete(by);
      // Who had a turn comes after the others in the next one.
      if (list.length > 0) bySubscriber.set(by, list);
    }
    if (bySubscriber.size === 0 && act === undefined) this.#stretches.shift();
    assert(taken.length <= MOST_IN_TURN, 'a turn takes a bounded number of commands');
    return taken.sort((one, other) => one.number - other.number).map(({ waiting }) => waiting);
  }

  /** The act that is next; undefined: commands come before it, or there is none. */
  takeBetween(): Act | undefined {
    const [stretch] = this.#stretches;
    if (stretch === undefined || stretch.bySubscriber.size > 0) return undefined;
    this.#stretches.shift();
    return stretch.act;
  }

  /** A command of a subscriber has cost so much, ms. */
  cost(by: string, ms: number): void {
    const before = this.#meanMs.get(by) ?? UNKNOWN_MS;
    this.#meanMs.set(by, BEFORE * before + (1 - BEFORE) * ms);
  }

  #last(): Stretch<Waiting, Act> {
    const last = this.#stretches.at(-1);
    if (last !== undefined && last.act === undefined) return last;
    const stretch = { bySubscriber: new Map(), act: undefined };
    this.#stretches.push(stretch);
    return stretch;
  }
}
