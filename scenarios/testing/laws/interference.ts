/** Which overlapping frames survive, recomputed for each reception from the trace's levels. */
import type { NetworkPlan } from '../../../sim/plan/network-plan.ts';
import type { GatewayIncarnation } from './gateway-incarnations.ts';
import { deviceOf, gatewayOf } from './planned.ts';
import {
  countBy,
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
  Timeline,
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
  readonly frequencyHz: number;
  readonly centiDbm: number;
}

/** How near to the threshold a decision may go either way. */
const UNDECIDED = 1e-6;

/** Below, above or too near to say. */
const atLeast = (ratio: number): boolean | undefined =>
  ratio < 1 - UNDECIDED ? false : ratio < 1 + UNDECIDED ? undefined : true;

const lockUs = (frame: Heard, lockSymbols: number): number =>
  frame.fromUs + (preambleSymbols(frame.spreadingFactor) - lockSymbols) * symbolUs(frame);

/** FSK needs this above another FSK frame, 1/100 dB. */
const FSK_CENTI_DB = 1000;

/**
 * Whether two carriers are near enough to disturb each other; FSK (spreading factor 0) and LoRa
 * never do.
 */
function shareAChannel(a: Heard, b: Heard, { plan }: Story): boolean {
  if ((a.spreadingFactor === 0) !== (b.spreadingFactor === 0)) return false;
  const apartHz = Math.abs(a.frequencyHz - b.frequencyHz);
  if (apartHz === 0) return true;
  const { model } = plan.radio.interference;
  if (model === 'flora') return false;
  if (model === 'loRaSim') return apartHz <= 0.24 * Math.max(a.bandwidthHz, b.bandwidthHz);
  return 2 * apartHz < a.bandwidthHz + b.bandwidthHz;
}

/** Share of a signal's band that lies in another's channel. */
function bandShare(wanted: Heard, other: Heard): number {
  const apartHz = Math.abs(wanted.frequencyHz - other.frequencyHz);
  const commonHz = (wanted.bandwidthHz + other.bandwidthHz) / 2 - apartHz;
  return Math.min(commonHz, wanted.bandwidthHz, other.bandwidthHz) / other.bandwidthHz;
}

/** Threshold of a pair of spreading factors, 1/100 dB; SF5 and SF6 have the figures of SF7. */
function thresholdOf(wanted: Heard, factor: number, { plan }: Story): number {
  if (wanted.spreadingFactor === 0) return FSK_CENTI_DB;
  const row = (spreadingFactor: number): number => Math.max(spreadingFactor, 7) - 7;
  return plan.radio.interference.sirCentiDb[row(wanted.spreadingFactor)]![row(factor)]!;
}

/** Rules 2 and 3 of docs/standard.md, Interference: LoRaSim's and FLoRa's, pair by pair. */
function survivesPair(wanted: Heard, other: Heard, story: Story): boolean | undefined {
  const isLoRaSim = story.plan.radio.interference.model === 'loRaSim';
  if (overlapUs(wanted, other) === 0) return true;
  if (isLoRaSim && wanted.spreadingFactor !== other.spreadingFactor) return true;
  const [first, second] = wanted.fromUs >= other.fromUs ? [other, wanted] : [wanted, other];
  const isOver = isLoRaSim
    ? first.untilUs <= lockUs(second, LOCK_SYMBOLS)
    : other.untilUs <= lockUs(wanted, LOCK_SYMBOLS + 1);
  if (isOver) return true;
  const threshold = isLoRaSim ? 600 : thresholdOf(wanted, other.spreadingFactor, story);
  return atLeast(linear(wanted.centiDbm - other.centiDbm - threshold));
}

/** Rule 1: summed energy of each interfering spreading factor. */
function survivesEnergy(wanted: Heard, judged: Span, same: readonly Heard[], story: Story) {
  let verdict: boolean | undefined = true;
  for (const factor of new Set(same.map(({ spreadingFactor }) => spreadingFactor))) {
    const energy = same
      .filter(({ spreadingFactor }) => spreadingFactor === factor)
      .map((other) => linear(other.centiDbm) * overlapUs(judged, other) * bandShare(wanted, other))
      .reduce((sum, part) => sum + part, 0);
    const threshold = linear(thresholdOf(wanted, factor, story));
    const own = linear(wanted.centiDbm) * (judged.untilUs - judged.fromUs);
    const survives = atLeast(own / (threshold * energy));
    if (survives === false) return false;
    if (survives === undefined) verdict = undefined;
  }
  return verdict;
}

/** Whether a frame survives all others at one receiver; undefined on the threshold. */
function survives(wanted: Heard, others: readonly Heard[], story: Story): boolean | undefined {
  const { model, window } = story.plan.radio.interference;
  if (model === 'off') return true;
  const near = others.filter((other) => shareAChannel(wanted, other, story));
  if (model === 'loRaSim' || model === 'flora') {
    const verdicts = near.map((other) => survivesPair(wanted, other, story));
    return verdicts.includes(false) ? false : verdicts.includes(undefined) ? undefined : true;
  }
  const fromUs = window === 'afterLock' ? lockUs(wanted, LOCK_SYMBOLS) : wanted.fromUs;
  const judged = { fromUs, untilUs: wanted.untilUs };
  const same = near.filter((other) => overlapUs(judged, other) > 0);
  if (model === 'aloha') {
    return !same.some(({ spreadingFactor }) => spreadingFactor === wanted.spreadingFactor);
  }
  return survivesEnergy(wanted, judged, same, story);
}

function heardAt(flight: Flight, centiDbm: number | undefined): Heard | undefined {
  if (centiDbm === undefined) return undefined;
  const { spreadingFactor, bandwidthHz, frequencyHz } = flight.begins;
  const { fromUs, untilUs } = flight;
  return { fromUs, untilUs, spreadingFactor, bandwidthHz, frequencyHz, centiDbm };
}

/** Signals whose carriers are this far apart do not disturb each other: the widest channel. */
const WIDEST_HZ = 500_000;

/** Every uplink that a gateway held to its end is received or interfered as its energies say. */
export const interferenceOfUplinks = law((story) => {
  const complaints: string[] = [];
  const air = new Timeline(story.flights);
  // Levels of each flight by gateway.
  const levels = new Map(
    story.flights.map((flight) => [
      flight,
      new Map(flight.ends[0]?.gateways.map(({ gateway, rssiCentiDbm }) => [gateway, rssiCentiDbm])),
    ]),
  );
  for (const flight of story.flights) {
    const meeting = air
      .meeting(flight)
      .filter(
        (other) =>
          other !== flight &&
          Math.abs(other.begins.frequencyHz - flight.begins.frequencyHz) < WIDEST_HZ,
      );
    if (meeting.some(({ ends }) => ends.length === 0)) continue;
    for (const { gateway, fate, rssiCentiDbm } of flight.ends[0]?.gateways ?? []) {
      if (fate !== 'received' && fate !== 'interfered') continue;
      // What ended after the gateway left has no level there.
      const { untilUs } = story.gatewayLife(gateway);
      if (meeting.some((other) => other.untilUs >= untilUs)) continue;
      const others = meeting.flatMap(
        (other) => heardAt(other, levels.get(other)?.get(gateway)) ?? [],
      );
      const verdict = survives(heardAt(flight, rssiCentiDbm)!, others, story);
      if (verdict === undefined || verdict === (fate === 'received')) continue;
      complaints.push(`${flightName(flight)} is ${fate} at ${gateway}, yet survives: ${verdict}`);
    }
  }
  return complaints;
});

/** Whether some uplink of a device met a gateway's time in service, so that its level is known. */
function wasHeardBy(
  { fromUs, untilUs }: GatewayIncarnation,
  device: DeviceStory | undefined,
): boolean {
  const flights = device?.flights ?? [];
  const first = countBy(flights, (flight) => flight.fromUs, fromUs - 1);
  for (let i = first; i < flights.length && flights[i]!.untilUs <= untilUs; i++) {
    if (flights[i]!.ends.length > 0) return true;
  }
  return false;
}

/** What a device's antenna adds to downlinks; undefined for one that the plan does not have. */
function antennaOf(plan: NetworkPlan, device: string): number | undefined {
  const { deviceTypes } = plan;
  const antennas = new Set(deviceTypes.map(({ antennaGainCentiDb }) => antennaGainCentiDb));
  if (antennas.size === 1) return deviceTypes[0]?.antennaGainCentiDb;
  const type = deviceOf(plan, device)?.type;
  return type === undefined ? undefined : deviceTypes[type]?.antennaGainCentiDb;
}

/**
 * Every downlink that a device locked on is received or interfered as its energies say. Uplinks
 * give the levels, so with fading there is nothing to say.
 */
export const interferenceOfDownlinks = law((story) => {
  if (story.plan.radio.fading.model !== 'none') return [];
  // Gain of a device and each gateway in reach, without antennas, 1/100 dB, from its uplinks.
  const { flights, plan } = story;
  const gains = new Map<string, number>();
  for (const { device, begins, ends } of flights) {
    for (const { gateway, rssiCentiDbm } of ends.flatMap(({ gateways }) => gateways)) {
      const antenna = gatewayOf(plan, gateway)?.antennaGainCentiDb ?? 0;
      const gain = rssiCentiDbm - begins.eirpCentiDbm - antenna;
      gains.set(`${device} ${gateway}`, gain);
    }
  }
  const sent = story.downlinks.filter(({ begins }) => begins.length > 0);
  // Channels may overlap: all frames on the air at the same time are checked.
  const air = timelines(sent, () => 'all').get('all');
  const complaints: string[] = [];
  for (const downlink of sent) {
    const meeting = (air?.meeting(downlink) ?? []).filter((other) => other !== downlink);
    for (const { device, rssiCentiDbm, fate } of downlink.ends.flatMap((row) => row.devices)) {
      const listener = story.lifeAt(device, downlink.fromUs);
      const life = listener?.device;
      const senders = [downlink, ...meeting].map(({ gateway }) => story.gatewayLife(gateway));
      if (senders.some((sender) => !wasHeardBy(sender, listener))) continue;
      // What weakens a link for a while is not in the level of every uplink.
      const gateways = [downlink, ...meeting].map(({ gateway }) => gateway);
      if (gateways.some((one) => story.faultsOf(one, 'attenuation').length > 0)) continue;
      if (story.faultsOf(life ?? '', 'device attenuation').length > 0) continue;
      const antenna = antennaOf(story.plan, device);
      if (antenna === undefined) continue;
      const heard = [downlink, ...meeting].flatMap((one): Heard[] => {
        const gain = gains.get(`${life} ${one.gateway}`);
        if (gain === undefined) return [];
        const { spreadingFactor, bandwidthHz, frequencyHz, eirpCentiDbm } = one.begins[0]!;
        const { fromUs, untilUs } = one;
        const signal = { spreadingFactor, bandwidthHz, frequencyHz };
        return [{ fromUs, untilUs, ...signal, centiDbm: eirpCentiDbm + gain + antenna }];
      });
      const [wanted, ...others] = heard;
      if (wanted?.centiDbm !== rssiCentiDbm) {
        complaints.push(`${device} heard ${downlinkName(downlink)} at ${rssiCentiDbm}`);
        continue;
      }
      const verdict = survives(wanted, others, story);
      if (fate === 'frameLoss' || fate === 'noise' || verdict === undefined) continue;
      if (verdict === (fate !== 'interfered')) continue;
      complaints.push(`${device}: ${downlinkName(downlink)} is ${fate}, yet survives: ${verdict}`);
    }
  }
  return complaints;
});
