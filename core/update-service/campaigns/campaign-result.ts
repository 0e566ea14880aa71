/** What a campaign came to, as plain figures. */
import { assert } from '../../../sim/base/assert.ts';
import { type Counts, sortedByName } from '../../../sim/base/counts.ts';
import { SECOND_US } from '../../../sim/base/units.ts';
import { DEFAULT_SUBSCRIBER } from '../../base/subscribers.ts';
import type { CampaignResult, FailureReason } from '../../result.ts';
import type { Image } from '../images.ts';
import { type CampaignState, type Member, Step } from './state.ts';
import { isPassed, STEPS } from './steps.ts';

/** All but what only the radio knows: `fragmentLosses` and `verified` stay empty. */
export function campaignResult(state: CampaignState, image: Image): CampaignResult {
  const { members, plan } = state;
  const completionSeconds = members
    .filter(({ fate }) => fate === 'success')
    .map(({ endedAtUs }) => (endedAtUs - state.createdAtUs) / SECOND_US)
    .sort((a, b) => a - b);
  const failed = members.filter(({ fate }) => fate === 'failed').length;
  assert(completionSeconds.length === state.succeeded, 'who succeeded is counted once');
  assert(failed === state.failed, 'who failed is counted once');
  const timeOf = (share: number): number | null =>
    completionSeconds[Math.ceil(share * members.length) - 1] ?? null;
  return {
    name: state.input.name,
    ...(state.owner === DEFAULT_SUBSCRIBER ? {} : { subscriber: state.owner }),
    image: { name: image.name, bytes: image.bytes.length, sha256: image.sha256 },
    stage: state.stage,
    devices: members.length,
    success: state.succeeded,
    failed: state.failed,
    t50: timeOf(0.5),
    t90: timeOf(0.9),
    t99: timeOf(0.99),
    sent: state.sent,
    nbFrag: plan?.nbFrag ?? 0,
    fragSize: plan?.fragSize ?? 0,
    redundancy: plan?.redundancy ?? 0,
    repairs: state.repairs,
    dataRate: plan?.dataRate ?? 0,
    frequencyHz: plan?.frequencyHz ?? 0,
    gateways: plan?.gateways.map(({ eui }) => eui) ?? [],
    stages: state.stages.map(({ stage, atUs }) => ({ stage, atSeconds: atUs / SECOND_US })),
    funnel: funnelOf(state),
    failures: failuresOf(members),
    fragmentLosses: {},
    completionSeconds,
    verified: { rebuilt: 0, right: 0 },
  };
}

/** Members that passed a step and all before it; steps that the campaign lacks are left out. */
function funnelOf({ members, settings }: CampaignState): CampaignResult['funnel'] {
  const steps = Object.values(Step);
  const reached = members.map((member) =>
    steps.findIndex((step) => !isPassed(member, step, settings)),
  );
  return steps
    .filter((step) => STEPS[step]!.applies?.(settings) ?? true)
    .map((step) => ({
      step: STEPS[step]!.name,
      devices: reached.filter((first) => first < 0 || first > step).length,
    }));
}

/** Failed members by reason, in the order of the reasons' names. */
function failuresOf(members: readonly Member[]): Counts<FailureReason> {
  const counts: Partial<Record<FailureReason, number>> = {};
  for (const { fate, reason } of members) {
    if (fate === 'failed' && reason !== '') counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return sortedByName(counts);
}
