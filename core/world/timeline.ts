/** The timeline of a plan: how far it has been applied, and which entries were refused. */
import { assert } from '../../sim/base/assert.ts';
import type { Result } from '../../sim/base/result.ts';
import { SECOND_US } from '../../sim/base/units.ts';
import { commandFor, type TimedCommand } from '../command.ts';

export interface SavedTimeline {
  /** Commands applied so far. */
  readonly done: number;
  readonly refusals: readonly RefusedEntry[];
}

interface RefusedEntry {
  /** Its place among all commands of the timeline. */
  readonly entry: number;
  readonly message: string;
}

/** How many commands an entry is. */
const countOf = ({ each }: TimedCommand): number => each?.length ?? 1;

/** One of the commands of an entry. */
function commandAt(entry: TimedCommand, at: number): TimedCommand {
  const { atUs, command, each } = entry;
  return each === undefined ? entry : { atUs, command: commandFor(command, each[at]!) };
}

export class Timeline {
  readonly #entries: readonly TimedCommand[];
  /** Commands of the entries before each. */
  readonly #before: Float64Array;
  readonly #count: number;
  /** Commands that were applied; the entry of the next one. */
  #done = 0;
  #at = 0;
  #refusals: RefusedEntry[] = [];
  /** What commands of the timeline call what they create, by its id; made when it is asked for. */
  #names: ReadonlyMap<string, string> | undefined;

  constructor(entries: readonly TimedCommand[]) {
    this.#entries = entries;
    this.#before = new Float64Array(entries.length);
    let count = 0;
    for (const [at, entry] of entries.entries()) {
      this.#before[at] = count;
      count += countOf(entry);
    }
    this.#count = count;
  }

  /** Sentences on entries that were refused: warnings of the result. */
  get refusals(): readonly string[] {
    return this.#refusals.map(({ entry, message }) => {
      const { atUs, command } = this.#command(entry);
      const name = 'id' in command ? this.#named(command.id) : undefined;
      const what = name === undefined ? command.kind : `${command.kind} of ${name}`;
      return `${what} at ${Math.round(atUs / SECOND_US)} s was refused: ${this.inNames(message)}`;
    });
  }

  /** Entries that were refused, and why. */
  get refused(): readonly {
    readonly command: TimedCommand['command'];
    readonly message: string;
  }[] {
    return this.#refusals.map(({ entry, message }) => {
      return { command: this.#command(entry).command, message: this.inNames(message) };
    });
  }

  /** A sentence of the platform: where it has ids of what the file made, with their names. */
  readonly inNames = (sentence: string): string =>
    sentence.replace(/\b[\w-]{6,36}\b/g, (word) => this.#named(word) ?? word);

  #named(id: unknown): string | undefined {
    this.#names ??= new Map(this.#entries.flatMap(({ command }) => nameOf(command)));
    return this.#names.get(String(id));
  }

  /** The next command, if it is due until this instant. */
  due(untilUs: number): TimedCommand | undefined {
    const next = this.#entries[this.#at];
    if (next === undefined || next.atUs > untilUs) return undefined;
    return commandAt(next, this.#done - this.#before[this.#at]!);
  }

  /** When the next command is due, µs; Infinity: none is left. */
  get nextUs(): number {
    return this.#entries[this.#at]?.atUs ?? Number.POSITIVE_INFINITY;
  }

  /** Whether another timeline has the same commands until now, and no others. */
  isBegunBy(entries: readonly TimedCommand[], nowUs: number): boolean {
    const other = new Timeline(entries);
    for (let at = 0; at < this.#done; at++) {
      if (at >= other.#count) return false;
      const [own, its] = [this.#command(at), other.#command(at)];
      if (its.atUs !== own.atUs || its.command.kind !== own.command.kind) return false;
    }
    return this.#done === other.#count || other.#command(this.#done).atUs > nowUs;
  }

  /** The command that was due is applied now. */
  apply({ atUs }: TimedCommand, nowUs: number, decide: () => Result<unknown>): void {
    assert(nowUs === atUs, 'the timeline is in the order of time');
    const entry = this.#done++;
    if (this.#done === this.#before[this.#at]! + countOf(this.#entries[this.#at]!)) this.#at++;
    const answer = decide();
    if (!answer.ok) this.#refusals.push({ entry, message: answer.failure.message });
  }

  /** A command by its place among all. */
  #command(place: number): TimedCommand {
    const at = this.#entryOf(place);
    return commandAt(this.#entries[at]!, place - this.#before[at]!);
  }

  /** The entry that has the command of this place, or that would be next. */
  #entryOf(place: number): number {
    if (place >= this.#count) return this.#entries.length;
    let [from, until] = [0, this.#entries.length];
    while (until - from > 1) {
      const middle = (from + until) >> 1;
      if (this.#before[middle]! <= place) from = middle;
      else until = middle;
    }
    return from;
  }

  save(): SavedTimeline {
    return { done: this.#done, refusals: [...this.#refusals] };
  }

  load({ done, refusals }: SavedTimeline): void {
    assert(done <= this.#count, 'what was applied stands in the timeline');
    this.#done = done;
    this.#at = this.#entryOf(done);
    this.#refusals = [...refusals];
  }
}

/** The id that a command gives to what it creates, and what that is called. */
function nameOf(command: TimedCommand['command']): readonly (readonly [string, string])[] {
  if (!('id' in command) || typeof command.id !== 'string') return [];
  const { id } = command;
  const bodies: readonly unknown[] = Object.values(command);
  return bodies.flatMap((body) => {
    const isNamed = typeof body === 'object' && body !== null && 'name' in body;
    return isNamed && typeof body.name === 'string' ? [[id, body.name] as const] : [];
  });
}
