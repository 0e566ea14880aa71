/** Deliveries and alerts in Markdown, a table each. */
import type { RunResult } from '../../../core/result/result.ts';
import { listed, plain, table } from '../../markup/markdown-parts.ts';
import { counted } from '../../text/format.ts';
import {
  alertsSentence,
  deliveriesSentence,
  monitoredRows,
  receiverRow,
  TARGETS_SHOWN,
  targetRows,
} from './delivery-facts.ts';

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

/** Nothing where no gateway was monitored. */
export function alertBlocks({ alerts }: RunResult): string[] {
  if (alerts === undefined) return [];
  const rows = monitoredRows(alerts).map(({ name, changes, told, others }) => {
    return [plain(name), changes, told, listed(others)];
  });
  const heads = ['Monitored gateway', 'Changes', 'Told', 'Else'];
  return [
    `**${plain(alertsSentence(alerts))}**`,
    ...(rows.length === 0 ? [] : [table(heads, 'lrrl', rows)]),
    ...omitted(alerts.gateways, 'monitored gateway'),
  ];
}

function omitted(all: readonly unknown[], noun: string): string[] {
  const more = all.length - TARGETS_SHOWN;
  return more > 0 ? [`${counted(more, `more ${noun}`)} not shown.`] : [];
}
