/** What a campaign came to, as plain figures. */
import { assert } from '../../../sim/base/assert.ts';
import { type Counts, sortedByName } from '../../../sim/base/counts.ts';
import { SECOND_US } from '../../../sim/base/units.ts';
import { DEFAULT_SUBSCRIBER } from '../../base/subscribers.ts';
import type { DiagnosisCount, FailureReason } from '../../result/outcome.ts';
import type { CampaignResult } from '../../result/result.ts';
import type { Image } from '../images.ts';
import { allMembers, memberCount } from './member.ts';
import { ALL_STEPS } from './member-columns.ts';
import { type CampaignState, inProgress } from './state.ts';
import { isPassed, STEPS } from './steps.ts';

/**
 * All but what only the radio knows: losses of fragments, rebuilt images and populations stay
 * empty, and those run the new image who have confirmed it.
 */
export function campaignResult(state: CampaignState, image: Image): CampaignResult {
  const { plan } = state;
  const members = memberCount(state);
  const completionSeconds: number[] = [];
  for (const { fate, endedAtUs } of allMembers(state)) {
    if (fate === 'success') completionSeconds.push((endedAtUs - state.createdAtUs) / SECOND_US);
  }
  completionSeconds.sort((a, b) => a - b);
  const failures = failuresOf(state);
  assert(completionSeconds.length === state.succeeded, 'who succeeded is counted once');
  const timeOf = (share: number): number | null =>
    completionSeconds[Math.ceil(share * members) - 1] ?? null;
  return {
    name: state.input.name,
    ...(state.owner === DEFAULT_SUBSCRIBER ? {} : { subscriber: state.owner }),
    image: { name: image.name, bytes: image.bytes.length, sha256: image.sha256 },
    stage: state.stage,
    rounds: state.rounds,
    devices: members,
    delegated: state.delegated.reduce((sum, { places }) => sum + places.length, 0),
    running: state.succeeded,
    success: state.succeeded,
    inProgress: inProgress(state),
    failed: state.failed,
    failures,
    populations: [],
    failedDevices: [],
    ...(state.settings.is_troubleshooting && { diagnoses: diagnosesOf(state) }),
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
    fragmentLosses: {},
    completionSeconds,
    verified: { rebuilt: 0, right: 0 },
  };
}

/** What was found of those that failed, the most frequent first. */
function diagnosesOf(state: CampaignState): readonly DiagnosisCount[] {
  const found = new Map<string, DiagnosisCount>();
  for (const { fate, diagnosis, devEui } of allMembers(state)) {
    if (fate !== 'failed' || diagnosis === null) continue;
    const { code, text } = diagnosis;
    const first = found.get(code) ?? { diagnosis: code, devices: 0, example: text, devEui };
    found.set(code, { ...first, devices: first.devices + 1 });
  }
  // Sorting keeps the order of equal counts: that of the group.
  return [...found.values()].sort((a, b) => b.devices - a.devices);
}

/** Members that passed a step and all before it; steps that the campaign lacks are left out. */
function funnelOf(state: CampaignState): CampaignResult['funnel'] {
  const { settings } = state;
  const passed = ALL_STEPS.map(() => 0);
  for (const member of allMembers(state)) {
    for (const step of ALL_STEPS) {
      if (!isPassed(member, step, settings)) break;
      passed[step]!++;
    }
  }
  return ALL_STEPS.filter((step) => STEPS[step]!.applies?.(settings) ?? true).map((step) => ({
    step: STEPS[step]!.name,
    devices: passed[step]!,
  }));
}

/** Failed members by reason, in the order of the reasons' names. */
function failuresOf(state: CampaignState): Counts<FailureReason> {
  const counts: Partial<Record<FailureReason, number>> = {};
  let failed = 0;
  for (const { reason } of allMembers(state)) {
    if (reason === null) continue;
    counts[reason] = (counts[reason] ?? 0) + 1;
    failed++;
  }
  assert(failed === state.failed, 'who failed is counted once');
  return sortedByName(counts);
}
