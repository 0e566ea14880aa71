/**
 * What campaigns do, step by step, for whoever listens (`WorldOptions.steps`): a window and no
 * door. Rows come in the order of time, as those of a trace do.
 */
import type { FailureReason } from '../../result/outcome.ts';
import type { Campaign } from './context.ts';
import type { Member } from './member.ts';
import { ALL_STEPS } from './member-columns.ts';
import type { Stage } from './stages.ts';
import { isPassed, STEPS } from './steps.ts';

interface AboutCampaign {
  /** Virtual time, µs. */
  readonly atUs: number;
  /** Its name, and its id in the firmware update service. */
  readonly campaign: string;
  readonly id: string;
}

export type CampaignRow =
  /** It is in another stage; rounds are counted from 1, 0 before the first. */
  | ({
      readonly kind: 'campaignStage';
      readonly stage: Stage;
      readonly round: number;
    } & AboutCampaign)
  /** A device has passed a step of the flow. */
  | ({
      readonly kind: 'campaignStep';
      readonly devEui: string;
      readonly step: string;
    } & AboutCampaign)
  /** A device has confirmed the new version, or has failed. */
  | ({
      readonly kind: 'campaignDeviceEnds';
      readonly devEui: string;
      readonly fate: 'success' | 'failed';
      readonly reason?: FailureReason;
      /** What was found, where the service looked. */
      readonly diagnosis?: string;
    } & AboutCampaign);

export type CampaignSteps = (row: CampaignRow) => void;

const about = ({ state }: Campaign, atUs: number): AboutCampaign => ({
  atUs,
  campaign: state.input.name,
  id: state.id,
});

export function tellStage(campaign: Campaign, nowUs: number): void {
  const { stage, rounds: round } = campaign.state;
  campaign.steps?.({ kind: 'campaignStage', ...about(campaign, nowUs), stage, round });
}

/** Which steps a member has passed, where somebody listens. */
export const passedSteps = ({ steps, state }: Campaign, member: Member): readonly boolean[] =>
  steps === undefined ? [] : ALL_STEPS.map((step) => isPassed(member, step, state.settings));

/** Tells the steps that a member has passed since. */
export function tellSteps(
  campaign: Campaign,
  member: Member,
  before: readonly boolean[],
  nowUs: number,
): void {
  passedSteps(campaign, member).forEach((isOn, at) => {
    if (!isOn || before[at]) return;
    const { devEui } = member;
    const { name: step } = STEPS[ALL_STEPS[at]!]!;
    campaign.steps?.({ kind: 'campaignStep', ...about(campaign, nowUs), devEui, step });
  });
}

/** Tells how a member's flow has ended. */
export function tellEnd(campaign: Campaign, member: Member, nowUs: number): void {
  if (campaign.steps === undefined) return;
  const { devEui, reason, diagnosis } = member;
  const ends = { kind: 'campaignDeviceEnds', ...about(campaign, nowUs), devEui } as const;
  if (reason === null) return campaign.steps({ ...ends, fate: 'success' });
  const found = diagnosis === null ? {} : { diagnosis: diagnosis.text };
  campaign.steps({ ...ends, fate: 'failed', reason, ...found });
}
