/** A served world on a disk that loses its power: commands, time, crashes and what comes back. */
import { DurableCommands } from '../../api/host/durable-commands.ts';
import { decodeEntry, encodeEntry } from '../../api/host/journal/entries-msgpack.ts';
import { Journal } from '../../api/host/journal/journal.ts';
import { standsAt } from '../../api/host/journal/stands-at.ts';
import { JournalLease } from '../../api/host/lease.ts';
import { ServedWorld } from '../../api/host/served-world.ts';
import type { Command } from '../../core/command.ts';
import type { LogEntry } from '../../core/world/log.ts';
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
  readonly past: readonly LogEntry[];
}

/** Throws where the journal is refused. */
export async function serveFrom(disk: PowerLossDisk, isPaused = false): Promise<DurableBench> {
  const past: LogEntry[] = [];
  const journalTime = new JournalTime();
  const opened = await Journal.open(
    disk,
    { key: KEY, world: SEED, build: 'test', time: journalTime, onBroken: () => undefined },
    ({ payload }) => void past.push(decodeEntry(payload) as LogEntry),
  );
  if (!opened.ok) throw new Error(opened.failure.message);
  const { journal } = opened.value;
  const time = new ManualTime();
  const write = (atUs: number, done: () => void) =>
    journal.append(encodeEntry({ kind: 'clockReached', atUs }), (fate) => {
      if (fate === 'durable') done();
    });
  const standsUs = standsAt(past);
  const served = ServedWorld.create(SERVED_DAY, SEED, {
    pace: { isPaused, speed: 60 },
    time,
    past,
    lease: new JournalLease({ write, elapsedMs: () => time.elapsedMs() }, standsUs),
    onBroken: (error) => {
      throw error;
    },
  });
  const append = {
    append: (entry: LogEntry, done: Parameters<Journal['append']>[1]) =>
      journal.append(encodeEntry(entry), done),
  };
  const commands = new DurableCommands(served, append);
  served.start();
  time.settle();
  return { served, commands, time, journalTime, journal, past };
}

/** The digest that plan, seed and commands lead to at an instant, by a world of its own. */
export function digestAt(entries: readonly LogEntry[], atUs: number): string {
  const commands = entries.filter(({ kind }) => kind === 'command');
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
  const told = served.ask({ kind: 'endDeviceGroup.list', by: 'ann' });
  if (!told.ok) throw new Error(told.failure.message);
  return told.value.DeviceGroups.map(({ Name }) => Name);
}
