/**
 * Write-ahead commands: each is stored before it is executed. They take turns: all that wait are
 * admitted at one instant, written to the journal together, and applied in their order once they
 * are on the disk; until then the world stands still. So nobody sees what a crash could take back.
 */
import type { Command } from '../../../core/command.ts';
import type { FailureClasses } from '../../../core/kit/failures.ts';
import type { Answered } from '../../../core/operations.ts';
import type { Refused } from '../../../core/world/guard.ts';
import type { Admitted } from '../../../core/world/log.ts';
import { fail, type Result } from '../../../sim/base/result.ts';
import type { RefusedEntry, StoredCommand } from '../journal/entries-msgpack.ts';
import type { Fate } from '../journal/journal.ts';
import { recordedClaim } from '../journal/recorded-keys.ts';
import type { Claim } from '../requests/response-store.ts';
import { CommandLine } from './command-queue.ts';
import { RefusedBytes } from './refused-bytes.ts';
import type { ServedWorld } from './served-world.ts';

/**
 * A journal, as commands see it. `done` is called once, in any order: an entry whose contents find
 * no room is refused while others before it are still written. Returns how many bytes it takes.
 */
export interface CommandJournal {
  append(entry: StoredCommand | RefusedEntry, done: (fate: Fate) => void): number;
}

/** What any command may be refused with whose journal is on a disk. */
export const JOURNAL_FAILURES = {
  /** The disk is full: nothing has happened. */
  'journal.full': 'full',
  /** The disk has failed: whether it has happened shows after a restart. */
  'journal.broken': 'unavailable',
} as const satisfies FailureClasses;

/** Outcome of a command, whether it is stored or not. */
export type Submitted<Given extends Command> =
  | Answered<Given['kind']>
  | Refused
  | Result<never, keyof typeof JOURNAL_FAILURES>;

interface Waiting {
  readonly command: Command;
  readonly claim: Claim | undefined;
  readonly answer: (answer: Result<unknown>) => void;
}

/** What is done between turns. */
type Between = () => Promise<void>;

/** Commands are applied for so long before the event loop does other work, ms. */
const SLICE_MS = 10;

type World = Pick<ServedWorld, 'catchUp' | 'admit' | 'apply' | 'hold' | 'release' | 'log'>;

export class DurableCommands {
  readonly #world: World;
  readonly #journal: CommandJournal;
  readonly #line: CommandLine<Waiting, Between>;
  readonly #refused: RefusedBytes;
  readonly #life: number;
  readonly #nowMs: () => number;
  #isInTurn = false;

  /** `life`: how often the world had been restored before. */
  constructor(world: World, journal: CommandJournal, life = 0, nowMs = () => performance.now()) {
    this.#world = world;
    this.#journal = journal;
    this.#life = life;
    this.#nowMs = nowMs;
    this.#line = new CommandLine();
    this.#refused = new RefusedBytes(nowMs);
  }

  /**
   * With a claim, its idempotency key is durable together with the command; what a crash had
   * separated from its answer is not carried out again.
   */
  submit<Given extends Command>(command: Given, claim?: Claim): Promise<Submitted<Given>> {
    if (claim?.earlier !== undefined) return Promise.resolve(claim.earlier as Submitted<Given>);
    return new Promise((resolve) => {
      const answer = resolve as Waiting['answer'];
      this.#line.add(command.by, { command, claim, answer });
      if (!this.#isInTurn) this.#turn();
    });
  }

  /**
   * Does something while the world stands still and no command is underway: those that came before
   * are carried out, and those that come later wait.
   */
  between<Value>(act: () => Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#line.addBetween(() => act().then(resolve, reject));
      if (!this.#isInTurn) this.#turn();
    });
  }

  /** How long a subscriber waits whose refused commands fill the journal, whole s; 0: no time. */
  waitS(subscriber: string): number {
    return this.#refused.waitS(subscriber);
  }

  /** Whether nothing waits, and the world does not stand still. */
  get isIdle(): boolean {
    return !this.#isInTurn && this.#line.isEmpty;
  }

  #turn(): void {
    this.#world.catchUp();
    const turn = this.#line.take().flatMap(({ command, claim, answer }) => {
      const fromMs = this.#nowMs();
      const admitted = this.#world.admit(command);
      const costMs = this.#nowMs() - fromMs;
      if (admitted.ok) return [{ admitted: admitted.value, claim, costMs, answer }];
      this.#line.cost(command.by, costMs);
      answer(admitted);
      return [];
    });
    if (turn.length > 0) return this.#keep(turn);
    const act = this.#line.takeBetween();
    if (act !== undefined) this.#stand(act);
    else if (!this.#line.isEmpty) this.#turn();
  }

  #stand(act: Between): void {
    this.#isInTurn = true;
    this.#world.hold();
    act().finally(() => this.#endTurn());
  }

  #endTurn(): void {
    this.#isInTurn = false;
    this.#world.release();
    if (!this.#line.isEmpty) this.#turn();
  }

  #keep(turn: readonly Admission[]): void {
    this.#isInTurn = true;
    this.#world.hold();
    const fates: Fate[] = [];
    const bytes: number[] = [];
    let count = 0;
    turn.forEach(({ admitted, claim }, at) => {
      bytes[at] = this.#journal.append(entryOf(admitted, claim), (fate) => {
        fates[at] = fate;
        if (++count === turn.length) this.#applyAll(turn, { fates, bytes });
      });
    });
  }

  /** Slice by slice: between them queries are answered, and the world stands still. */
  #applyAll(turn: readonly Admission[], stored: Stored, from = 0): void {
    const untilMs = this.#nowMs() + SLICE_MS;
    for (let at = from; at < turn.length; at++) {
      if (at > from && this.#nowMs() >= untilMs) {
        setImmediate(() => this.#applyAll(turn, stored, at));
        return;
      }
      const { admitted, costMs, answer } = turn[at]!;
      const fate = stored.fates[at]!;
      const fromMs = this.#nowMs();
      const result = fate === 'durable' ? this.#apply(admitted) : REFUSED[fate];
      // One that takes no bytes is of a world in memory.
      const bytes = stored.bytes[at] ?? 0;
      if (fate === 'durable' && !result.ok) this.#refused.add(admitted.command.by, bytes);
      answer(result);
      this.#line.cost(admitted.command.by, costMs + this.#nowMs() - fromMs);
    }
    this.#endTurn();
  }

  /** A command that is refused is marked: a restart passes over it, and a session leaves it out. */
  #apply(admitted: Admitted): Result<unknown> {
    const result = this.#world.apply(admitted) as Result<unknown>;
    const { atUs } = admitted;
    const place = this.#world.log.length - 1;
    const entry = { kind: 'refused', atUs, life: this.#life, place } as const;
    if (!result.ok) this.#journal.append(entry, () => undefined);
    return result;
  }
}

/** What became of the entries of a turn, and how many bytes each takes. */
interface Stored {
  readonly fates: readonly Fate[];
  readonly bytes: readonly number[];
}

interface Admission {
  readonly admitted: Admitted;
  readonly claim: Claim | undefined;
  /** Of its admission, ms. */
  readonly costMs: number;
  readonly answer: Waiting['answer'];
}

function entryOf(admitted: Admitted, claim: Claim | undefined): StoredCommand {
  if (claim === undefined) return admitted;
  claim.isJournaled = true;
  return { ...admitted, claim: recordedClaim(claim) };
}

const REFUSED = {
  full: fail('journal.full', 'The disk is full, so nothing is changed; reading goes on.'),
  broken: fail('journal.broken', 'The disk has failed, and the emulator ends.'),
} satisfies Record<Exclude<Fate, 'durable'>, Result<never, keyof typeof JOURNAL_FAILURES>>;

/** Failures where an entry cannot be stored. */
export const refusedBy = (fate: Exclude<Fate, 'durable'>) => REFUSED[fate];
