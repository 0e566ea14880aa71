/**
 * A target at work: what it is to get goes out at once, eight times at most, ten attempts at a
 * time; the rest waits in line, the oldest first. Who is paused waits as a whole. It receives the
 * time, and asks receivers of the world what they answer.
 *
 * It has one timer, its number. A wake-up looks at 256 deliveries at most, so that a target with
 * ten thousand of them delays nobody.
 */
import { assert } from '../../../sim/base/assert.ts';
import { SECOND_US } from '../../../sim/base/units.ts';
import { addDue, takeDue } from '../../base/due-list.ts';
import { NEVER_US } from '../../base/instant.ts';
import { MOST_PER_WAKE, nextSliceUs } from '../../base/slices.ts';
import type { Timers } from '../../base/timers.ts';
import {
  type Attempt,
  type Backlog,
  isDueAt,
  isInLine,
  type StoredBacklog,
  tidy,
  type Waiting,
} from './backlog.ts';
import type { End } from './effects.ts';
import {
  type Answer,
  DEAD_AFTER_US,
  GONE,
  isRetried,
  isTaken,
  LONGEST_RETRY_AFTER_S,
  LONGEST_WAIT_US,
  MOST_ATTEMPTS,
  MOST_UNDERWAY,
  MOST_WAITING,
  pauseUs,
} from './schedule.ts';
import type { Target } from './target.ts';

/** No answer comes in the instant of its attempt, so that its event is one of its own. */
const LEAST_LATENCY_US = 1;

/** What a receiver of the world makes of an attempt. */
export interface Reception extends Omit<Attempt, 'ordinal' | 'address'> {
  /** It has the delivery now, whatever it answers. */
  readonly keeps: boolean;
}

/** An attempt that is answered. */
export interface Answered extends Attempt {
  /** Whether its target takes nothing any more. */
  readonly disables: boolean;
}

/** What a backlog uses of what is around it. */
export interface Around {
  readonly timers: Timers;
  /** 32 bits for the pause after an attempt. */
  draw(state: Backlog, waiting: Waiting): number;
  /** Undefined: no receiver of the world has the target's address. */
  receive(state: Backlog, waiting: Waiting, nowUs: number): Reception | undefined;
  /** An attempt is answered; the delivery is tried again if `waiting` says when. */
  reportAttempt(state: Backlog, waiting: Waiting, answered: Answered, nowUs: number): void;
  reportEnd(state: Backlog, waiting: Waiting, how: End, nowUs: number): void;
  /** The target takes nothing any more: its owner pauses it. */
  disable(state: Backlog, nowUs: number): void;
}

// ── what is asked of it ──────────────────────────────────────────────────────────────────────────

/** There is something to deliver. */
export function emit(backlog: StoredBacklog, ordinal: number, around: Around, nowUs: number): void {
  const { state, stored } = backlog;
  stored.changed();
  const { waiting, counts, line } = state;
  const own = ++counts.emitted;
  waiting.set(ordinal, {
    ordinal,
    own,
    emittedAtUs: nowUs,
    attempts: 0,
    dueAtUs: NEVER_US,
    isUnderway: false,
    keptBy: [],
  });
  addDue(line, { atUs: 0, member: ordinal });
  if (waiting.size > MOST_WAITING) giveUpOldest(state, around, nowUs);
  assert(waiting.size <= MOST_WAITING, 'what waits for a target is bounded');
  goOn(state, around, nowUs);
}

/** Its owner has changed the target: paused or resumed it, or given it another address. */
export function change(
  backlog: StoredBacklog,
  target: Target,
  around: Around,
  nowUs: number,
): void {
  const { state, stored } = backlog;
  stored.changed();
  const wasEnabled = state.target.enabled;
  const isMoved = target.address !== state.target.address || target.kind !== state.target.kind;
  state.target = target;
  if (target.enabled && (!wasEnabled || isMoved)) {
    state.heldUntilUs = NEVER_US;
    state.failsSinceUs = NEVER_US;
  }
  goOn(state, around, nowUs);
}

/** Its target takes nothing any more: its owner pauses it, and what is due waits. */
export function disable({ state, stored }: StoredBacklog, around: Around, nowUs: number): void {
  stored.changed();
  pause(state, around, nowUs);
  goOn(state, around, nowUs);
}

/** Its target is removed: nothing of it is delivered any more. */
export function remove({ state }: StoredBacklog, around: Around, nowUs: number): void {
  for (const waiting of [...state.waiting.values()]) end(state, waiting, 'removed', around, nowUs);
  state.underway.length = 0;
  if (state.wakesAtUs !== NEVER_US) around.timers.wakeNever(state.number, nowUs);
  state.wakesAtUs = NEVER_US;
}

/** Its timer is due. */
export function onTimer({ state, stored }: StoredBacklog, around: Around, nowUs: number): void {
  stored.changed();
  state.wakesAtUs = NEVER_US;
  takeAnswers(state, around, nowUs);
  lineUp(state, nowUs);
  giveUpOld(state, around, nowUs);
  goOn(state, around, nowUs);
}

// ── attempts ─────────────────────────────────────────────────────────────────────────────────────

/** Begins what may begin, and sets the timer. */
function goOn(state: Backlog, around: Around, nowUs: number): void {
  for (let looked = 0; looked < MOST_PER_WAKE && mayBegin(state, nowUs); looked++) {
    const { member } = takeDue(state.line)!;
    if (isInLine(state, member)) begin(state, state.waiting.get(member)!, around, nowUs);
  }
  tidy(state);
  rearm(state, around, nowUs);
}

const mayBegin = (state: Backlog, nowUs: number): boolean =>
  state.line.length > 0 &&
  state.target.enabled &&
  nowUs >= state.heldUntilUs &&
  state.underway.length < MOST_UNDERWAY;

function begin(state: Backlog, waiting: Waiting, around: Around, nowUs: number): void {
  const received = around.receive(state, waiting, nowUs);
  if (received === undefined) return end(state, waiting, 'left', around, nowUs);
  const { keeps, ...attempt } = received;
  assert(attempt.answersAtUs >= nowUs, 'an answer comes after its attempt');
  waiting.attempts++;
  assert(waiting.attempts <= MOST_ATTEMPTS, 'a delivery goes out eight times at most');
  waiting.isUnderway = true;
  const { receiver } = attempt;
  if (keeps && !waiting.keptBy.includes(receiver)) waiting.keptBy = [...waiting.keptBy, receiver];
  state.counts.attempts++;
  const answersAtUs = Math.max(attempt.answersAtUs, nowUs + LEAST_LATENCY_US);
  const { address } = state.target;
  state.underway.push({ ...attempt, ordinal: waiting.ordinal, address, answersAtUs });
  assert(state.underway.length <= MOST_UNDERWAY, 'few attempts of a target are under way at once');
}

/** Answers in the order of time, then of the attempts. */
function takeAnswers(state: Backlog, around: Around, nowUs: number): void {
  const due = state.underway.filter(({ answersAtUs }) => answersAtUs <= nowUs);
  if (due.length === 0) return;
  const later = state.underway.filter(({ answersAtUs }) => answersAtUs > nowUs);
  state.underway.splice(0, state.underway.length, ...later);
  for (const attempt of due.sort((a, b) => a.answersAtUs - b.answersAtUs)) {
    onAnswer(state, attempt, around, nowUs);
  }
}

/** What is answered where the target is no longer says nothing of it, but of the attempt. */
function onAnswer(state: Backlog, attempt: Attempt, around: Around, nowUs: number): void {
  const waiting = state.waiting.get(attempt.ordinal);
  assert(waiting?.isUnderway === true, 'what is answered is underway');
  waiting.isUnderway = false;
  const { answer } = attempt;
  const isOfTarget = attempt.address === state.target.address;
  const disables = isOfTarget && isLastStraw(state, answer, nowUs);
  const how = endOf(waiting, answer);
  if (how === undefined)
    tryAgain(state, waiting, isOfTarget ? attempt.retryAfterS : 0, around, nowUs);
  around.reportAttempt(state, waiting, { ...attempt, disables }, nowUs);
  if (how !== undefined) end(state, waiting, how, around, nowUs);
  if (disables) pause(state, around, nowUs);
}

/** Notes what an answer says of the target: whether it disables it. */
function isLastStraw(state: Backlog, answer: Answer, nowUs: number): boolean {
  if (isTaken(answer)) state.failsSinceUs = NEVER_US;
  else if (state.failsSinceUs === NEVER_US) state.failsSinceUs = nowUs;
  const isDead = state.failsSinceUs !== NEVER_US && nowUs - state.failsSinceUs >= DEAD_AFTER_US;
  return state.target.enabled && (answer === GONE || isDead);
}

/** What an answer ends a delivery with; undefined: it is tried again. */
function endOf({ attempts }: Waiting, answer: Answer): End | undefined {
  if (isTaken(answer)) return 'delivered';
  if (!isRetried(answer)) return 'refused';
  return attempts === MOST_ATTEMPTS ? 'failed' : undefined;
}

/** What asked to be left alone is: all of the target waits. */
function tryAgain(
  state: Backlog,
  waiting: Waiting,
  retryAfterS: number,
  around: Around,
  nowUs: number,
): void {
  const heldUs = Math.min(retryAfterS, LONGEST_RETRY_AFTER_S) * SECOND_US;
  if (heldUs > 0) state.heldUntilUs = Math.max(state.heldUntilUs, nowUs + heldUs);
  const word = around.draw(state, waiting);
  waiting.dueAtUs = nowUs + Math.max(heldUs, pauseUs(waiting.attempts, word));
  addDue(state.due, { atUs: waiting.dueAtUs, member: waiting.ordinal });
}

/** Whose next attempt is due gets in line: those that are older stand before it. */
function lineUp(state: Backlog, nowUs: number): void {
  const { due, line, waiting } = state;
  for (let looked = 0; looked < MOST_PER_WAKE; looked++) {
    if (due.length === 0 || due[0]!.atUs > nowUs) return;
    const { atUs, member } = takeDue(due)!;
    if (!isDueAt(state, member, atUs)) continue;
    waiting.get(member)!.dueAtUs = NEVER_US;
    addDue(line, { atUs: 0, member });
  }
}

function pause(state: Backlog, around: Around, nowUs: number): void {
  state.target = { ...state.target, enabled: false };
  around.disable(state, nowUs);
}

// ── ends ─────────────────────────────────────────────────────────────────────────────────────────

function end(state: Backlog, waiting: Waiting, how: End, around: Around, nowUs: number): void {
  state.waiting.delete(waiting.ordinal);
  state.counts[how]++;
  around.reportEnd(state, waiting, how, nowUs);
}

/** The oldest that is not under way; at most ten are. */
function oldest(state: Backlog): Waiting | undefined {
  for (const waiting of state.waiting.values()) if (!waiting.isUnderway) return waiting;
  return undefined;
}

function giveUpOldest(state: Backlog, around: Around, nowUs: number): void {
  const waiting = oldest(state);
  if (waiting !== undefined) end(state, waiting, 'givenUp', around, nowUs);
}

/** What has waited for seven days. */
function giveUpOld(state: Backlog, around: Around, nowUs: number): void {
  for (let looked = 0; looked < MOST_PER_WAKE; looked++) {
    const waiting = oldest(state);
    if (waiting === undefined || nowUs - waiting.emittedAtUs < LONGEST_WAIT_US) return;
    end(state, waiting, 'givenUp', around, nowUs);
  }
}

// ── its timer ────────────────────────────────────────────────────────────────────────────────────

function rearm(state: Backlog, { timers }: Around, nowUs: number): void {
  const wakesAtUs = wakesAt(state, nowUs);
  if (wakesAtUs === state.wakesAtUs) return;
  state.wakesAtUs = wakesAtUs;
  if (wakesAtUs === NEVER_US) timers.wakeNever(state.number, nowUs);
  else timers.wakeAt(state.number, wakesAtUs, nowUs);
}

/** The next instant at which something happens by itself; what is overdue is a slice away. */
function wakesAt(state: Backlog, nowUs: number): number {
  const { underway, due, line, target, heldUntilUs } = state;
  const instants = underway.map(({ answersAtUs }) => answersAtUs);
  const first = oldest(state);
  if (first !== undefined) instants.push(first.emittedAtUs + LONGEST_WAIT_US);
  if (due.length > 0) instants.push(due[0]!.atUs);
  const isFree = underway.length < MOST_UNDERWAY;
  if (line.length > 0 && target.enabled && isFree) instants.push(Math.max(heldUntilUs, nowUs));
  if (instants.length === 0) return NEVER_US;
  const atUs = Math.min(...instants);
  return atUs > nowUs ? atUs : nextSliceUs(state.wakesAtUs, nowUs);
}
