/** Sections on the devices: joining, delivery, data rates, populations, the map. */
import type { Percentiles } from '../../../core/result/percentiles.ts';
import { NEVER_SENT, type RunResult } from '../../../core/result/result.ts';
import { dataRateChart, deliveryChart } from '../../charts/charts.ts';
import { BY_DELIVERY, BY_FATE, type Colouring, deviceMap } from '../../charts/map.ts';
import { draw } from '../../charts/plot.ts';
import { ratio } from '../../figures/figure.ts';
import { type Content, html, type Markup } from '../../markup/markup.ts';
import { bar, card, table } from '../../markup/parts.ts';
import { count, counted, duration, percent } from '../../text/format.ts';

/** Joining, delivery and data rates side by side, populations below. */
export function deviceSection(result: RunResult): Markup {
  const { joinSeconds, deliveryRatio, joinRequests, map, byDataRate } = result.devices;
  const sent = map.deliveredPermille.some((permille) => permille !== NEVER_SENT);
  const rates = Object.keys(byDataRate).length > 0;
  return card(
    'Devices',
    html`<div class="split thirds">
<div><h3>Join time</h3>
<p class="hint">${counted(joinRequests, 'join request')}; power-on to session</p>
${percentileTable('Over joined OTAA devices', joinSeconds, duration)}</div>
<div><h3>Delivery by device</h3>
<p class="hint">${percentileSentence(deliveryRatio)}</p>
${sent ? draw(deliveryChart(result)) : html`<p>No device sent a message.</p>`}</div>
<div><h3>Data rate at the end</h3>
<p class="hint">Share of devices</p>
${rates ? draw(dataRateChart(result)) : html`<p>No device has a data rate.</p>`}</div>
</div>`,
    populationTable(result),
  );
}

function percentileTable(
  name: string,
  percentiles: Percentiles | null,
  written: (value: number) => string,
): Markup {
  if (percentiles === null) return html`<p>No device joined over the air.</p>`;
  const rows = PERCENTILES.map(([label, key]) => [label, written(percentiles[key])]);
  const columns = [{ head: 'Devices' }, { head: 'Within', kind: 'number' }] as const;
  return table({ name, columns }, rows);
}

const PERCENTILES = [
  ['1 in 10', 'p10'],
  ['Half', 'p50'],
  ['9 in 10', 'p90'],
  ['All', 'max'],
] as const;

function percentileSentence(ratios: Percentiles | null): string {
  if (ratios === null) return 'No device sent a message';
  return (
    `The median device delivered ${percent(ratios.p50)}, ` +
    `one in ten ${percent(ratios.p10)} or less`
  );
}

function populationTable({ devices }: RunResult): Content {
  if (devices.populations.length === 0) return '';
  const shape = {
    name: 'Populations',
    stack: 2,
    columns: [
      { head: 'Population' },
      { head: 'Devices', kind: 'number' },
      { head: 'Joined', kind: 'number' },
      { head: 'Messages', kind: 'number' },
      { head: 'Delivered', kind: 'number' },
    ],
  } as const;
  const rows = devices.populations.map((population) => [
    population.name,
    count(population.devices),
    shareAndCount(population.joined, population.devices),
    count(population.messages),
    shareAndCount(population.messagesDelivered, population.messages),
  ]);
  return table(shape, rows);
}

function shareAndCount(part: number, whole: number): Markup {
  const share = ratio(part, whole);
  return html`${percent(share)}${bar(share)}<small>${count(part)}</small>`;
}

/** Where campaigns succeeded, when there are any; where delivery is good and where not. */
export function mapSections(result: RunResult): Content {
  const { devices, gateways, campaigns } = result;
  if (devices.map.xMeters.length + gateways.length === 0) {
    return card('Map', html`<p>Nothing is placed.</p>`);
  }
  const fates = 'What became of each device in the campaigns.';
  const delivery = 'Share of each device’s messages that the server received.';
  return [
    campaigns.length > 0 ? mapSection(result, 'Map of the update', fates, BY_FATE) : '',
    mapSection(result, 'Map of delivery', delivery, BY_DELIVERY),
  ];
}

function mapSection(result: RunResult, title: string, hint: string, colouring: Colouring): Markup {
  const { map, total } = result.devices;
  const shown = map.xMeters.length;
  const sample = shown < total ? `A sample of ${count(shown)} of ${counted(total, 'device')}.` : '';
  return card(
    title,
    html`<div class="split maps">${deviceMap(result, colouring)}
<div><p class="hint">${hint} ${sample}</p>
<ul class="legend tall">${mapKeys(result, colouring)}
<li><span class="key triangle" aria-hidden="true"></span>gateway
<b>${count(result.gateways.length)}</b></li></ul>
</div></div>`,
  );
}

/** From the best to those of which nothing is known, each with its number of devices. */
function mapKeys({ devices: { map } }: RunResult, { classes, classOf }: Colouring): Markup[] {
  const devices = new Map<string, number>();
  for (let d = 0; d < map.xMeters.length; d++) {
    const { name } = classOf(map, d);
    devices.set(name, (devices.get(name) ?? 0) + 1);
  }
  const [unknown, ...known] = classes;
  return [...known, unknown!].map(({ name, label }) => {
    return html`<li><span class="key dot ${name}" aria-hidden="true"></span>${label}
<b>${count(devices.get(name) ?? 0)}</b></li>`;
  });
}
