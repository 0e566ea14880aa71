/** The report on devices of a campaign: populations in full, of the devices those that failed. */
import type { DeviceOutcome } from '../../../core/result/outcome.ts';
import type { CampaignResult } from '../../../core/result/result.ts';
import { type Block, type Cell, HTML, MARKDOWN, omission } from '../../document/document.ts';
import { count, counted } from '../../text/format.ts';
import { failureTable } from './failure-table.ts';
import {
  deviceRow,
  diagnosisRows,
  OUTCOMES_SHOWN,
  outcomeRow,
  populationName,
} from './outcome-facts.ts';

/** `goesOn`: the world is served, and writes no file of its devices. */
export function outcomeBlocks(campaign: CampaignResult, goesOn: boolean): Block[] {
  const more = campaign.populations.length - OUTCOMES_SHOWN;
  const rest = more > 0 ? `${count(more)} more populations are not shown.` : '';
  const hint = `Runs it: what devices really run, or ran before the next campaign took
them. All else is what the service believes. ${rest}`;
  return [
    {
      kind: 'section',
      title: 'Devices of the campaign',
      blocks: [
        populationTable(campaign),
        { kind: 'hint', forms: HTML, text: hint },
        ...failureTable(campaign, MARKDOWN),
        ...diagnoses(campaign),
        ...failedDevices(campaign, goesOn),
      ],
    },
  ];
}

function populationTable({ populations }: CampaignResult): Block {
  const { html: _, ...omitted } = omission(populations.length - OUTCOMES_SHOWN, 'population');
  return {
    kind: 'table',
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
    rows: populations.slice(0, OUTCOMES_SHOWN).map((population) => {
      const { runs, confirmed, inProgress, failed, causes } = outcomeRow(population);
      const why = { list: causes };
      return [populationName(population), runs, confirmed, inProgress, failed, why];
    }),
    omitted,
    empty: '',
  };
}

/** What the service found, where it was asked to look (is_troubleshooting). */
function diagnoses(campaign: CampaignResult): Block[] {
  if (campaign.diagnoses === undefined) return [];
  return [
    { kind: 'heading', forms: HTML, text: 'What the service found' },
    {
      kind: 'table',
      name: 'Diagnoses of devices that failed',
      stack: 2,
      columns: [
        { head: { html: 'Diagnosis' } },
        { head: { markdown: 'Diagnosis' } },
        { head: 'Devices', kind: 'number' },
        { head: 'Of the first', kind: 'full' },
      ],
      rows: diagnosisRows(campaign).map(({ diagnosis, devices, example }) => [
        diagnosis,
        { code: diagnosis },
        devices,
        example,
      ]),
      empty: 'Nothing beyond the reasons above.',
    },
  ];
}

/** The number of rows that stand open. */
const FEW = 10;

function failedDevices({ failed, failedDevices: named }: CampaignResult, goesOn: boolean): Block[] {
  if (named.length === 0) return [];
  const first = failed > named.length ? `The first ${count(named.length)} of ` : '';
  const name = `${first}${counted(failed, 'device')} that failed`;
  const table = deviceTable(name, named);
  const all = goesOn
    ? ''
    : `All devices are in devices.csv, beside result.json. Why one of them failed, and what would
have saved it: fleetwave explain ${named[0]?.name ?? 'failed'} --run . (in the folder of the run).`;
  const hint = `Gateways: those that can hear it at its present data rate and power. Fragments:
stored fragments of the block, and fragments of the block before redundancy. ${all}`;
  return [
    {
      kind: 'group',
      forms: HTML,
      blocks: [
        { kind: 'heading', text: 'Devices that failed' },
        named.length > FEW ? { kind: 'details', summary: name, blocks: [table] } : table,
        { kind: 'hint', text: hint },
      ],
    },
  ];
}

function deviceTable(name: string, devices: readonly DeviceOutcome[]): Block {
  return {
    kind: 'table',
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
    rows: devices.map(deviceCells),
  };
}

function deviceCells(device: DeviceOutcome): Cell[] {
  const row = deviceRow(device);
  return [
    { text: row.name, below: [row.about] },
    { text: row.cause, below: [row.found, row.step] },
    row.runs,
    row.dataRate,
    row.gateways,
    { text: row.fragments, below: [row.missing] },
    { text: row.version, below: [`before: ${row.versionBefore}`] },
    row.energy,
  ];
}
