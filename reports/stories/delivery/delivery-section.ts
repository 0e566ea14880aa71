/** The sections on deliveries and alerts: a line for each target, receiver and alert. */
import type { AlertsResult, DeliveriesResult } from '../../../core/result/delivery.ts';
import type { RunResult } from '../../../core/result/result.ts';
import { draw } from '../../charts/plot.ts';
import { type Content, html, type Markup } from '../../markup/markup.ts';
import { card, table } from '../../markup/parts.ts';
import { count, NOTHING } from '../../text/format.ts';
import { waitingChart } from './delivery-chart.ts';
import {
  alertRow,
  alertsSentence,
  deliveriesSentence,
  monitoredRows,
  receiverRow,
  TARGETS_SHOWN,
  targetRows,
} from './delivery-facts.ts';

/** Nothing where nothing was to be delivered. */
export function deliverySection(result: RunResult): Content {
  const { deliveries, series } = result;
  if (deliveries === undefined) return '';
  const chart =
    series.waiting === undefined
      ? ''
      : html`<h3>Deliveries that wait</h3>${draw(waitingChart(result, series.waiting))}`;
  return card(
    'Deliveries',
    html`<p class="lead">${deliveriesSentence(deliveries)}</p>`,
    targetTable(deliveries),
    receiverTable(deliveries),
    chart,
  );
}

function targetTable(deliveries: DeliveriesResult): Markup {
  const shape = {
    name: 'Targets, and what the service knows of its deliveries to them',
    stack: 6,
    columns: [
      { head: 'Target', kind: 'full' },
      { head: 'What' },
      { head: 'Accepted', kind: 'number' },
      { head: 'Else' },
      { head: 'Attempts', kind: 'number' },
    ],
  } as const;
  const rows = targetRows(deliveries).map(({ what, to, accepted, others, attempts }) => {
    return [to, what, accepted, lines(others), attempts];
  });
  return html`${table(shape, rows)}${omitted(deliveries.targets)}`;
}

function receiverTable({ receivers }: DeliveriesResult): Content {
  if (receivers.length === 0) return '';
  const shape = {
    name: 'Receivers of the scenario, and what they really have',
    stack: 6,
    columns: [
      { head: 'Receiver' },
      { head: 'Requests', kind: 'number' },
      { head: 'Has', kind: 'number' },
      { head: 'Came again', kind: 'number' },
    ],
  } as const;
  const rows = receivers.slice(0, TARGETS_SHOWN).map((receiver) => {
    const { name, at, requests, distinct, duplicates } = receiverRow(receiver);
    return [html`${name}<small>${at}</small>`, requests, distinct, duplicates];
  });
  return html`${table(shape, rows)}${omitted(receivers)}
<p class="hint">What a receiver has taken but not acknowledged within 15 s is sent once more, and
comes again.</p>`;
}

/** Nothing where no gateway was monitored. */
export function alertSection({ alerts }: RunResult): Content {
  if (alerts === undefined) return '';
  const shape = {
    name: 'Monitored gateways, and what became of their changes',
    stack: 6,
    columns: [
      { head: 'Gateway' },
      { head: 'Changes', kind: 'number' },
      { head: 'Told', kind: 'number' },
      { head: 'Else' },
    ],
  } as const;
  const rows = monitoredRows(alerts).map(({ name, changes, told, others }) => {
    return [name, changes, told, lines(others)];
  });
  return card(
    'Alerts',
    html`<p class="lead">${alertsSentence(alerts)}</p>
${table(shape, rows)}${omitted(alerts.gateways)}
<p class="hint">A gateway that goes online or offline is told of once that has lasted for 15
minutes.</p>`,
    alertTable(alerts),
  );
}

function alertTable({ alerts }: AlertsResult): Content {
  if (alerts.length === 0) return '';
  const shape = {
    name: 'Alerts, and what they are on',
    stack: 3,
    columns: [
      { head: 'Alert' },
      { head: 'Gateways', kind: 'number' },
      { head: 'Destinations', kind: 'number' },
    ],
  } as const;
  const rows = alerts.slice(0, TARGETS_SHOWN).map((alert) => {
    const { name, gateways, destinations } = alertRow(alert);
    return [name, gateways, destinations];
  });
  return html`${table(shape, rows)}${omitted(alerts)}`;
}

/** The first in full, the others small below it. */
function lines([first, ...others]: readonly string[]): Markup {
  return html`${first ?? NOTHING}${others.map((other) => html`<small>${other}</small>`)}`;
}

function omitted(all: readonly unknown[]): Content {
  const more = all.length - TARGETS_SHOWN;
  return more > 0 ? html`<p class="hint">${count(more)} more are not shown.</p>` : '';
}
