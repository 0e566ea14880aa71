/**
 * What a reliable downlink job remembers: plain data, so that it can be saved, forked and hashed at
 * any time. What is of a device stands in columns: a typed array for each field, a place for each
 * device, in the order in which they were given. 47 B a device, beside its DevEUI.
 */

import type { Effective } from '../../../sim/base/rows/fields.ts';
import type { Column } from '../../base/columns.ts';
import { foldColumn } from '../../base/columns.ts';
import type { DueList } from '../../base/due-list.ts';
import { type Fold, foldField } from '../../base/fold.ts';
import { NEVER_US } from '../../base/instant.ts';
import { DEVICE_STATES, type DeviceState, type JOB, type JobStatus } from './rows.ts';

/** What was given, with defaults; the devices stand by themselves. */
export type JobSettings = Omit<Effective<typeof JOB>, 'devices'>;

export interface JobState {
  /** From 1; also the job's timer. */
  readonly number: number;
  /** The subscriber whose it is. */
  readonly owner: string;
  /** In the form of a UUID, lower case. */
  readonly id: string;
  readonly settings: JobSettings;
  /** Devices it sends to: each once, fixed at creation. */
  readonly devEuis: readonly string[];
  readonly createdAtUs: number;
  /** The creation, or the latest restart. */
  beganAtUs: number;
  status: JobStatus;
  /** Nobody sees it any more; what it has in the network is being cleared up. */
  isDeleted: boolean;
  readonly columns: JobColumns;
  /** Devices by state. */
  pending: number;
  succeeded: number;
  /** Tries of all devices, those before a restart too. */
  tries: number;
  /** Place of the first device that a pass over all of them has not visited; `NO_PASS`: none. */
  next: number;
  readonly due: DueList;
  /** The appointment of the timer; `NEVER_US`: none. */
  wakesAtUs: number;
}

/** No pass over the devices is underway. */
export const NO_PASS = -1;

/** What is said of attempts is since the creation, or since the latest restart that took it. */
export interface JobColumns {
  /** By their place in `DEVICE_STATES`. */
  readonly state: Uint8Array;
  /** By their place in `JOB_FAILURES`, from 1; 0: none. */
  readonly reason: Uint8Array;
  /** Whether it is watched, and a downlink may wait for it. */
  readonly isEngaged: Uint8Array;
  readonly attempts: Uint16Array;
  readonly firstSentAtUs: Float64Array;
  readonly lastSentAtUs: Float64Array;
  readonly completedAtUs: Float64Array;
  /** When it is sent to again, or fails; while a downlink waits, when it fails unless it speaks. */
  readonly dueAtUs: Float64Array;
  /** The downlink that waits for it, by its id; 0: none. */
  readonly waitingId: Float64Array;
}

/** Places of the states in the columns. */
export const DeviceIs = Object.fromEntries(DEVICE_STATES.map((state, i) => [state, i])) as Readonly<
  Record<DeviceState, number>
>;

export interface NewJob {
  readonly number: number;
  readonly owner: string;
  readonly id: string;
  readonly settings: JobSettings;
  readonly devEuis: readonly string[];
}

/** A job before its first pass. */
export function newJob(parts: NewJob, nowUs: number): JobState {
  const count = parts.devEuis.length;
  return {
    ...parts,
    createdAtUs: nowUs,
    beganAtUs: nowUs,
    status: 'running',
    isDeleted: false,
    columns: {
      state: new Uint8Array(count),
      reason: new Uint8Array(count),
      isEngaged: new Uint8Array(count),
      attempts: new Uint16Array(count),
      firstSentAtUs: instants(count),
      lastSentAtUs: instants(count),
      completedAtUs: instants(count),
      dueAtUs: instants(count),
      waitingId: new Float64Array(count),
    },
    pending: count,
    succeeded: 0,
    tries: 0,
    next: NO_PASS,
    due: [],
    wakesAtUs: NEVER_US,
  };
}

const instants = (count: number): Float64Array => new Float64Array(count).fill(NEVER_US);

export const failedOf = ({ devEuis, pending, succeeded }: JobState): number =>
  devEuis.length - pending - succeeded;

/** All that it remembers. */
export function foldJob(fold: Fold, { columns, ...state }: JobState): void {
  foldField(fold, 'job', state);
  for (const [name, column] of Object.entries<Column>({ ...columns })) {
    foldColumn(fold, name, column, column.length);
  }
}
