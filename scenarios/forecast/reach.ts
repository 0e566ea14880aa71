/**
 * What a plan shows before a run: devices that no gateway can hear by their distance alone, and
 * things that stand thousands of kilometres from all others.
 */
import type { DevicePlan, GatewayPlan, NetworkPlan } from '../../sim/plan/network-plan.ts';
import { pathLossDb } from '../../sim/radio/propagation.ts';
import { ChannelPlan } from '../../sim/spectrum/channel-plan.ts';

/** Devices of a population that are looked at; of more, every n-th. */
const SAMPLE = 500;
/** Standard deviations of shadowing by which a link may be better than its distance says. */
const LUCKY_SIGMAS = 3;
/** Nothing in one network stands so far from the middle of all. */
const FAR_METERS = 1_000_000;

type Place = Pick<DevicePlan, 'name' | 'xMeters' | 'yMeters'>;

/** A sentence for each population with devices out of reach, and one for what stands far off. */
export function reachWarnings(network: NetworkPlan): string[] {
  if (network.gateways.length === 0 || network.devices.length === 0) return [];
  return [...unreached(network), ...farOff(network)];
}

function unreached(network: NetworkPlan): string[] {
  const { devices, gateways, deviceTypes, radio } = network;
  if (radio.reception.model === 'off') return [];
  const channels = new ChannelPlan(network);
  const weakest = channels.gatewayNoticesCentiDbm[channels.slowest(false)]!;
  const luckyCentiDb = 100 * LUCKY_SIGMAS * radio.shadowingSigmaDb;
  const names = [...new Set(deviceTypes.map(({ name }) => name))];
  return names.flatMap((name) => {
    const all = devices.filter(({ type }) => deviceTypes[type]!.name === name);
    const sample = everyNth(all, SAMPLE);
    const isHeard = (device: DevicePlan, meters: number, { antennaGainCentiDb }: GatewayPlan) => {
      const { maxEirpCentiDbm } = deviceTypes[device.type]!;
      const lossCentiDb = 100 * pathLossDb(radio.pathLoss, Math.max(meters, 1));
      return maxEirpCentiDbm - lossCentiDb + antennaGainCentiDb + luckyCentiDb >= weakest;
    };
    const out = sample.flatMap((device) => {
      const nearest = nearestTo(device, gateways);
      return isHeard(device, nearest.meters, nearest.gateway) ? [] : [{ device, nearest }];
    });
    const [first] = out;
    if (first === undefined) return [];
    const about = sample.length < all.length ? 'about ' : '';
    const count = Math.round((out.length / sample.length) * all.length);
    return [
      `${name}: ${about}${count} of ${all.length} devices have no gateway in reach; ` +
        `${first.device.name} is ${distanceInWords(first.nearest.meters)} from the nearest, ` +
        `${first.nearest.gateway.name}; ${mendedBy(
          out.map(({ device }) => device),
          (device, meters) => isHeard(device, meters, first.nearest.gateway),
          all.length / sample.length,
        )}`,
    ];
  });
}

/** Places that are looked at for one more gateway. */
const PLACES = 40;

/** The line of a gateway that reaches most of these devices, and how many those are. */
function mendedBy(
  out: readonly DevicePlan[],
  hears: (device: DevicePlan, meters: number) => boolean,
  times: number,
): string {
  let [best, most] = [out[0]!, 0];
  for (const place of everyNth(out, PLACES)) {
    const reached = out.filter((device) =>
      hears(device, distance(device, place.xMeters, place.yMeters)),
    ).length;
    if (reached > most) [best, most] = [place, reached];
  }
  const [x, y] = [best.xMeters, best.yMeters].map((meters) => `${Math.round(meters)} m`);
  const about = Math.round(most * times);
  return (
    `one more gateway would reach about ${about} of them: ` +
    `- { name: more, placement: [[${x}, ${y}]] }`
  );
}

function nearestTo(device: Place, gateways: readonly GatewayPlan[]) {
  let [gateway, meters] = [gateways[0]!, Number.POSITIVE_INFINITY];
  for (const one of gateways) {
    const apart = distance(device, one.xMeters, one.yMeters);
    if (apart < meters) [gateway, meters] = [one, apart];
  }
  return { gateway, meters };
}

/** The farthest from the middle of all, where it is very far. */
function farOff({ devices, gateways }: NetworkPlan): string[] {
  const all: readonly Place[] = [...gateways, ...devices];
  const [x, y] = [median(all.map((one) => one.xMeters)), median(all.map((one) => one.yMeters))];
  const fromMiddle = (one: Place) => distance(one, x, y);
  const far = all.filter((one) => fromMiddle(one) > FAR_METERS);
  const [first] = far.toSorted((a, b) => fromMiddle(b) - fromMiddle(a));
  if (first === undefined) return [];
  const others = far.length === 1 ? '' : `, and ${far.length - 1} more stand as far off`;
  return [
    `${first.name} stands ${distanceInWords(fromMiddle(first))} from the middle of the network` +
      `${others}: are latitude and longitude right, and in this order?`,
  ];
}

const everyNth = <Item>(all: readonly Item[], most: number): readonly Item[] => {
  const step = Math.ceil(all.length / most);
  return all.filter((_, at) => at % step === 0);
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!;

const distanceInWords = (meters: number): string =>
  meters < 10_000 ? `${Math.round(meters)} m` : `${Math.round(meters / 1000)} km`;

function distance({ xMeters, yMeters }: Pick<Place, 'xMeters' | 'yMeters'>, x: number, y: number) {
  const [across, up] = [xMeters - x, yMeters - y];
  return Math.sqrt(across * across + up * up);
}
