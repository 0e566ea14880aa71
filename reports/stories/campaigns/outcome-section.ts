/** The card on devices of a campaign: populations in full, of the devices those that failed. */
import type { DeviceOutcome } from '../../../core/result/outcome.ts';
import type { CampaignResult } from '../../../core/result/result.ts';
import { type Content, html, type Markup } from '../../markup/markup.ts';
import { card, table } from '../../markup/parts.ts';
import { count, counted, NOTHING } from '../../text/format.ts';
import {
  deviceRow,
  diagnosisRows,
  OUTCOMES_SHOWN,
  outcomeRow,
  populationName,
} from './outcome-facts.ts';

/** `goesOn`: the world is served, and writes no file of its devices. */
export function outcomeCard(campaign: CampaignResult, goesOn: boolean): Markup {
  const { populations } = campaign;
  const more = populations.length - OUTCOMES_SHOWN;
  const rest = more > 0 ? `${count(more)} more populations are not shown.` : '';
  return card(
    'Devices of the campaign',
    populations.length > 0 ? populationTable(campaign) : '',
    html`<p class="hint">Runs it: what devices really run, or ran before the next campaign took
them. All else is what the service believes. ${rest}</p>`,
    diagnosisTable(campaign),
    failedDevices(campaign, goesOn),
  );
}

function populationTable({ populations }: CampaignResult): Markup {
  const shape = {
    name: 'Populations: what is true, and what is believed',
    stack: 6,
    columns: [
      { head: 'Population' },
      { head: 'Runs it', kind: 'number' },
      { head: 'Confirmed', kind: 'number' },
      { head: 'In progress', kind: 'number' },
      { head: 'Failed', kind: 'number' },
      { head: 'Why', kind: 'full' },
    ],
  } as const;
  const rows = populations.slice(0, OUTCOMES_SHOWN).map((population) => {
    const { runs, confirmed, inProgress, failed, causes } = outcomeRow(population);
    const [first = NOTHING, ...others] = causes;
    const why = html`${first}${others.map((cause) => html`<small>${cause}</small>`)}`;
    return [populationName(population), runs, confirmed, inProgress, failed, why];
  });
  return table(shape, rows);
}

/** What the service found, where it was asked to look (is_troubleshooting). */
function diagnosisTable(campaign: CampaignResult): Content {
  if (campaign.diagnoses === undefined) return '';
  const heading = html`<h3>What the service found</h3>`;
  const rows = diagnosisRows(campaign).map(({ diagnosis, devices, example }) => [
    diagnosis,
    devices,
    example,
  ]);
  if (rows.length === 0) return html`${heading}<p>Nothing beyond the reasons above.</p>`;
  const shape = {
    name: 'Diagnoses of devices that failed',
    stack: 2,
    columns: [
      { head: 'Diagnosis' },
      { head: 'Devices', kind: 'number' },
      { head: 'Of the first', kind: 'full' },
    ],
  } as const;
  return html`${heading}${table(shape, rows)}`;
}

/** So many rows stand open. */
const FEW = 10;

function failedDevices({ failed, failedDevices: named }: CampaignResult, goesOn: boolean): Content {
  if (named.length === 0) return '';
  const first = failed > named.length ? `The first ${count(named.length)} of ` : '';
  const name = `${first}${counted(failed, 'device')} that failed`;
  const shown = failedTable(name, named);
  const all = goesOn ? '' : 'All devices are in devices.csv, beside result.json.';
  return html`<h3>Devices that failed</h3>
${named.length > FEW ? html`<details><summary>${name}</summary>${shown}</details>` : shown}
<p class="hint">Gateways: those that can hear it at its present data rate and power. Fragments:
those that it keeps of the block, of so many before redundancy. ${all}</p>`;
}

function failedTable(name: string, devices: readonly DeviceOutcome[]): Markup {
  const shape = {
    name,
    stack: 3,
    columns: [
      { head: 'Device' },
      { head: 'Why', kind: 'full' },
      { head: 'Runs it' },
      { head: 'Data rate' },
      { head: 'Gateways', kind: 'number' },
      { head: 'Fragments', kind: 'number' },
      { head: 'Firmware' },
      { head: 'Energy', kind: 'number' },
    ],
  } as const;
  const rows = devices.map((device) => {
    const row = deviceRow(device);
    return [
      html`${row.name}<small>${row.about}</small>`,
      html`${row.cause}<small>${row.found}</small><small>${row.step}</small>`,
      row.runs,
      row.dataRate,
      row.gateways,
      html`${row.fragments}<small>${row.missing}</small>`,
      html`${row.version}<small>before: ${row.versionBefore}</small>`,
      row.energy,
    ];
  });
  return table(shape, rows);
}
