/**
 * When the session of each campaign will begin, said before the run: the service's own rule
 * (docs/decisions/0012) on what the plan says of its members. Where that is not said, such as the
 * data rates that devices will join at, their distance to the nearest gateway stands for it.
 */

import { instantOf } from '../../core/base/instant.ts';
import {
  commandsUs,
  type SetUpFacts,
  setUpUs,
} from '../../core/update-service/campaigns/set-up-time.ts';
import type { WorldPlan } from '../../core/world/plan.ts';
import { HOUR_US, MILLION, MILLISECOND_US } from '../../sim/base/units.ts';
import type {
  DevicePlan,
  DeviceTypePlan,
  GatewayPlan,
  NetworkPlan,
} from '../../sim/plan/network-plan.ts';
import { pathLossDb } from '../../sim/radio/propagation.ts';
import { ChannelPlan } from '../../sim/spectrum/channel-plan.ts';

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
  /** A data rate of RX2 with which it begins much earlier; absent where there is none. */
  readonly faster?: { readonly rx2DataRate: number; readonly beginsAtUs: number };
}

/** Devices that are looked at to tell how all of them are heard. */
const SAMPLE = 200;
/** Half of the devices with random pauses are silent for no longer than so many means. */
const EXPONENTIAL_SILENCES = 3;
/** Slower than the fastest is worth trying where the session begins in half the time. */
const MUCH_EARLIER = 0.5;

/** Of every campaign that the plan begins, in the order of their times. */
export function sessionForecasts({ network, timeline }: WorldPlan): readonly SessionForecast[] {
  const groups = new Map(
    timeline.flatMap(({ command }) =>
      command.kind === 'deviceGroup.create' && command.id !== undefined
        ? [[command.id, command.group] as const]
        : [],
    ),
  );
  const crowd = new Crowd(network);
  /** By the ids of their campaigns. */
  const known = new Map<string, SessionForecast>();
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
    const begins = (rate: SetUpFacts) =>
      startsAtUs + (given === undefined ? setUpUs(rate) : given * MILLION);
    const session: SessionForecast = {
      campaign: campaign.name ?? campaign.image_name,
      members: facts.atAnyTime + sum(facts.inWindows.values()),
      ...(earlier && { after: earlier.campaign }),
      createdAtUs,
      ...(startsAtUs > createdAtUs && { waitsUntilUs: startsAtUs }),
      beginsAtUs: begins(facts),
      commandsUs: commandsUs(facts),
      isGiven: given !== undefined,
      ...(given === undefined && fasterOf(crowd, facts, startsAtUs)),
    };
    known.set(id, session);
    return [session];
  });
}

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

/** The devices and gateways of a plan, as the set-up of a group depends on them. */
class Crowd {
  readonly #network: NetworkPlan;
  readonly #channels: ChannelPlan;
  readonly #devices: ReadonlyMap<string, DevicePlan>;

  constructor(network: NetworkPlan) {
    this.#network = network;
    this.#channels = new ChannelPlan(network);
    this.#devices = new Map(network.devices.map((device) => [device.devEui, device]));
  }

  hasRate(dataRate: number): boolean {
    return dataRate <= this.#channels.fastestDataRate;
  }

  factsOf(devEuis: readonly string[], euis: readonly string[]): SetUpFacts {
    const { server, gateways: all } = this.#network;
    const members = devEuis.flatMap((devEui) => this.#devices.get(devEui) ?? []);
    const listed = all.filter(({ eui }) => euis.includes(eui));
    const gateways = listed.length > 0 ? listed : all;
    const inWindows = members.filter((member) => this.#typeOf(member).deviceClass !== 'C');
    const free = gateways.filter(({ dutyCycle }) => !dutyCycle).length;
    return {
      inWindows: this.#rates(inWindows),
      atAnyTime: members.length - inWindows.length,
      silenceUs: inWindows.reduce(
        (most, one) => Math.max(most, silenceUs(this.#typeOf(one), one)),
        0,
      ),
      rx2DataRate: server.rx2DataRate,
      rx2Share: this.#shareAt(server.rx2FrequencyHz ?? this.#channels.rx2FrequencyHz),
      shares: (share) => free + (gateways.length - free) * share,
      airtimeUs: (dataRate, bytes) => this.#channels.downlinkAirtimeUs(dataRate, bytes),
    };
  }

  /** How many there are at each data rate, as a sample shows. */
  #rates(members: readonly DevicePlan[]): ReadonlyMap<number, number> {
    const step = Math.max(1, Math.floor(members.length / SAMPLE));
    const sample = members.filter((_, i) => i % step === 0);
    const found = new Map<number, number>();
    for (const member of sample) {
      const rate = this.#rateOf(member);
      found.set(rate, (found.get(rate) ?? 0) + members.length / sample.length);
    }
    return found;
  }

  #rateOf(device: DevicePlan): number {
    const { dataRate, maxEirpCentiDbm } = this.#typeOf(device);
    if (dataRate.from === 'fixed') return dataRate.dataRate;
    const { radio, gateways } = this.#network;

    const levels = gateways.map((gateway) => {
      const meters = distance(device, gateway);
      const lossCentiDb = Math.round(100 * pathLossDb(radio.pathLoss, meters));
      return maxEirpCentiDbm + gateway.antennaGainCentiDb - lossCentiDb;
    });
    return this.#channels.fastestAbove(Math.max(...levels), false);
  }

  #shareAt(frequencyHz: number): number {
    const band = this.#channels.bandOf(frequencyHz);
    return this.#channels.bands[band]!.budgetUs / HOUR_US;
  }

  #typeOf({ type }: DevicePlan): DeviceTypePlan {
    return this.#network.deviceTypes[type]!;
  }
}

/** How long a device is silent at most, as a rule, µs. */
function silenceUs({ traffic }: DeviceTypePlan, { name }: DevicePlan): number {
  const { process, meanUs, jitterPpm, listed } = traffic;
  if (listed !== undefined) return longestPauseUs(listed[name]?.atUs ?? []) ?? meanUs;
  if (process === 'none') return 0;
  if (process === 'exponential') return EXPONENTIAL_SILENCES * meanUs;
  return meanUs * (1 + jitterPpm / MILLION);
}

/** Between messages of a list; undefined of fewer than two. */
function longestPauseUs(atUs: readonly number[]): number | undefined {
  const pauses = atUs.slice(1).map((at, i) => at - atUs[i]!);
  return pauses.length === 0 ? undefined : pauses.reduce((most, one) => Math.max(most, one));
}

const distance = (
  { xMeters, yMeters }: DevicePlan,
  gateway: Pick<GatewayPlan, 'xMeters' | 'yMeters'>,
): number => {
  const [east, north] = [xMeters - gateway.xMeters, yMeters - gateway.yMeters];
  return Math.sqrt(east * east + north * north);
};
