/** Sections on campaigns: how far and how fast an image spread, and what stopped it. */
import { type FailureCause, UNHEARD_CAUSES } from '../../../core/result/outcome.ts';
import type { CampaignResult, RunResult } from '../../../core/result/result.ts';
import { sumOf } from '../../../sim/base/counts.ts';
import { draw } from '../../charts/plot.ts';
import { ratio } from '../../figures/figure.ts';
import { campaignFigures } from '../../figures/key-figures.ts';
import { type Content, html, type Markup } from '../../markup/markup.ts';
import {
  bar,
  card,
  explained,
  figureTile,
  legend,
  segment,
  table,
  tiles,
} from '../../markup/parts.ts';
import { count, counted, duration, NOTHING, percent } from '../../text/format.ts';
import { byAmount, FAILURE_WORDS, FRAGMENT_WORDS, spelled } from '../../text/words.ts';
import {
  completionChart,
  fragmentLossChart,
  lengthOf,
  MILESTONES,
  startOf,
} from './campaign-charts.ts';
import { CAMPAIGNS_SHOWN, campaignFacts, campaignSentence } from './campaign-facts.ts';
import { followUpSentences } from './follow-up-facts.ts';
import { outcomeRow } from './outcome-facts.ts';
import { outcomeCard } from './outcome-section.ts';

/** Empty without campaigns; with several an overview comes first. `goesOn`: of a served world. */
export function campaignSections(result: RunResult, goesOn: boolean): Content {
  const { campaigns } = result;
  const shown = campaigns.slice(0, CAMPAIGNS_SHOWN);
  const omitted = campaigns.length - shown.length;
  return [
    followUps(result),
    campaigns.length > 1 ? overview(campaigns, omitted) : '',
    ...shown.map((campaign) => campaignSection(campaign, result, goesOn)),
  ];
}

/** Campaigns that were to begin after another, whether they did or not. */
function followUps(result: RunResult): Content {
  const sentences = followUpSentences(result);
  if (sentences.length === 0) return '';
  return card(
    'Campaigns after others',
    html`<ul>${sentences.map((one) => html`<li>${one}</li>`)}</ul>`,
  );
}

const OVERVIEW = {
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
} as const;

function overview(campaigns: readonly CampaignResult[], omitted: number): Markup {
  const rows = campaigns.map((campaign) => {
    const { name, subscriber, stage, devices, running } = campaign;
    const { runs, confirmed, inProgress, failed } = outcomeRow(campaign);
    const owner = subscriber === undefined ? '' : `${subscriber}, `;
    const share = ratio(running, devices);
    return [
      html`${name}<small>${owner}${spelled(stage)}</small>`,
      html`${percent(share)}${bar(share)}<small>${runs}</small>`,
      confirmed,
      inProgress,
      failed,
      ...MILESTONES.map(({ key }) => {
        const seconds = campaign[key];
        return seconds === null ? 'never' : duration(seconds);
      }),
    ];
  });
  const hint = `The first ${CAMPAIGNS_SHOWN} are shown in full below.`;
  return card(
    counted(campaigns.length, 'campaign'),
    table(OVERVIEW, rows),
    omitted > 0 ? html`<p class="hint">${hint}</p>` : '',
  );
}

function campaignSection(campaign: CampaignResult, run: RunResult, goesOn: boolean): Markup {
  const figures = campaignFigures(campaign).map(figureTile);
  const keyTiles = tiles(`Key figures of ${campaign.name}`, figures);
  return html`${headCard(campaign)}${keyTiles}${completionCard(campaign, run)}
${funnelCard(campaign)}${outcomeCard(campaign, goesOn)}${fragmentCard(campaign)}`;
}

function headCard(campaign: CampaignResult): Markup {
  const facts = campaignFacts(campaign).map(([term, fact]) => {
    return html`<div><dt>${term}</dt><dd>${fact}</dd></div>`;
  });
  return card(
    `Campaign ${campaign.name}`,
    html`<p class="lead">${campaignSentence(campaign)}</p><dl class="facts">${facts}
<div><dt>SHA-256 of the image</dt><dd><code>${campaign.image.sha256}</code></dd></div></dl>`,
  );
}

/** The curve of updates, and below it when each stage was. */
function completionCard(campaign: CampaignResult, run: RunResult): Markup {
  return card(
    'Updates confirmed over time',
    legend([['line', 'share of the campaign’s devices that have confirmed the new version']]),
    draw(completionChart(campaign, run)),
    stageTable(campaign, lengthOf(campaign, run)),
  );
}

function stageTable(campaign: CampaignResult, seconds: number): Content {
  const { stages } = campaign;
  if (stages.length === 0) return '';
  const start = startOf(campaign);
  const shape = {
    name: `Stages, from ${duration(start)} after the run’s start`,
    stack: 2,
    columns: [
      { head: 'Stage' },
      { head: '', kind: 'widest-bar' },
      { head: 'Began after', kind: 'number' },
      { head: 'Took', kind: 'number' },
    ],
  } as const;
  const rows = stages.map(({ stage, atSeconds }, at) => {
    const from = atSeconds - start;
    const to = at + 1 < stages.length ? stages[at + 1]!.atSeconds - start : seconds;
    const took = at + 1 < stages.length || to > from ? duration(to - from) : NOTHING;
    return [spelled(stage), segment(from / seconds, to / seconds), duration(from), took];
  });
  return table(shape, rows);
}

/** How many devices passed each step, and why the others did not. */
function funnelCard(campaign: CampaignResult): Markup {
  const { devices, funnel, failed } = campaign;
  const shape = {
    name: `Of ${counted(devices, 'device')}, those that passed each step`,
    stack: 3,
    columns: [
      { head: 'Step' },
      { head: '', kind: 'wide-bar' },
      { head: 'Devices', kind: 'number' },
      { head: 'Of all', kind: 'number' },
      { head: 'Fewer than before', kind: 'number' },
    ],
  } as const;
  const rows = funnel.map(({ step, devices: passed }, at) => {
    const fewer = (at === 0 ? devices : funnel[at - 1]!.devices) - passed;
    const share = ratio(passed, devices);
    return [
      spelled(step),
      bar(share),
      count(passed),
      percent(share),
      fewer > 0 ? count(fewer) : NOTHING,
    ];
  });
  return card(
    'How far the devices came',
    rows.length > 0 ? table(shape, rows) : html`<p>No step was recorded.</p>`,
    html`<h3>Failed devices by reason</h3>`,
    failed > 0 || sumOf(campaign.failures) > 0
      ? failureTable(campaign)
      : html`<p>No device failed.</p>`,
  );
}

function failureTable({ failed, failures, devices }: CampaignResult): Markup {
  const shape = {
    name: `${counted(failed, 'device')} failed`,
    stack: 3,
    columns: [
      { head: 'Reason' },
      { head: '', kind: 'wide-bar' },
      { head: 'Devices', kind: 'number' },
      { head: 'Of failed', kind: 'number' },
      { head: 'Of all', kind: 'number' },
    ],
  } as const;
  const all = sumOf(failures);
  const rows = byAmount(failures).map(([name, number]) => [
    explained(FAILURE_WORDS[name]),
    bar(ratio(number, all), isUnheard(name) ? 'accent' : 'bad'),
    count(number),
    percent(ratio(number, all)),
    percent(ratio(number, devices)),
  ]);
  return table(shape, rows);
}

/** Whether the device runs the new image, so that nothing has gone wrong with it. */
const isUnheard = (cause: FailureCause): boolean =>
  (UNHEARD_CAUSES as readonly FailureCause[]).includes(cause);

/** Why fragments were missed, and whether the images that came of the others are right. */
function fragmentCard(campaign: CampaignResult): Markup {
  const { fragmentLosses, devices, redundancy, rounds } = campaign;
  const all = sumOf(fragmentLosses);
  const each = Number(ratio(all, devices).toFixed(1));
  const sentence =
    `On average a device missed ${each} copies of fragments, counted for each gateway that it ` +
    `hears; the plan had ${counted(redundancy, 'redundancy fragment')}.` +
    (rounds > 1 ? ' Devices that were done in a round did not listen in the next.' : '');
  const shape = {
    name: `${count(all)} copies of fragments missed by the devices of the group during the session`,
    stack: 2,
    columns: [
      { head: 'Cause' },
      { head: 'Fragments', kind: 'number' },
      { head: 'Of missed', kind: 'number' },
    ],
  } as const;
  const rows = byAmount(fragmentLosses).map(([name, copies]) => [
    explained(FRAGMENT_WORDS[name]),
    count(copies),
    percent(ratio(copies, all)),
  ]);
  const losses = html`<p class="hint">${devices > 0 ? sentence : ''}</p>
<div class="split beside"><div>${draw(fragmentLossChart(campaign))}</div>
${table(shape, rows)}</div>`;
  return card(
    'Missed fragments by cause',
    all > 0 ? losses : html`<p>No device missed a fragment.</p>`,
    verification(campaign),
  );
}

function verification({ verified: { rebuilt, right } }: CampaignResult): Markup {
  const images = `${counted(rebuilt, 'image')} ${rebuilt === 1 ? 'was' : 'were'}`;
  if (rebuilt === 0) return html`<p class="hint">No image was rebuilt byte by byte.</p>`;
  const done = `${images} rebuilt byte by byte from the fragments and hashed`;
  return right === rebuilt
    ? html`<p><span class="sign holds">✓</span> ${done}; every hash is that of the image.</p>`
    : html`<p><span class="sign fails">✗</span> ${done}; ${count(rebuilt - right)} differ.</p>`;
}
