/** The report on managed campaigns: what each of their sessions came to. */
import type {
  ManagedCampaignResult,
  ManagedSessionResult,
  RunResult,
} from '../../../core/result/result.ts';
import {
  type Block,
  type Cell,
  EVERY_FORM,
  omission,
  PAGES,
  TERMINAL,
} from '../../document/document.ts';
import { count, counted, NOTHING, partOf } from '../../text/format.ts';
import { spelled } from '../../text/words.ts';
import { CAMPAIGNS_SHOWN } from './campaign-facts.ts';

/** Sessions of a managed campaign that a report shows; one may be held each day. */
export const SESSIONS_SHOWN = 31;

/** Nothing where there were none; a terminal shows the first ones. */
export const managedBlocks = ({ managedCampaigns = [] }: RunResult): Block[] =>
  managedCampaigns.flatMap((campaign, at) => campaignBlocks(campaign, at < CAMPAIGNS_SHOWN));

function campaignBlocks(campaign: ManagedCampaignResult, onTerminal: boolean): Block[] {
  const { name, subscriber, sessions } = campaign;
  const title = `Managed campaign ${name}`;
  const sentence = managedSentence(campaign);
  const owner = subscriber === undefined ? '' : ` of ${subscriber}`;
  const refusals = sessions.flatMap(({ refused }) => refused).slice(0, SESSIONS_SHOWN);
  const section: Block = {
    kind: 'section',
    title: { html: `${title}${owner}`, markdown: title },
    level: 2,
    blocks: [
      { kind: 'lead', text: sentence },
      sessionTable(campaign, onTerminal),
      ...refusals.map((text) => ({ kind: 'hint', text }) as const),
    ],
  };
  if (!onTerminal) return [section];
  return [{ kind: 'lead', forms: TERMINAL, text: `${title}. ${sentence}` }, section];
}

/** `Finished: 948 devices updated, 48 left out, 12 wait for the next session.` */
function managedSentence(campaign: ManagedCampaignResult): string {
  const { stage, status, updated, problematic, scheduled } = campaign;
  const parts = [
    `${counted(updated, 'device')} updated`,
    ...(problematic > 0 ? [`${count(problematic)} left out`] : []),
    ...(scheduled > 0 ? [`${count(scheduled)} in the next session`] : []),
  ];
  return `${spelled(stage)}: ${parts.join(', ')}.${status === '' ? '' : ` ${status}`}`;
}

function sessionTable(campaign: ManagedCampaignResult, onTerminal: boolean): Block {
  const { image, gateway, sessions } = campaign;
  const more = sessions.length - SESSIONS_SHOWN;
  const html = more > 0 ? `${counted(more, 'more session')}.` : '';
  return {
    kind: 'table',
    forms: onTerminal ? EVERY_FORM : PAGES,
    name: `Sessions that found devices, of ${image} through ${gateway}`,
    stack: 3,
    columns: [
      { head: 'Day' },
      { head: 'Campaigns' },
      { head: 'Scheduled', kind: 'number' },
      { head: 'Updated', kind: 'number' },
      { head: 'Run it now', kind: 'number' },
      { head: 'Left out', kind: 'number' },
    ],
    rows: sessions.slice(0, SESSIONS_SHOWN).map(sessionRow),
    omitted: { ...omission(more, 'session'), html },
    empty: 'No session found a device.',
  };
}

function sessionRow(session: ManagedSessionResult): Cell[] {
  const { date, scheduled, children, refused, running, problematic } = session;
  const success = children.reduce((sum, child) => sum + child.success, 0);
  const stages = [...new Set(children.map(({ stage }) => spelled(stage)))].join(', ');
  const created = children.length === 0 ? [] : [`${count(children.length)} (${stages})`];
  const campaigns = [...created, ...(refused.length === 0 ? [] : [`${refused.length} refused`])];
  return [
    date,
    campaigns.join(', '),
    count(scheduled),
    partOf(success, scheduled),
    running === null ? NOTHING : count(running),
    count(problematic),
  ];
}
