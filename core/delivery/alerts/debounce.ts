/**
 * A change of a gateway's connectivity is shown once it has persisted for 15 minutes (data
 * delivery, Gateway connectivity event, rule 1): the last notified status holds until another one
 * has lasted that long. All of it is plain data.
 */
import { SECOND_US } from '../../../sim/base/units.ts';

const STATUSES = ['online', 'offline'] as const;
export type Status = (typeof STATUSES)[number];

/** Time that a status persists until its notification, µs. */
export const PERSISTS_US = 900 * SECOND_US;

export interface Debounced {
  /** Settled status: the last notified one, or the one when monitoring began. */
  readonly settled: Status;
  /** What it is now, and since when, µs. */
  readonly status: Status;
  readonly sinceUs: number;
}

/** When the current status is due for notification, µs; undefined: it is the settled one. */
export const dueUs = ({ settled, status, sinceUs }: Debounced): number | undefined =>
  status === settled ? undefined : sinceUs + PERSISTS_US;

/** The status is another one, maybe, from an instant on. */
export const turned = (state: Debounced, status: Status, atUs: number): Debounced =>
  status === state.status ? state : { ...state, status, sinceUs: atUs };

/** Settles the current status: it has been notified. */
export const settled = (state: Debounced): Debounced => ({ ...state, settled: state.status });
