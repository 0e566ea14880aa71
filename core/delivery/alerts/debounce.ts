/**
 * A change of a gateway's connectivity is shown once it has persisted for 15 minutes (data
 * delivery, Gateway connectivity event, rule 1): what was reported last is settled until another
 * status has lasted for so long. All of it is plain data.
 */
import { SECOND_US } from '../../../sim/base/units.ts';

const STATUSES = ['online', 'offline'] as const;
export type Status = (typeof STATUSES)[number];

/** How long a status persists until it is reported, µs. */
export const PERSISTS_US = 900 * SECOND_US;

export interface Debounced {
  /** What counts: what was reported last, or what it was when it began to be followed. */
  readonly settled: Status;
  /** What it is now, and since when, µs. */
  readonly status: Status;
  readonly sinceUs: number;
}

/** When the status that it has is to be reported, µs; undefined: it is the settled one. */
export const dueUs = ({ settled, status, sinceUs }: Debounced): number | undefined =>
  status === settled ? undefined : sinceUs + PERSISTS_US;

/** The status is another one, maybe, from an instant on. */
export const turned = (state: Debounced, status: Status, atUs: number): Debounced =>
  status === state.status ? state : { ...state, status, sinceUs: atUs };

/** The status that it has is reported. */
export const settled = (state: Debounced): Debounced => ({ ...state, settled: state.status });
