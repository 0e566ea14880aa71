/** The timeline of a plan: how far it has been applied, and which entries were refused. */
import { assert } from '../../sim/base/assert.ts';
import type { Result } from '../../sim/base/result.ts';
import { SECOND_US } from '../../sim/base/units.ts';
import type { TimedCommand } from '../command.ts';

export interface SavedTimeline {
  /** Entries applied so far. */
  readonly done: number;
  readonly refusals: readonly RefusedEntry[];
}

interface RefusedEntry {
  /** Its place in the timeline. */
  readonly entry: number;
  readonly message: string;
}

export class Timeline {
  readonly #entries: readonly TimedCommand[];
  #done = 0;
  #refusals: RefusedEntry[] = [];
  /** What commands of the timeline call what they create, by its id; made when it is asked for. */
  #names: ReadonlyMap<string, string> | undefined;

  constructor(entries: readonly TimedCommand[]) {
    this.#entries = entries;
  }

  /** Sentences on entries that were refused: warnings of the result. */
  get refusals(): readonly string[] {
    return this.#refusals.map(({ entry, message }) => {
      const { atUs, command } = this.#entries[entry]!;
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
      return { command: this.#entries[entry]!.command, message: this.inNames(message) };
    });
  }

  /** A sentence of the platform: where it has ids of what the file made, with their names. */
  readonly inNames = (sentence: string): string =>
    sentence.replace(/\b[\w-]{6,36}\b/g, (word) => this.#named(word) ?? word);

  #named(id: unknown): string | undefined {
    this.#names ??= new Map(this.#entries.flatMap(({ command }) => nameOf(command)));
    return this.#names.get(String(id));
  }

  /** The next entry, if it is due until this instant. */
  due(untilUs: number): TimedCommand | undefined {
    const next = this.#entries[this.#done];
    return next !== undefined && next.atUs <= untilUs ? next : undefined;
  }

  /** When the next entry is due, µs; Infinity: none is left. */
  get nextUs(): number {
    return this.#entries[this.#done]?.atUs ?? Number.POSITIVE_INFINITY;
  }

  /** Whether another timeline has the same entries until now, and no others. */
  isBegunBy(entries: readonly TimedCommand[], nowUs: number): boolean {
    const done = this.#entries.slice(0, this.#done);
    const isSame = done.every(({ atUs, command }, at) => {
      const other = entries[at];
      return other?.atUs === atUs && other.command.kind === command.kind;
    });
    return isSame && (entries[this.#done]?.atUs ?? Number.POSITIVE_INFINITY) > nowUs;
  }

  /** The entry that was due is applied now. */
  apply({ atUs }: TimedCommand, nowUs: number, decide: () => Result<unknown>): void {
    assert(nowUs === atUs, 'the timeline is in the order of time');
    const entry = this.#done++;
    const answer = decide();
    if (!answer.ok) this.#refusals.push({ entry, message: answer.failure.message });
  }

  save(): SavedTimeline {
    return { done: this.#done, refusals: [...this.#refusals] };
  }

  load({ done, refusals }: SavedTimeline): void {
    assert(done <= this.#entries.length, 'what was applied stands in the timeline');
    this.#done = done;
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
