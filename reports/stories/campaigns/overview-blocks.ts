/** All campaigns at a glance: a row each. */
import type { CampaignResult } from '../../../core/result/result.ts';
import { type Block, type Cell, HTML, omission, TERMINAL } from '../../document/document.ts';
import { ratio } from '../../figures/figure.ts';
import { counted, duration, NOTHING, percent } from '../../text/format.ts';
import { spelled } from '../../text/words.ts';
import { MILESTONES } from './campaign-charts.ts';
import { CAMPAIGNS_SHOWN } from './campaign-facts.ts';
import { diagnosisRows, outcomeRow } from './outcome-facts.ts';

/** HTML has an overview of several; a terminal has nothing but the overview, of one, too. */
export function overviewBlocks(campaigns: readonly CampaignResult[]): Block[] {
  return [
    terminalTable(campaigns),
    ...diagnosisList(campaigns),
    ...(campaigns.length > 1 ? [overview(campaigns)] : []),
  ];
}

function overview(campaigns: readonly CampaignResult[]): Block {
  const hint = `The first ${CAMPAIGNS_SHOWN} are shown in full below.`;
  return {
    kind: 'section',
    forms: HTML,
    title: counted(campaigns.length, 'campaign'),
    blocks: [
      {
        kind: 'table',
        name: 'Devices that run the new image, and how long it took to confirm it from each start',
        stack: 3,
        columns: [
          { head: 'Campaign' },
          { head: 'Runs it', kind: 'number' },
          { head: 'Confirmed', kind: 'number' },
          { head: 'In progress', kind: 'number' },
          { head: 'Failed', kind: 'number' },
          { head: '50 % after', kind: 'number' },
          { head: '90 % after', kind: 'number' },
          { head: '99 % after', kind: 'number' },
        ],
        rows: campaigns.map(overviewRow),
      },
      ...(campaigns.length > CAMPAIGNS_SHOWN ? [{ kind: 'hint', text: hint } as const] : []),
    ],
  };
}

function overviewRow(campaign: CampaignResult): Cell[] {
  const { name, subscriber, stage, devices, running } = campaign;
  const { runs, confirmed, inProgress, failed } = outcomeRow(campaign);
  const owner = subscriber === undefined ? '' : `${subscriber}, `;
  const share = ratio(running, devices);
  return [
    { text: name, below: [`${owner}${spelled(stage)}`] },
    { text: percent(share), bar: { share }, below: [runs] },
    confirmed,
    inProgress,
    failed,
    ...MILESTONES.map(({ key }) => {
      const seconds = campaign[key];
      return seconds === null ? 'never' : duration(seconds);
    }),
  ];
}

/**
 * What is true of the devices, then what the service believes; the devices that have confirmed, are
 * in progress and failed are all.
 */
function terminalTable(campaigns: readonly CampaignResult[]): Block {
  const isOwned = campaigns.some(({ subscriber }) => subscriber !== undefined);
  return {
    kind: 'table',
    forms: TERMINAL,
    name: 'Campaigns',
    columns: [
      { head: 'Campaign' },
      ...(isOwned ? [{ head: 'Subscriber' }] : []),
      { head: 'Runs it', kind: 'number' },
      { head: 'Confirmed', kind: 'number' },
      { head: 'In progress', kind: 'number' },
      { head: 'Failed' },
      { head: '90 % after', kind: 'number' },
    ],
    rows: campaigns.slice(0, CAMPAIGNS_SHOWN).map((campaign) => terminalRow(campaign, isOwned)),
    omitted: omission(campaigns.length - CAMPAIGNS_SHOWN, 'campaign'),
  };
}

function terminalRow(campaign: CampaignResult, isOwned: boolean): Cell[] {
  const { name, subscriber = NOTHING, stage, rounds, t90 } = campaign;
  const { runs, confirmed, inProgress, failed, causes } = outcomeRow(campaign);
  return [
    `${name}\n${spelled(stage)}, ${counted(rounds, 'round')}`,
    ...(isOwned ? [subscriber] : []),
    runs,
    confirmed,
    inProgress,
    { list: [failed, ...causes] },
    t90 === null ? NOTHING : duration(t90),
  ];
}

/** What the service found of devices that failed, where it was asked to look. */
function diagnosisList(campaigns: readonly CampaignResult[]): Block[] {
  const items = campaigns.slice(0, CAMPAIGNS_SHOWN).flatMap((campaign) =>
    diagnosisRows(campaign).map(({ diagnosis, devices, example }) => {
      return `${campaign.name}, ${diagnosis} (${devices}): ${example}`;
    }),
  );
  if (items.length === 0) return [];
  return [
    { kind: 'heading', forms: TERMINAL, text: 'Diagnoses' },
    { kind: 'list', forms: TERMINAL, items },
  ];
}
