/** The report on campaigns: how far and how fast an image spread, and what stopped it. */
import type { CampaignResult, RunResult } from '../../../core/result/result.ts';
import { sumOf } from '../../../sim/base/counts.ts';
import { type Block, type Cell, explained, HTML, MARKDOWN } from '../../document/document.ts';
import { ratio } from '../../figures/figure.ts';
import { campaignFigures } from '../../figures/key-figures.ts';
import { count, counted, duration, NOTHING, partOf, percent } from '../../text/format.ts';
import { byAmount, FRAGMENT_WORDS, spelled } from '../../text/words.ts';
import { completionChart, fragmentLossChart, lengthOf, startOf } from './campaign-charts.ts';
import { CAMPAIGNS_SHOWN, campaignFacts, campaignSentence } from './campaign-facts.ts';
import { failureTable } from './failure-table.ts';
import { outcomeBlocks } from './outcome-blocks.ts';
import { overviewBlocks } from './overview-blocks.ts';

/** Nothing without campaigns. The first ones are shown in full; `goesOn`: of a served world. */
export function campaignBlocks(result: RunResult, goesOn = false): Block[] {
  const { campaigns } = result;
  const shown = campaigns.slice(0, CAMPAIGNS_SHOWN);
  const omitted = campaigns.length - shown.length;
  const more = omitted === 1 ? 'more campaign is' : 'more campaigns are';
  const own = `${count(omitted)} ${more} not shown.`;
  return [
    ...overviewBlocks(campaigns),
    ...shown.flatMap((campaign) => blocksOf(campaign, result, goesOn)),
    ...(omitted > 0 ? [{ kind: 'paragraph', forms: MARKDOWN, text: { own } } as const] : []),
  ];
}

function blocksOf(campaign: CampaignResult, run: RunResult, goesOn: boolean): Block[] {
  const { rebuilt, right } = campaign.verified;
  return [
    head(campaign),
    {
      kind: 'figures',
      name: `Key figures of ${campaign.name}`,
      figures: campaignFigures(campaign),
      hasCounts: false,
      others: [['Images rebuilt and right', partOf(right, rebuilt)]],
    },
    completion(campaign, run),
    steps(campaign),
    ...outcomeBlocks(campaign, goesOn),
    fragments(campaign),
  ];
}

function head(campaign: CampaignResult): Block {
  const sha256 = { html: 'SHA-256 of the image', markdown: 'SHA-256' };
  return {
    kind: 'section',
    title: `Campaign ${campaign.name}`,
    level: 3,
    blocks: [
      { kind: 'lead', text: { own: campaignSentence(campaign) } },
      {
        kind: 'facts',
        facts: [...campaignFacts(campaign), [sha256, { code: campaign.image.sha256 }]],
      },
    ],
  };
}

/** The curve of updates, and below it when each stage was. */
function completion(campaign: CampaignResult, run: RunResult): Block {
  return {
    kind: 'section',
    forms: HTML,
    title: 'Updates confirmed over time',
    blocks: [
      {
        kind: 'chart',
        chart: completionChart(campaign, run),
        legend: [['line', 'share of the campaign’s devices that have confirmed the new version']],
      },
      stageTable(campaign, lengthOf(campaign, run)),
    ],
  };
}

function stageTable(campaign: CampaignResult, seconds: number): Block {
  const { stages } = campaign;
  const start = startOf(campaign);
  return {
    kind: 'table',
    name: `Stages, from ${duration(start)} after the run’s start`,
    stack: 2,
    columns: [
      { head: 'Stage' },
      { head: '', kind: 'widest-bar' },
      { head: 'Began after', kind: 'number' },
      { head: 'Took', kind: 'number' },
    ],
    rows: stages.map(({ stage, atSeconds }, at) => {
      const from = atSeconds - start;
      const to = at + 1 < stages.length ? stages[at + 1]!.atSeconds - start : seconds;
      const took = at + 1 < stages.length || to > from ? duration(to - from) : NOTHING;
      return [spelled(stage), { segment: [from / seconds, to / seconds] }, duration(from), took];
    }),
    empty: '',
  };
}

/** How many devices passed each step, and why the others did not. */
function steps(campaign: CampaignResult): Block {
  const { devices, funnel } = campaign;
  const failures = failureTable(campaign, HTML);
  return {
    kind: 'section',
    forms: HTML,
    title: 'How far the devices came',
    blocks: [
      {
        kind: 'table',
        name: `Of ${counted(devices, 'device')}, those that passed each step`,
        stack: 3,
        columns: [
          { head: 'Step' },
          { head: '', kind: 'wide-bar' },
          { head: 'Devices', kind: 'number' },
          { head: 'Of all', kind: 'number' },
          { head: 'Fewer than before', kind: 'number' },
        ],
        rows: funnel.map((_, at) => stepRow(campaign, at)),
        empty: 'No step was recorded.',
      },
      { kind: 'heading', text: 'Failed devices by reason' },
      ...(failures.length > 0
        ? failures
        : [{ kind: 'paragraph', text: 'No device failed.' } as const]),
    ],
  };
}

function stepRow({ devices, funnel }: CampaignResult, at: number): Cell[] {
  const { step, devices: passed } = funnel[at]!;
  const fewer = (at === 0 ? devices : funnel[at - 1]!.devices) - passed;
  const share = ratio(passed, devices);
  return [
    spelled(step),
    { bar: { share } },
    count(passed),
    percent(share),
    fewer > 0 ? count(fewer) : NOTHING,
  ];
}

/** Why fragments were missed, and whether the images that came of the others are right. */
function fragments(campaign: CampaignResult): Block {
  return {
    kind: 'section',
    title: 'Missed fragments by cause',
    blocks: [
      sumOf(campaign.fragmentLosses) > 0
        ? fragmentLosses(campaign)
        : { kind: 'paragraph', forms: HTML, text: 'No device missed a fragment.' },
      verification(campaign),
    ],
  };
}

function fragmentLosses(campaign: CampaignResult): Block {
  const { fragmentLosses: losses, devices, redundancy, rounds } = campaign;
  const all = sumOf(losses);
  const each = Number(ratio(all, devices).toFixed(1));
  const sentence =
    `On average a device missed ${each} copies of fragments, counted for each gateway that it ` +
    `hears; the plan had ${counted(redundancy, 'redundancy fragment')}.` +
    (rounds > 1 ? ' Devices that were done in a round did not listen in the next.' : '');
  const table: Block = {
    kind: 'table',
    name: `${count(all)} copies of fragments missed by the devices of the group during the session`,
    stack: 2,
    columns: [
      { head: { html: 'Cause', markdown: 'Fragments missed by' } },
      { head: 'Fragments', kind: 'number' },
      { head: { html: 'Of missed', markdown: 'Share' }, kind: 'number' },
    ],
    rows: byAmount(losses).map(([name, copies]) => [
      explained(FRAGMENT_WORDS[name]),
      count(copies),
      percent(ratio(copies, all)),
    ]),
  };
  const chart = { kind: 'chart', chart: fragmentLossChart(campaign) } as const;
  return {
    kind: 'group',
    blocks: [
      { kind: 'hint', forms: HTML, text: devices > 0 ? sentence : '' },
      { kind: 'split', style: 'beside', parts: [[chart], [table]] },
    ],
  };
}

function verification({ verified: { rebuilt, right } }: CampaignResult): Block {
  if (rebuilt === 0) {
    return { kind: 'hint', forms: HTML, text: 'No image was rebuilt byte by byte.' };
  }
  const images = `${counted(rebuilt, 'image')} ${rebuilt === 1 ? 'was' : 'were'}`;
  const done = ` ${images} rebuilt byte by byte from the fragments and hashed`;
  const text =
    right === rebuilt
      ? [{ sign: 'holds' } as const, `${done}; every hash is that of the image.`]
      : [{ sign: 'fails' } as const, `${done}; ${count(rebuilt - right)} differ.`];
  return { kind: 'paragraph', forms: HTML, text };
}
