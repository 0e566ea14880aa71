/**
 * The answers to queries of campaigns: the firmware update service's campaign summary, full state,
 * partial, short and bulk status. Their rows stand in status-fields.ts.
 */
import { toHex } from '../../../sim/base/bytes.ts';
import { SECOND_US } from '../../../sim/base/units.ts';
import type { NetworkView } from '../../../sim/contract/view.ts';
import { formatInstant, NEVER_US } from '../../base/instant.ts';
import { allMembers, type Member, memberCount } from './member.ts';
import { ALL_STEPS, Step } from './member-columns.ts';
import { sessionS } from './plan.ts';
import { inServiceUnits } from './settings.ts';
import { isBeforeARound, isOver, STAGES, type Stage } from './stages.ts';
import { type CampaignState, inProgress } from './state.ts';
import {
  type BegunStatus,
  type CampaignSummary,
  type EffectiveSettings,
  type FragmentStatus,
  type FullDevice,
  type FullStatus,
  type PartialStatus,
  SETTINGS,
  type SessionStatus,
  type ShortDevice,
  type ShortStatus,
  stepName,
} from './status-fields.ts';
import { isPassed, STEPS } from './steps.ts';

// ── the campaign ─────────────────────────────────────────────────────────────────────────────────

const stageOf = (stage: Stage) => ({ stage: STAGES.indexOf(stage), stage_str: stage });

export function partialStatus({ id, stage }: CampaignState): PartialStatus {
  return { campaign_id: id, ...stageOf(stage) };
}

/** What is answered where a round is asked for, and what its plan would be regretted for. */
export function begunStatus(state: CampaignState, warnings: readonly string[]): BegunStatus {
  return { ...partialStatus(state), ...(warnings.length > 0 && { warnings }) };
}

export function campaignSummary(state: CampaignState, view: NetworkView): CampaignSummary {
  const { input, group, succeeded, failed, settings } = state;
  const { startsAtUnixMs } = settings;
  return {
    campaign_id: state.id,
    image_name: input.image_name,
    name: input.name,
    device_group_id: group.id,
    status: state.deletedAtUs !== NEVER_US ? 'is being deleted' : state.status,
    created_at: formatInstant(view.unixMs(state.createdAtUs)),
    scheduled_start_at: startsAtUnixMs === null ? null : formatInstant(startsAtUnixMs),
    ...stageOf(state.stage),
    num_devices_success: succeeded,
    num_devices_fail: failed,
    num_devices_in_progress: inProgress(state),
  };
}

export function shortStatus(state: CampaignState): ShortStatus {
  return {
    ...partialStatus(state),
    devices: byDevEui(state, (member) => shortDevice(state, member)),
  };
}

export function bulkStatus(state: CampaignState): [number, number, number] {
  return [STAGES.indexOf(state.stage), state.succeeded, memberCount(state)];
}

/** `view` shows the caller's things. */
export function fullStatus(
  state: CampaignState,
  warnings: readonly string[],
  view: NetworkView,
): FullStatus {
  return {
    ...campaignSummary(state, view),
    ...effectiveSettings(state),
    multicast_sessions: sessionStatuses(state, view),
    fragments: fragmentStatus(state),
    gateways: gatewayStatuses(state, view),
    warnings,
    devices: byDevEui(state, fullDeviceOf(state, view)),
  };
}

function effectiveSettings(state: CampaignState): EffectiveSettings {
  const { settings, plan, multicast, input } = state;
  const { eui, mcAddr } = settings.multicastGroup;
  const decided: Readonly<Record<string, unknown>> = {
    ...settings,
    ...(plan && {
      mcast_dr: plan.dataRate,
      mcast_freq: plan.frequencyHz,
      mcast_session_timeout: sessionS(plan) * SECOND_US,
      frag_send_delay: plan.fragSendDelayUs,
      // What a restart was given counts before its round makes a plan.
      ...(settings.multicast_setup_time === null && { multicast_setup_time: plan.setupUs }),
    }),
    expected_version: settings.expectedVersion,
    descriptor: toHex(settings.descriptor).toUpperCase(),
    mcast_deveui: multicast?.eui ?? given(eui),
    mcast_devaddr: multicast === null ? given(mcAddr) : hex(multicast.mcAddr),
    completed_email_alert: input.completed_email_alert ?? [],
  };
  const shown = Object.entries(SETTINGS).map(([name, row]) => {
    const value = decided[name];
    return [name, typeof value === 'number' ? inServiceUnits(row, value) : value];
  });
  return Object.fromEntries(shown) as EffectiveSettings;
}

function sessionStatuses({ plan, multicast }: CampaignState, view: NetworkView): SessionStatus[] {
  if (plan === null || multicast === null) return [];
  return [
    {
      mcast_deveui: multicast.eui,
      mcast_devaddr: hex(multicast.mcAddr),
      lora_class: plan.periodicity === null ? 'C' : 'B',
      mcast_dr: plan.dataRate,
      mcast_freq: plan.frequencyHz / 1e6,
      starts_at: formatInstant(view.unixMs(multicast.startsAtUs)),
      timeout: sessionS(plan),
    },
  ];
}

function fragmentStatus({ plan, sent, unsent, repairs }: CampaignState): FragmentStatus | null {
  if (plan === null) return null;
  const { nbFrag, fragSize, padding, redundancy } = plan;
  const cut = { nb_frag: nbFrag, frag_size: fragSize, padding, redundancy };
  return { ...cut, sent, unsent, retransmitted: repairs };
}

function gatewayStatuses({ plan }: CampaignState, view: NetworkView): FullStatus['gateways'] {
  const names = new Map(view.gateways().map(({ eui, name }) => [eui, name]));
  return (plan?.gateways ?? []).map(({ eui, reason }) => ({
    gateway_id: eui,
    name: names.get(eui) ?? eui,
    reason,
  }));
}

// ── its devices ──────────────────────────────────────────────────────────────────────────────────

function byDevEui<Answer>(
  state: CampaignState,
  answer: (member: Member) => Answer,
): Record<string, Answer> {
  const all = allMembers(state);
  return Object.fromEntries(all.map((member) => [member.devEui, answer(member)]));
}

/** Where a device stands, in the campaign's own words. */
function memberStage(state: CampaignState, member: Member): Stage {
  const { fate, phase, reason } = member;
  if (fate === 'success') return 'FINISHED';
  if (fate === 'failed') {
    if (isRetryAhead(state)) return 'WAITING_FOR_RETRY';
    if (reason === 'halted') return 'HALTED';
    return reason === 'no plan' ? 'ERROR_SETTING_UP' : 'FINISHED';
  }
  if (phase === 'session') return 'SENDING_FRAGMENTS';
  if (phase === 'verify') return 'VERIFYING';
  if (phase === 'outside') return state.stage;
  const isChecked = isPassed(member, Step.versionCheck, state.settings);
  return isChecked ? 'SETTING_UP_DEVICES' : 'CHECKING_VERSIONS';
}

/** Whether failed members are tried again without a further command: their stage is not final. */
function isRetryAhead({ stage, retriesLeft, goesOn }: CampaignState): boolean {
  if (isOver(stage)) return false;
  return retriesLeft > 0 || (isBeforeARound(stage) && !goesOn);
}

function shortDevice(state: CampaignState, member: Member): ShortDevice {
  return {
    ...stageOf(memberStage(state, member)),
    attempts: member.rounds,
    failure_reason: member.reason,
  };
}

/** What is the same for each of ten thousand is found once. */
function fullDeviceOf(state: CampaignState, view: NetworkView): (member: Member) => FullDevice {
  const { settings } = state;
  const at = (us: number) => (us === NEVER_US ? null : formatInstant(view.unixMs(us)));
  const applying = ALL_STEPS.filter((step) => STEPS[step]!.applies?.(settings) ?? true);
  const steps = applying.map((step) => ({ step, name: stepName(STEPS[step]!.name) }));
  const stepsOf = (member: Member): FullDevice['steps'] => {
    const response: Record<string, FullDevice['steps'][string]> = {};
    for (const { step, name } of steps) {
      response[name] = { passed_at: at(member.passedAtUs(step)), commands: member.attempts(step) };
    }
    return response;
  };
  const linesOf = ({ debug }: Member) =>
    debug.map(({ atUs, ...line }) => ({ at: at(atUs)!, ...line }));
  const found = ({ diagnosis }: Member) =>
    diagnosis && { diagnosis: diagnosis.code, detail: diagnosis.text };
  const more = (member: Member) => ({
    ...(settings.is_debug ? { debug: linesOf(member) } : {}),
    ...(settings.is_troubleshooting ? { troubleshooting: found(member) } : {}),
  });
  const hasMore = settings.is_debug || settings.is_troubleshooting;
  return (member) => {
    const stage = memberStage(state, member);
    // Without spreads: of ten thousand devices they would take twice as long.
    const device = {
      stage: STAGES.indexOf(stage),
      stage_str: stage,
      attempts: member.rounds,
      failure_reason: member.reason,
      steps: stepsOf(member),
      fragments_received: member.received,
      fragments_missing: member.missing,
      fragments_retransmitted: member.repairs,
      initial_version: member.initialVersion,
      final_version: member.finalVersion,
      ended_at: at(member.endedAtUs),
    };
    return hasMore ? { ...device, ...more(member) } : device;
  };
}

// ── units ────────────────────────────────────────────────────────────────────────────────────────

const given = (text: string): string | null => (text === '' ? null : text);
const hex = (mcAddr: number): string => mcAddr.toString(16).padStart(8, '0').toUpperCase();
