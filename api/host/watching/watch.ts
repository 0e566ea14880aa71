/** Operations that show an operator the clients of an HTTP server. START HERE. */
import type { WorldFacts } from '../../../core/world/facts.ts';
import { apiFaultOperations } from './api-fault-operations.ts';
import { ApiFaults, type Places } from './api-faults.ts';
import { Coverage } from './coverage.ts';
import { coverageOperations } from './coverage-operations.ts';
import { eventOperations } from './event-operations.ts';
import { EventStreams, type HeardWorld } from './event-streams.ts';
import { RequestLog } from './request-log.ts';
import { requestOperations } from './request-operations.ts';

/** What is known of the clients, and what they are to meet, whichever world they ask. */
export interface ClientRecords {
  readonly log: RequestLog;
  readonly coverage: Coverage;
  readonly faults: ApiFaults;
}

/** Of one entry point. */
export interface Watch extends ClientRecords {
  readonly streams: EventStreams;
}

/** The world behind the entry point. */
export interface WatchedWorld extends HeardWorld {
  readonly seed: string;
  readonly facts: WorldFacts;
}

export const makeRecords = (seed: string, places: Places): ClientRecords => ({
  log: new RequestLog(),
  coverage: new Coverage(),
  faults: new ApiFaults(seed, places),
});

/** `records`: those of the previous server, which this one continues; new ones when absent. */
export const makeWatch = (
  world: WatchedWorld,
  places: Places,
  records: ClientRecords = makeRecords(world.seed, places),
): Watch => ({ ...records, streams: new EventStreams(world) });

/** By kind. */
export const watchOperations = (watch: Watch, world: WatchedWorld) => ({
  ...requestOperations(watch.log),
  ...coverageOperations(watch.coverage),
  ...apiFaultOperations(watch.faults, world),
  ...eventOperations(watch.streams, world),
});
