/** What a campaign believes of its members, for results that set it beside the truth. */
import { DEFAULT_SUBSCRIBER } from '../../base/subscribers.ts';
import type { DeviceFate, FailureReason } from '../../result/outcome.ts';
import { Member } from './member.ts';
import { ALL_STEPS } from './member-columns.ts';
import { REASONS } from './reasons.ts';
import { isUnderway } from './stages.ts';
import type { CampaignState } from './state.ts';
import { isPassed, STEPS } from './steps.ts';

export interface BelievedOutcome {
  readonly name: string;
  /** Absent: the default subscriber's. */
  readonly subscriber?: string;
  /** When its first round took members; Infinity before. */
  readonly beganAtUs: number;
  /** When its latest round did; `NEVER_US` before the first. */
  readonly claimedAtUs: number;
  /** Pattern of 16 characters (versions.ts). */
  readonly expectedVersion: string;
  /** Undefined before the group is open. */
  readonly mcAddr: number | undefined;
  /** Its members, in the order of the group. */
  readonly devices: readonly string[];
  /** Whether a round has taken the device at a place in `devices`. */
  hasTaken(place: number): boolean;
  believes(place: number): Belief;
}

export interface Belief {
  readonly devEui: string;
  readonly fate: Exclude<DeviceFate, 'none'>;
  /** Why it failed; null unless it has. */
  readonly reason: FailureReason | null;
  /** What was found when it failed, in a sentence. */
  readonly diagnosis: string | null;
  /** Whether it failed because no answer came. */
  readonly ofSilence: boolean;
  /** The last step that it passed with all before; null: none. */
  readonly step: string | null;
  /** 16 hexadecimal digits as it reported them after the session; null: it did not. */
  readonly finalVersion: string | null;
}

const FATES = { inProgress: 'inProgress', success: 'confirmed', failed: 'failed' } as const;

export const outcomeOf = (state: CampaignState): BelievedOutcome => ({
  name: state.input.name,
  ...(state.owner === DEFAULT_SUBSCRIBER ? {} : { subscriber: state.owner }),
  beganAtUs: state.stages.find(({ stage }) => isUnderway(stage))?.atUs ?? Infinity,
  claimedAtUs: state.claimedAtUs,
  expectedVersion: state.settings.expectedVersion,
  mcAddr: state.multicast?.mcAddr,
  devices: state.group.devices,
  hasTaken: (place) => state.members.takenInto[place]! > 0,
  believes: (place) => beliefOf(state, new Member(state, place)),
});

function beliefOf(state: CampaignState, member: Member): Belief {
  const { devEui, fate, reason, finalVersion, diagnosis } = member;
  return {
    devEui,
    fate: FATES[fate],
    reason,
    diagnosis: diagnosis?.text ?? null,
    ofSilence: reason !== null && REASONS[reason].ofSilence === true,
    step: lastStep(state, member),
    finalVersion,
  };
}

/** The last one that the funnel counts it at. */
function lastStep({ settings }: CampaignState, member: Member): string | null {
  let last: string | null = null;
  for (const step of ALL_STEPS) {
    if (!isPassed(member, step, settings)) break;
    const { name, applies } = STEPS[step]!;
    if (applies?.(settings) ?? true) last = name;
  }
  return last;
}
