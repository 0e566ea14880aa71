/**
 * Attempts of earlier rounds to update a campaign's members, in columns: 30 B an attempt, and
 * 4 B a member. Of the latest attempt the member itself knows.
 */
import { foldColumn, grown } from '../../base/columns.ts';
import type { Fold } from '../../base/fold.ts';

/** Plain data. */
export interface PastAttempts {
  /** By member: its latest past attempt, from 1; 0: none. */
  readonly latest: Uint32Array;
  /** Attempts so far; the columns below may have room for more. */
  count: number;
  /** The member's attempt before, from 1; 0: none. */
  before: Uint32Array;
  endedAtUs: Float64Array;
  /** As in `MemberColumns`. */
  reason: Uint8Array;
  flags: Uint8Array;
  initialVersion: Uint32Array;
  finalVersion: Uint32Array;
}

/** What is stored of a member that is tried again. */
interface Ended {
  readonly endedAtUs: Float64Array;
  readonly reason: Uint8Array;
  readonly flags: Uint8Array;
  readonly initialVersion: Uint32Array;
  readonly finalVersion: Uint32Array;
}

const FIRST_CAPACITY = 16;

export function pastAttempts(members: number): PastAttempts {
  return {
    latest: new Uint32Array(members),
    count: 0,
    before: new Uint32Array(FIRST_CAPACITY),
    endedAtUs: new Float64Array(FIRST_CAPACITY),
    reason: new Uint8Array(FIRST_CAPACITY),
    flags: new Uint8Array(FIRST_CAPACITY),
    initialVersion: new Uint32Array(FIRST_CAPACITY * 2),
    finalVersion: new Uint32Array(FIRST_CAPACITY * 2),
  };
}

/** Keeps how the attempt of the member at this place ended. */
export function keepAttempt(past: PastAttempts, place: number, ended: Ended): void {
  const row = past.count++;
  if (row === past.before.length) reserve(past, row * 2);
  past.before[row] = past.latest[place]!;
  past.latest[place] = past.count;
  past.endedAtUs[row] = ended.endedAtUs[place]!;
  past.reason[row] = ended.reason[place]!;
  past.flags[row] = ended.flags[place]!;
  for (const half of [0, 1]) {
    past.initialVersion[row * 2 + half] = ended.initialVersion[place * 2 + half]!;
    past.finalVersion[row * 2 + half] = ended.finalVersion[place * 2 + half]!;
  }
}

/** Rows of a member's past attempts, the oldest first. */
export function rowsOf({ latest, before }: PastAttempts, place: number): readonly number[] {
  const rows: number[] = [];
  for (let row = latest[place]!; row !== 0; row = before[row - 1]!) rows.push(row - 1);
  return rows.reverse();
}

function reserve(past: PastAttempts, rows: number): void {
  past.before = grown(past.before, rows);
  past.endedAtUs = grown(past.endedAtUs, rows);
  past.reason = grown(past.reason, rows);
  past.flags = grown(past.flags, rows);
  past.initialVersion = grown(past.initialVersion, rows * 2);
  past.finalVersion = grown(past.finalVersion, rows * 2);
}

export function foldPastAttempts(fold: Fold, past: PastAttempts): void {
  foldColumn(fold, 'latest', past.latest, past.latest.length);
  foldColumn(fold, 'before', past.before, past.count);
  foldColumn(fold, 'endedAtUs', past.endedAtUs, past.count);
  foldColumn(fold, 'reason', past.reason, past.count);
  foldColumn(fold, 'flags', past.flags, past.count);
  foldColumn(fold, 'initialVersion', past.initialVersion, past.count * 2);
  foldColumn(fold, 'finalVersion', past.finalVersion, past.count * 2);
}
