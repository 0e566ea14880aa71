/** The report on traffic over virtual time: frames, outages of gateways, devices joined. */
import type { RunResult } from '../../../core/result/result.ts';
import { joinedChart, trafficChart } from '../../charts/charts.ts';
import { OUTAGE_WORDS } from '../../charts/outages.ts';
import { type Block, HTML } from '../../document/document.ts';
import { counted, duration } from '../../text/format.ts';

/** Two charts over the same virtual time: frames per slice, devices joined. */
export function trafficBlocks(result: RunResult): Block[] {
  const { sliceSeconds, uplinks } = result.series;
  const title = 'Traffic over virtual time';
  if (uplinks.length === 0) {
    const text = 'No slice of virtual time was recorded.';
    return [{ kind: 'section', forms: HTML, title, blocks: [{ kind: 'paragraph', text }] }];
  }
  const text = `Uplink frames in each ${duration(sliceSeconds)} of virtual time`;
  const legend = [
    ['area', 'sent'],
    ['received', 'received'],
    ['interfered', 'interfered'],
  ] as const;
  return [
    {
      kind: 'section',
      forms: HTML,
      title,
      blocks: [
        { kind: 'hint', text },
        { kind: 'chart', chart: trafficChart(result), legend },
        outageTable(result),
        { kind: 'heading', text: 'Devices joined' },
        { kind: 'chart', chart: joinedChart(result) },
      ],
    },
  ];
}

/** Outages that a table shows; a network may have thousands. */
const OUTAGES_SHOWN = 20;

/** A row for each outage, in the order of their begins. */
function outageTable({ outages = [] }: RunResult): Block {
  const more = outages.length - OUTAGES_SHOWN;
  return {
    kind: 'table',
    name: 'Outages of gateways, shaded in every chart over time',
    columns: [
      { head: 'Gateway' },
      { head: 'Fault' },
      { head: 'From', kind: 'number' },
      { head: 'To', kind: 'number' },
    ],
    rows: outages
      .slice(0, OUTAGES_SHOWN)
      .map(({ gateway, part, fromSeconds, untilSeconds }) => [
        gateway,
        OUTAGE_WORDS[part],
        duration(fromSeconds),
        untilSeconds === null ? 'the end' : duration(untilSeconds),
      ]),
    omitted: more > 0 ? { html: `${counted(more, 'later outage')} not shown.` } : {},
    empty: '',
  };
}
