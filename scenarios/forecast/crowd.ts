/**
 * The devices and gateways of a plan, as far as the service's rules on a campaign depend on them
 * before anything was heard: their distance to the nearest gateway stands for what they will be
 * heard at.
 */
import { groupedBy } from '../../core/base/grouped.ts';
import { OwnedRuns } from '../../core/base/owned-runs.ts';
import { LARGEST_RATE_PERCENT } from '../../core/update-service/campaigns/clock-rate.ts';
import { LONGEST_FRAG_SIZE } from '../../core/update-service/campaigns/commands.ts';
import {
  type AskedPace,
  askedPaceUs,
  type LeastPace,
  notBelowUs,
} from '../../core/update-service/campaigns/pace.ts';
import { chooseFragSize, shortestDelayUs } from '../../core/update-service/campaigns/plan.ts';
import { noRepairSentence } from '../../core/update-service/campaigns/repair.ts';
import {
  FRAME_OVERHEAD_BYTES,
  type SetUpFacts,
} from '../../core/update-service/campaigns/set-up-time.ts';
import type { AirUse } from '../../core/update-service/campaigns/shared-air.ts';
import { LEVEL_MARGIN_CENTI_DB } from '../../core/update-service/gateway-choice.ts';
import type { WorldPlan } from '../../core/world/plan.ts';
import { pow } from '../../sim/base/math.ts';
import { HOUR_US, MILLION, SECOND_US } from '../../sim/base/units.ts';
import { fragmentCount } from '../../sim/lorawan/fragmentation-code.ts';
import { DATA_FRAGMENT_OVERHEAD } from '../../sim/lorawan/packages/ts004-fragmentation.ts';
import { FHDR_AND_FPORT_BYTES } from '../../sim/lorawan/region.ts';
import { declaredPauseUs } from '../../sim/plan/declared-pause.ts';
import type {
  DevicePlan,
  DeviceTypePlan,
  GatewayPlan,
  NetworkPlan,
} from '../../sim/plan/network-plan.ts';
import { pathLossDb } from '../../sim/radio/propagation.ts';
import { ChannelPlan } from '../../sim/spectrum/channel-plan.ts';
import { drawnSenders } from './senders.ts';
import { anyOf, countsOf, reaches } from './shadowing.ts';

/** Devices that are looked at to tell how all of them are heard. */
const SAMPLE = 200;

/** What a campaign says of the repair of its devices. */
interface Repaired {
  readonly individual_fragment_retransmit?: number;
  readonly frag_size?: number | null;
  readonly frag_sizes?: readonly number[];
  readonly frag_size_multiple?: number | null;
  readonly mcast_dr?: number | null;
  readonly multicastDataRate?: number | null;
}

/** What it says of its fragments. */
interface Fragmented extends Repaired {
  readonly mcast_freq?: number | null;
  readonly redundancy?: number;
  readonly redundancy_most?: number | null;
  readonly frag_send_least?: number | null;
  readonly frag_send_after_report?: boolean;
  readonly frag_send_grid?: number | null;
  readonly frag_send_delay?: number | null;
  readonly frag_send_airtimes?: number | null;
  readonly frag_send_per_gateway?: boolean;
  readonly frag_airtime_rough?: boolean;
  readonly gateway_timing?: 'staggered' | 'simultaneous';
  readonly multicastSession?: 'classB' | 'classC';
}

/** The same in the units of the world. */
const paceOf = (campaign: Fragmented): AskedPace => ({
  frag_send_delay: campaign.frag_send_delay == null ? null : campaign.frag_send_delay * SECOND_US,
  frag_send_airtimes: campaign.frag_send_airtimes ?? null,
  frag_send_per_gateway: campaign.frag_send_per_gateway ?? false,
  frag_airtime_rough: campaign.frag_airtime_rough ?? false,
});

const leastOf = (campaign: Fragmented): LeastPace => ({
  frag_send_least: campaign.frag_send_least == null ? null : campaign.frag_send_least * SECOND_US,
  frag_send_after_report: campaign.frag_send_after_report ?? false,
  frag_send_grid: campaign.frag_send_grid == null ? null : campaign.frag_send_grid * SECOND_US,
});

/** In plans with 500 kHz downlinks, lower indexes belong to uplinks (RP002-1.0.4, US915, AU915). */
const LOWEST_WIDE = 8;

/** A session and who listens to it, as a plan shows it. */
export interface SessionFacts {
  readonly sites: AirUse['sites'];
  readonly frequencyHz: number;
  readonly dataRate: number;
  readonly delayUs: number;
  readonly airtimeUs: number;
  readonly turns: number;
  readonly inSlots: boolean;
  readonly nbFrag: number;
  /** Coded fragments. */
  readonly coded: number;
  /** Of each member: its type, and the probabilities that it hears 0, 1, 2 … senders. */
  readonly members: readonly {
    readonly type: DeviceTypePlan;
    readonly heardFrom: readonly number[];
  }[];
}

/** The usual redundancy of a campaign. */
const REDUNDANCY = 0.3;

/** Clocks of members that the service can neither set right nor expect to be wrong. */
export interface DriftForecast {
  /** About how many members. */
  readonly devices: number;
  /** By how much the worst of them is off after its pause, s. */
  readonly offS: number;
  readonly acceptableS: number;
  readonly ratesAreIgnored: boolean;
}

export class Crowd {
  readonly #network: NetworkPlan;
  readonly #ownersOfDevices: OwnedRuns;
  readonly #ownersOfGateways: OwnedRuns;
  readonly #channels: ChannelPlan;
  readonly #devices: ReadonlyMap<string, DevicePlan>;

  constructor({ network, owners }: Pick<WorldPlan, 'network' | 'owners'>) {
    this.#network = network;
    const { devices = [], gateways = [] } = owners ?? {};
    this.#ownersOfDevices = new OwnedRuns(devices);
    this.#ownersOfGateways = new OwnedRuns(gateways);
    this.#channels = new ChannelPlan(network);
    this.#devices = new Map(network.devices.map((device) => [device.devEui, device]));
  }

  hasRate(dataRate: number): boolean {
    return dataRate <= this.#channels.fastestDataRate;
  }

  /**
   * Whether fragments are too long for RX2, as far as a plan shows it: at the data rate that the
   * campaign names, or else at that which the members' distances allow.
   */
  noRepair(devEuis: readonly string[], campaign: Repaired, imageBytes: number | undefined) {
    const { individual_fragment_retransmit: repairs = 0 } = campaign;
    const listeners = devEuis
      .flatMap((devEui) => this.#devices.get(devEui) ?? [])
      .filter((device) => this.#typeOf(device).deviceClass === 'C');
    if (repairs === 0 || imageBytes === undefined || listeners.length === 0) return {};
    const { rx2DataRate } = this.#network.server;
    const asked = campaign.multicastDataRate ?? campaign.mcast_dr ?? undefined;
    const dataRate = asked ?? this.#downlinkRateTo(listeners);
    const fragSize = this.#fragSize(campaign, imageBytes, dataRate);
    const most = this.#mostFragment(rx2DataRate);
    if (fragSize <= most) return {};
    return { noRepair: noRepairSentence(fragSize, rx2DataRate, most) };
  }

  /**
   * A device that listens only after its uplinks is corrected at one, and checked at the next: its
   * clock, uniform in ± its drift, must hold for the pause between them, or drift so slowly that
   * the service believes its rate.
   */
  clockDrift(
    devEuis: readonly string[],
    acceptableS: number,
    ratesAreIgnored: boolean,
  ): { drift?: DriftForecast } {
    const believed = ratesAreIgnored ? 0 : LARGEST_RATE_PERCENT / 100;
    let [devices, worst] = [0, 0];
    for (const devEui of devEuis) {
      const device = this.#devices.get(devEui);
      if (device === undefined) continue;
      const { deviceClass, driftPpb, traffic } = this.#typeOf(device);
      if (deviceClass === 'C') continue;
      const pauseS = declaredPauseUs(traffic, device.name) / SECOND_US;
      const offS = (driftPpb / (1000 * MILLION)) * pauseS;
      const mostS = Math.max(acceptableS, believed * pauseS);
      if (offS > mostS) devices += 1 - mostS / offS;
      worst = Math.max(worst, offS);
    }
    if (Math.round(devices) === 0) return {};
    return {
      drift: { devices: Math.round(devices), offS: Math.ceil(worst), acceptableS, ratesAreIgnored },
    };
  }

  /**
   * The fragments of a session that begins at an instant, as far as a plan shows it: through the
   * gateways that are listed, or else through those that are nearest to the members.
   */
  airUse(
    devEuis: readonly string[],
    euis: readonly string[],
    campaign: Fragmented,
    imageBytes: number,
  ): (beginsAtUs: number) => AirUse {
    const facts = this.sessionFacts(devEuis, euis, campaign, imageBytes);
    const { sites, frequencyHz, dataRate, delayUs, airtimeUs, turns, inSlots } = facts;
    const fragments = facts.nbFrag + facts.coded;
    const pace = { delayUs, airtimeUs, turns, inSlots };
    return (beginsAtUs) => {
      const endsAtUs = beginsAtUs + (fragments + 1) * delayUs;
      return { sites, frequencyHz, dataRate, firstAtUs: beginsAtUs, endsAtUs, ...pace };
    };
  }

  /** What a session will be, as far as a plan shows it. */
  sessionFacts(
    devEuis: readonly string[],
    euis: readonly string[],
    campaign: Fragmented,
    imageBytes: number,
  ): SessionFacts {
    const members = devEuis.flatMap((devEui) => this.#devices.get(devEui) ?? []);
    const dataRate =
      campaign.multicastDataRate ?? campaign.mcast_dr ?? this.#downlinkRateTo(members);
    const given = campaign.mcast_freq ?? undefined;
    const frequencyHz = given === undefined ? this.#rx2Hz() : Math.round(given * MILLION);
    const fragSize = this.#fragSize(campaign, imageBytes, dataRate);
    const phyBytes = FRAME_OVERHEAD_BYTES + DATA_FRAGMENT_OVERHEAD + fragSize;
    const airtimeUs = this.#channels.downlinkAirtimeUs(dataRate, phyBytes);
    const share = this.#shareAt(frequencyHz);
    const inSlots = campaign.multicastSession === 'classB';
    const senders = this.#sendersTo(members, euis, { dataRate, inSlots });
    const sites = senders.map((gateway) => ({
      eui: gateway.eui,
      xMeters: gateway.xMeters,
      yMeters: gateway.yMeters,
      dutyCycle: gateway.dutyCycle ? share : 1,
    }));
    const turns = inSlots || campaign.gateway_timing === 'simultaneous' ? 1 : sites.length;
    const least = sites.reduce((least, { dutyCycle }) => Math.min(least, dutyCycle), 1);
    const { spreadingFactor, bandwidthHz } = this.#channels;
    const rate = {
      spreadingFactor: spreadingFactor[dataRate]!,
      bandwidthHz: bandwidthHz[dataRate]!,
    };
    const askedUs = askedPaceUs(paceOf(campaign), { airtimeUs, fragSize, turns, rate });
    const paceUs = askedUs ?? shortestDelayUs(airtimeUs, least, turns);
    const delayUs = notBelowUs(paceUs, leastOf(campaign), airtimeUs);
    const nbFrag = fragmentCount(imageBytes, fragSize);
    const wanted = Math.ceil(nbFrag * (campaign.redundancy ?? REDUNDANCY));
    const coded = Math.min(wanted, campaign.redundancy_most ?? wanted);
    const isAsked = (campaign.multicastDataRate ?? campaign.mcast_dr ?? null) !== null;
    const heardFrom = (device: DevicePlan) => {
      const counts = this.#sendersHeard(device, senders, dataRate);
      return this.#ofHeard(device, counts, isAsked);
    };
    const of = members.map((device) => ({
      type: this.#typeOf(device),
      heardFrom: heardFrom(device),
    }));
    const air = { sites, frequencyHz, dataRate, delayUs, airtimeUs, turns, inSlots };
    return { ...air, nbFrag, coded, members: of };
  }

  /** Senders whose fragments a device can hear at their data rate: probabilities of each number. */
  #sendersHeard(
    device: DevicePlan,
    senders: readonly GatewayPlan[],
    dataRate: number,
  ): readonly number[] {
    const { shadowingSigmaDb } = this.#network.radio;
    const sensitivity = this.#channels.deviceSensitivityCentiDbm[dataRate]!;
    const { antennaGainCentiDb } = this.#typeOf(device);
    const heard = senders.map((gateway) => {
      const level = this.#downlinkLevel(device, gateway) + antennaGainCentiDb;
      return reaches(level, sensitivity, shadowingSigmaDb);
    });
    return countsOf(heard);
  }

  /**
   * The same of a device that the service has to hear, too. A data rate that it chooses itself
   * reaches every device that it has heard; one that is asked for may not.
   */
  #ofHeard(device: DevicePlan, counts: readonly number[], isAsked: boolean): readonly number[] {
    const [none = 0, ...some] = counts;
    if (none === 1) return counts;
    const heard = this.#probabilityOfHearing(device);
    const all = isAsked ? Math.min(1 - none, heard) : heard;
    return [1 - all, ...some.map((share) => (share * all) / (1 - none))];
  }

  /** Probability that some gateway hears it at full power and the slowest data rate. */
  #probabilityOfHearing(device: DevicePlan): number {
    const { gateways, radio } = this.#network;
    const weakest = this.#channels.gatewaySensitivityCentiDbm[this.#channels.slowest(false)]!;
    return anyOf(
      gateways.map((gateway) => {
        return reaches(this.#uplinkLevel(device, gateway), weakest, radio.shadowingSigmaDb);
      }),
    );
  }

  /** 1/100 dBm at full power on the first channel, by distance alone. */
  #uplinkLevel(device: DevicePlan, gateway: GatewayPlan): number {
    const [{ band } = { band: 0 }] = this.#channels.channels;
    const eirp = this.#channels.uplinkEirp(this.#typeOf(device).maxEirpCentiDbm, 0, band);
    return eirp + gateway.antennaGainCentiDb - this.#loss(device, gateway);
  }

  /** What a gateway needs to hear it at its data rate, which the best level decides. */
  #sensitivityTo(device: DevicePlan, bestCentiDbm: number): number {
    const { dataRate } = this.#typeOf(device);
    const marginCentiDb = dataRate.from === 'link' ? dataRate.marginCentiDb : 0;
    const rate =
      dataRate.from === 'fixed'
        ? dataRate.dataRate
        : this.#channels.fastestAbove(bestCentiDbm - marginCentiDb, false);
    return this.#channels.gatewaySensitivityCentiDbm[rate]!;
  }

  /** 1/100 dBm in the sub-band of RX2, by distance alone. */
  #downlinkLevel(device: DevicePlan, gateway: GatewayPlan): number {
    const { maxEirpCentiDbm } = this.#channels.bands[this.#channels.bandOf(this.#rx2Hz())]!;
    const eirp = Math.min(gateway.maxEirpCentiDbm, maxEirpCentiDbm);
    return eirp - this.#loss(device, gateway);
  }

  #rx2Hz(): number {
    return this.#network.server.rx2FrequencyHz ?? this.#channels.rx2FrequencyHz;
  }

  #loss(device: DevicePlan, gateway: GatewayPlan): number {
    return Math.round(100 * pathLossDb(this.#network.radio.pathLoss, distance(device, gateway)));
  }

  /** Those that are listed, or those that the service's rule takes where shadows are drawn. */
  #sendersTo(
    members: readonly DevicePlan[],
    euis: readonly string[],
    { dataRate, inSlots }: { readonly dataRate: number; readonly inSlots: boolean },
  ): readonly GatewayPlan[] {
    const { radio } = this.#network;
    const gateways = this.#network.gateways.filter(({ gps }) => gps || !inSlots);
    const listed = gateways.filter(({ eui }) => euis.includes(eui));
    if (listed.length > 0 || gateways.length <= 1) return listed.length > 0 ? listed : gateways;
    const sensitivity = this.#channels.deviceSensitivityCentiDbm[dataRate]!;
    const asked = {
      levelCentiDbm: sensitivity + LEVEL_MARGIN_CENTI_DB,
      sigmaDb: radio.shadowingSigmaDb,
    };
    const levels = {
      downlinkCentiDbm: (device: DevicePlan, gateway: GatewayPlan) =>
        this.#downlinkLevel(device, gateway),
      uplinkCentiDbm: (device: DevicePlan, gateway: GatewayPlan) =>
        this.#uplinkLevel(device, gateway),
      sensitivityCentiDbm: (device: DevicePlan, best: number) => this.#sensitivityTo(device, best),
    };
    // Each owner's devices are served by gateways of its own.
    const byOwner = groupedBy(members, ({ devEui }) => this.#ownersOfDevices.ownerOf(devEui));
    const known = [...byOwner].flatMap(([owner, theirs]) => {
      const own = gateways.filter(({ eui }) => this.#ownersOfGateways.ownerOf(eui) === owner);
      return [...drawnSenders(theirs, own.length > 0 ? own : gateways, levels, asked)];
    });
    return gateways.filter(({ eui }) => known.includes(eui));
  }

  /** Bytes of a fragment, as the campaign has them. */
  #fragSize(
    { frag_size, frag_sizes = [], frag_size_multiple }: Repaired,
    imageBytes: number,
    dataRate: number,
  ): number {
    const asked = frag_size ?? frag_sizes[dataRate];
    const most = this.#mostFragment(dataRate);
    return asked ?? chooseFragSize(imageBytes, most, frag_size_multiple ?? 1);
  }

  /** Bytes of the longest fragment at a data rate. */
  #mostFragment(dataRate: number): number {
    const { server } = this.#network;
    const { dwellAtStart } = this.#channels.region;
    const dwell = server.txParamSetup?.downlinkDwell ?? dwellAtStart.downlink;
    const payload = this.#channels.mostBytes(dataRate, dwell) - FHDR_AND_FPORT_BYTES;
    return Math.min(payload - DATA_FRAGMENT_OVERHEAD, LONGEST_FRAG_SIZE);
  }

  /**
   * The data rate that the service most probably chooses: the fastest at which more likely than
   * not all devices that it hears are reached with its margin, as a sample of them shows.
   */
  #downlinkRateTo(devices: readonly DevicePlan[]): number {
    const { radio, gateways } = this.#network;
    const sample = this.#sampleOf(devices).map((device) => ({
      levels: gateways.map((gateway) => this.#downlinkLevel(device, gateway)),
      heard: this.#probabilityOfHearing(device),
    }));
    const times = devices.length / Math.max(1, sample.length);
    const rates = this.#downlinkRates();
    const reached = rates.find((rate) => {
      const needed = this.#channels.deviceSensitivityCentiDbm[rate]! + LEVEL_MARGIN_CENTI_DB;
      const all = sample.reduce((product, { levels, heard }) => {
        const here = anyOf(levels.map((level) => reaches(level, needed, radio.shadowingSigmaDb)));
        return product * (1 - Math.max(0, heard - here));
      }, 1);
      return pow(all, times) >= 0.5;
    });
    return reached ?? rates.at(-1) ?? this.#network.server.rx2DataRate;
  }

  /** Data rates of RX2's bandwidth that carry fragments, the fastest first. */
  #downlinkRates(): readonly number[] {
    const { bandwidthHz, spreadingFactor } = this.#channels;
    const { rx2DataRate } = this.#network.server;
    const least = rx2DataRate >= LOWEST_WIDE ? LOWEST_WIDE : 0;
    return bandwidthHz
      .flatMap((hz, rate) => (hz === bandwidthHz[rx2DataRate] && rate >= least ? [rate] : []))
      .filter((rate) => this.#mostFragment(rate) > 0)
      .sort((a, b) => spreadingFactor[a]! - spreadingFactor[b]! || b - a);
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
        (most, one) => Math.max(most, declaredPauseUs(this.#typeOf(one).traffic, one.name)),
        0,
      ),
      rx2DataRate: server.rx2DataRate,
      rx2Share: this.#shareAt(this.#rx2Hz()),
      shares: (share) => free + (gateways.length - free) * share,
      airtimeUs: (dataRate, bytes) => this.#channels.downlinkAirtimeUs(dataRate, bytes),
    };
  }

  /** How many there are at each data rate, as a sample shows. */
  #rates(members: readonly DevicePlan[]): ReadonlyMap<number, number> {
    const sample = this.#sampleOf(members);
    const found = new Map<number, number>();
    for (const member of sample) {
      const rate = this.#rateOf(member);
      found.set(rate, (found.get(rate) ?? 0) + members.length / sample.length);
    }
    return found;
  }

  #sampleOf(members: readonly DevicePlan[]): readonly DevicePlan[] {
    const step = Math.max(1, Math.floor(members.length / SAMPLE));
    return members.filter((_, i) => i % step === 0);
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

const distance = (
  { xMeters, yMeters }: DevicePlan,
  gateway: Pick<GatewayPlan, 'xMeters' | 'yMeters'>,
): number => {
  const [east, north] = [xMeters - gateway.xMeters, yMeters - gateway.yMeters];
  return Math.sqrt(east * east + north * north);
};
