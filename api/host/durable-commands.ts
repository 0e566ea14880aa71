/**
 * Commands that are kept before they are carried out. They take turns: all that wait are admitted
 * at one instant, written to the journal together, and applied in their order once they are on the
 * disk; until then the world stands still. So nobody sees what a crash could take back.
 */
import type { Command } from '../../core/command.ts';
import type { FailureClasses } from '../../core/kit/failures.ts';
import type { Answered } from '../../core/operations.ts';
import type { Refused } from '../../core/world/guard.ts';
import type { Admitted } from '../../core/world/log.ts';
import { fail, type Result } from '../../sim/base/result.ts';
import type { Fate } from './journal/journal.ts';
import type { ServedWorld } from './served-world.ts';

/**
 * A journal, as commands see it. `done` is called once, in any order: an entry whose contents find
 * no room is refused while others before it are still written.
 */
export interface CommandJournal {
  append(entry: Admitted, done: (fate: Fate) => void): void;
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

/** What is done between turns. */
type Between = () => Promise<void>;

type World = Pick<ServedWorld, 'catchUp' | 'admit' | 'apply' | 'hold' | 'release'>;

export class DurableCommands {
  readonly #world: World;
  readonly #journal: CommandJournal;
  readonly #waiting: (Waiting | Between)[] = [];
  #isInTurn = false;

  constructor(world: World, journal: CommandJournal) {
    this.#world = world;
    this.#journal = journal;
  }

  submit<Given extends Command>(command: Given): Promise<Submitted<Given>> {
    return new Promise((resolve) => {
      const answer = resolve as Waiting['answer'];
      this.#add({ command, answer });
    });
  }

  /**
   * Does something while the world stands still and no command is underway: those that came before
   * are carried out, and those that come later wait.
   */
  between<Value>(act: () => Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#add(() => act().then(resolve, reject));
    });
  }

  #add(waiting: Waiting | Between): void {
    this.#waiting.push(waiting);
    if (!this.#isInTurn) this.#turn();
  }

  #turn(): void {
    this.#world.catchUp();
    const turn = this.#commandsOfTurn().flatMap(({ command, answer }) => {
      const admitted = this.#world.admit(command);
      if (admitted.ok) return [{ admitted: admitted.value, answer }];
      answer(admitted);
      return [];
    });
    if (turn.length > 0) return this.#keep(turn);
    const [next] = this.#waiting;
    if (typeof next === 'function') this.#stand(next);
    else if (next !== undefined) this.#turn();
  }

  /** Those that wait, up to what is done between turns. */
  #commandsOfTurn(): readonly Waiting[] {
    const end = this.#waiting.findIndex((each) => typeof each === 'function');
    const count = Math.min(end < 0 ? this.#waiting.length : end, MOST_IN_TURN);
    return this.#waiting.splice(0, count) as Waiting[];
  }

  #stand(act: Between): void {
    this.#waiting.shift();
    this.#isInTurn = true;
    this.#world.hold();
    act().finally(() => this.#endTurn());
  }

  #endTurn(): void {
    this.#isInTurn = false;
    this.#world.release();
    if (this.#waiting.length > 0) this.#turn();
  }

  #keep(turn: readonly Admission[]): void {
    this.#isInTurn = true;
    this.#world.hold();
    const fates: Fate[] = [];
    let told = 0;
    turn.forEach(({ admitted }, at) => {
      this.#journal.append(admitted, (fate) => {
        fates[at] = fate;
        if (++told === turn.length) this.#applyAll(turn, fates);
      });
    });
  }

  #applyAll(turn: readonly Admission[], fates: readonly Fate[]): void {
    turn.forEach(({ admitted, answer }, at) => {
      const fate = fates[at]!;
      answer(fate === 'durable' ? (this.#world.apply(admitted) as Result<unknown>) : REFUSED[fate]);
    });
    this.#endTurn();
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

/** What is refused where an entry is not kept. */
export const refusedBy = (fate: Exclude<Fate, 'durable'>) => REFUSED[fate];
