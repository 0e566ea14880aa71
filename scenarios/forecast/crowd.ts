/**
 * The devices and gateways of a plan, as far as the service's rules on a campaign depend on them
 * before anything was heard: their distance to the nearest gateway stands for what they will be
 * heard at.
 */
import { LONGEST_FRAG_SIZE } from '../../core/update-service/campaigns/commands.ts';
import { chooseFragSize } from '../../core/update-service/campaigns/plan.ts';
import { noRepairSentence } from '../../core/update-service/campaigns/repair.ts';
import type { SetUpFacts } from '../../core/update-service/campaigns/set-up-time.ts';
import { LEVEL_MARGIN_CENTI_DB } from '../../core/update-service/gateway-choice.ts';
import { HOUR_US } from '../../sim/base/units.ts';
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

/** Devices that are looked at to tell how all of them are heard. */
const SAMPLE = 200;

/** What a campaign says of the repair of its devices. */
interface Repaired {
  readonly individual_fragment_retransmit?: number;
  readonly frag_size?: number | null;
  readonly mcast_dr?: number | null;
  readonly multicastDataRate?: number | null;
}

export class Crowd {
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

  /**
   * Whether fragments are too long for RX2, as far as a plan shows it: at the data rate that the
   * campaign names, or else at that which the members' distances allow.
   */
  noRepair(devEuis: readonly string[], campaign: Repaired, imageBytes: number | undefined) {
    const { individual_fragment_retransmit: repairs = 0, frag_size } = campaign;
    const listeners = devEuis
      .flatMap((devEui) => this.#devices.get(devEui) ?? [])
      .filter((device) => this.#typeOf(device).deviceClass === 'C');
    if (repairs === 0 || imageBytes === undefined || listeners.length === 0) return {};
    const { rx2DataRate } = this.#network.server;
    const asked = campaign.multicastDataRate ?? campaign.mcast_dr ?? undefined;
    const dataRate = asked ?? this.#downlinkRateTo(listeners);
    const fragSize = frag_size ?? chooseFragSize(imageBytes, this.#mostFragment(dataRate));
    const most = this.#mostFragment(rx2DataRate);
    if (fragSize <= most) return {};
    return { noRepair: noRepairSentence(fragSize, rx2DataRate, most) };
  }

  /** Bytes of the longest fragment at a data rate. */
  #mostFragment(dataRate: number): number {
    const { server } = this.#network;
    const { dwellAtStart } = this.#channels.region;
    const dwell = server.txParamSetup?.downlinkDwell ?? dwellAtStart.downlink;
    const payload = this.#channels.mostBytes(dataRate, dwell) - FHDR_AND_FPORT_BYTES;
    return Math.min(payload - DATA_FRAGMENT_OVERHEAD, LONGEST_FRAG_SIZE);
  }

  /** The data rate at which a sample of devices is reached, as the service chooses it. */
  #downlinkRateTo(devices: readonly DevicePlan[]): number {
    const { radio, gateways } = this.#network;
    const weakest = this.#sampleOf(devices).reduce((least, device) => {
      const levels = gateways.map((gateway) => {
        const meters = distance(device, gateway);
        const lossCentiDb = Math.round(100 * pathLossDb(radio.pathLoss, meters));
        return gateway.maxEirpCentiDbm - lossCentiDb;
      });
      return Math.min(least, Math.max(...levels));
    }, Number.POSITIVE_INFINITY);
    return this.#channels.fastestAbove(weakest - LEVEL_MARGIN_CENTI_DB, false);
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
      rx2Share: this.#shareAt(server.rx2FrequencyHz ?? this.#channels.rx2FrequencyHz),
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
