/** The report on gateways: the load of each, the busiest first. */
import type { GatewayResult, RunResult } from '../../../core/result/result.ts';
import { type Band, type Block, type Cell, HTML } from '../../document/document.ts';
import { ratio } from '../../figures/figure.ts';
import { count, duration, percent } from '../../text/format.ts';

/** Gateways that a table shows; a network may have thousands. */
const MOST = { html: 20, markdown: 10 } as const;

export function gatewayBlocks({ gateways }: RunResult): Block[] {
  const hint = `Bars of uplinks are as long as those of the busiest gateway; a bar of a
sub-band is full at its duty-cycle limit.`;
  return [
    {
      kind: 'section',
      title: 'Gateways',
      blocks: [
        gatewayTable(gateways),
        ...(gateways.length > 0 ? [{ kind: 'hint', forms: HTML, text: hint } as const] : []),
      ],
    },
  ];
}

function gatewayTable(gateways: readonly GatewayResult[]): Block {
  const busiest = [...gateways].sort((a, b) => b.uplinksReceived - a.uplinksReceived);
  const most = busiest[0]?.uplinksReceived ?? 0;
  return {
    kind: 'table',
    name: 'Frames, time on air and duty cycle of each gateway over the whole run',
    stack: 6,
    columns: [
      { head: 'Gateway' },
      { head: {}, isBelow: true },
      { head: 'Uplinks received', kind: 'number' },
      { head: { html: 'Interfered' }, kind: 'number' },
      { head: { html: 'No free path' }, kind: 'number' },
      { head: { html: 'While sending' }, kind: 'number' },
      { head: { html: 'Not forwarded' }, kind: 'number' },
      { head: 'Downlinks sent', kind: 'number' },
      { head: 'Time on air', kind: 'number' },
      { head: { html: 'Duty cycle by sub-band, MHz' }, kind: 'full' },
      { head: { markdown: 'Highest duty cycle' }, kind: 'number' },
    ],
    rows: busiest.slice(0, MOST.html).map((gateway) => gatewayRow(gateway, most)),
    most: MOST,
    omitted: {
      html: omittedText(gateways.length - MOST.html),
      markdown: omittedText(gateways.length - MOST.markdown),
    },
    empty: 'The network has no gateways.',
  };
}

const omittedText = (more: number): string =>
  more > 0 ? `${count(more)} less busy gateways are not shown.` : '';

function gatewayRow(gateway: GatewayResult, most: number): Cell[] {
  const { name, eui, uplinksReceived, fates, downlinksSent, airtimeSeconds, dutyCycle } = gateway;
  const highest = Object.values(dutyCycle).reduce((top, share) => Math.max(top, share), 0);
  return [
    name,
    { code: eui },
    { text: count(uplinksReceived), bar: { share: ratio(uplinksReceived, most) } },
    count(fates.interfered ?? 0),
    count(fates.noPath ?? 0),
    count(fates.halfDuplex ?? 0),
    count(fates.backhaulLoss ?? 0),
    count(downlinksSent),
    duration(airtimeSeconds),
    { bands: Object.entries(dutyCycle).map(([band, share]) => bandOf(gateway, band, share)) },
    percent(highest, 2),
  ];
}

/** Full at the limit, what is above it in another colour; without a limit all may be used. */
function bandOf({ dutyCycleLimits }: GatewayResult, name: string, share: number): Band {
  const limit = dutyCycleLimits?.[name] ?? 1;
  return {
    name,
    share: Math.min(1, ratio(share, limit)),
    paint: share > limit ? 'bad' : 'accent',
    figure: percent(share, 2),
  };
}
