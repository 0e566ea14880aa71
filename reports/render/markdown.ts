/** The summary of one run as Markdown (GitHub's flavour), for pages of continuous integration. */
import type { CampaignResult, RunResult } from '../../core/result/result.ts';
import { CAMPAIGNS_SHOWN, campaignFacts, campaignSentence } from '../campaign-facts.ts';
import { ratio } from '../figures/figure.ts';
import { followUpSentences } from '../follow-up-facts.ts';
import { JOBS_SHOWN, jobRow } from '../job-facts.ts';
import { campaignFigures, keyFigures } from '../key-figures.ts';
import { managedSentence, SESSION_HEADS, SESSIONS_SHOWN, sessionCells } from '../managed-facts.ts';
import { GROUPS_SHOWN, groupRow } from '../multicast-facts.ts';
import { diagnosisRows, OUTCOMES_SHOWN, outcomeRow, populationName } from '../outcome-facts.ts';
import type { ReportInput } from '../report-input.ts';
import { REPLAY, reproduction } from '../reproduction.ts';
import { figureFinder, verdict } from '../verdict.ts';
import {
  BEACON_WORDS,
  byAmount,
  DOWNLINK_WORDS,
  ENERGY_WORDS,
  FAILURE_WORDS,
  FRAGMENT_WORDS,
  UPLINK_WORDS,
} from '../words.ts';
import {
  actual,
  count,
  counted,
  duration,
  joules,
  lifetime,
  NOTHING,
  partOf,
  percent,
} from './format.ts';
import { alertBlocks, configurationBlocks, deliveryBlocks } from './markdown-delivery.ts';
import { causeTable, code, fenceFor, plain, table } from './markdown-parts.ts';

/** The same input gives the same bytes; ends in a line feed. */
export function renderMarkdown(input: ReportInput): string {
  const { result, expectations, version } = input;
  const { state, sentence } = verdict(expectations);
  const sign = { holds: '✓ ', fails: '✗ ', open: '' }[state];
  const blocks = [
    `## ${sign}${plain(result.scenario.name)}`,
    `**${sentence}.**`,
    ...(result.complete ? [] : [partial(result)]),
    facts(result),
    ...(expectations.length > 0 ? [expectationTable(input)] : []),
    ...(result.warnings.length > 0 ? [warningList(result.warnings)] : []),
    keyFigureTable(result),
    ...managedBlocks(result),
    ...followUpList(result),
    ...campaigns(result),
    ...jobTable(result),
    ...configurationBlocks(result),
    ...multicastTable(result),
    ...deliveryBlocks(result),
    ...alertBlocks(result),
    lossTable(result),
    ...(result.gateways.length > 0 ? [gatewayTable(result)] : []),
    ...beaconTable(result),
    ...energyTable(result),
    runAgain(input),
    `Made by Fleetwave ${plain(version)}.`,
  ];
  return blocks.join('\n\n') + '\n';
}

function partial({ virtualSeconds }: RunResult): string {
  return `> **Partial run.** It was interrupted after ${duration(virtualSeconds)} of virtual time.`;
}

function facts(result: RunResult): string {
  return [
    plain(result.region),
    `${duration(result.virtualSeconds)} of virtual time`,
    counted(result.devices.total, 'device'),
    counted(result.gateways.length, 'gateway'),
    `seed ${code(result.seed)}`,
    `digest ${code(result.digest)}`,
  ].join(' · ');
}

function expectationTable({ result, expectations }: ReportInput): string {
  const figureOf = figureFinder(result);
  const rows = expectations.map((one) => [
    code(one.expectation),
    actual(one.actual, figureOf(one)?.unit),
    one.holds ? '✓ holds' : '✗ **fails**',
  ]);
  return table(['Expectation', 'Actual', 'Verdict'], 'lrl', rows);
}

function warningList(warnings: readonly string[]): string {
  const items = warnings.map((warning) => `- ${plain(warning)}`);
  return [`**${counted(warnings.length, 'warning')}**`, '', ...items].join('\n');
}

/** Campaigns that were to begin after another, whether they did or not. */
function followUpList(result: RunResult): string[] {
  const sentences = followUpSentences(result);
  if (sentences.length === 0) return [];
  return [
    ['### Campaigns after others', '', ...sentences.map((one) => `- ${plain(one)}`)].join('\n'),
  ];
}

function keyFigureTable(result: RunResult): string {
  const rows = keyFigures(result).map(({ figure, text, hint }) => [figure.label, text, hint]);
  return table(['Figure', 'Value', 'Count'], 'lrr', rows);
}

/** The sessions of each managed campaign. */
function managedBlocks({ managedCampaigns = [] }: RunResult): string[] {
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
function campaigns(result: RunResult): string[] {
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

/** The first reliable downlink jobs, a line each. */
function jobTable({ reliableDownlinks: jobs = [] }: RunResult): string[] {
  if (jobs.length === 0) return [];
  const rows = jobs.slice(0, JOBS_SHOWN).map((job) => {
    const { name, status, received, success, pending, failed, tries } = jobRow(job);
    const reasons = failed.length === 0 ? NOTHING : plain(failed.join(', '));
    return [plain(name), plain(status), received, success, pending, reasons, tries];
  });
  const heads = ['Job', 'Status', 'Received it', 'Answered', 'Pending', 'Failed', 'Tries'];
  const omitted = jobs.length - JOBS_SHOWN;
  const more = omitted > 0 ? [`${counted(omitted, 'more job')} not shown.`] : [];
  return [table(heads, 'llrrrlr', rows), ...more];
}

/** The first multicast groups of management, a line each. */
function multicastTable({ multicastGroups: groups = [] }: RunResult): string[] {
  if (groups.length === 0) return [];
  const rows = groups.slice(0, GROUPS_SHOWN).map((group) => {
    const { name, eui, frames, heard, missed } = groupRow(group);
    const causes = missed.length === 0 ? NOTHING : plain(missed.join(', '));
    return [plain(name), plain(eui), frames, heard, causes];
  });
  const omitted = groups.length - GROUPS_SHOWN;
  const more = omitted > 0 ? [`${counted(omitted, 'more multicast group')} not shown.`] : [];
  return [table(['Multicast group', 'EUI', 'Frames', 'Heard', 'Missed'], 'llrrl', rows), ...more];
}

/** Uplinks and downlinks that went astray, each by cause. */
function lossTable({ radio, downlinks }: RunResult): string {
  const up = byAmount(radio.lost).map(
    ([name, frames]) => ['Uplink lost', UPLINK_WORDS[name].label, frames, radio.uplinks] as const,
  );
  const again = byAmount(downlinks.retried).map(
    ([name, frames]) =>
      ['Downlink planned again', DOWNLINK_WORDS[name].label, frames, downlinks.requested] as const,
  );
  const notSent = byAmount(downlinks.refused).map(
    ([name, frames]) =>
      ['Downlink not sent', DOWNLINK_WORDS[name].label, frames, downlinks.requested] as const,
  );
  const down = byAmount(downlinks.lost).map(
    ([name, frames]) =>
      ['Downlink lost', DOWNLINK_WORDS[name].label, frames, downlinks.requested] as const,
  );
  const rows = [...up, ...again, ...notSent, ...down].map(([fate, cause, frames, whole]) => [
    fate,
    plain(cause),
    count(frames),
    percent(ratio(frames, whole)),
  ]);
  if (rows.length === 0) return 'No frame was lost.';
  return table(['Frame', 'Cause', 'Frames', 'Share'], 'llrr', rows);
}

const GATEWAYS_SHOWN = 10;

function gatewayTable({ gateways }: RunResult): string {
  const busiest = [...gateways].sort((a, b) => b.uplinksReceived - a.uplinksReceived);
  const rows = busiest.slice(0, GATEWAYS_SHOWN).map((gateway) => [
    plain(gateway.name),
    count(gateway.uplinksReceived),
    count(gateway.downlinksSent),
    duration(gateway.airtimeSeconds),
    percent(
      Object.values(gateway.dutyCycle).reduce((top, share) => Math.max(top, share), 0),
      2,
    ),
  ]);
  const heads = [
    'Gateway',
    'Uplinks received',
    'Downlinks sent',
    'Time on air',
    'Highest duty cycle',
  ];
  const omitted = gateways.length - rows.length;
  const more = omitted > 0 ? `\n\n${count(omitted)} less busy gateways are not shown.` : '';
  return table(heads, 'lrrrr', rows) + more;
}

/** Beacons that each population looked for, and what most of the others were lost to. */
function beaconTable({ beacons }: RunResult): string[] {
  if (beacons === undefined || beacons.populations.length === 0) return [];
  const rows = beacons.populations.map(({ name, lookedFor, heard, missed, inClassB }) => {
    const [most] = byAmount(missed);
    const cause = most === undefined ? NOTHING : plain(BEACON_WORDS[most[0]].label);
    const share = percent(ratio(heard, lookedFor));
    return [plain(name), count(lookedFor), share, cause, count(inClassB)];
  });
  const heads = ['Population', 'Beacons looked for', 'Heard', 'Most missed by', 'In class B'];
  return [table(heads, 'lrrlr', rows)];
}

/** What each population drew, and how long its batteries last. */
function energyTable({ energy }: RunResult): string[] {
  if (energy === undefined || energy.populations.length === 0) return [];
  const rows = energy.populations.map(({ name, chip, meanJoules, byCause, batteryLifeSeconds }) => {
    const [most] = byAmount(byCause);
    const dearest = most === undefined ? NOTHING : plain(ENERGY_WORDS[most[0]].label);
    const life = batteryLifeSeconds === null ? NOTHING : lifetime(batteryLifeSeconds.p10);
    return [plain(name), chip, joules(meanJoules), dearest, life];
  });
  const heads = [
    'Population',
    'Chip',
    'Energy per device',
    'Most of it',
    'Battery lasts (9 in 10)',
  ];
  return [table(heads, 'llrlr', rows)];
}

function runAgain({ result, manifest }: ReportInput): string {
  const { command, sentence } = reproduction(result, manifest);
  const commands = manifest === undefined ? command : `${REPLAY.command}\n${command}`;
  const fence = fenceFor(commands, 3);
  const kept = manifest === undefined ? [] : [REPLAY.sentence];
  const words = [...kept, sentence].map(plain).join(' ');
  return [`${words} Run it again:`, '', `${fence}sh`, commands, fence].join('\n');
}
