/** What a result tells of deliveries: every one of them has one fate, and the sums come out. */
import { sortedByName } from '../../../sim/base/counts.ts';
import { DEFAULT_SUBSCRIBER } from '../../base/subscribers.ts';
import {
  DELIVERY_FATES,
  type DeliveriesResult,
  type DeliveryCounts,
  type TargetResult,
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
  return { emitted, fates: happened({ ...ended, ...open }), attempts };
}

function sumOfAll(all: readonly DeliveryCounts[]): DeliveryCounts {
  const sum = (of: (each: DeliveryCounts) => number) =>
    all.reduce((total, each) => total + of(each), 0);
  const fates = DELIVERY_FATES.map((fate) => [fate, sum((each) => each.fates[fate] ?? 0)]);
  return {
    emitted: sum(({ emitted }) => emitted),
    fates: happened(Object.fromEntries(fates)),
    attempts: sum(({ attempts }) => attempts),
  };
}

/** What did not happen is left out. */
function happened(fates: DeliveryCounts['fates']): DeliveryCounts['fates'] {
  const some = Object.entries(fates).filter(([, times]) => times > 0);
  return sortedByName(Object.fromEntries(some));
}
