/**
 * Campaigns of a scenario in closed form: how long each session lasts, and who has the image. For
 * devices of all classes, groups that mix them, and several campaigns (docs/decisions/0084).
 *
 * What it leaves out: walls, interference, and gateways that fail.
 */
import { LEAST_LOSS_S } from '../../core/update-service/campaigns/clock-rate.ts';
import { choosePeriodicity, inWholeSlots } from '../../core/update-service/campaigns/ping-pace.ts';
import type { WorldPlan } from '../../core/world/plan.ts';
import { DAY_US, MILLION, SECOND_US } from '../../sim/base/units.ts';
import { BEACON_GUARD_US, BEACON_PERIOD_S, BEACON_RESERVED_US } from '../../sim/lorawan/class-b.ts';
import type { DeviceTypePlan } from '../../sim/plan/network-plan.ts';
import { Crowd, type SessionFacts } from '../forecast/crowd.ts';
import { type SessionForecast, sessionForecasts } from '../forecast/set-up.ts';
import { type Exchange, finishedAfter } from './command-exchange.ts';
import { RebuildingShares } from './redundancy.ts';

export interface CampaignForecast extends SessionForecast {
  readonly dataRate: number;
  readonly gateways: number;
  readonly nbFrag: number;
  /** Coded fragments. */
  readonly coded: number;
  /** From the beginning of the session until all is sent and the pause after it is over, s. */
  readonly sendingSeconds: number;
  /** Share of the members that have the image then, or after the repairs, 0…1. */
  readonly complete: number;
  /** The same of the members of each population. */
  readonly populations: readonly {
    readonly name: string;
    readonly devices: number;
    readonly complete: number;
  }[];
}

/** Fields of a campaign that its outcome depends on. */
interface Asked {
  readonly multicastSession?: 'classB' | 'classC';
  readonly pingSlotPeriodicity?: number;
  readonly acceptable_time_drift?: number;
  readonly sleep_after_frag_sent?: number;
  readonly individual_fragment_retransmit?: number;
  readonly automatic_retry_count?: number | null;
  readonly ignore_clock_rates?: boolean;
  readonly min_downlink_delay?: number;
}

/** Those whose image and group the plan has, in the order of their creation. */
export function campaignForecasts(plan: WorldPlan): readonly CampaignForecast[] {
  const { timeline } = plan;
  const crowd = new Crowd(plan);
  const sessions = [...sessionForecasts(plan)];
  const groups = new Map<
    string,
    { readonly devices: readonly string[]; readonly gateways: readonly string[] }
  >();
  const images = new Map<string, number>();
  const found: CampaignForecast[] = [];
  for (const { command } of timeline) {
    if (command.kind === 'deviceGroup.create' && command.id !== undefined) {
      const { devices = [], gateways = [] } = command.group;
      groups.set(command.id, { devices, gateways });
    }
    if (command.kind === 'image.create') images.set(command.name, command.bytes.length);
    if (command.kind !== 'campaign.create' && command.kind !== 'followUp.create') continue;
    const { campaign } = command;
    const group = groups.get(campaign.device_group_id);
    if (group === undefined) continue;
    const session = sessions.shift();
    const bytes = images.get(campaign.image_name);
    if (session === undefined || bytes === undefined) continue;
    const facts = crowd.sessionFacts(group.devices, group.gateways, campaign, bytes);
    found.push({ ...session, ...outcomeOf(facts, campaign as Asked, session) });
  }
  return found;
}

function outcomeOf(facts: SessionFacts, campaign: Asked, session: SessionForecast) {
  const { dataRate, nbFrag, coded, members, sites } = facts;
  const byPopulation = new Map<string, { devices: number; complete: number }>();
  const known = new Map<DeviceTypePlan, Map<number, number>>();
  const repairs = campaign.individual_fragment_retransmit ?? 0;
  const shares = new RebuildingShares(nbFrag, coded + repairs);
  for (const { type, heardFrom } of members) {
    const ofType = known.get(type) ?? new Map<number, number>();
    known.set(type, ofType);
    const share = heardFrom.reduce((sum, probability, senders) => {
      const known =
        ofType.get(senders) ?? completeShare(type, senders, facts, campaign, session, shares);
      ofType.set(senders, known);
      return sum + probability * known;
    }, 0);
    const sum = byPopulation.get(type.name) ?? { devices: 0, complete: 0 };
    byPopulation.set(type.name, sum);
    sum.devices++;
    sum.complete += share;
  }
  const populations = [...byPopulation].map(([name, { devices, complete }]) => {
    return { name, devices, complete: complete / devices };
  });
  const all = [...byPopulation.values()].reduce((sum, { complete }) => sum + complete, 0);
  return {
    dataRate,
    gateways: sites.length,
    nbFrag,
    coded,
    sendingSeconds: sendingUs(facts, campaign) / SECOND_US,
    complete: members.length === 0 ? 0 : all / members.length,
    populations,
  };
}

// ── how long ─────────────────────────────────────────────────────────────────────────────────────

/** What campaigns take where nothing is given, s. */
const ACCEPTABLE_DRIFT_S = 5;
const PAUSE_S = 30;

const marginUs = ({ acceptable_time_drift: drift = ACCEPTABLE_DRIFT_S }: Asked): number =>
  (drift + 1) * SECOND_US;

function sendingUs({ nbFrag, coded, delayUs, inSlots }: SessionFacts, campaign: Asked): number {
  const fragments = nbFrag + coded;
  const pauseUs = (campaign.sleep_after_frag_sent ?? PAUSE_S) * SECOND_US;
  if (!inSlots) return marginUs(campaign) + fragments * delayUs + pauseUs;
  const periodicity = campaign.pingSlotPeriodicity ?? choosePeriodicity(delayUs);
  const paceUs = inWholeSlots(delayUs, periodicity);
  // Around beacons no slot is used, and those behind them shift.
  const beaconUs = BEACON_PERIOD_S * SECOND_US;
  const clearUs = beaconUs - BEACON_RESERVED_US - BEACON_GUARD_US;
  return (fragments * paceUs * beaconUs) / clearUs + pauseUs;
}

// ── who has the image ────────────────────────────────────────────────────────────────────────────

/** Exchanges of the set-up: clock, group, fragmentation session, multicast session. */
const SET_UP_EXCHANGES = 4;
/** A message with its windows keeps a radio from fragments for about this long, µs. */
const BUSY_US = 400_000;

function completeShare(
  type: DeviceTypePlan,
  heardFrom: number,
  facts: SessionFacts,
  campaign: Asked,
  session: SessionForecast,
  shares: RebuildingShares,
): number {
  const { nbFrag, coded, airtimeUs, delayUs } = facts;
  if (heardFrom === 0) return 0;
  const frameLoss = type.frameLossPpm / MILLION;
  const isSilent = type.traffic.inSessions !== undefined;
  const deaf = isSilent ? 0 : Math.min(1, (BUSY_US + 2 * airtimeUs) / periodOf(type));
  const lost = 1 - (1 - frameLoss) * (1 - deaf);
  let loss = 1;
  for (let copy = 0; copy < heardFrom; copy++) loss *= lost;
  const repairs = campaign.individual_fragment_retransmit ?? 0;
  const lates = latenesses(type, campaign, session);
  const rounds = 1 + (campaign.automatic_retry_count ?? 0);
  const share = lates.reduce((sum, lateUs) => {
    const gone = Math.max(0, Math.floor((lateUs - marginUs(campaign)) / delayUs) + 1);
    return sum + rebuildingAfter(shares, nbFrag, coded + repairs - gone, gone, loss);
  }, 0);
  const setUp = setUpShare(type, session, frameLoss);
  const once = (setUp * share) / lates.length;
  return (1 - missAll(once, rounds)) * soundShare(type, rounds);
}

/** Probability that none of some rounds succeeds. */
function missAll(once: number, rounds: number): number {
  let missed = 1;
  for (let round = 0; round < Math.min(rounds, 10); round++) missed *= 1 - once;
  return missed;
}

/** With the first fragments gone, as many coded ones have to stand in for them. */
function rebuildingAfter(
  shares: RebuildingShares,
  nbFrag: number,
  left: number,
  gone: number,
  loss: number,
): number {
  return left < 0 || gone >= nbFrag ? 0 : shares.of(left, loss);
}

/** Clocks that are looked at, evenly spread over what their type has. */
const CLOCKS = 41;

/** A rate is measured in whole seconds: both ends are off by up to one, sd of the difference, s. */
const RATE_ROUNDING_S = 0.41;

/** With this pause or less a device's answer to a command fetches the next one, s. */
const AT_ONCE_S = 1;
const PAUSE_BETWEEN_COMMANDS_S = 5;

/**
 * By how much clocks of the type are late when the session begins, µs. The service measures one
 * that has lost enough from one uplink to the next (docs/decisions/0116), to whole seconds; nothing
 * where a device answers at once. The others have drifted since they were set right.
 */
function latenesses(type: DeviceTypePlan, campaign: Asked, session: SessionForecast): number[] {
  if (campaign.multicastSession === 'classB') return [0];
  const { beginsAtUs, createdAtUs, waitsUntilUs = createdAtUs } = session;
  const sinceUs = Math.max(0, beginsAtUs - waitsUntilUs - periodOf(type));
  const { ignore_clock_rates, min_downlink_delay = PAUSE_BETWEEN_COMMANDS_S } = campaign;
  const isLookedAt = ignore_clock_rates !== true && min_downlink_delay > AT_ONCE_S;
  const roundingUs = (RATE_ROUNDING_S * SECOND_US * sinceUs) / periodOf(type);
  const clocks = Array.from({ length: CLOCKS }, (_, at) => {
    const rate = ((2 * at) / (CLOCKS - 1) - 1) * (type.driftPpb / 1e9);
    const lostS = (Math.abs(rate) * periodOf(type)) / SECOND_US;
    const isMeasured = isLookedAt && lostS >= LEAST_LOSS_S;
    return isMeasured ? [-roundingUs, 0, roundingUs] : Array<number>(3).fill(rate * sinceUs);
  });
  return clocks.flat();
}

/** Share of devices that are set up before the session. */
function setUpShare(type: DeviceTypePlan, session: SessionForecast, frameLoss: number): number {
  if (type.deviceClass === 'C') return 1;
  const { beginsAtUs, createdAtUs, waitsUntilUs = createdAtUs } = session;
  const uplinks = Math.floor((beginsAtUs - waitsUntilUs) / periodOf(type));
  const heard = 1 - frameLoss;
  const exchange: Exchange = { heard, answered: heard * heard };
  return finishedAfter(SET_UP_EXCHANGES, exchange, uplinks);
}

/** Share of devices that do not fail by themselves for good. */
const soundShare = ({ failures = [] }: DeviceTypePlan, rounds: number): number =>
  failures.reduce((share, { model, sharePpm, times }) => {
    const isOfImage = model === 'badSignature' || model === 'wrongHardware';
    const isForGood = isOfImage || times === undefined || times >= rounds;
    return isForGood ? share * (1 - sharePpm / MILLION) : share;
  }, 1);

/** Mean time between two uplinks, µs. */
const periodOf = ({ traffic }: DeviceTypePlan): number =>
  traffic.process === 'none' ? DAY_US : Math.max(SECOND_US, traffic.meanUs);
