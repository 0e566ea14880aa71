/** The report on alerts: a row for each monitored gateway, and each alert. */
import type { AlertResult, AlertsResult, MonitoredGateway } from '../../../core/result/delivery.ts';
import type { RunResult } from '../../../core/result/result.ts';
import { assert } from '../../../sim/base/assert.ts';
import { sumOf } from '../../../sim/base/counts.ts';
import { type Block, type Cell, EVERY_FORM, HTML, omission } from '../../document/document.ts';
import { count, counted } from '../../text/format.ts';
import { CHANGE_WORDS, causesOf } from '../../text/words.ts';

/** Gateways and alerts that a report shows; a run may have very many. */
const ALERTS_SHOWN = 20;

/** Nothing where no gateway was monitored. */
export function alertBlocks({ alerts }: RunResult): Block[] {
  if (alerts === undefined) return [];
  const hint = `A change of a gateway's connectivity is reported once it has lasted for 15
minutes.`;
  return [
    {
      kind: 'section',
      title: 'Alerts',
      blocks: [
        {
          kind: 'group',
          blocks: [
            { kind: 'lead', text: alertsSentence(alerts) },
            gatewayTable(alerts),
            { kind: 'hint', forms: HTML, text: hint },
          ],
        },
        alertTable(alerts),
      ],
    },
  ];
}

/**
 * `10 changes of connectivity: notified: 3, not notified: 6, waiting: 1.`, in one sentence for all.
 */
function alertsSentence({ changes, fates }: AlertsResult): string {
  const parts = causesOf(fates, CHANGE_WORDS).map((part) => part.toLowerCase());
  const all = counted(changes, 'change of connectivity', 'changes of connectivity');
  return parts.length === 0 ? `${all}.` : `${all}; ${parts.join(', ')}.`;
}

/** Those that changed most often come first. */
function gatewayTable({ gateways }: AlertsResult): Block {
  const most = [...gateways].sort((a, b) => b.changes - a.changes);
  const head = 'Monitored gateway';
  return {
    kind: 'table',
    forms: EVERY_FORM,
    name: 'Monitored gateways, and what became of their changes',
    stack: 6,
    columns: [
      { head: { html: 'Gateway', markdown: head, terminal: head } },
      { head: 'Changes', kind: 'number' },
      { head: 'Notified', kind: 'number' },
      { head: 'Else' },
    ],
    rows: most.slice(0, ALERTS_SHOWN).map(gatewayRow),
    omitted: omission(gateways.length - ALERTS_SHOWN, 'monitored gateway'),
  };
}

function gatewayRow({ name, changes, fates }: MonitoredGateway): Cell[] {
  assert(sumOf(fates) === changes, 'each change of connectivity has one fate');
  const { told: reportedCount = 0, ...others } = fates;
  return [name, count(changes), count(reportedCount), { list: causesOf(others, CHANGE_WORDS) }];
}

function alertTable({ alerts }: AlertsResult): Block {
  return {
    kind: 'table',
    forms: HTML,
    name: 'Alerts, and what they are on',
    stack: 3,
    columns: [
      { head: 'Alert' },
      { head: 'Gateways', kind: 'number' },
      { head: 'Destinations', kind: 'number' },
    ],
    rows: alerts.slice(0, ALERTS_SHOWN).map(alertRow),
    omitted: omission(alerts.length - ALERTS_SHOWN, 'alert'),
    empty: '',
  };
}

const alertRow = ({ name, subscriber, gateways, destinations }: AlertResult): Cell[] => [
  subscriber === undefined ? name : `${name} (${subscriber})`,
  count(gateways),
  count(destinations),
];
