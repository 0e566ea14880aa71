/** What became of campaigns that were to begin after another, in words of every form of report. */
import type { FollowUpResult, RunResult } from '../../../core/result/result.ts';
import { count, counted, duration, percent } from '../../text/format.ts';

/** Those that a report reports of. */
const FOLLOW_UPS_SHOWN = 20;

/** Decimals of a percentage that is a millionth exactly, and those that tell any two apart. */
const EXACT = 4;
const MOST_DIGITS = 8;
/** Far below a device, far above what is lost of a product of a share. */
const ROUNDING = 1e-9;

/** Results that tell of them, of a world at its end or before it. */
export type WithFollowUps = Pick<RunResult, 'followUps' | 'complete'>;

/** `fleet: not started, canary updated 80 %, asked >= 95 %`. */
function sentenceOf(followUp: FollowUpResult, result: WithFollowUps): string {
  const { name, subscriber } = followUp;
  const owner = subscriber === undefined ? '' : ` of ${subscriber}`;
  const reached = [reachedBy(followUp), ...asked(followUp)].join(', ');
  return followUp.stage === 'started'
    ? `${name}${owner}: started after ${reached}`
    : `${name}${owner}: not started, ${whyNot(followUp, result, new Set())}`;
}

/** Why one did not begin; where that waits for another that did not, why that did not. */
function whyNot(
  followUp: FollowUpResult,
  result: WithFollowUps,
  response: Set<FollowUpResult>,
): string {
  const { stage, refusal, calledOffAtSeconds = 0, after } = followUp;
  if (stage === 'refused') return `it was refused: ${refusal}`;
  if (stage === 'called off') return `called off at ${duration(calledOffAtSeconds)}`;
  if (stage !== 'waiting') return [reachedBy(followUp), ...asked(followUp)].join(', ');
  const { earlier = { is: 'following' } } = followUp;
  const notBegun = `${after} ${result.complete ? 'never began' : 'has not begun'}`;
  switch (earlier.is) {
    case 'running':
      return `${after} is not over`;
    case 'to start': {
      const lies = result.complete ? 'lies after the end' : 'is to come';
      return `${notBegun}: its start at ${duration(earlier.atSeconds)} ${lies}`;
    }
    case 'held up':
      return `${notBegun}: it ${earlier.status}`;
    case 'refused':
      return `${notBegun}: it was refused: ${earlier.refusal}`;
    case 'following': {
      const other = earlierAmong(followUp, result);
      // Commands, but no files, can make circles.
      if (other === undefined || response.has(other)) return notBegun;
      return `${notBegun}: ${whyNot(other, result, response.add(other))}`;
    }
  }
}

/** The one that another waits for, which follows one itself and has not begun. */
const earlierAmong = ({ after, subscriber }: FollowUpResult, { followUps = [] }: WithFollowUps) =>
  followUps.find(
    (each) => each.name === after && each.subscriber === subscriber && each.stage !== 'started',
  );

/** `canary updated 80 %`, in the measure of what is asked. */
function reachedBy(followUp: FollowUpResult): string {
  const { after, devices, updated, leastUpdated } = followUp;
  if (leastUpdated > 0) return `${after} updated ${counted(updated, 'device')}`;
  if (devices === 0) return `${after} updated 0 devices`;
  return `${after} updated ${share(updated / devices, digitsOf(followUp))}`;
}

/**
 * The number of decimals that the share reached is no more and no less than what is asked, as it
 * is.
 */
function digitsOf({ devices, updated, leastUpdatedShare }: FollowUpResult): number {
  const isEnough = updated >= leastUpdatedShare * devices - ROUNDING;
  const asked = Number((100 * leastUpdatedShare).toFixed(MOST_DIGITS));
  for (let decimals = 1; decimals < MOST_DIGITS; decimals++) {
    const reportedCount = Number(((100 * updated) / devices).toFixed(decimals));
    if (reportedCount >= asked === isEnough) return decimals;
  }
  return MOST_DIGITS;
}

function asked({ leastUpdated, leastUpdatedShare }: FollowUpResult): string[] {
  return [
    ...(leastUpdated > 0 ? [`asked >= ${count(leastUpdated)}`] : []),
    ...(leastUpdatedShare > 0 ? [`asked >= ${share(leastUpdatedShare, EXACT)}`] : []),
  ];
}

/** Percents as files have them. */
const share = (of: number, decimals: number): string =>
  percent(of, decimals).replace(/\.0+(?!\d)|(?<=\.\d*[1-9])0+(?!\d)/, '');

/** A sentence each; beyond the first ones the others are counted. */
export function followUpSentences(result: WithFollowUps): string[] {
  const { followUps = [] } = result;
  const more = followUps.length - FOLLOW_UPS_SHOWN;
  return [
    ...followUps.slice(0, FOLLOW_UPS_SHOWN).map((each) => sentenceOf(each, result)),
    ...(more > 0 ? [`… and ${counted(more, 'more campaign')} that follow others.`] : []),
  ];
}
