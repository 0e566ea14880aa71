/** Campaigns in Markdown: the first in full, the others in one sentence. */
import type { CampaignResult, RunResult } from '../../../core/result/result.ts';
import { campaignFigures } from '../../figures/key-figures.ts';
import { causeTable, code, plain, table } from '../../markup/markdown-parts.ts';
import { count, counted, NOTHING, partOf } from '../../text/format.ts';
import { FAILURE_WORDS, FRAGMENT_WORDS } from '../../text/words.ts';
import { CAMPAIGNS_SHOWN, campaignFacts, campaignSentence } from './campaign-facts.ts';
import { followUpSentences } from './follow-up-facts.ts';
import { managedSentence, SESSION_HEADS, SESSIONS_SHOWN, sessionCells } from './managed-facts.ts';
import { diagnosisRows, OUTCOMES_SHOWN, outcomeRow, populationName } from './outcome-facts.ts';

/** Campaigns that were to begin after another, whether they did or not. */
export function followUpList(result: RunResult): string[] {
  const sentences = followUpSentences(result);
  if (sentences.length === 0) return [];
  return [
    ['### Campaigns after others', '', ...sentences.map((one) => `- ${plain(one)}`)].join('\n'),
  ];
}

/** The sessions of each managed campaign. */
export function managedBlocks({ managedCampaigns = [] }: RunResult): string[] {
  return managedCampaigns.flatMap((campaign) => {
    const { name, sessions } = campaign;
    const rows = sessions.slice(0, SESSIONS_SHOWN).map((each) => sessionCells(each).map(plain));
    const omitted = sessions.length - SESSIONS_SHOWN;
    return [
      `## Managed campaign ${plain(name)}`,
      `**${plain(managedSentence(campaign))}**`,
      ...(rows.length === 0 ? [] : [table(SESSION_HEADS, 'llrrrr', rows)]),
      ...(omitted > 0 ? [`${counted(omitted, 'more session')} not shown.`] : []),
      ...sessions.flatMap(({ refused }) => refused.map(plain)).slice(0, SESSIONS_SHOWN),
    ];
  });
}

/** The first campaigns in full, the others in one sentence. */
export function campaigns(result: RunResult): string[] {
  const blocks = result.campaigns.slice(0, CAMPAIGNS_SHOWN).flatMap(campaignBlocks);
  const omitted = result.campaigns.length - CAMPAIGNS_SHOWN;
  if (omitted <= 0) return blocks;
  const more = omitted === 1 ? 'more campaign is' : 'more campaigns are';
  return [...blocks, `${count(omitted)} ${more} not shown.`];
}

/** A heading, what it was, its figures, and what went wrong. */
function campaignBlocks(campaign: CampaignResult): string[] {
  const { name, failures, fragmentLosses } = campaign;
  const facts = campaignFacts(campaign).map(
    ([term, fact]) => `${term.toLowerCase()} ${plain(fact)}`,
  );
  const { rebuilt, right } = campaign.verified;
  const rows = [
    ...campaignFigures(campaign).map(({ figure, text }) => [figure.label, text]),
    ['Images rebuilt and right', partOf(right, rebuilt)],
  ];
  return [
    `### Campaign ${plain(name)}`,
    `**${campaignSentence(campaign)}**`,
    [...facts, `SHA-256 ${code(campaign.image.sha256)}`].join(' · '),
    table(['Figure', 'Value'], 'lr', rows),
    ...populationTable(campaign),
    ...causeTable(['Devices failed by', 'Devices', 'Share'], failures, FAILURE_WORDS),
    ...diagnosisTable(campaign),
    ...causeTable(['Fragments missed by', 'Fragments', 'Share'], fragmentLosses, FRAGMENT_WORDS),
  ];
}

/** What the service found, where it was asked to look. */
function diagnosisTable(campaign: CampaignResult): string[] {
  const rows = diagnosisRows(campaign).map(({ diagnosis, devices, example }) => [
    code(diagnosis),
    devices,
    plain(example),
  ]);
  return rows.length === 0 ? [] : [table(['Diagnosis', 'Devices', 'Of the first'], 'lrl', rows)];
}

/** What became of the devices of each population: what is true, and what is believed. */
function populationTable({ populations }: CampaignResult): string[] {
  if (populations.length === 0) return [];
  const rows = populations.slice(0, OUTCOMES_SHOWN).map((population) => {
    const { runs, confirmed, inProgress, failed, causes } = outcomeRow(population);
    const why = causes.length === 0 ? NOTHING : plain(causes.join(', '));
    return [plain(populationName(population)), runs, confirmed, inProgress, failed, why];
  });
  const heads = ['Population', 'Runs it', 'Confirmed', 'In progress', 'Failed', 'Why'];
  const omitted = populations.length - OUTCOMES_SHOWN;
  const more = omitted > 0 ? [`${counted(omitted, 'more population')} not shown.`] : [];
  return [table(heads, 'lrrrrl', rows), ...more];
}
