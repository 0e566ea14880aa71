/** What an operator sees of the clients at a door, and the operations that show it. START HERE. */
import { Coverage } from './coverage.ts';
import { coverageOperations } from './coverage-operations.ts';
import { RequestLog } from './request-log.ts';
import { requestOperations } from './request-operations.ts';

/** Of one door: nothing of it outlives that. */
export interface Watch {
  readonly log: RequestLog;
  readonly coverage: Coverage;
}

export const makeWatch = (): Watch => ({ log: new RequestLog(), coverage: new Coverage() });

/** By kind. */
export const watchOperations = ({ log, coverage }: Watch) => ({
  ...requestOperations(log),
  ...coverageOperations(coverage),
});
