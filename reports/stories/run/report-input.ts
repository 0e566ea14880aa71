/** What a report is made of: a report is a pure function of this. */
import type { RunColumns } from '../../../core/result/columns.ts';
import type { Manifest } from '../../../core/result/manifest.ts';
import type { ExpectationResult, RunResult } from '../../../core/result/result.ts';

export interface ReportInput {
  readonly result: RunResult;
  /** In the scenario's order; empty when it states none. */
  readonly expectations: readonly ExpectationResult[];
  /** What the run was made of; absent: nobody stored it. */
  readonly manifest?: Manifest;
  /** Whether the world goes on: it is served, and this is what it has come to so far. */
  readonly goesOn?: boolean;
  /** What was recorded of single devices; absent: nothing was. */
  readonly columns?: RunColumns;
  /** Lines that the map draws, m from the middle of the world; absent: none. */
  readonly outline?: readonly (readonly (readonly [x: number, y: number])[])[];
  /** Version of Fleetwave that made the run, such as `0.1.0`. */
  readonly version: string;
}
