/** What became of campaigns that were to begin after another, in words of every form of report. */
import type { FollowUpResult } from '../core/result.ts';
import { count, counted, percent } from './render/format.ts';

/** Those that a report tells of. */
export const FOLLOW_UPS_SHOWN = 20;

/** `fleet: not started, canary updated 80 %, asked >= 95 %`. */
export function followUpSentence(followUp: FollowUpResult): string {
  const { name, subscriber, after, stage, refusal } = followUp;
  const whose = subscriber === undefined ? '' : ` of ${subscriber}`;
  const head = `${name}${whose}: ${stage === 'started' ? '' : 'not '}started`;
  if (stage === 'waiting') return `${head}, ${after} is not over`;
  if (stage === 'refused') return `${head}, ${refusal}`;
  return [
    `${head}${stage === 'started' ? ' after' : ','} ${reached(followUp)}`,
    ...asked(followUp),
  ].join(', ');
}

/** `canary updated 80 %`, in the measure of what is asked. */
function reached({ after, devices, updated, leastUpdated }: FollowUpResult): string {
  if (leastUpdated > 0) return `${after} updated ${counted(updated, 'device')}`;
  return `${after} updated ${devices === 0 ? '0 devices' : share(updated / devices)}`;
}

function asked({ leastUpdated, leastUpdatedShare }: FollowUpResult): string[] {
  return [
    ...(leastUpdated > 0 ? [`asked >= ${count(leastUpdated)}`] : []),
    ...(leastUpdatedShare > 0 ? [`asked >= ${share(leastUpdatedShare)}`] : []),
  ];
}

/** Whole percents as files have them. */
const share = (of: number): string => percent(of).replace(/\.0(?!\d)/, '');

/** A sentence each; beyond the first ones the others are counted. */
export function followUpSentences(followUps: readonly FollowUpResult[] = []): string[] {
  const more = followUps.length - FOLLOW_UPS_SHOWN;
  return [
    ...followUps.slice(0, FOLLOW_UPS_SHOWN).map(followUpSentence),
    ...(more > 0 ? [`… and ${counted(more, 'more campaign')} that follow others.`] : []),
  ];
}
