/** How many gateways hear a device, and how many it has a link to, as a plan shows it. */
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { pathLossDb } from '../../sim/radio/propagation.ts';
import { ChannelPlan } from '../../sim/spectrum/channel-plan.ts';

/** Pairs of a device and a gateway that are looked at, about. */
const PAIRS = 50_000;
/** Devices of the sample at most. */
const SAMPLE = 50;

export interface LinkForecast {
  /** Gateways of a device on average: those with a link to it, and those that may hear it. */
  readonly links: number;
  readonly heardBy: number;
}

export function linkForecast(network: NetworkPlan): LinkForecast {
  const { devices, gateways, deviceTypes, radio } = network;
  if (devices.length === 0 || gateways.length === 0) return { links: 0, heardBy: 0 };
  const channels = new ChannelPlan(network);
  const weakest = channels.gatewayNoticesCentiDbm[channels.slowest(false)]!;
  const size = Math.min(SAMPLE, Math.max(1, Math.floor(PAIRS / gateways.length)));
  const step = Math.ceil(devices.length / size);
  const sample = devices.filter((_, at) => at % step === 0);
  let [links, heardBy] = [0, 0];
  for (const { type, xMeters, yMeters } of sample) {
    const { maxEirpCentiDbm } = deviceTypes[type]!;
    for (const gateway of gateways) {
      const [east, north] = [xMeters - gateway.xMeters, yMeters - gateway.yMeters];
      const meters = Math.max(1, Math.sqrt(east * east + north * north));
      const lossCentiDb = 100 * pathLossDb(radio.pathLoss, meters);
      const level = maxEirpCentiDbm + gateway.antennaGainCentiDb - lossCentiDb;
      if (level >= radio.ignoredBelowCentiDbm) links++;
      if (level >= weakest) heardBy++;
    }
  }
  return { links: links / sample.length, heardBy: heardBy / sample.length };
}
