/** Sections on the air: traffic over time, losses, downlinks, gateways. */
import type { GatewayResult, RunResult } from '../../../core/result/result.ts';
import { assert } from '../../../sim/base/assert.ts';
import { type DownlinkLoss, type DownlinkRefusal, sumOf } from '../../../sim/base/counts.ts';
import { joinedChart, lossChart, trafficChart } from '../../charts/charts.ts';
import { outageTable } from '../../charts/outages.ts';
import { draw } from '../../charts/plot.ts';
import { ratio } from '../../figures/figure.ts';
import { type Content, html, type Markup } from '../../markup/markup.ts';
import { bar, card, explained, legend, table } from '../../markup/parts.ts';
import { count, duration, percent } from '../../text/format.ts';
import { byAmount, DOWNLINK_WORDS, UPLINK_WORDS } from '../../text/words.ts';

/** Two charts over the same virtual time: frames per slice, devices joined. */
export function trafficSection(result: RunResult): Markup {
  const { sliceSeconds, uplinks } = result.series;
  if (uplinks.length === 0) {
    return card('Traffic over virtual time', html`<p>No slice of virtual time was recorded.</p>`);
  }
  return card(
    'Traffic over virtual time',
    html`<p class="hint">Uplink frames in each ${duration(sliceSeconds)} of virtual time</p>`,
    legend([
      ['area', 'sent'],
      ['received', 'received'],
      ['interfered', 'interfered'],
    ]),
    draw(trafficChart(result)),
    outageTable(result),
    html`<h3>Devices joined</h3>`,
    draw(joinedChart(result)),
  );
}

/** Every cause of loss as a bar and as a row, and what happened at the single gateways. */
export function lossSection(result: RunResult): Markup {
  const { lost, uplinks, receptions } = result.radio;
  const all = sumOf(lost);
  assert(all <= uplinks, 'an uplink frame is lost to one cause at most');
  const rows = byAmount(lost).map(([name, frames]) => [
    explained(UPLINK_WORDS[name]),
    count(frames),
    percent(ratio(frames, uplinks)),
    percent(ratio(frames, all)),
  ]);
  const causes = table(
    {
      name: `${count(all)} of ${count(uplinks)} uplink frames did not come to the server`,
      stack: 3,
      columns: [
        { head: 'Cause' },
        { head: 'Frames', kind: 'number' },
        { head: 'Of uplinks', kind: 'number' },
        { head: 'Of losses', kind: 'number' },
      ],
    },
    rows,
  );
  const chart = all > 0 ? draw(lossChart(result)) : html`<p>No uplink was lost.</p>`;
  return card(
    'Lost uplinks by cause',
    html`<div class="split beside"><div>${chart}</div>${causes}</div>`,
    receptionTable(receptions),
  );
}

function receptionTable(receptions: RunResult['radio']['receptions']): Content {
  const all = sumOf(receptions);
  if (all === 0) return '';
  const shape = {
    name: 'One reception for each frame and each gateway in its reach',
    columns: [
      { head: 'Fate at a gateway' },
      { head: 'Receptions', kind: 'number' },
      { head: 'Share', kind: 'number' },
    ],
  } as const;
  const rows = byAmount(receptions).map(([name, receptionCount]) => [
    UPLINK_WORDS[name].label,
    count(receptionCount),
    percent(ratio(receptionCount, all)),
  ]);
  return html`<details><summary>Receptions at the gateways, by fate</summary>
${table(shape, rows)}</details>`;
}

/** The way of the downlinks: requested, sent, received, and what stopped the others. */
export function downlinkSection({ downlinks }: RunResult): Markup {
  const { requested, sent, received, refused, retried, lost } = downlinks;
  if (requested === 0) return card('Downlinks', html`<p>The server sent no downlinks.</p>`);
  const line = (step: Content, frames: number) => [
    step,
    bar(frames / requested),
    count(frames),
    percent(frames / requested),
  ];
  const rows = [
    line('Requested by the server', requested),
    ...byAmount(retried).map(([name, frames]) => line(stopped('Planned again', name), frames)),
    ...byAmount(refused).map(([name, frames]) => line(stopped('Not sent', name), frames)),
    line('Sent by a gateway', sent),
    ...byAmount(lost).map(([name, frames]) => line(stopped('Lost', name), frames)),
    line('Received by the device', received),
  ];
  const columns = [
    { head: 'Step' },
    { head: '', kind: 'wide-bar' },
    { head: 'Frames', kind: 'number' },
    { head: 'Of requested', kind: 'number' },
  ] as const;
  return card(
    'Downlinks',
    table({ name: 'From the server to the device', stack: 2, columns }, rows),
  );
}

function stopped(how: string, name: DownlinkRefusal | DownlinkLoss): Markup {
  const { label, meaning } = DOWNLINK_WORDS[name];
  return html`<small>${how}: ${label} – ${meaning}</small>`;
}

/** Gateways a table shows; a network may have thousands. */
const GATEWAYS_SHOWN = 20;

/** Load of the gateways, the busiest first. */
export function gatewaySection({ gateways }: RunResult): Markup {
  if (gateways.length === 0) return card('Gateways', html`<p>The network has no gateways.</p>`);
  const busiest = [...gateways].sort((a, b) => b.uplinksReceived - a.uplinksReceived);
  const shown = busiest.slice(0, GATEWAYS_SHOWN);
  const most = busiest[0]?.uplinksReceived ?? 0;
  const omitted = gateways.length - shown.length;
  return card(
    'Gateways',
    table(
      GATEWAY_TABLE,
      shown.map((gateway) => gatewayRow(gateway, most)),
    ),
    omitted > 0
      ? html`<p class="hint">${count(omitted)} less busy gateways are not shown.</p>`
      : '',
    html`<p class="hint">Bars of uplinks are as long as those of the busiest gateway; a bar of a
sub-band is full at its duty-cycle limit.</p>`,
  );
}

const GATEWAY_TABLE = {
  name: 'Frames, time on air and duty cycle of each gateway over the whole run',
  stack: 6,
  columns: [
    { head: 'Gateway' },
    { head: 'Uplinks received', kind: 'number' },
    { head: 'Interfered', kind: 'number' },
    { head: 'No free path', kind: 'number' },
    { head: 'While sending', kind: 'number' },
    { head: 'Not forwarded', kind: 'number' },
    { head: 'Downlinks sent', kind: 'number' },
    { head: 'Time on air', kind: 'number' },
    { head: 'Duty cycle by sub-band, MHz', kind: 'full' },
  ],
} as const;

function gatewayRow(gateway: GatewayResult, most: number): Content[] {
  const { name, eui, uplinksReceived, fates, downlinksSent, airtimeSeconds } = gateway;
  const bands = Object.entries(gateway.dutyCycle).map(
    ([band, share]) =>
      html`<span>${band}</span>${limitBar(share, limitOf(gateway, band))}
<span>${percent(share, 2)}</span>`,
  );
  return [
    html`${name}<small><code>${eui}</code></small>`,
    html`${count(uplinksReceived)}${bar(ratio(uplinksReceived, most))}`,
    count(fates.interfered ?? 0),
    count(fates.noPath ?? 0),
    count(fates.halfDuplex ?? 0),
    count(fates.backhaulLoss ?? 0),
    count(downlinksSent),
    duration(airtimeSeconds),
    bands.length > 0 ? html`<div class="bands">${bands}</div>` : '–',
  ];
}

/** Without a limit the whole of the time may be used. */
const limitOf = ({ dutyCycleLimits }: GatewayResult, band: string): number =>
  dutyCycleLimits?.[band] ?? 1;

/** Full at the limit; what is above it shows in another colour. */
const limitBar = (share: number, limit: number): Markup =>
  bar(Math.min(1, ratio(share, limit)), share > limit ? 'bad' : 'accent');
