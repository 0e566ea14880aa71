/**
 * What a campaign remembers of its members, in columns: a typed array for each field, a place for
 * each member, in the order of the group; a record by place for what few members have. Plain data.
 * `Member` (member.ts) reads and writes them.
 *
 * What only a round needs is made when one begins, and dropped when the campaign is over: what is
 * to be reported of it then takes 131 B a member.
 */
import { type Column, foldColumn } from '../../base/columns.ts';
import { type Fold, foldField } from '../../base/fold.ts';
import { NEVER_US } from '../../base/instant.ts';
import type { ClockRate } from './clock-rate.ts';
import { foldPastAttempts, type PastAttempts } from './past-attempts.ts';

/** Steps of the flow (steps.ts), in its order. */
export const Step = {
  versionCheck: 0,
  clockSync: 1,
  multicastSetup: 2,
  fragmentationSetup: 3,
  session: 4,
  clockCheck: 5,
  status: 6,
  repair: 7,
  finalVersion: 8,
} as const;
export type Step = (typeof Step)[keyof typeof Step];

/** In the order of the flow. */
export const ALL_STEPS: readonly Step[] = Object.values(Step);

/** Places of a member in a column by step. */
export const STEP_COUNT = ALL_STEPS.length;

/** What few members have, by place. */
export type ByPlace<What> = Record<number, What>;

export interface DebugEntry {
  readonly atUs: number;
  readonly what: 'sent' | 'answered';
  /** The standard's name of the command. */
  readonly command: string;
}

export interface Diagnosis {
  /** Stable for programs. */
  readonly code: string;
  /** One sentence with the numbers in it. */
  readonly text: string;
}

/** What a clock sync command corrects. */
export interface Correction {
  readonly seconds: number;
  readonly token: number;
  /** When the device reported its time: GPS seconds modulo 2^32. */
  readonly atS: number;
  /** Commands of the step that were sent when the device reported its time. */
  readonly after: number;
  /** An earlier correction was sent, answered and not applied. */
  readonly isIgnored: boolean;
}

/** A command that waits for a window or for air, as the network knows it. */
export interface QueuedCommand {
  readonly id: number;
  readonly step: Step;
}

export interface MemberColumns {
  /** By their place in `FATES`. */
  readonly fate: Uint8Array;
  /** By their place in `FAILURE_REASONS`, from 1; 0: none. */
  readonly reason: Uint8Array;
  /** Bits of `Flag`. */
  readonly flags: Uint8Array;
  readonly endedAtUs: Float64Array;
  /** By member and step. */
  readonly passedAtUs: Float64Array;
  readonly attempts: Uint16Array;
  /** Fragments, if a flag says that they were reported. */
  readonly received: Uint16Array;
  readonly missing: Uint16Array;
  readonly repairs: Uint16Array;
  readonly rounds: Uint32Array;
  /** Number of the round, among those of all campaigns, that took it last; 0: none has. */
  readonly takenInto: Uint32Array;
  /** Firmware and hardware, two places a member, if a flag says that they are known. */
  readonly initialVersion: Uint32Array;
  readonly finalVersion: Uint32Array;
  readonly debug: ByPlace<DebugEntry[]>;
  readonly diagnosis: ByPlace<Diagnosis>;
  /** Null: no round has begun yet, or the campaign is over. */
  round: RoundColumns | null;
  /** Null: no member was taken back yet. */
  past: PastAttempts | null;
}

export interface RoundColumns {
  /** By their place in `PHASES`. */
  readonly phase: Uint8Array;
  readonly phaseSinceUs: Float64Array;
  readonly spokeAtUs: Float64Array;
  /** By member and step. */
  readonly sentAtUs: Float64Array;
  readonly dueAtUs: Float64Array;
  readonly lastDownlinkAtUs: Float64Array;
  readonly clockFaults: Uint8Array;
  /** Whole seconds off what is expected, if a flag says that they are known. */
  readonly clockBehindS: Int32Array;
  readonly repairsDue: Uint8Array;
  readonly queued: ByPlace<QueuedCommand[]>;
  readonly correction: ByPlace<Correction>;
  /** Of clocks that were wrong again after a correction. */
  readonly clockRate: ByPlace<ClockRate>;
}

export const Flag = {
  /** Its turn comes in a later round. */
  waits: 1,
  hasReceived: 2,
  hasMissing: 4,
  hasInitialVersion: 8,
  hasFinalVersion: 16,
  hasClock: 32,
} as const;

export function memberColumns(members: number): MemberColumns {
  return {
    fate: new Uint8Array(members),
    reason: new Uint8Array(members),
    flags: new Uint8Array(members),
    endedAtUs: instants(members),
    passedAtUs: instants(members * STEP_COUNT),
    attempts: new Uint16Array(members * STEP_COUNT),
    received: new Uint16Array(members),
    missing: new Uint16Array(members),
    repairs: new Uint16Array(members),
    rounds: new Uint32Array(members),
    takenInto: new Uint32Array(members),
    initialVersion: new Uint32Array(members * 2),
    finalVersion: new Uint32Array(members * 2),
    debug: {},
    diagnosis: {},
    round: null,
    past: null,
  };
}

export function roundColumns(members: number): RoundColumns {
  return {
    phase: new Uint8Array(members),
    phaseSinceUs: new Float64Array(members),
    spokeAtUs: instants(members),
    sentAtUs: instants(members * STEP_COUNT),
    dueAtUs: instants(members),
    lastDownlinkAtUs: instants(members),
    clockFaults: new Uint8Array(members),
    clockBehindS: new Int32Array(members),
    repairsDue: new Uint8Array(members),
    queued: {},
    correction: {},
    clockRate: {},
  };
}

const instants = (count: number): Float64Array => new Float64Array(count).fill(NEVER_US);

export function foldMembers(fold: Fold, { round, past, ...stored }: MemberColumns): void {
  foldAll(fold, stored);
  if (round !== null) foldAll(fold, round);
  if (past !== null) foldPastAttempts(fold, past);
}

/** Columns number by number, what few members have as records. */
function foldAll(fold: Fold, fields: object): void {
  const named = Object.entries(fields) as [string, Column | ByPlace<unknown>][];
  for (const [name, field] of named.sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (ArrayBuffer.isView(field)) foldColumn(fold, name, field, field.length);
    else foldField(fold, name, field);
  }
}
