/** Deliveries, alerts and configurations in Markdown, a table each. */
import type { RunResult } from '../../core/result/result.ts';
import { CONFIGURED_SHOWN, configuredRow, rolloutsSentence } from '../configuration-facts.ts';
import {
  alertsSentence,
  deliveriesSentence,
  monitoredRows,
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

/** Nothing where no configuration was desired. */
export function configurationBlocks({ configurations }: RunResult): string[] {
  if (configurations === undefined) return [];
  const { populations } = configurations;
  const rows = populations.slice(0, CONFIGURED_SHOWN).map((population) => {
    const { name, set, applied, others, half, last } = configuredRow(population);
    return [plain(name), set, applied, listed(others), half, last];
  });
  const heads = ['Configured', 'Set as desired', 'Applied', 'Else', 'Half after', 'Last after'];
  const more = populations.length - CONFIGURED_SHOWN;
  return [
    `**${plain(rolloutsSentence(configurations))}**`,
    ...(rows.length === 0 ? [] : [table(heads, 'lrrlrr', rows)]),
    ...(more > 0 ? [`${counted(more, 'more population')} not shown.`] : []),
  ];
}

const listed = (entries: readonly string[]): string =>
  entries.length === 0 ? NOTHING : plain(entries.join(', '));

function omitted(all: readonly unknown[], noun: string): string[] {
  const more = all.length - TARGETS_SHOWN;
  return more > 0 ? [`${counted(more, `more ${noun}`)} not shown.`] : [];
}
