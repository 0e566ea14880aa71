/** A world that clients use: the main one, whose commands may be stored, or a fork. */

import type { ManifestBranch } from '../../../core/result/manifest.ts';
import type { Admitted } from '../../../core/world/log.ts';
import type { World } from '../../../core/world/world.ts';
import type { Pace } from '../clock/clock.ts';
import type { HostTime } from '../clock/host-time.ts';
import { JournalLease } from '../clock/lease.ts';
import type { EntryJournal } from '../journal/entry-journal.ts';
import { inText, type RecordedKeys, recordedClaim } from '../journal/recorded-keys.ts';
import { inSequence } from '../process/serial-queue.ts';
import type { AnswerStore, Claim, GivenAnswer } from '../requests/response-store.ts';
import type { NewsHub } from '../watching/event-hub.ts';
import { type CommandJournal, DurableCommands } from './durable-commands.ts';
import { type Commands, DurableServed } from './durable-served-world.ts';
import { ServedWorld } from './served-world.ts';

/** Idempotency keys that outlive the process. */
export interface DurableKeys {
  /** Puts what was recorded before into the store of a world that begins. */
  restoreTo(store: AnswerStore): void;
  /** Ends a claim; without an answer it is as if it had never come. Waits until it is durable. */
  end(claim: Claim, answer: GivenAnswer | undefined, givenAtMs: number): Promise<void>;
}

/** Does something while a world stands still. */
type Between = <Value>(act: () => Promise<Value>) => Promise<Value>;

export interface HostedWorld {
  /** No other world of this emulator has it, now or later. */
  readonly id: string;
  readonly isFork: boolean;
  /** How often the main world had been restored before it. */
  readonly life: number;
  /** Of a fork with settings of its own: since when it has which. */
  readonly branch?: ManifestBranch | undefined;
  readonly served: ServedWorld;
  /** Interface for clients: commands may wait until they are stored. */
  readonly asked: DurableServed;
  /** Does something while it stands still and no command is underway. */
  readonly between: Between;
  /** As `between`, of what only looks: one after the other, commands that wait before the next. */
  readonly standing: Between;
  /** Absent: idempotency keys end with the process. */
  readonly keys?: DurableKeys;
}

export interface Hosting {
  readonly id: string;
  readonly isFork: boolean;
  readonly life: number;
  readonly branch?: ManifestBranch | undefined;
  readonly world: World;
  /** What has led to it. */
  readonly commands: readonly Admitted[];
  readonly pace: Partial<Pace>;
  readonly time: HostTime;
  readonly news: NewsHub;
  /** What ids of jobs begin with; '' when absent. */
  readonly jobPrefix?: string | undefined;
  readonly onBroken: (error: unknown) => void;
}

/** A world that stores commands before it executes them. */
export function durableHost(
  hosting: Hosting,
  journal: EntryJournal,
  recorded?: RecordedKeys,
): HostedWorld {
  const { id, isFork, life, world, commands, pace, time, news, jobPrefix, onBroken } = hosting;
  const lease = leaseFrom(journal, hosting);
  const options = { pace, time, news, jobPrefix, onBroken, lease };
  const served = ServedWorld.of(world, commands, options);
  const durable = new DurableCommands(served, journal, life);
  const asked = new DurableServed(served, durable);
  const keys = keysIn(journal, served, life, recorded);
  return { id, isFork, life, served, asked, ...standingBy(durable), keys };
}

/**
 * A full disk is no reason to keep an answer back: the key of a command is durable with it, and the
 * answer follows from the command again.
 */
function keysIn(
  journal: EntryJournal,
  served: ServedWorld,
  life: number,
  recorded: RecordedKeys | undefined,
): DurableKeys {
  return {
    restoreTo: (store) => recorded?.restoreTo(store),
    end: async (claim, answer, givenAtMs) => {
      const isOpen = claim.isJournaled === true && claim.earlier === undefined;
      if (answer === undefined && !isOpen) return;
      await journal.appended({
        kind: 'answered',
        atUs: served.nowUs,
        life,
        claim: recordedClaim(claim),
        givenAtMs,
        ...(answer && { answer: inText(answer) }),
      });
    },
  };
}

/** A world that ends with the process. */
export function hostInMemory(hosting: Hosting): HostedWorld {
  const { id, isFork, life, branch, world, commands, pace, time, news, onBroken } = hosting;
  const served = ServedWorld.of(world, commands, { pace, time, news, onBroken });
  const waiting = new DurableCommands(served, NO_JOURNAL, life);
  // At once, unless it stands still or others wait already.
  const submit: Commands['submit'] = (command, claim) =>
    waiting.isIdle ? served.submit(command) : waiting.submit(command, claim);
  const asked = new DurableServed(served, { submit, waitS: () => 0 });
  return { id, isFork, life, branch, served, asked, ...standingBy(waiting) };
}

/** Keeps nothing. */
const NO_JOURNAL: CommandJournal = {
  append: (_entry, done) => {
    done('durable');
    return 0;
  },
};

function standingBy(commands: DurableCommands): Pick<HostedWorld, 'between' | 'standing'> {
  const inTurn = inSequence();
  const between: Between = (act) => commands.between(act);
  return { between, standing: (act) => inTurn(() => between(act)) };
}

/** Marks go to the journal as commands do; where it is full or has ended, the world stands. */
function leaseFrom(journal: EntryJournal, { life, world, time }: Hosting): JournalLease {
  const write = (untilUs: number, done: (isStored: boolean) => void) =>
    journal.append({ kind: 'clockReached', atUs: untilUs, life }, (fate) =>
      done(fate === 'durable'),
    );
  return new JournalLease({ write, time }, world.nowUs);
}
