/** Rows that campaigns tell of what they do (`WorldOptions.steps`), in the order of time. */
import type { FailureReason } from '../../result/outcome.ts';
import type { Stage } from './stages.ts';

export interface AboutCampaign {
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

/** Observes only: changes nothing in the world. */
export interface StepsPort {
  /** Who listens to the steps of campaigns. */
  readonly steps: CampaignSteps | undefined;
}
