/** Delivery figures of a result: each delivery has one fate, so sums agree. */
import { addedUp } from '../../../sim/base/counts.ts';
import { DEFAULT_SUBSCRIBER } from '../../base/subscribers.ts';
import type {
  DeliveriesResult,
  DeliveryCounts,
  DeliveryFate,
  TargetResult,
} from '../../result/delivery.ts';
import type { Backlog, Counts } from './backlog.ts';

/** Of all targets, whosever they are, and of those that are gone. */
export function deliveriesResult(
  backlogs: readonly Backlog[],
  gone: readonly Counts[],
): Omit<DeliveriesResult, 'receivers'> {
  const targets = backlogs.map(targetResult);
  const removedTargets = sumOfAll(gone.map((counts) => countsResult(counts, {})));
  return { ...sumOfAll([...targets, removedTargets]), targets, removedTargets };
}

function targetResult({ target, matter, counts, waiting }: Backlog): TargetResult {
  const { owner, kind, address, enabled } = target;
  const open = enabled ? { waiting: waiting.size } : { paused: waiting.size };
  return {
    ...(owner === DEFAULT_SUBSCRIBER ? {} : { subscriber: owner }),
    matter,
    kind,
    address,
    ...countsResult(counts, open),
  };
}

function countsResult(
  { emitted, attempts, ...ended }: Counts,
  open: DeliveryCounts['fates'],
): DeliveryCounts {
  return { emitted, fates: addedUp<DeliveryFate>([ended, open]), attempts };
}

function sumOfAll(all: readonly DeliveryCounts[]): DeliveryCounts {
  return {
    emitted: all.reduce((sum, { emitted }) => sum + emitted, 0),
    fates: addedUp(all.map(({ fates }) => fates)),
    attempts: all.reduce((sum, { attempts }) => sum + attempts, 0),
  };
}
