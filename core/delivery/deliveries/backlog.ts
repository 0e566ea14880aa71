/**
 * What the world remembers of a target: plain data. A delivery that has not ended stands among
 * `waiting`, in the order of emission, and in one of three places: it is underway, it is in line,
 * or it waits for its next attempt.
 */
import { type DueList, takeDue } from '../../base/due-list.ts';
import { type CachedFold, type Fold, foldField } from '../../base/fold.ts';
import { NEVER_US } from '../../base/instant.ts';
import { ENDS, type End } from './effects.ts';
import type { Answer } from './schedule.ts';
import type { Matter, Target } from './target.ts';

/** A delivery that has not ended. */
export interface Waiting {
  /** Ordinal in the world, from 1: its id derives from it. */
  readonly ordinal: number;
  /** Ordinal among those of its target, from 1: its draws derive from it. */
  readonly own: number;
  readonly emittedAtUs: number;
  attempts: number;
  /** When it is tried again; `NEVER_US`: it is in line or underway. */
  dueAtUs: number;
  isUnderway: boolean;
  /** Names of the receivers that have it already. */
  keptBy: readonly string[];
}

/** An attempt that is not answered yet. */
export interface Attempt {
  readonly ordinal: number;
  /** Where the target was when it began. */
  readonly address: string;
  readonly receiver: string;
  readonly answersAtUs: number;
  readonly answer: Answer;
  /** Retry-After, s; 0: none. */
  readonly retryAfterS: number;
}

/** What has ended by how it did, and what was tried. */
export type Counts = Record<End | 'emitted' | 'attempts', number>;

export const noCounts = (): Counts => ({
  emitted: 0,
  attempts: 0,
  ...(Object.fromEntries(ENDS.map((end) => [end, 0])) as Record<End, number>),
});

export interface Backlog {
  /** From 1; also its timer. */
  readonly number: number;
  target: Target;
  /** What its owner delivers to it. */
  readonly matter: Matter['kind'];
  readonly counts: Counts;
  /** By ordinal, in the order of emission. */
  readonly waiting: Map<number, Waiting>;
  /** Those in line, by their ordinals. */
  readonly line: DueList;
  /** Those that wait for their next attempt, by when it is due. */
  readonly due: DueList;
  readonly underway: Attempt[];
  /** It has answered Retry-After: nothing is tried before this. */
  heldUntilUs: number;
  /** First failed attempt since the last success; `NEVER_US`: none. */
  failsSinceUs: number;
  /** The appointment of its timer; `NEVER_US`: none. */
  wakesAtUs: number;
}

/** The same with what is not saved. */
export interface StoredBacklog {
  readonly state: Backlog;
  /** Until the state changes. */
  readonly stored: CachedFold;
}

export const newBacklog = (number: number, target: Target, matter: Matter['kind']): Backlog => ({
  number,
  target,
  matter,
  counts: noCounts(),
  waiting: new Map(),
  line: [],
  due: [],
  underway: [],
  heldUntilUs: NEVER_US,
  failsSinceUs: NEVER_US,
  wakesAtUs: NEVER_US,
});

/** Plain data as it is saved: maps are lists of what they hold. */
export type SavedBacklog = Omit<Backlog, 'waiting'> & { readonly waiting: readonly Waiting[] };

export const savedOf = (state: Backlog): SavedBacklog => ({
  ...state,
  waiting: [...state.waiting.values()],
});

export const loadedOf = (saved: SavedBacklog): Backlog => ({
  ...saved,
  waiting: new Map(saved.waiting.map((each) => [each.ordinal, each])),
});

/** All that it remembers; lists of what is due follow from what waits. */
export function foldBacklog(fold: Fold, state: Backlog): void {
  const { line: _, due: __, ...rest } = savedOf(state);
  foldField(fold, 'backlog', rest);
}

/** Whether an entry of the line still stands for something. */
export const isInLine = ({ waiting }: Backlog, ordinal: number): boolean => {
  const each = waiting.get(ordinal);
  return each !== undefined && !each.isUnderway && each.dueAtUs === NEVER_US;
};

/** Whether an entry of `due` does. */
export const isDueAt = ({ waiting }: Backlog, ordinal: number, atUs: number): boolean =>
  waiting.get(ordinal)?.dueAtUs === atUs;

/** Stale entries that a list may have, beyond as many as wait. */
const MOST_STALE = 64;

/** Drops stale entries where they are many, and those at the head: so lists stay bounded. */
export function tidy(state: Backlog): void {
  const { line, due, waiting } = state;
  while (line.length > 0 && !isInLine(state, line[0]!.member)) takeDue(line);
  while (due.length > 0 && !isDueAt(state, due[0]!.member, due[0]!.atUs)) takeDue(due);
  const most = 2 * waiting.size + MOST_STALE;
  if (line.length > most) keep(line, (each) => isInLine(state, each.member));
  if (due.length > most) keep(due, (each) => isDueAt(state, each.member, each.atUs));
}

/** What is left of a heap in the order of a sorted list, which is a heap. */
function keep(list: DueList, isAlive: (entry: DueList[number]) => boolean): void {
  const alive = list.filter(isAlive).sort((a, b) => a.atUs - b.atUs || a.member - b.member);
  list.splice(0, list.length, ...alive);
}
