/** Listen before talk: nobody sends into what it heard in the 6 ms before (reference §2.2). */
import { log10 } from '../../sim/base/math.ts';
import type { NetworkPlan } from '../../sim/network-plan.ts';
import { plannedName } from './gateway-lives.ts';
import { type Downlink, downlinkName, type Flight, flightName, law, type Story } from './story.ts';

const LISTENS_US = 6_000;
/** A step above −65 dBm, for levels are rounded. */
const LOUD_CENTI_DBM = -6_499;

interface Place {
  readonly xMeters: number;
  readonly yMeters: number;
}

/** Median level between two devices or two gateways; undefined where the model is not told here. */
function levelBetween(a: Place, b: Place, eirpCentiDbm: number, { radio }: NetworkPlan) {
  const { pathLoss } = radio;
  if (pathLoss.model === 'constant') return eirpCentiDbm - 100 * pathLoss.lossDb;
  if (pathLoss.model !== 'logDistance') return undefined;
  const { exponent, referenceLossDb, referenceMeters } = pathLoss;
  const [x, y] = [a.xMeters - b.xMeters, a.yMeters - b.yMeters];
  const meters = Math.max(1, Math.sqrt(x * x + y * y));
  return eirpCentiDbm - 100 * (referenceLossDb + 10 * exponent * log10(meters / referenceMeters));
}

/** Frames of one kind that a moment's listening on a channel would have met. */
const heardAt = <One extends { readonly fromUs: number; readonly untilUs: number }>(
  all: readonly One[],
  frequencyOf: (one: One) => number | undefined,
  frequencyHz: number,
  atUs: number,
): One[] =>
  all.filter(
    (one) =>
      frequencyOf(one) === frequencyHz && one.fromUs < atUs && one.untilUs > atUs - LISTENS_US,
  );

const hzOfFlight = ({ begins }: Flight): number => begins.frequencyHz;
const hzOfDownlink = ({ begins }: Downlink): number | undefined => begins[0]?.frequencyHz;

/** Where Korea's rules hold, every frame but beacons begins on a channel that was quiet. */
export const channelsAreQuietBefore = law((story) => {
  if (story.plan.region !== 'KR920') return [];
  return [...loudForDevices(story), ...loudForGateways(story)];
});

function loudForDevices({ flights, plan }: Story): string[] {
  const places = new Map(plan.devices.map((device) => [device.name, device]));
  return flights.flatMap((flight) => {
    const own = places.get(flight.begins.device);
    const met = heardAt(flights, hzOfFlight, flight.begins.frequencyHz, flight.fromUs);
    return met.flatMap((other) => {
      const place = places.get(other.begins.device);
      if (own === undefined || place === undefined || other.device === flight.device) return [];
      const level = levelBetween(own, place, other.begins.eirpCentiDbm, plan);
      if (level === undefined || level < LOUD_CENTI_DBM) return [];
      return [`${flightName(flight)} begins into ${flightName(other)}`];
    });
  });
}

function loudForGateways({ flights, downlinks, plan }: Story): string[] {
  const places = new Map(plan.gateways.map((gateway) => [gateway.name, gateway]));
  // With fading, a level in the trace is that of one frame, not of the link.
  const isSteady = plan.radio.fading.model === 'none';
  return downlinks.flatMap((downlink) => {
    const [begins] = downlink.begins;
    if (begins === undefined || downlink.planned[0]?.purpose === 'beacon') return [];
    const own = places.get(plannedName(downlink.gateway));
    const up = heardAt(flights, hzOfFlight, begins.frequencyHz, downlink.fromUs).filter(
      ({ ends }) =>
        ends
          .flatMap(({ gateways }) => gateways)
          .some((at) => at.gateway === downlink.gateway && at.rssiCentiDbm >= LOUD_CENTI_DBM),
    );
    const down = heardAt(downlinks, hzOfDownlink, begins.frequencyHz, downlink.fromUs).filter(
      (other) => {
        const place = places.get(plannedName(other.gateway));
        if (own === undefined || place === undefined || other.gateway === downlink.gateway) {
          return false;
        }
        const level = levelBetween(own, place, other.begins[0]!.eirpCentiDbm, plan);
        return level !== undefined && level + own.antennaGainCentiDb >= LOUD_CENTI_DBM;
      },
    );
    const name = downlinkName(downlink);
    return [
      ...(isSteady ? up.map((flight) => `${name} begins into ${flightName(flight)}`) : []),
      ...down.map((other) => `${name} begins into ${downlinkName(other)}`),
    ];
  });
}
