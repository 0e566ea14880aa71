/** What an operator sees of the clients at a door, and the operations that show it. START HERE. */
import type { WorldFacts } from '../../../core/world/facts.ts';
import { apiFaultOperations } from './api-fault-operations.ts';
import { ApiFaults, type Places } from './api-faults.ts';
import { Coverage } from './coverage.ts';
import { coverageOperations } from './coverage-operations.ts';
import { eventOperations } from './event-operations.ts';
import { EventStreams, type HeardWorld } from './event-streams.ts';
import { RequestLog } from './request-log.ts';
import { requestOperations } from './request-operations.ts';

/** Of one door: nothing of it outlives that. */
export interface Watch {
  readonly log: RequestLog;
  readonly coverage: Coverage;
  readonly faults: ApiFaults;
  readonly streams: EventStreams;
}

/** The world behind the door. */
export interface WatchedWorld extends HeardWorld {
  readonly seed: string;
  readonly facts: WorldFacts;
}

export const makeWatch = (world: WatchedWorld, places: Places): Watch => ({
  log: new RequestLog(),
  coverage: new Coverage(),
  faults: new ApiFaults(world.seed, places),
  streams: new EventStreams(world),
});

/** By kind. */
export const watchOperations = (watch: Watch, world: WatchedWorld) => ({
  ...requestOperations(watch.log),
  ...coverageOperations(watch.coverage),
  ...apiFaultOperations(watch.faults, world),
  ...eventOperations(watch.streams, world),
});
