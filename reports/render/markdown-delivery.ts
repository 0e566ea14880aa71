/** Deliveries and alerts in Markdown, a table each. */
import type { RunResult } from '../../core/result.ts';
import {
  alertRow,
  deliveriesSentence,
  receiverRow,
  TARGETS_SHOWN,
  targetRows,
} from '../delivery-facts.ts';
import { counted, NOTHING } from './format.ts';
import { plain, table } from './markdown-parts.ts';

/** Nothing where nothing was to be delivered. */
export function deliveryBlocks({ deliveries }: RunResult): string[] {
  if (deliveries === undefined) return [];
  const { targets, receivers } = deliveries;
  const rows = targetRows(deliveries).map(({ to, what, accepted, others, attempts }) => {
    return [plain(to), what, accepted, listed(others), attempts];
  });
  const kept = receivers.slice(0, TARGETS_SHOWN).map((receiver) => {
    const { name, at, requests, distinct, duplicates } = receiverRow(receiver);
    return [plain(name), plain(at), requests, distinct, duplicates];
  });
  return [
    `**${plain(deliveriesSentence(deliveries))}**`,
    ...(rows.length === 0
      ? []
      : [table(['Target', 'What', 'Accepted', 'Else', 'Attempts'], 'llrlr', rows)]),
    ...omitted(targets, 'target'),
    ...(kept.length === 0
      ? []
      : [table(['Receiver', 'At', 'Requests', 'Has', 'Came again'], 'llrrr', kept)]),
    ...omitted(receivers, 'receiver'),
  ];
}

/** Nothing where there is no alert. */
export function alertBlocks({ alerts = [] }: RunResult): string[] {
  if (alerts.length === 0) return [];
  const rows = alerts.slice(0, TARGETS_SHOWN).map((alert) => {
    const { name, gateways, destinations, changes, told, others } = alertRow(alert);
    return [plain(name), gateways, destinations, changes, told, listed(others)];
  });
  const heads = ['Alert', 'Gateways', 'Destinations', 'Changes', 'Told', 'Else'];
  return [table(heads, 'lrrrrl', rows), ...omitted(alerts, 'alert')];
}

const listed = (entries: readonly string[]): string =>
  entries.length === 0 ? NOTHING : plain(entries.join(', '));

function omitted(all: readonly unknown[], noun: string): string[] {
  const more = all.length - TARGETS_SHOWN;
  return more > 0 ? [`${counted(more, `more ${noun}`)} not shown.`] : [];
}
