/** The end of a run on a terminal: figures, expectations, digest. */
import Table from 'cli-table3';
import type {
  CampaignResult,
  ExpectationResult,
  HostResult,
  RunResult,
} from '../../core/result/result.ts';
import { keyFigures } from '../../reports/figures/key-figures.ts';
import { figureFinder, verdict } from '../../reports/figures/verdict.ts';
import { CAMPAIGNS_SHOWN } from '../../reports/stories/campaigns/campaign-facts.ts';
import { followUpSentences } from '../../reports/stories/campaigns/follow-up-facts.ts';
import {
  managedSentence,
  SESSION_HEADS,
  SESSIONS_SHOWN,
  sessionCells,
} from '../../reports/stories/campaigns/managed-facts.ts';
import { diagnosisRows, outcomeRow } from '../../reports/stories/campaigns/outcome-facts.ts';
import {
  CONFIGURED_SHOWN,
  configuredRow,
} from '../../reports/stories/configuration/configuration-facts.ts';
import {
  monitoredRows,
  TARGETS_SHOWN,
  targetRows,
} from '../../reports/stories/delivery/delivery-facts.ts';
import { JOBS_SHOWN, jobRow } from '../../reports/stories/jobs/job-facts.ts';
import {
  actual,
  count,
  counted,
  duration,
  NOTHING,
  partOf,
  percent,
} from '../../reports/text/format.ts';
import { spelled, UPLINK_WORDS } from '../../reports/text/words.ts';
import { entriesOf } from '../../sim/base/counts.ts';
import { type Painter, PLAIN } from './colour.ts';

/** Ends in a line feed. */
export function summary(
  result: RunResult,
  expectations: readonly ExpectationResult[],
  host: HostResult,
  files: readonly string[],
  paint: Painter = PLAIN,
): string {
  const judged = verdict(expectations);
  const blocks = [
    paint.heading(headline(result, host)),
    figureTable(result),
    ...tablesOf(result, paint),
    ...(expectations.length > 0 ? [expectationTable(result, expectations, paint)] : []),
    ...result.warnings.map((warning) => paint.warning(`Warning: ${warning}`)),
    verdictPainter(judged.state, paint)(`${judged.sentence}.`),
    `Seed ${result.seed}, digest ${result.digest}`,
    `Results: ${files.join(', ')}`,
  ];
  return `${blocks.join('\n')}\n`;
}

function verdictPainter(state: ReturnType<typeof verdict>['state'], paint: Painter) {
  if (state === 'holds') return paint.good;
  return state === 'fails' ? paint.bad : paint.heading;
}

const tablesOf = (result: RunResult, paint: Painter): string[] => [
  ...managedTables(result, paint),
  ...(result.campaigns.length > 0 ? [campaignTable(result.campaigns, paint)] : []),
  ...diagnosisLines(result.campaigns),
  ...followUpLines(result),
  ...jobTable(result, paint),
  ...configurationTable(result, paint),
  ...deliveryTables(result, paint),
];

function headline(result: RunResult, host: HostResult): string {
  const { scenario, virtualSeconds, events } = result;
  const speed = host.wallSeconds > 0 ? virtualSeconds / host.wallSeconds : 0;
  const sentence =
    `${scenario.name}: ${duration(virtualSeconds)} of virtual time in ` +
    `${duration(host.wallSeconds)} (${count(speed)} times real time), ${count(events)} events.`;
  return result.complete ? sentence : `${sentence} PARTIAL: stopped before its end.`;
}

function figureTable(result: RunResult): string {
  const table = plainTable();
  for (const { figure, text, hint } of keyFigures(result)) {
    table.push([figure.label, text, hint]);
  }
  for (const [cause, lost] of entriesOf(result.radio.lost)) {
    if (lost === 0) continue;
    const share = percent(lost / result.radio.uplinks);
    table.push([`Lost: ${UPLINK_WORDS[cause].label}`, share, partOf(lost, result.radio.uplinks)]);
  }
  return table.toString();
}

/**
 * A row a campaign: what is true of its devices, then what the service believes; the devices that
 * have confirmed, are in progress and failed are all. Beyond the first ones the others are counted.
 */
function campaignTable(campaigns: readonly CampaignResult[], paint: Painter): string {
  const owned = campaigns.some(({ subscriber }) => subscriber !== undefined);
  const head = ['Runs it', 'Confirmed', 'In progress', 'Failed', '90 % after'];
  const table = headedTable(paint, 'Campaign', ...(owned ? ['Subscriber'] : []), ...head);
  for (const campaign of campaigns.slice(0, CAMPAIGNS_SHOWN)) {
    const { name, subscriber = NOTHING, stage, rounds, t90 } = campaign;
    const { runs, confirmed, inProgress, failed, causes } = outcomeRow(campaign);
    const course = `${spelled(stage)}, ${counted(rounds, 'round')}`;
    const whose = owned ? [subscriber] : [];
    const after = t90 === null ? NOTHING : duration(t90);
    const why = [failed, ...causes].join('\n');
    table.push([`${name}\n${course}`, ...whose, runs, confirmed, inProgress, why, after]);
  }
  const more = campaigns.length - CAMPAIGNS_SHOWN;
  return more > 0 ? `${table}\n… and ${counted(more, 'more campaign')}.` : table.toString();
}

/** What the service found of devices that failed, where it was asked to look. */
function diagnosisLines(campaigns: readonly CampaignResult[]): string[] {
  const lines = campaigns.slice(0, CAMPAIGNS_SHOWN).flatMap((campaign) =>
    diagnosisRows(campaign).map(({ diagnosis, devices, example }) => {
      return `${campaign.name}, ${diagnosis} (${devices}): ${example}`;
    }),
  );
  return lines.length === 0 ? [] : [`Diagnoses\n${lines.join('\n')}`];
}

/** Campaigns that were to begin after another, whether they did or not. */
function followUpLines(result: RunResult): string[] {
  const sentences = followUpSentences(result);
  return sentences.length === 0 ? [] : [`Campaigns after others\n${sentences.join('\n')}`];
}

/** A row a reliable downlink job; beyond the first ones the others are counted. */
function jobTable({ reliableDownlinks: jobs = [] }: RunResult, paint: Painter): string[] {
  if (jobs.length === 0) return [];
  const table = headedTable(paint, 'Job', 'Received it', 'Answered', 'Pending', 'Failed', 'Tries');
  for (const job of jobs.slice(0, JOBS_SHOWN)) {
    const { name, received, success, pending, failed, tries } = jobRow(job);
    table.push([name, received, success, pending, failed.join('\n') || NOTHING, tries]);
  }
  const more = jobs.length - JOBS_SHOWN;
  return [more > 0 ? `${table}\n… and ${counted(more, 'more job')}.` : table.toString()];
}

/** A row a population of which a configuration is desired. */
function configurationTable({ configurations }: RunResult, paint: Painter): string[] {
  if (configurations === undefined || configurations.populations.length === 0) return [];
  const table = headedTable(paint, 'Configured', 'Set as desired', 'Applied', 'Else', 'Half after');
  const { populations } = configurations;
  for (const population of populations.slice(0, CONFIGURED_SHOWN)) {
    const { name, set, applied, others, half } = configuredRow(population);
    table.push([name, set, applied, others.join('\n') || NOTHING, half]);
  }
  const more = populations.length - CONFIGURED_SHOWN;
  return [more > 0 ? `${table}\n… and ${counted(more, 'more population')}.` : table.toString()];
}

/** A row a target, and a row a monitored gateway. */
function deliveryTables({ deliveries, alerts }: RunResult, paint: Painter): string[] {
  const blocks: string[] = [];
  if (deliveries !== undefined) {
    const table = headedTable(paint, 'Deliveries to', 'What', 'Accepted', 'Else', 'Attempts');
    for (const { to, what, accepted, others, attempts } of targetRows(deliveries)) {
      table.push([to, what, accepted, others.join('\n') || NOTHING, attempts]);
    }
    blocks.push(table.toString(), ...moreThan(deliveries.targets, 'target'));
  }
  if (alerts !== undefined) {
    const table = headedTable(paint, 'Monitored gateway', 'Changes', 'Told', 'Else');
    for (const { name, changes, told, others } of monitoredRows(alerts)) {
      table.push([name, changes, told, others.join('\n') || NOTHING]);
    }
    blocks.push(table.toString(), ...moreThan(alerts.gateways, 'monitored gateway'));
  }
  return blocks;
}

const moreThan = (all: readonly unknown[], noun: string): string[] =>
  all.length > TARGETS_SHOWN
    ? [`… and ${counted(all.length - TARGETS_SHOWN, `more ${noun}`)}.`]
    : [];

/** A table a managed campaign, with a row a session that found devices. */
function managedTables({ managedCampaigns = [] }: RunResult, paint: Painter): string[] {
  return managedCampaigns.slice(0, CAMPAIGNS_SHOWN).map((campaign) => {
    const { name, sessions } = campaign;
    const head = `Managed campaign ${name}. ${managedSentence(campaign)}`;
    if (sessions.length === 0) return head;
    const table = headedTable(paint, ...SESSION_HEADS);
    for (const session of sessions.slice(0, SESSIONS_SHOWN)) table.push([...sessionCells(session)]);
    const more = sessions.length - SESSIONS_SHOWN;
    const rest = more > 0 ? [`… and ${counted(more, 'more session')}.`] : [];
    return [head, table.toString(), ...rest].join('\n');
  });
}

function expectationTable(
  result: RunResult,
  expectations: readonly ExpectationResult[],
  { good, bad }: Painter,
): string {
  const figureOf = figureFinder(result);
  const table = plainTable();
  for (const one of expectations) {
    const value = actual(one.actual, figureOf(one)?.unit);
    table.push([one.holds ? good('✓ holds') : bad('✗ fails'), one.expectation, value]);
  }
  return table.toString();
}

const headedTable = ({ heading }: Painter, ...head: readonly string[]): Table.Table =>
  plainTable(...head.map(heading));

/** Without colours of the library's own, so that it reads the same in a file. */
function plainTable(...head: readonly string[]): Table.Table {
  return new Table({ head: [...head], style: { head: [], border: [], compact: true } });
}
