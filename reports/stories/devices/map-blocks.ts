/** The maps of a report: where updates succeeded, where delivery is good and where not. */
import type { RunResult } from '../../../core/result/result.ts';
import { BY_DELIVERY, BY_FATE, type Colouring, deviceMap } from '../../charts/map.ts';
import { type Block, HTML } from '../../document/document.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { count, counted } from '../../text/format.ts';

/** Where campaigns succeeded, when there are any; where delivery is good and where not. */
export function mapBlocks(result: RunResult): Block[] {
  const { devices, gateways, campaigns } = result;
  if (devices.map.xMeters.length + gateways.length === 0) {
    const none = { kind: 'paragraph', text: 'Nothing is placed.' } as const;
    return [{ kind: 'section', forms: HTML, title: 'Map', blocks: [none] }];
  }
  const fates = 'What became of each device in the campaigns.';
  const delivery = 'Share of each device’s messages that the server received.';
  return [
    ...(campaigns.length > 0 ? [mapSection(result, 'Map of the update', fates, BY_FATE)] : []),
    mapSection(result, 'Map of delivery', delivery, BY_DELIVERY),
  ];
}

function mapSection(result: RunResult, title: string, hint: string, colouring: Colouring): Block {
  const drawing = () => mapWithKeys(result, hint, colouring);
  return { kind: 'section', forms: HTML, title, blocks: [{ kind: 'drawing', drawing }] };
}

function mapWithKeys(result: RunResult, hint: string, colouring: Colouring): Markup {
  const { map, total } = result.devices;
  const shown = map.xMeters.length;
  const sample = shown < total ? `A sample of ${count(shown)} of ${counted(total, 'device')}.` : '';
  return html`<div class="split maps">${deviceMap(result, colouring)}
<div><p class="hint">${hint} ${sample}</p>
<ul class="legend tall">${mapKeys(result, colouring)}
<li><span class="key triangle" aria-hidden="true"></span>gateway
<b>${count(result.gateways.length)}</b></li></ul>
</div></div>`;
}

/** From the best to unknown ones, each with its number of devices. */
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
