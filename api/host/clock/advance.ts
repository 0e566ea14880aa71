/** What an advance goes on to, and whether it was reached: a function of the world alone. */
import { isOver, type Stage } from '../../../core/update-service/campaigns/stages.ts';
import type { WorldFacts } from '../../../core/world/facts.ts';
import { assert } from '../../../sim/base/assert.ts';
import type { Goal } from './slice.ts';

/** What is waited for. */
export type Wanted =
  | { readonly kind: 'instant'; readonly atUs: number }
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'stage';
      /** The subscriber whose campaign it is. */
      readonly by: string;
      /** There is such a campaign. */
      readonly campaignId: string;
      readonly stage: Stage;
    };

export interface AdvanceGoal extends Goal {
  /** Whether what is waited for is there, once the goal is. */
  readonly isReached: () => boolean;
}

const DAY_US = 86_400_000_000;

/** So long an advance waits for what may never come, µs. */
const LONGEST_US = 30 * DAY_US;

/** `lastUs`: the instant beyond which the world does not go. */
export function goalOf(
  wanted: Wanted,
  facts: WorldFacts,
  nowUs: number,
  lastUs: number,
): AdvanceGoal {
  if (wanted.kind === 'instant') return { untilUs: wanted.atUs, isReached: () => true };
  const untilUs = Math.min(nowUs + LONGEST_US, lastUs);
  if (wanted.kind === 'stage') return { untilUs, ...stageGoal(wanted, facts) };
  const isIdle = () => facts.isIdle;
  return { untilUs, isThere: isIdle, isReached: isIdle };
}

/** From now on: the stage that it is in counts, those before do not. */
function stageGoal({ by, campaignId, stage }: Wanted & { kind: 'stage' }, facts: WorldFacts) {
  const stages = facts.stagesOf(by, campaignId);
  assert(stages !== undefined, 'a campaign that is waited for is there');
  let looked = stages.length - 1;
  let isReached = false;
  /** A stage may be left in the instant in which it was entered. */
  const look = (): boolean => {
    for (; looked < stages.length; looked++) {
      if (stages[looked]!.stage === stage) isReached = true;
    }
    return isReached;
  };
  const isGone = () => facts.stagesOf(by, campaignId) !== stages;
  const isThere = () => look() || isOver(stages.at(-1)!.stage) || isGone();
  return { isThere, isReached: look };
}
