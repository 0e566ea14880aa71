/**
 * When the session of each campaign will begin, said before the run: the service's own rule
 * (docs/decisions/0012) on what the plan says of its members. Where that is not said, such as the
 * data rates that devices will join at, their distance to the nearest gateway stands for it.
 */

import { instantOf } from '../../core/base/instant.ts';
import { CAMPAIGN } from '../../core/update-service/campaigns/commands.ts';
import {
  commandsUs,
  type SetUpFacts,
  setUpUs,
  USUAL_TRIES,
  USUAL_TRY_US,
} from '../../core/update-service/campaigns/set-up-time.ts';
import {
  type AirUse,
  type OtherUse,
  placeSession,
} from '../../core/update-service/campaigns/shared-air.ts';
import type { WorldPlan } from '../../core/world/plan.ts';
import { MILLION, MILLISECOND_US } from '../../sim/base/units.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { Crowd, type DriftForecast } from './crowd.ts';

export interface SessionForecast {
  readonly campaign: string;
  readonly members: number;
  /** The campaign that it follows, whose session begins no later than this one is created. */
  readonly after?: string;
  /** When the campaign is created, and about when its multicast session begins, µs. */
  readonly createdAtUs: number;
  readonly beginsAtUs: number;
  /** It starts no earlier than this, where that is later than its creation, µs. */
  readonly waitsUntilUs?: number;
  /** How long gateways need for the set-up commands, µs: what is above is waiting for uplinks. */
  readonly commandsUs: number;
  /** Someone has said when the session is to begin. */
  readonly isGiven: boolean;
  /** The campaign whose session it follows, since they need the same air. */
  readonly behind?: string;
  /** The campaign whose session it meets, since its own time is given; and what would do, s. */
  readonly meets?: { readonly campaign: string; readonly enoughS: number };
  /** Why what class C devices lack is not sent to them again, though the campaign asks for it. */
  readonly noRepair?: string;
  /** Absent where clocks hold between two uplinks. */
  readonly drift?: DriftForecast;
  /** A data rate of RX2 with which it begins much earlier; absent where there is none. */
  readonly faster?: { readonly rx2DataRate: number; readonly beginsAtUs: number };
}

const USUAL_TRY_S = USUAL_TRY_US / MILLION;

const ACCEPTABLE_DRIFT_S = CAMPAIGN.acceptable_time_drift.default;

/** Slower than the fastest is worth trying where the session begins in half the time. */
const MUCH_EARLIER = 0.5;

/** Of every campaign that the plan begins, in the order of their times. */
export function sessionForecasts(plan: WorldPlan): readonly SessionForecast[] {
  const { network, timeline } = plan;
  const groups = new Map(
    timeline.flatMap(({ command }) =>
      command.kind === 'deviceGroup.create' && command.id !== undefined
        ? [[command.id, command.group] as const]
        : [],
    ),
  );
  const crowd = new Crowd(plan);
  const bytesOf = new Map(
    timeline.flatMap(({ command }) =>
      command.kind === 'image.create' ? [[command.name, command.bytes.length] as const] : [],
    ),
  );
  /** By the ids of their campaigns. */
  const known = new Map<string, SessionForecast>();
  const placed: Placed[] = [];
  return timeline.flatMap(({ atUs, command }): readonly SessionForecast[] => {
    if (command.kind !== 'campaign.create' && command.kind !== 'followUp.create') return [];
    const { campaign, id = '' } = command;
    const group = groups.get(campaign.device_group_id);
    if (group === undefined) return [];
    const earlier = command.kind === 'followUp.create' ? known.get(command.after) : undefined;
    const createdAtUs = earlier?.beginsAtUs ?? atUs;
    const startsAtUs = startOf(campaign.scheduled_start_at, network, createdAtUs);
    // 0 and null mean that the service determines it.
    const given = campaign.multicast_setup_time || undefined;
    const facts = crowd.factsOf(group.devices ?? [], group.gateways ?? []);
    const inTurn = given === undefined ? inTurnUs(campaign, facts) : undefined;
    const begins = (rate: SetUpFacts) =>
      startsAtUs + (given === undefined ? (inTurn ?? setUpUs(rate)) : given * MILLION);
    const name = campaign.name ?? campaign.image_name;
    const imageBytes = bytesOf.get(campaign.image_name);
    const use =
      imageBytes === undefined
        ? undefined
        : crowd.airUse(group.devices ?? [], group.gateways ?? [], campaign, imageBytes);
    const soonestUs = begins(facts);
    const members = new Set(group.devices);
    const at = use && { use, members, soonestUs, startsAtUs, mayWait: given === undefined };
    const { shiftUs, ...about } = at ? placedAmong(placed, name, at) : { shiftUs: 0 };
    const session: SessionForecast = {
      campaign: name,
      members: facts.atAnyTime + sum(facts.inWindows.values()),
      ...(earlier && { after: earlier.campaign }),
      createdAtUs,
      ...(startsAtUs > createdAtUs && { waitsUntilUs: startsAtUs }),
      beginsAtUs: soonestUs + shiftUs,
      ...about,
      commandsUs: commandsUs(facts),
      isGiven: given !== undefined,
      ...crowd.noRepair(group.devices ?? [], campaign, bytesOf.get(campaign.image_name)),
      ...crowd.clockDrift(
        group.devices ?? [],
        campaign.acceptable_time_drift ?? ACCEPTABLE_DRIFT_S,
        campaign.ignore_clock_rates ?? CAMPAIGN.ignore_clock_rates.default,
      ),
      ...(given === undefined && inTurn === undefined && fasterOf(crowd, facts, startsAtUs)),
    };
    known.set(id, session);
    return [session];
  });
}

/** Of a campaign whose steps follow each other; seconds. */
interface InTurn {
  readonly set_up_in_turn?: boolean;
  readonly set_up_waits?: boolean;
  readonly set_up_interval?: number | null;
  readonly set_up_tries?: number | null;
  readonly session_delay?: number | null;
  readonly skip_clock_sync?: boolean;
}

/**
 * The longest time to a session that follows a set-up in turn: each step waits for an uplink of the
 * slowest member, or for the time of a try. Undefined: it is none.
 */
function inTurnUs(campaign: InTurn, { silenceUs }: SetUpFacts): number | undefined {
  if (campaign.set_up_in_turn !== true) return undefined;
  const tryUs = (campaign.set_up_interval ?? USUAL_TRY_S) * MILLION;
  const tries = campaign.set_up_tries ?? USUAL_TRIES;
  const steps = campaign.skip_clock_sync === true ? 2 : 3;
  const stepUs = campaign.set_up_waits === true ? tryUs : Math.min(silenceUs, tries * tryUs);
  const { session_delay: delayS } = campaign;
  return steps * stepUs + (delayS == null ? tries * tryUs : delayS * MILLION);
}

/** A session of a campaign, by name, and the devices that listen to it. */
interface Placed extends OtherUse<string> {
  readonly members: ReadonlySet<string>;
}

interface Wanted {
  readonly members: ReadonlySet<string>;
  readonly use: (beginsAtUs: number) => AirUse;
  readonly soonestUs: number;
  readonly startsAtUs: number;
  readonly mayWait: boolean;
}

/**
 * Where a session has room among those before it, by the service's own rules. A campaign whose
 * devices still listen to another one begins, with its set-up, when that session is over.
 */
function placedAmong(
  placed: Placed[],
  ownerId: string,
  { use, members, soonestUs, startsAtUs, mayWait }: Wanted,
): { readonly shiftUs: number } & Pick<SessionForecast, 'behind' | 'meets'> {
  const busy = placed.filter((other) => shareOne(members, other.members));
  const last = busy.reduce<Placed | undefined>(
    (latest, one) => (latest !== undefined && latest.endsAtUs >= one.endsAtUs ? latest : one),
    undefined,
  );
  const waitsUs = Math.max(0, (last?.endsAtUs ?? 0) - startsAtUs);
  const wanted = (shiftUs: number) => use(soonestUs + waitsUs + shiftUs);
  const place = placeSession(wanted, placed, mayWait);
  const shiftUs = waitsUs + place.shiftUs;
  const { against, behind = waitsUs > 0 ? last?.owner : undefined } = place;
  const free = against === undefined ? 0 : placeSession(wanted, placed, true).shiftUs;
  placed.push({ ...wanted(place.shiftUs), owner: ownerId, members });
  if (against === undefined) return behind === undefined ? { shiftUs } : { shiftUs, behind };
  const enoughS = Math.ceil((soonestUs + free - startsAtUs) / MILLION);
  return { shiftUs, meets: { campaign: against, enoughS } };
}

const shareOne = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  [...some].some((one) => others.has(one));

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((a, b) => a + b, 0);

const startOf = (
  scheduled: string | null | undefined,
  { startUnixMs }: NetworkPlan,
  atUs: number,
): number =>
  scheduled === undefined || scheduled === null
    ? atUs
    : Math.max(atUs, (instantOf(scheduled) - startUnixMs) * MILLISECOND_US);

/** The slowest data rate of RX2 with which the session begins in half the time. */
function fasterOf(crowd: Crowd, facts: SetUpFacts, startsAtUs: number) {
  const slowUs = setUpUs(facts);
  for (let rx2DataRate = facts.rx2DataRate + 1; crowd.hasRate(rx2DataRate); rx2DataRate++) {
    const needsUs = setUpUs({ ...facts, rx2DataRate });
    if (needsUs <= MUCH_EARLIER * slowUs) {
      return { faster: { rx2DataRate, beginsAtUs: startsAtUs + needsUs } };
    }
  }
  return {};
}
