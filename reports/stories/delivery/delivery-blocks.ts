/** The report on deliveries: a row for each target and receiver. */
import type {
  DeliveriesResult,
  DeliveryCounts,
  ReceiverResult,
  TargetResult,
} from '../../../core/result/delivery.ts';
import type { RunResult } from '../../../core/result/result.ts';
import { assert } from '../../../sim/base/assert.ts';
import { sumOf } from '../../../sim/base/counts.ts';
import { type Block, type Cell, EVERY_FORM, HTML, omission } from '../../document/document.ts';
import { count, counted, partOf } from '../../text/format.ts';
import { causesOf, DELIVERY_WORDS } from '../../text/words.ts';
import { waitingChart } from './delivery-chart.ts';

/** Targets and receivers that a report shows; a run may have very many. */
export const TARGETS_SHOWN = 20;

const MATTER_WORDS = { uplink: 'Uplinks', gateway_connectivity: 'Alerts' } as const;

/** Nothing where nothing was to be delivered. */
export function deliveryBlocks(result: RunResult): Block[] {
  const { deliveries, series } = result;
  if (deliveries === undefined) return [];
  const { waiting } = series;
  return [
    {
      kind: 'section',
      title: 'Deliveries',
      blocks: [
        { kind: 'lead', text: deliveriesSentence(deliveries) },
        targetTable(deliveries),
        ...(deliveries.receivers.length === 0 ? [] : [receivers(deliveries)]),
        ...(waiting === undefined
          ? []
          : ([
              { kind: 'heading', forms: HTML, text: 'Deliveries that wait' },
              { kind: 'chart', chart: waitingChart(result, waiting) },
            ] as const)),
      ],
    },
  ];
}

/** `40 120 of 40 124 deliveries were accepted, 4 wait.`, in one sentence for all targets. */
function deliveriesSentence(all: DeliveriesResult): string {
  const { delivered = 0, ...others } = checked(all).fates;
  const parts = causesOf(others, DELIVERY_WORDS).map((part) => part.toLowerCase());
  const accepted = `${count(delivered)} of ${counted(all.emitted, 'delivery', 'deliveries')}`;
  return `${[`${accepted} accepted`, ...parts].join(', ')}.`;
}

/** The first targets, and one row for those that were removed. */
function targetTable({ targets, removedTargets }: DeliveriesResult): Block {
  const removed = countsRow('Removed targets', '–', removedTargets);
  return {
    kind: 'table',
    forms: EVERY_FORM,
    name: 'Targets, and what the service knows of its deliveries to them',
    stack: 6,
    columns: [
      { head: { html: 'Target', markdown: 'Target', terminal: 'Deliveries to' }, kind: 'full' },
      { head: 'What' },
      { head: 'Accepted', kind: 'number' },
      { head: 'Else' },
      { head: 'Attempts', kind: 'number' },
    ],
    rows: [
      ...targets.slice(0, TARGETS_SHOWN).map(targetRow),
      ...(removedTargets.emitted > 0 ? [removed] : []),
    ],
    omitted: omission(targets.length - TARGETS_SHOWN, 'target'),
  };
}

function targetRow({ matter, kind, address, subscriber, ...counts }: TargetResult): Cell[] {
  const to = `${kind} ${address}${subscriber === undefined ? '' : ` (${subscriber})`}`;
  return countsRow(to, MATTER_WORDS[matter], counts);
}

/** The fates but acceptance stand by their number, the most frequent first. */
function countsRow(to: string, what: string, counts: DeliveryCounts): Cell[] {
  const { emitted, attempts } = checked(counts);
  const { delivered = 0, ...others } = counts.fates;
  const list = causesOf(others, DELIVERY_WORDS);
  return [to, what, partOf(delivered, emitted), { list }, count(attempts)];
}

function receivers({ receivers: all }: DeliveriesResult): Block {
  return {
    kind: 'group',
    blocks: [
      {
        kind: 'table',
        name: 'Receivers of the scenario, and what they really have',
        stack: 6,
        columns: [
          { head: 'Receiver' },
          { head: { markdown: 'At' }, isBelow: true },
          { head: 'Requests', kind: 'number' },
          { head: 'Has', kind: 'number' },
          { head: 'Came again', kind: 'number' },
        ],
        rows: all.slice(0, TARGETS_SHOWN).map(receiverRow),
        omitted: omission(all.length - TARGETS_SHOWN, 'receiver'),
      },
      {
        kind: 'hint',
        forms: HTML,
        text: `What a receiver has taken but not acknowledged within 15 s is sent once more, and
comes again.`,
      },
    ],
  };
}

function receiverRow({ name, at, subscriber, requests, ...had }: ReceiverResult): Cell[] {
  const { received, distinct, duplicates } = had;
  assert(distinct + duplicates === received, 'what a receiver has is new or came again');
  return [
    subscriber === undefined ? name : `${name} (${subscriber})`,
    at,
    count(requests),
    count(distinct),
    count(duplicates),
  ];
}

function checked<Has extends DeliveryCounts>(counts: Has): Has {
  assert(sumOf(counts.fates) === counts.emitted, 'each delivery has one fate');
  return counts;
}
