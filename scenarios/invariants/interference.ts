/** Who survives whom on a channel, recomputed for each reception from the levels in the trace. */
import { type GatewayLife, plannedName } from './gateway-lives.ts';
import {
  type DeviceStory,
  downlinkName,
  type Flight,
  flightName,
  LOCK_SYMBOLS,
  law,
  overlapUs,
  preambleSymbols,
  type Span,
  type Story,
  symbolUs,
  timelines,
} from './story.ts';

/** 10^(1/1000): one step of 1/100 dB. */
const CENTI_DB = 1.0023052380778996;

/** Ratio of a whole number of 1/100 dB, by squaring; off by less than 1e-10. */
function linear(centiDb: number): number {
  let ratio = 1;
  let power = CENTI_DB;
  for (let rest = Math.abs(centiDb); rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) ratio *= power;
    power *= power;
  }
  return centiDb < 0 ? 1 / ratio : ratio;
}

/** A frame as one receiver hears it. */
interface Heard extends Span {
  readonly spreadingFactor: number;
  readonly bandwidthHz: number;
  readonly centiDbm: number;
}

/** How near to the threshold a decision may go either way. */
const UNDECIDED = 1e-6;

/**
 * Whether a frame survives all others on its channel at one receiver, by summed energy of each
 * interfering spreading factor (protocol reference §1.3 rule 1); undefined on the threshold.
 */
function survives(wanted: Heard, others: readonly Heard[], { plan }: Story): boolean | undefined {
  const { model, window, sirCentiDb } = plan.radio.interference;
  const lockUs =
    wanted.fromUs + (preambleSymbols(wanted.spreadingFactor) - LOCK_SYMBOLS) * symbolUs(wanted);
  const judged = {
    fromUs: window === 'afterLock' ? lockUs : wanted.fromUs,
    untilUs: wanted.untilUs,
  };
  const row = (spreadingFactor: number): number => Math.max(spreadingFactor, 7) - 7;
  const same = others.filter((other) => overlapUs(judged, other) > 0);
  if (model === 'off') return true;
  if (model === 'aloha') {
    return !same.some(({ spreadingFactor }) => spreadingFactor === wanted.spreadingFactor);
  }
  let verdict: boolean | undefined = true;
  for (const factor of new Set(same.map(({ spreadingFactor }) => spreadingFactor))) {
    const energy = same
      .filter(({ spreadingFactor }) => spreadingFactor === factor)
      .reduce((sum, other) => sum + linear(other.centiDbm) * overlapUs(judged, other), 0);
    const threshold = linear(sirCentiDb[row(wanted.spreadingFactor)]![row(factor)]!);
    const own = linear(wanted.centiDbm) * (judged.untilUs - judged.fromUs);
    const ratio = own / (threshold * energy);
    if (ratio < 1 - UNDECIDED) return false;
    if (ratio < 1 + UNDECIDED) verdict = undefined;
  }
  return verdict;
}

const heardAt = (flight: Flight, gateway: string): Heard | undefined => {
  const at = flight.ends[0]?.gateways.find((one) => one.gateway === gateway);
  if (at === undefined) return undefined;
  const { spreadingFactor, bandwidthHz } = flight.begins;
  const { fromUs, untilUs } = flight;
  return { fromUs, untilUs, spreadingFactor, bandwidthHz, centiDbm: at.rssiCentiDbm };
};

/** Every uplink that a gateway held to its end is received or interfered as its energies say. */
export const interferenceOfUplinks = law((story) => {
  const complaints: string[] = [];
  const channels = timelines(story.flights, ({ begins }) => begins.frequencyHz);
  for (const flight of story.flights) {
    const channel = channels.get(flight.begins.frequencyHz);
    const meeting = (channel?.meeting(flight) ?? []).filter((other) => other !== flight);
    if (meeting.some(({ ends }) => ends.length === 0)) continue;
    for (const { gateway, fate } of flight.ends[0]?.gateways ?? []) {
      if (fate !== 'received' && fate !== 'interfered') continue;
      // What ended after the gateway left has no level there.
      const { untilUs } = story.gatewayLife(gateway);
      if (meeting.some((other) => other.untilUs >= untilUs)) continue;
      const others = meeting.flatMap((other) => heardAt(other, gateway) ?? []);
      const verdict = survives(heardAt(flight, gateway)!, others, story);
      if (verdict === undefined || verdict === (fate === 'received')) continue;
      complaints.push(`${flightName(flight)} is ${fate} at ${gateway}, yet survives: ${verdict}`);
    }
  }
  return complaints;
});

/** Gain of a device and each gateway in reach, without antennas, 1/100 dB, from its uplinks. */
function linkGains({ flights, plan }: Story): Map<string, number> {
  const antennas = new Map(plan.gateways.map((one) => [one.name, one.antennaGainCentiDb]));
  const gains = new Map<string, number>();
  for (const { device, begins, ends } of flights) {
    for (const { gateway, rssiCentiDbm } of ends.flatMap(({ gateways }) => gateways)) {
      const gain = rssiCentiDbm - begins.eirpCentiDbm - (antennas.get(plannedName(gateway)) ?? 0);
      gains.set(`${device} ${gateway}`, gain);
    }
  }
  return gains;
}

/** Whether some uplink of a device met a gateway's time in service, so that its level is told. */
function wasHeardBy({ fromUs, untilUs }: GatewayLife, device: DeviceStory | undefined): boolean {
  return (device?.flights ?? []).some(
    (flight) => flight.fromUs >= fromUs && flight.untilUs <= untilUs && flight.ends.length > 0,
  );
}

/** Every downlink that a device locked on is received or interfered as its energies say. */
export const interferenceOfDownlinks = law((story) => {
  const gains = linkGains(story);
  const sent = story.downlinks.filter(({ begins }) => begins.length > 0);
  const channels = timelines(sent, ({ begins }) => begins[0]!.frequencyHz);
  const complaints: string[] = [];
  for (const downlink of sent) {
    const channel = channels.get(downlink.begins[0]!.frequencyHz);
    const meeting = (channel?.meeting(downlink) ?? []).filter((other) => other !== downlink);
    for (const { device, rssiCentiDbm, fate } of downlink.ends.flatMap((row) => row.devices)) {
      const listener = story.lifeAt(device, downlink.fromUs);
      const life = listener?.device;
      const senders = [downlink, ...meeting].map(({ gateway }) => story.gatewayLife(gateway));
      if (senders.some((sender) => !wasHeardBy(sender, listener))) continue;
      const heard = [downlink, ...meeting].flatMap((one): Heard[] => {
        const gain = gains.get(`${life} ${one.gateway}`);
        if (gain === undefined) return [];
        const { spreadingFactor, bandwidthHz, eirpCentiDbm } = one.begins[0]!;
        const { fromUs, untilUs } = one;
        return [{ fromUs, untilUs, spreadingFactor, bandwidthHz, centiDbm: eirpCentiDbm + gain }];
      });
      const [wanted, ...others] = heard;
      if (wanted?.centiDbm !== rssiCentiDbm) {
        complaints.push(`${device} heard ${downlinkName(downlink)} at ${rssiCentiDbm}`);
        continue;
      }
      const verdict = survives(wanted, others, story);
      if (fate === 'frameLoss' || verdict === undefined) continue;
      if (verdict === (fate !== 'interfered')) continue;
      complaints.push(`${device}: ${downlinkName(downlink)} is ${fate}, yet survives: ${verdict}`);
    }
  }
  return complaints;
});
