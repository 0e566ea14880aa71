/**
 * Commands that are kept before they are carried out. They take turns: all that wait are admitted
 * at one instant, written to the journal together, and applied in their order once they are on the
 * disk; until then the world stands still. So nobody sees what a crash could take back.
 */
import type { Command } from '../../core/command.ts';
import type { FailureClasses } from '../../core/kit/failures.ts';
import type { Answered } from '../../core/operations.ts';
import type { Refused } from '../../core/world/guard.ts';
import type { Admitted, LogEntry } from '../../core/world/log.ts';
import { fail, type Result } from '../../sim/base/result.ts';
import type { Fate } from './journal/journal.ts';
import type { ServedWorld } from './served-world.ts';

/** A journal, as commands see it. `done` is called once, in the order of the entries. */
export interface EntryJournal {
  append(entry: LogEntry, done: (fate: Fate) => void): void;
}

/** What any command may be refused with whose journal is on a disk. */
export const KEPT_FAILURES = {
  /** The disk is full: nothing has happened. */
  'journal.full': 'full',
  /** The disk has failed: whether it has happened shows after a restart. */
  'journal.broken': 'unavailable',
} as const satisfies FailureClasses;

/** What a command comes to, whether it is kept or not. */
export type Submitted<Given extends Command> =
  | Answered<Given['kind']>
  | Refused
  | Result<never, keyof typeof KEPT_FAILURES>;

/** Commands of one turn, at most. */
const MOST_IN_TURN = 1_024;

interface Waiting {
  readonly command: Command;
  readonly answer: (answer: Result<unknown>) => void;
}

type World = Pick<ServedWorld, 'catchUp' | 'admit' | 'apply' | 'hold' | 'release'>;

export class DurableCommands {
  readonly #world: World;
  readonly #journal: EntryJournal;
  readonly #waiting: Waiting[] = [];
  #isInTurn = false;

  constructor(world: World, journal: EntryJournal) {
    this.#world = world;
    this.#journal = journal;
  }

  submit<Given extends Command>(command: Given): Promise<Submitted<Given>> {
    return new Promise((resolve) => {
      const answer = resolve as Waiting['answer'];
      this.#waiting.push({ command, answer });
      if (!this.#isInTurn) this.#turn();
    });
  }

  #turn(): void {
    this.#world.catchUp();
    const turn = this.#waiting.splice(0, MOST_IN_TURN).flatMap(({ command, answer }) => {
      const admitted = this.#world.admit(command);
      if (admitted.ok) return [{ admitted: admitted.value, answer }];
      answer(admitted);
      return [];
    });
    if (turn.length > 0) this.#keep(turn);
    else if (this.#waiting.length > 0) this.#turn();
  }

  #keep(turn: readonly Admission[]): void {
    this.#isInTurn = true;
    this.#world.hold();
    const fates: Fate[] = [];
    for (const { admitted } of turn) {
      this.#journal.append(admitted, (fate) => {
        if (fates.push(fate) === turn.length) this.#applyAll(turn, fates);
      });
    }
  }

  #applyAll(turn: readonly Admission[], fates: readonly Fate[]): void {
    turn.forEach(({ admitted, answer }, at) => {
      const fate = fates[at]!;
      answer(fate === 'durable' ? (this.#world.apply(admitted) as Result<unknown>) : REFUSED[fate]);
    });
    this.#isInTurn = false;
    this.#world.release();
    if (this.#waiting.length > 0) this.#turn();
  }
}

interface Admission {
  readonly admitted: Admitted;
  readonly answer: Waiting['answer'];
}

const REFUSED = {
  full: fail('journal.full', 'The disk is full, so nothing is changed; reading goes on.'),
  broken: fail('journal.broken', 'The disk has failed, and the emulator ends.'),
} satisfies Record<Exclude<Fate, 'durable'>, Result<never, keyof typeof KEPT_FAILURES>>;
