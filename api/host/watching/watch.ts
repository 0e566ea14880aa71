/** What an operator sees of the clients at a door, and the operations that show it. START HERE. */
import { apiFaultOperations, type FaultyWorld } from './api-fault-operations.ts';
import { ApiFaults, type Places } from './api-faults.ts';
import { Coverage } from './coverage.ts';
import { coverageOperations } from './coverage-operations.ts';
import { RequestLog } from './request-log.ts';
import { requestOperations } from './request-operations.ts';

/** Of one door: nothing of it outlives that. */
export interface Watch {
  readonly log: RequestLog;
  readonly coverage: Coverage;
  readonly faults: ApiFaults;
}

export const makeWatch = (seed: string, places: Places): Watch => ({
  log: new RequestLog(),
  coverage: new Coverage(),
  faults: new ApiFaults(seed, places),
});

/** By kind. */
export const watchOperations = ({ log, coverage, faults }: Watch, world: FaultyWorld) => ({
  ...requestOperations(log),
  ...coverageOperations(coverage),
  ...apiFaultOperations(faults, world),
});
