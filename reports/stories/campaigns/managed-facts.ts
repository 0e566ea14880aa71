/** What the sessions of managed campaigns came to, in cells that every form of report shares. */
import type { ManagedCampaignResult, ManagedSessionResult } from '../../../core/result/result.ts';
import { count, counted, NOTHING, partOf } from '../../text/format.ts';
import { spelled } from '../../text/words.ts';

/** Sessions of a managed campaign that a report shows; one may be held each day. */
export const SESSIONS_SHOWN = 31;

/** `Finished: 948 devices updated, 48 left out, 12 wait for the next session.` */
export function managedSentence(campaign: ManagedCampaignResult): string {
  const { stage, status, updated, problematic, scheduled } = campaign;
  const parts = [
    `${counted(updated, 'device')} updated`,
    ...(problematic > 0 ? [`${count(problematic)} left out`] : []),
    ...(scheduled > 0 ? [`${count(scheduled)} in the next session`] : []),
  ];
  return `${spelled(stage)}: ${parts.join(', ')}.${status === '' ? '' : ` ${status}`}`;
}

export const SESSION_HEADS = [
  'Day',
  'Campaigns',
  'Scheduled',
  'Updated',
  'Run it now',
  'Left out',
] as const;

/** A cell for each head. */
export function sessionCells(session: ManagedSessionResult): readonly string[] {
  const { date, scheduled, children, refused, running, problematic } = session;
  const success = children.reduce((sum, child) => sum + child.success, 0);
  const stages = [...new Set(children.map(({ stage }) => spelled(stage)))].join(', ');
  const made = children.length === 0 ? [] : [`${count(children.length)} (${stages})`];
  const campaigns = [...made, ...(refused.length === 0 ? [] : [`${refused.length} refused`])];
  return [
    date,
    campaigns.join(', '),
    count(scheduled),
    partOf(success, scheduled),
    running === null ? NOTHING : count(running),
    count(problematic),
  ];
}
