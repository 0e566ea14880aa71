/**
 * Steps of campaigns for a listener (`WorldOptions.steps`). It only observes. Rows come in the
 * order of time, as those of a trace do.
 */
import type { Member } from './member.ts';
import { ALL_STEPS } from './member-columns.ts';
import type { CampaignState } from './state.ts';
import type { AboutCampaign, CampaignSteps } from './step-rows.ts';
import { bitOf, passedBits, STEPS } from './steps.ts';

/** A campaign, and who listens to it. */
interface Heard {
  readonly state: CampaignState;
  readonly steps: CampaignSteps | undefined;
}

const about = ({ state }: Heard, atUs: number): AboutCampaign => ({
  atUs,
  campaign: state.input.name,
  id: state.id,
});

export function reportStage(campaign: Heard, nowUs: number): void {
  const { stage, rounds: round } = campaign.state;
  campaign.steps?.({ kind: 'campaignStage', ...about(campaign, nowUs), stage, round });
}

/** The steps that a member has passed, a bit each, where somebody listens. */
export function passedSteps({ steps, state }: Heard, member: Member): number {
  return steps === undefined ? 0 : passedBits(member, state.settings);
}

/** Reports the steps that a member has passed since. */
export function reportSteps(campaign: Heard, member: Member, before: number, nowUs: number): void {
  const since = passedSteps(campaign, member) & ~before;
  if (since === 0) return;
  const { devEui } = member;
  for (const step of ALL_STEPS) {
    if ((since & bitOf(step)) === 0) continue;
    const { name } = STEPS[step]!;
    campaign.steps?.({ kind: 'campaignStep', ...about(campaign, nowUs), devEui, step: name });
  }
}

/** Reports how a member's flow has ended. */
export function reportEnd(campaign: Heard, member: Member, nowUs: number): void {
  if (campaign.steps === undefined) return;
  const { devEui, reason, diagnosis } = member;
  const ends = { kind: 'campaignDeviceEnds', ...about(campaign, nowUs), devEui } as const;
  if (reason === null) return campaign.steps({ ...ends, fate: 'success' });
  const found = diagnosis === null ? {} : { diagnosis: diagnosis.text };
  campaign.steps({ ...ends, fate: 'failed', reason, ...found });
}
