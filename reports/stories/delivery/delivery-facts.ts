/** What deliveries and alerts came to, in cells that every form of report shares. */
import type {
  AlertResult,
  AlertsResult,
  DeliveriesResult,
  DeliveryCounts,
  ReceiverResult,
  TargetResult,
} from '../../../core/result/delivery.ts';
import { assert } from '../../../sim/base/assert.ts';
import { type Counts, sumOf } from '../../../sim/base/counts.ts';
import { count, counted, partOf } from '../../text/format.ts';
import { byAmount, CHANGE_WORDS, DELIVERY_WORDS, type Words } from '../../text/words.ts';

/** Targets, receivers and alerts that a report shows; a run may have very many. */
export const TARGETS_SHOWN = 20;

const MATTER_WORDS = { uplink: 'Uplinks', gateway_connectivity: 'Alerts' } as const;

/** `40 120 of 40 124 deliveries were accepted, 4 wait.`, in one sentence for all targets. */
export function deliveriesSentence(all: DeliveriesResult): string {
  const { delivered = 0, ...others } = checked(all).fates;
  const parts = listed(others, DELIVERY_WORDS).map((part) => part.toLowerCase());
  const accepted = `${count(delivered)} of ${counted(all.emitted, 'delivery', 'deliveries')}`;
  return `${[`${accepted} accepted`, ...parts].join(', ')}.`;
}

/** Lines of the table of targets: the first ones, and one for those that were removed. */
export function targetRows({ targets, removedTargets }: DeliveriesResult) {
  const removed = rowOf('–', 'Removed targets', removedTargets);
  return [
    ...targets.slice(0, TARGETS_SHOWN).map(targetRow),
    ...(removedTargets.emitted > 0 ? [removed] : []),
  ];
}

function targetRow({ matter, kind, address, subscriber, ...counts }: TargetResult) {
  const to = `${kind} ${address}${subscriber === undefined ? '' : ` (${subscriber})`}`;
  return rowOf(MATTER_WORDS[matter], to, counts);
}

/** `others` has an entry for each fate but acceptance, the most frequent first. */
function rowOf(what: string, to: string, counts: DeliveryCounts) {
  const { emitted, attempts } = checked(counts);
  const { delivered = 0, ...others } = counts.fates;
  return {
    what,
    to,
    accepted: partOf(delivered, emitted),
    others: listed(others, DELIVERY_WORDS),
    attempts: count(attempts),
  };
}

/** A line of a table. */
export function receiverRow({ name, at, subscriber, requests, ...had }: ReceiverResult) {
  const { received, distinct, duplicates } = had;
  assert(distinct + duplicates === received, 'what a receiver has is new or came again');
  return {
    name: subscriber === undefined ? name : `${name} (${subscriber})`,
    at,
    requests: count(requests),
    distinct: count(distinct),
    duplicates: count(duplicates),
  };
}

/** `10 changes of connectivity: told: 3, not told: 6, waiting: 1.`, in one sentence for all. */
export function alertsSentence({ changes, fates }: AlertsResult): string {
  const parts = listed(fates, CHANGE_WORDS).map((part) => part.toLowerCase());
  const all = counted(changes, 'change of connectivity', 'changes of connectivity');
  return parts.length === 0 ? `${all}.` : `${all}; ${parts.join(', ')}.`;
}

/** A line of a table. */
export function alertRow({ name, subscriber, gateways, destinations }: AlertResult) {
  return {
    name: subscriber === undefined ? name : `${name} (${subscriber})`,
    gateways: count(gateways),
    destinations: count(destinations),
  };
}

/** A line of a table; those that changed most often come first. */
export function monitoredRows({ gateways }: AlertsResult) {
  const most = [...gateways].sort((a, b) => b.changes - a.changes);
  return most.slice(0, TARGETS_SHOWN).map(({ name, changes, fates }) => {
    assert(sumOf(fates) === changes, 'each change of connectivity has one fate');
    const { told = 0, ...others } = fates;
    return {
      name,
      changes: count(changes),
      told: count(told),
      others: listed(others, CHANGE_WORDS),
    };
  });
}

function checked<Has extends DeliveryCounts>(counts: Has): Has {
  assert(sumOf(counts.fates) === counts.emitted, 'each delivery has one fate');
  return counts;
}

function listed<Cause extends string>(
  counts: Counts<Cause>,
  words: Readonly<Record<Cause, Words>>,
): readonly string[] {
  return byAmount(counts)
    .filter(([, times]) => times > 0)
    .map(([cause, times]) => `${words[cause].label}: ${count(times)}`);
}
