/**
 * A member of a campaign: a light handle on its place in the columns. It holds nothing itself, so
 * two handles of a member are one member, and a handle may be made wherever one is needed.
 */
import { assert } from '../../../sim/base/assert.ts';
import type { Column } from '../../base/columns.ts';
import { versionHex } from '../../base/firmware-versions.ts';
import { NEVER_US } from '../../base/instant.ts';
import { FAILURE_REASONS, type FailureReason } from '../../result/outcome.ts';
import type { ClockRate } from './clock-rate.ts';
import {
  type Correction,
  type DebugEntry,
  type Diagnosis,
  Flag,
  type MemberColumns,
  memberColumns,
  type QueuedCommand,
  type RoundColumns,
  roundColumns,
  STEP_COUNT,
  type Step,
} from './member-columns.ts';
import { keepAttempt, type PastAttempts, pastAttempts, rowsOf } from './past-attempts.ts';

const FATES = ['inProgress', 'success', 'failed'] as const;
export type Fate = (typeof FATES)[number];

const IN_PROGRESS = FATES.indexOf('inProgress');
const SUCCESS = FATES.indexOf('success');
const FAILED = FATES.indexOf('failed');

/** Where a member stands in the flow. */
const PHASES = [
  /** Not visited by the sweep that begins a round, or done. */
  'outside',
  'setUp',
  /** Set up; the multicast session runs. */
  'session',
  'verify',
] as const;
export type Phase = (typeof PHASES)[number];

/** Whose members they are: a campaign's state has both. */
export interface Membership {
  readonly members: MemberColumns;
  /** Members are in the order of the group. */
  readonly group: { readonly devices: readonly string[] };
  /** Of a set-up in turn: the step that they may pass. */
  readonly turn?: { readonly step: Step };
}

/** An attempt to update a member that is over. */
export interface Attempt {
  /** When it was over, µs. */
  readonly atUs: number;
  /** Null: a success. */
  readonly reason: FailureReason | null;
  /** 16 hexadecimal digits of firmware and hardware; null: not reported. */
  readonly initialVersion: string | null;
  readonly finalVersion: string | null;
}

const NONE_QUEUED: readonly QueuedCommand[] = [];

export class Member {
  readonly #membership: Membership;
  readonly #columns: MemberColumns;
  readonly place: number;
  readonly devEui: string;

  constructor(membership: Membership, place: number) {
    const devEui = membership.group.devices[place];
    assert(devEui !== undefined, 'a place is within the group');
    this.#membership = membership;
    this.#columns = membership.members;
    this.place = place;
    this.devEui = devEui;
  }

  // ── its fate ───────────────────────────────────────────────────────────────────────────────────

  get fate(): Fate {
    return FATES[this.#columns.fate[this.place]!]!;
  }

  /** Why it failed; null unless it has. */
  get reason(): FailureReason | null {
    return reasonOf(this.#columns.reason[this.place]!);
  }

  /** `NEVER_US` while it is in progress. */
  get endedAtUs(): number {
    return this.#columns.endedAtUs[this.place]!;
  }

  /** A member succeeds or fails once a round; `reason` null: it succeeds. */
  end(reason: FailureReason | null, atUs: number): void {
    const { fate, endedAtUs, reason: reasons } = this.#columns;
    fate[this.place] = reason === null ? SUCCESS : FAILED;
    reasons[this.place] = reason === null ? 0 : FAILURE_REASONS.indexOf(reason) + 1;
    endedAtUs[this.place] = atUs;
    this.#flag(Flag.waits, false);
  }

  /** Its turn comes in a later round, for its version of TS004. */
  get waits(): boolean {
    return this.#has(Flag.waits);
  }

  set waits(waits: boolean) {
    this.#flag(Flag.waits, waits);
  }

  /** Rounds that it took part in. */
  get rounds(): number {
    return this.#columns.rounds[this.place]!;
  }

  set rounds(rounds: number) {
    this.#columns.rounds[this.place] = rounds;
  }

  // ── its steps ──────────────────────────────────────────────────────────────────────────────────

  /** When a step was passed; `NEVER_US`: not yet. */
  passedAtUs(step: Step): number {
    return this.#columns.passedAtUs[this.place * STEP_COUNT + step]!;
  }

  /** The steps that it has passed, a bit each. */
  get passed(): number {
    const { passedAtUs } = this.#columns;
    const first = this.place * STEP_COUNT;
    let bits = 0;
    for (let step = 0; step < STEP_COUNT; step++) {
      if (passedAtUs[first + step] !== NEVER_US) bits |= 1 << step;
    }
    return bits;
  }

  setPassed(step: Step, atUs: number): void {
    this.#columns.passedAtUs[this.place * STEP_COUNT + step] = atUs;
  }

  /** The step of a set-up in turn that it may pass; undefined: it goes on by itself. */
  get turn(): Step | undefined {
    return this.#membership.turn?.step;
  }

  /** How often the command of a step was sent. */
  attempts(step: Step): number {
    return this.#columns.attempts[this.place * STEP_COUNT + step]!;
  }

  setAttempts(step: Step, attempts: number): void {
    this.#columns.attempts[this.place * STEP_COUNT + step] = attempts;
  }

  /** When the command of a step was last sent; `NEVER_US`: not yet, or it was answered. */
  sentAtUs(step: Step): number {
    return this.#columns.round?.sentAtUs[this.place * STEP_COUNT + step] ?? NEVER_US;
  }

  setSent(step: Step, atUs: number): void {
    this.#round.sentAtUs[this.place * STEP_COUNT + step] = atUs;
  }

  // ── the round ──────────────────────────────────────────────────────────────────────────────────

  get phase(): Phase {
    return PHASES[this.#columns.round?.phase[this.place] ?? 0]!;
  }

  get phaseSinceUs(): number {
    return this.#columns.round?.phaseSinceUs[this.place] ?? 0;
  }

  enter(phase: Phase, atUs: number): void {
    this.#round.phase[this.place] = PHASES.indexOf(phase);
    this.#round.phaseSinceUs[this.place] = atUs;
  }

  /** Nothing more is said to it in this round. */
  leave(): void {
    const { round } = this.#columns;
    if (round === null) return;
    round.phase[this.place] = PHASES.indexOf('outside');
    round.dueAtUs[this.place] = NEVER_US;
    delete round.queued[this.place];
  }

  /** Server's time of the latest uplink since the round began; `NEVER_US`: none. */
  get spokeAtUs(): number {
    return this.#columns.round?.spokeAtUs[this.place] ?? NEVER_US;
  }

  set spokeAtUs(atUs: number) {
    this.#round.spokeAtUs[this.place] = atUs;
  }

  /** Class C: when its next command is due. In phase `verify` of class A: when patience ends. */
  get dueAtUs(): number {
    return this.#columns.round?.dueAtUs[this.place] ?? NEVER_US;
  }

  set dueAtUs(atUs: number) {
    this.#round.dueAtUs[this.place] = atUs;
  }

  get lastDownlinkAtUs(): number {
    return this.#columns.round?.lastDownlinkAtUs[this.place] ?? NEVER_US;
  }

  set lastDownlinkAtUs(atUs: number) {
    this.#round.lastDownlinkAtUs[this.place] = atUs;
  }

  /** Class A: commands that wait for a window, as they were requested. */
  get queued(): readonly QueuedCommand[] {
    return this.#columns.round?.queued[this.place] ?? NONE_QUEUED;
  }

  queue(command: QueuedCommand): void {
    const { queued } = this.#round;
    const commands = queued[this.place];
    if (commands === undefined) queued[this.place] = [command];
    else commands.push(command);
  }

  /** Takes the command of this id out of the queue; undefined: it is not there. */
  unqueue(id: number): QueuedCommand | undefined {
    const queued = this.#columns.round?.queued;
    const commands = queued?.[this.place];
    if (queued === undefined || commands === undefined) return undefined;
    const at = commands.findIndex((one) => one.id === id);
    if (at < 0) return undefined;
    const [command] = commands.splice(at, 1);
    if (commands.length === 0) delete queued[this.place];
    return command;
  }

  /** The correction to send with the clock sync command. */
  get correction(): Correction | null {
    return this.#columns.round?.correction[this.place] ?? null;
  }

  set correction(correction: Correction | null) {
    const { correction: corrections } = this.#round;
    if (correction === null) delete corrections[this.place];
    else corrections[this.place] = correction;
  }

  /** What its clock loses; null while nothing shows that it loses more than is accepted. */
  get clockRate(): ClockRate | null {
    return this.#columns.round?.clockRate[this.place] ?? null;
  }

  set clockRate(rate: ClockRate) {
    this.#round.clockRate[this.place] = rate;
  }

  /** Sessions answered with a wrong clock. */
  get clockFaults(): number {
    return this.#columns.round?.clockFaults[this.place] ?? 0;
  }

  set clockFaults(count: number) {
    this.#round.clockFaults[this.place] = count;
  }

  /** GPS seconds that its clock was behind what is expected, at the latest look; null: unknown. */
  get clockBehindS(): number | null {
    const { round } = this.#columns;
    return round !== null && this.#has(Flag.hasClock) ? round.clockBehindS[this.place]! : null;
  }

  set clockBehindS(seconds: number) {
    this.#round.clockBehindS[this.place] = seconds;
    this.#flag(Flag.hasClock, true);
  }

  // ── fragments ──────────────────────────────────────────────────────────────────────────────────

  /** Fragments of its latest status answer; null before the first. */
  get received(): number | null {
    return this.#has(Flag.hasReceived) ? this.#columns.received[this.place]! : null;
  }

  set received(count: number) {
    this.#columns.received[this.place] = count;
    this.#flag(Flag.hasReceived, true);
  }

  /** Fragments that it lacks, by its latest answer; null before the first. */
  get missing(): number | null {
    return this.#has(Flag.hasMissing) ? this.#columns.missing[this.place]! : null;
  }

  set missing(count: number) {
    this.#columns.missing[this.place] = count;
    this.#flag(Flag.hasMissing, true);
  }

  /** Repair fragments sent. */
  get repairs(): number {
    return this.#columns.repairs[this.place]!;
  }

  set repairs(count: number) {
    this.#columns.repairs[this.place] = count;
  }

  /** Repair fragments still to send before the status is asked again. */
  get repairsDue(): number {
    return this.#columns.round?.repairsDue[this.place] ?? 0;
  }

  set repairsDue(count: number) {
    this.#round.repairsDue[this.place] = count;
  }

  // ── versions and words ─────────────────────────────────────────────────────────────────────────

  /** 16 hexadecimal digits: the latest that was reported before the update; null: none was. */
  get initialVersion(): string | null {
    const { initialVersion } = this.#columns;
    return this.#has(Flag.hasInitialVersion) ? versionAt(initialVersion, this.place) : null;
  }

  set initialVersion(hex: string | null) {
    if (hex !== null) keepVersion(this.#columns.initialVersion, this.place, hex);
    this.#flag(Flag.hasInitialVersion, hex !== null);
  }

  get finalVersion(): string | null {
    const { finalVersion } = this.#columns;
    return this.#has(Flag.hasFinalVersion) ? versionAt(finalVersion, this.place) : null;
  }

  set finalVersion(hex: string) {
    keepVersion(this.#columns.finalVersion, this.place, hex);
    this.#flag(Flag.hasFinalVersion, true);
  }

  /** What was said and answered; empty unless the campaign collects it. */
  get debug(): readonly DebugEntry[] {
    return this.#columns.debug[this.place] ?? [];
  }

  note(entry: DebugEntry): void {
    const { debug } = this.#columns;
    const lines = debug[this.place] ?? [];
    lines.push(entry);
    debug[this.place] = lines;
  }

  /** Why it failed, found out where the campaign troubleshoots. */
  get diagnosis(): Diagnosis | null {
    return this.#columns.diagnosis[this.place] ?? null;
  }

  set diagnosis(diagnosis: Diagnosis | null) {
    if (diagnosis !== null) this.#columns.diagnosis[this.place] = diagnosis;
  }

  // ── attempts ───────────────────────────────────────────────────────────────────────────────────

  /** The round, by its number among those of all campaigns, that took it last; 0: none has. */
  get takenInto(): number {
    return this.#columns.takenInto[this.place]!;
  }

  /** A round takes it: what becomes of it is an attempt. */
  take(roundNumber: number): void {
    this.#columns.takenInto[this.place] = roundNumber;
  }

  /** It starts anew; how its attempt ended is stored, and so are its rounds and what was said. */
  takeBack(): void {
    const columns = this.#columns;
    const { place } = this;
    if (this.#isAttemptOver) {
      columns.past ??= pastAttempts(columns.fate.length);
      keepAttempt(columns.past, place, columns);
    }
    for (const name of RENEWED) put(columns[name], place, FRESH[name]);
    delete columns.diagnosis[place];
    const { round } = columns;
    if (round === null) return;
    for (const name of RENEWED_IN_ROUND) put(round[name], place, FRESH_ROUND[name]);
    delete round.queued[place];
    delete round.correction[place];
    delete round.clockRate[place];
  }

  /** Its attempts that are over, the oldest first. */
  get attemptsOver(): readonly Attempt[] {
    const columns = this.#columns;
    const { past } = columns;
    const before = past === null ? [] : rowsOf(past, this.place).map((row) => attemptAt(past, row));
    return this.#isAttemptOver ? [...before, attemptAt(columns, this.place)] : before;
  }

  /**
   * Who is halted before its first round, or while it waits for it, had no attempt; nor has one who
   * was left out.
   */
  get #isAttemptOver(): boolean {
    if (this.reason === 'not delegated') return false;
    if (this.takenInto === 0 || this.fate === 'inProgress') return false;
    return this.rounds > 0 || this.reason !== 'halted';
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────

  get #round(): RoundColumns {
    const { round } = this.#columns;
    assert(round !== null, 'who is spoken to is in a round');
    return round;
  }

  #has(flag: number): boolean {
    return (this.#columns.flags[this.place]! & flag) !== 0;
  }

  #flag(flag: number, on: boolean): void {
    const { flags } = this.#columns;
    flags[this.place] = on ? flags[this.place]! | flag : flags[this.place]! & ~flag;
  }
}

/** The members, in the order of the group. */
export const allMembers = (membership: Membership): readonly Member[] =>
  Array.from(membership.group.devices, (_, place) => new Member(membership, place));

/** How many there are. */
export const memberCount = ({ members }: Pick<Membership, 'members'>): number =>
  members.fate.length;

/**
 * Ends all that are in progress, for a reason that says all: one pass over a column, with nothing
 * said to anybody. Returns how many there were.
 */
export function failRest(members: MemberColumns, reason: FailureReason, atUs: number): number {
  const { fate, reason: reasons, endedAtUs, flags } = members;
  const number = FAILURE_REASONS.indexOf(reason) + 1;
  let ended = 0;
  for (let place = 0; place < fate.length; place++) {
    if (fate[place] !== IN_PROGRESS) continue;
    fate[place] = FAILED;
    reasons[place] = number;
    endedAtUs[place] = atUs;
    flags[place] = flags[place]! & ~Flag.waits;
    ended++;
  }
  return ended;
}

/** What a member that starts anew does not keep. */
const RENEWED = [
  'fate',
  'reason',
  'flags',
  'endedAtUs',
  'passedAtUs',
  'attempts',
  'received',
  'missing',
  'repairs',
  'initialVersion',
  'finalVersion',
] as const satisfies (keyof MemberColumns)[];

const RENEWED_IN_ROUND = [
  'phase',
  'phaseSinceUs',
  'spokeAtUs',
  'sentAtUs',
  'dueAtUs',
  'lastDownlinkAtUs',
  'clockFaults',
  'clockBehindS',
  'repairsDue',
] as const satisfies (keyof RoundColumns)[];

/** What a member begins with. */
const FRESH = memberColumns(1);
const FRESH_ROUND = roundColumns(1);

/** Puts what one member has in a column into the place of another. */
const put = (column: Column, place: number, one: Column): void =>
  column.set(one, place * one.length);

const reasonOf = (number: number): FailureReason | null => FAILURE_REASONS[number - 1] ?? null;

/** Of columns that have a version in two places. */
function versionAt(column: Uint32Array, place: number): string {
  return versionHex(column[place * 2]!, column[place * 2 + 1]!);
}

function keepVersion(column: Uint32Array, place: number, hex: string): void {
  column[place * 2] = Number.parseInt(hex.slice(0, 8), 16);
  column[place * 2 + 1] = Number.parseInt(hex.slice(8), 16);
}

/** Of a member, or of a row of past attempts: their columns have the same names. */
function attemptAt(columns: MemberColumns | PastAttempts, at: number): Attempt {
  const { endedAtUs, reason, flags, initialVersion, finalVersion } = columns;
  const has = (flag: number) => (flags[at]! & flag) !== 0;
  return {
    atUs: endedAtUs[at]!,
    reason: reasonOf(reason[at]!),
    initialVersion: has(Flag.hasInitialVersion) ? versionAt(initialVersion, at) : null,
    finalVersion: has(Flag.hasFinalVersion) ? versionAt(finalVersion, at) : null,
  };
}
