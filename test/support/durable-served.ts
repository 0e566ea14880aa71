/** A served world on a disk that loses its power: commands, time, crashes and what comes back. */

import { JournalLease } from '../../api/host/clock/lease.ts';
import { decodeEntry } from '../../api/host/journal/entries-msgpack.ts';
import { EntryJournal } from '../../api/host/journal/entry-journal.ts';
import { History } from '../../api/host/journal/history.ts';
import { Journal } from '../../api/host/journal/journal.ts';
import type { PastState } from '../../api/host/replay/saved-states.ts';
import { DurableCommands } from '../../api/host/world/durable-commands.ts';
import { ServedWorld } from '../../api/host/world/served-world.ts';
import type { Command } from '../../core/command.ts';
import { World } from '../../core/world/world.ts';
import { JournalTime, KEY } from './journals.ts';
import { ManualTime } from './manual-time.ts';
import type { PowerLossDisk } from './power-loss-disk.ts';
import { SERVED_DAY } from './served-day.ts';

export const SEED = 'durable';

export interface DurableBench {
  readonly served: ServedWorld;
  readonly commands: DurableCommands;
  readonly time: ManualTime;
  readonly journalTime: JournalTime;
  readonly journal: Journal;
  /** What the journal had when it was opened. */
  readonly past: PastState;
}

/** Throws where the journal is refused. */
export async function serveFrom(disk: PowerLossDisk, isPaused = false): Promise<DurableBench> {
  const history = new History();
  const journalTime = new JournalTime();
  const opened = await Journal.open(
    disk,
    { key: KEY, world: SEED, build: 'test', time: journalTime, onBroken: () => undefined },
    ({ payload }) => history.add(decodeEntry(payload).entry),
  );
  if (!opened.ok) throw new Error(opened.failure.message);
  const { journal } = opened.value;
  const entries = new EntryJournal(journal, { put: async () => undefined }, () => undefined);
  const time = new ManualTime();
  const write = (atUs: number, done: (isStored: boolean) => void) =>
    entries.append({ kind: 'clockReached', atUs, life: 0 }, (fate) => done(fate === 'durable'));
  const past = history.state();
  const served = ServedWorld.create(SERVED_DAY, SEED, {
    pace: { isPaused, speed: 60 },
    time,
    past,
    lease: new JournalLease({ write, time }, past.standsAtUs),
    onBroken: (error) => {
      throw error;
    },
  });
  const commands = new DurableCommands(served, entries);
  served.start();
  time.settle();
  return { served, commands, time, journalTime, journal, past };
}

/** The digest that plan, seed and commands lead to at an instant, by a world of its own. */
export function digestAt({ commands }: PastState, atUs: number): string {
  const world = World.replay(SERVED_DAY, SEED, commands);
  world.runUntil(atUs);
  return world.digest().full;
}

export const groupNamed = (Name: string): Command => ({
  kind: 'endDeviceGroup.create',
  by: 'ann',
  group: { Name },
});

/** Names of the groups that a world has. */
export function groupsOf(served: ServedWorld): readonly string[] {
  const response = served.ask({ kind: 'endDeviceGroup.list', by: 'ann' });
  if (!response.ok) throw new Error(response.failure.message);
  return response.value.DeviceGroups.map(({ Name }) => Name);
}
