/**
 * What was wrong with a device that failed, as far as the network's side can know: the first row of
 * a table that fits. The rows go from what would explain all others to what explains least.
 */
import { assert } from '../../../sim/base/assert.ts';
import { SECOND_US } from '../../../sim/base/units.ts';
import type { DeviceView, NetworkView } from '../../../sim/contract/view.ts';
import { isDefective } from '../../../sim/lorawan/fragmentation-code.ts';
import { NEVER_US } from '../../base/instant.ts';
import type { FailureReason } from '../../result/outcome.ts';
import { LEVEL_MARGIN_CENTI_DB } from '../gateway-choice.ts';
import type { Member } from './member.ts';
import type { Diagnosis } from './member-columns.ts';
import { nearestGoodFragSize, type Plan, sessionS } from './plan.ts';
import { REASONS, reasonsOf } from './reasons.ts';
import { whyNoRepair } from './repair.ts';
import { isAcceptable, isInPingSlots } from './settings.ts';
import type { CampaignState } from './state.ts';
import { openSteps, STEPS } from './steps.ts';

interface Case {
  readonly state: CampaignState;
  readonly view: NetworkView;
  readonly member: Member;
  readonly plan: Plan;
  readonly device: DeviceView;
  readonly nowUs: number;
}

interface Row {
  readonly code: string;
  /** Reasons of failure that it may explain; absent: any. */
  readonly reasons?: readonly FailureReason[];
  /** The sentence, or undefined when it is something else. */
  readonly explain: (one: Case) => string | undefined;
}

const SILENCE = reasonsOf('silence');
const FRAGMENTS = reasonsOf('fragments');

/** From this share of the hour's budget on, commands wait for air time. */
const STARVED = 0.9;

const ROWS: readonly Row[] = [
  {
    code: 'slot-conflict',
    reasons: reasonsOf('slots'),
    explain: ({ member: { reason } }) =>
      `The device has no slot 0 for this campaign: ${reason}. Another session may hold it.`,
  },
  {
    code: 'no-beacon',
    reasons: ['no beacon'],
    explain: () =>
      'The device is of class B, but its latest uplink had no ClassB bit: it has heard no beacon ' +
      'for 120 minutes, and opens no ping slot.',
  },
  {
    code: 'gateway-fault',
    reasons: [...SILENCE, 'missing fragments'],
    explain: (one) => explainRefusals(one) ?? explainFaults(one),
  },
  {
    code: 'no-uplink',
    reasons: SILENCE,
    explain: ({ member, device, nowUs }) => {
      if (member.spokeAtUs !== NEVER_US) return undefined;
      const last = device.lastUplinkAtUs;
      const ago =
        last < 0
          ? 'it was never heard'
          : `the latest was ${Math.round((nowUs - last) / SECOND_US)} s ago`;
      return `No uplink since the round began; ${ago}.`;
    },
  },
  {
    code: 'clock-drift',
    reasons: ['clock drift'],
    explain: ({ member: { clockBehindS }, state: { settings } }) => {
      // What it reported last may be right again: then it was the session's start that showed it
      // wrong.
      const isOff = clockBehindS !== null && !isAcceptable(clockBehindS, settings);
      const by = isOff ? `${Math.abs(clockBehindS)} s` : 'more';
      const most = settings.acceptable_time_drift / SECOND_US;
      return `The clock was off by ${by} after a correction; ${most} s are acceptable.`;
    },
  },
  { code: 'window-missed', reasons: FRAGMENTS, explain: explainWindow },
  { code: 'sessions-meet', reasons: FRAGMENTS, explain: ({ plan }) => plan.meets },
  { code: 'duty-cycle', reasons: [...SILENCE, 'missing fragments'], explain: explainStarvation },
  {
    code: 'pace-too-fast',
    reasons: FRAGMENTS,
    explain: ({ state: { unsent }, plan }) =>
      unsent === 0 || plan.fragSendDelayUs >= plan.airtimeUs
        ? undefined
        : `${unsent} of ${planned(plan)} fragments were left out: each takes ` +
          `${plan.airtimeUs / SECOND_US} s on the air, and the next was to follow after ` +
          `${plan.fragSendDelayUs / SECOND_US} s.`,
  },
  {
    code: 'session-too-short',
    reasons: FRAGMENTS,
    explain: ({ state, plan }) =>
      state.unsent === 0
        ? undefined
        : `${state.unsent} of ${planned(plan)} fragments were not sent in the session of ` +
          `${sessionS(plan)} s${refusedIn(state)}.`,
  },
  { code: 'link-margin', reasons: [...SILENCE, 'missing fragments'], explain: explainLink },
  {
    code: 'defective-nb-frag',
    reasons: ['missing fragments'],
    explain: ({ plan, state }) => {
      if (!isDefective(plan.nbFrag)) return undefined;
      const size = nearestGoodFragSize(state.imageBytes, plan.fragSize);
      return `NbFrag ${plan.nbFrag} is served badly by the code; take a FragSize of ${size} bytes.`;
    },
  },
  { code: 'fragment-too-long', reasons: ['missing fragments'], explain: explainNoRepair },
  {
    code: 'too-little-redundancy',
    reasons: ['missing fragments'],
    explain: ({ member: { received, missing, repairs }, plan, state }) => {
      const most = state.settings.individual_fragment_retransmit;
      const arrived = `${received} of ${planned(plan)} fragments arrived`;
      return most === 0
        ? `${arrived} and ${missing} are missing: more redundancy or individual retransmission ` +
            'is needed.'
        : `${arrived}, ${repairs} were sent again where individual_fragment_retransmit allows ` +
            `${most}, and ${missing} are missing: more redundancy or a higher limit is needed.`;
    },
  },
  {
    code: 'no-fragment-heard',
    reasons: ['session missed'],
    explain: ({ member, state }) => {
      if ((member.received ?? 0) > 0) return undefined;
      const beacon = isInPingSlots(state.settings) ? 'it may have heard no beacon, or ' : '';
      return (
        `The device answers and its clock is right, but it took no fragment: ${beacon}its key or ` +
        'address of the group may be wrong.'
      );
    },
  },
  {
    code: 'unanswered',
    reasons: SILENCE,
    explain: ({ member, state }) => {
      const [step] = openSteps(member, state.settings);
      if (step === undefined) return undefined;
      const { command } = STEPS[step]!;
      const tries = member.attempts(step);
      return `The device speaks, but ${command} was not answered in ${tries} tries.`;
    },
  },
  {
    code: 'version',
    reasons: ['version mismatch'],
    explain: ({ member: { finalVersion }, state }) =>
      `The device runs ${finalVersion} where ${state.settings.expectedVersion} is expected.`,
  },
  { code: 'refused', explain: ({ member: { reason } }) => `The device answered: ${reason}.` },
];

/** Their codes. */
export const DIAGNOSES = ROWS.map(({ code }) => code);

/** Null where the reason says all. The member has failed, but is not cleared up yet. */
export function diagnose(
  state: CampaignState,
  view: NetworkView,
  member: Member,
  nowUs: number,
): Diagnosis | null {
  const { reason } = member;
  assert(reason !== null, 'a device that failed has a reason');
  const device = view.device(member.devEui);
  if (state.plan === null || device === undefined || REASONS[reason].saysAll) return null;
  const one = { state, view, member, plan: state.plan, device, nowUs };
  for (const { code, reasons, explain } of ROWS) {
    if (reasons !== undefined && !reasons.includes(reason)) continue;
    const text = explain(one);
    if (text !== undefined) return { code, text };
  }
  return null;
}

/** A clock that is late by more than the margin misses fragments at the start of the session. */
function explainWindow({ member: { clockBehindS }, plan }: Case): string | undefined {
  if (clockBehindS === null) return undefined;
  const lateUs = Math.abs(clockBehindS) * SECOND_US;
  if (lateUs <= plan.startMarginUs) return undefined;
  const missed = Math.ceil((lateUs - plan.startMarginUs) / plan.fragSendDelayUs);
  const way = clockBehindS > 0 ? 'late' : 'early';
  return (
    `The clock was ${Math.abs(clockBehindS)} s ${way} after the session: about ${missed} ` +
    'fragments lay outside the device’s own window.'
  );
}

/** Refusals by which a gateway, or the way to it, has failed. */
const FAULTS = {
  radioFault: 'the radio of a gateway had failed',
  backhaulLoss: 'the backhaul to a gateway had failed',
  gatewayGone: 'a gateway was gone',
} as const;

/** Fragments stayed unsent, and most of what was refused was refused for a fault. */
function explainRefusals({ state, plan }: Case): string | undefined {
  const { unsent, refusals = {}, withoutBudget } = state;
  const [most] = Object.entries(FAULTS)
    .map(([reason, text]) => ({ text, times: refusals[reason] ?? 0 }))
    .sort((a, b) => b.times - a.times);
  const others = Object.entries(refusals).map(([reason, n]) => (reason in FAULTS ? 0 : n));
  if (unsent === 0 || most!.times === 0) return undefined;
  if (most!.times < Math.max(withoutBudget, ...others)) return undefined;
  const { text, times } = most!;
  return `${unsent} of ${planned(plan)} fragments were not sent: ${text} ${times} times.`;
}

/** Nothing can be heard through any of the gateways that the campaign uses. */
function explainFaults({ view, plan, member: { reason } }: Case): string | undefined {
  if (reason === null || !SILENCE.includes(reason)) return undefined;
  const faults = plan.gateways.map(({ eui }) => {
    const gateway = view.gateway(eui);
    if (gateway === undefined) return `${eui} is gone`;
    if (!gateway.radioUp) return `the radio of ${eui} has failed`;
    return gateway.backhaulUp ? undefined : `the backhaul of ${eui} has failed`;
  });
  if (faults.includes(undefined)) return undefined;
  return `No gateway of the campaign can hear the device: ${faults.join(', ')}.`;
}

/** What gateways refused, for a sentence; empty: nothing. */
function refusedIn({ refusals = {} }: CampaignState): string {
  const lines = Object.entries(refusals).map(([reason, times]) => `${reason} ${times}`);
  return lines.length === 0 ? '' : `, where gateways refused frames (${lines.join(', ')})`;
}

function explainStarvation({ state, view, plan, nowUs }: Case): string | undefined {
  if (state.unsent > 0 && (state.refusals?.neverBudget ?? 0) > 0) {
    return (
      `${state.unsent} of ${planned(plan)} fragments were not sent: all air time of an hour ` +
      'is too little for one.'
    );
  }
  if (state.unsent > 0 && state.withoutBudget > 0) {
    return (
      `${state.unsent} of ${planned(plan)} fragments were not sent: a gateway had no air time ` +
      `left ${state.withoutBudget} times.`
    );
  }
  const { frequencyHz } = view.rx2;
  const shares = plan.gateways.map(
    ({ eui }) => view.gateway(eui)?.budgetUsed(frequencyHz, nowUs) ?? 0,
  );
  const least = Math.min(...shares);
  if (least < STARVED) return undefined;
  return `Every gateway has used ${Math.floor(least * 100)} % of its hour’s air time for RX2.`;
}

function explainLink({ device, plan, view }: Case): string | undefined {
  const { heardBy } = device;
  const levels = heardBy
    .filter(({ gatewayEui }) => plan.gateways.some(({ eui }) => eui === gatewayEui))
    .map(({ downlinkCentiDbm }) => downlinkCentiDbm);
  const rate = view.dataRate(plan.dataRate);
  if (rate === undefined || heardBy.length === 0) return undefined;
  if (levels.length === 0) return 'None of the gateways that send was heard by the device.';
  const marginCentiDb = Math.max(...levels) - rate.deviceSensitivityCentiDbm;
  if (marginCentiDb >= LEVEL_MARGIN_CENTI_DB) return undefined;
  return (
    `The best gateway comes in at ${decibels(Math.max(...levels))} dBm, ` +
    `${decibels(marginCentiDb)} dB above what DR${plan.dataRate} needs; ` +
    `${decibels(LEVEL_MARGIN_CENTI_DB)} dB are wanted.`
  );
}

/** Fragments that could be sent again by the settings, but not by their length. */
function explainNoRepair({ state, view, member, device, plan }: Case): string | undefined {
  const { received, missing, repairs } = member;
  if (repairs >= state.settings.individual_fragment_retransmit) return undefined;
  const arrived = `${received} of ${planned(plan)} fragments arrived and ${missing} are missing. `;
  if (device.deviceClass === 'C') {
    const why = whyNoRepair(state, plan, view);
    return why === '' ? undefined : arrived + why;
  }
  return (
    `${arrived}${repairs} were sent again: the windows after its uplink do not carry fragments ` +
    `of ${plan.fragSize} bytes. A smaller frag_size or more redundancy is needed.`
  );
}

const planned = ({ nbFrag, redundancy }: Plan): number => nbFrag + redundancy;

/** Tenths of a decibel. */
const decibels = (centi: number): string => (Math.round(centi / 10) / 10).toFixed(1);
