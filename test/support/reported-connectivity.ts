/**
 * What alerts tell of a gateway, made anew of what the management reports of its connection: a
 * small program that shares nothing with that of alerts. Times are in whole ms, but that a silence
 * counts from 1 µs after the 90 s.
 */

export type Status = 'online' | 'offline';

/** Its status, and from when on. */
export interface Change {
  readonly atMs: number;
  readonly status: Status;
}

/** A gateway from its coming to its going. */
export interface Life {
  /** It was there from the start. */
  readonly isPlanned: boolean;
  readonly fromMs: number;
  /** It is gone from then on. */
  readonly untilMs: number;
  /** Connections and disconnections, the earliest first. */
  readonly changes: readonly Change[];
  /** When its backhaul turned, or it moved. */
  readonly turnsMs: readonly number[];
}

export interface ReportedEvent {
  /** When it is produced, and when the state changed. */
  readonly atMs: number;
  readonly changedMs: number;
  readonly status: Status;
}

const PERSISTS_MS = 900_000;
const FRESH_MS = 90_000;
const MICROSECOND_MS = 0.001;

/** Its runs of one status after the other: one that is planned is online for 90 s at least. */
function runsOf({ isPlanned, fromMs, changes }: Life): readonly Change[] {
  const runs: Change[] = [{ atMs: fromMs, status: isPlanned ? 'online' : 'offline' }];
  const first = changes[0]?.atMs ?? Number.POSITIVE_INFINITY;
  if (isPlanned && first > FRESH_MS) runs.push({ atMs: FRESH_MS, status: 'offline' });
  for (const each of changes) if (each.status !== runs.at(-1)!.status) runs.push(each);
  return runs.map(({ atMs, status }, i) => ({
    atMs: atMs + (i > 0 && status === 'offline' ? MICROSECOND_MS : 0),
    status,
  }));
}

/** What is reported while it is followed without a break, from one instant until another. */
export function responseOf(
  life: Life,
  followedMs: number,
  untilMs: number,
): readonly ReportedEvent[] {
  const runs = runsOf(life);
  const begin = runs.findLastIndex(({ atMs }) => atMs <= followedMs);
  let settled = settledAt(life, runs, begin, followedMs);
  const reports: ReportedEvent[] = [];
  for (let i = begin; i < runs.length; i++) {
    const { atMs: changedMs, status } = runs[i]!;
    const dueMs = changedMs + PERSISTS_MS;
    const lastsUntilMs = runs[i + 1]?.atMs ?? Number.POSITIVE_INFINITY;
    if (status === settled || lastsUntilMs < dueMs || dueMs >= Math.min(untilMs, life.untilMs)) {
      continue;
    }
    settled = status;
    reports.push({ atMs: Math.floor(dueMs), changedMs: Math.floor(changedMs), status });
  }
  return reports;
}

/** What counts as it begins to be followed, in the run of this place. */
function settledAt(life: Life, runs: readonly Change[], place: number, nowMs: number): Status {
  const { atMs, status } = runs[place]!;
  if (nowMs - atMs >= PERSISTS_MS) return status;
  if (status === 'offline') {
    // One that came later has been nothing else.
    return place === 0 ? 'offline' : 'online';
  }
  const isKnown = !life.turnsMs.some((turnMs) => turnMs >= atMs && turnMs <= nowMs);
  const before = runs[place - 1];
  if (before === undefined || !isKnown) return 'online';
  const isNew = place === 1 && !life.isPlanned;
  return isNew || atMs - before.atMs >= PERSISTS_MS ? 'offline' : 'online';
}
