/** Listen before talk: a channel was quiet for 6 ms before each frame (RP002-1.0.4 §2.11). */
import { log10 } from '../../../sim/base/math.ts';
import type { NetworkPlan } from '../../../sim/plan/network-plan.ts';
import { deviceOf, placeOf } from './planned.ts';
import {
  downlinkName,
  type Flight,
  flightName,
  law,
  leavesAirAtUs,
  type Span,
  type Story,
  type Timeline,
  timelines,
} from './story.ts';

const LISTENS_US = 6_000;
/** A step above −65 dBm, for levels are rounded. */
const LOUD_CENTI_DBM = -6_499;

interface Place {
  readonly xMeters: number;
  readonly yMeters: number;
}

/** Median level between two devices or two gateways; undefined for other models. */
function levelBetween(a: Place, b: Place, eirpCentiDbm: number, { radio }: NetworkPlan) {
  const { pathLoss } = radio;
  if (pathLoss.model === 'constant') return eirpCentiDbm - 100 * pathLoss.lossDb;
  if (pathLoss.model !== 'logDistance') return undefined;
  const { exponent, referenceLossDb, referenceMeters } = pathLoss;
  const [x, y] = [a.xMeters - b.xMeters, a.yMeters - b.yMeters];
  const meters = Math.max(1, Math.sqrt(x * x + y * y));
  return eirpCentiDbm - 100 * (referenceLossDb + 10 * exponent * log10(meters / referenceMeters));
}

/** A frame, while it was on the air. */
interface OnAir<One> extends Span {
  readonly one: One;
}

/** Frames of a channel that 6 ms of listening would have met. */
const heardAt = <One>(air: Timeline<OnAir<One>> | undefined, atUs: number): One[] =>
  (air?.meeting({ fromUs: atUs - LISTENS_US, untilUs: atUs }) ?? []).map(({ one }) => one);

/** What was on the air, by frequency. */
type Air<One> = Map<string | number, Timeline<OnAir<One>>>;

/** Where Korea's rules hold, every frame but beacons begins on a channel that was quiet. */
export const channelsAreQuietBefore = law((story) => {
  if (story.plan.region !== 'KR920') return [];
  // Uplinks by frequency, each until it really left the air.
  const air = timelines(
    story.flights.map((one) => ({ one, fromUs: one.fromUs, untilUs: leavesAirAtUs(one) })),
    ({ one }) => one.begins.frequencyHz,
  );
  return [...loudForDevices(story, air), ...loudForGateways(story, air)];
});

function loudForDevices({ flights, plan }: Story, air: Air<Flight>): string[] {
  return flights.flatMap((flight) => {
    const own = deviceOf(plan, flight.begins.device);
    const met = heardAt(air.get(flight.begins.frequencyHz), flight.fromUs);
    return met.flatMap((other) => {
      const place = deviceOf(plan, other.begins.device);
      if (own === undefined || place === undefined || other.device === flight.device) return [];
      const level = levelBetween(own, place, other.begins.eirpCentiDbm, plan);
      if (level === undefined || level < LOUD_CENTI_DBM) return [];
      return [`${flightName(flight)} begins into ${flightName(other)}`];
    });
  });
}

function loudForGateways(story: Story, air: Air<Flight>): string[] {
  const { downlinks, plan } = story;
  const sent = timelines(
    downlinks
      .filter(({ begins }) => begins.length > 0)
      .map((one) => ({ one, fromUs: one.fromUs, untilUs: one.untilUs })),
    ({ one }) => one.begins[0]!.frequencyHz,
  );
  // With fading, a level in the trace is that of one frame, not of the link.
  const isSteady = plan.radio.fading.model === 'none';
  return downlinks.flatMap((downlink) => {
    const [begins] = downlink.begins;
    if (begins === undefined || downlink.planned[0]?.purpose === 'beacon') return [];
    const own = placeOf(plan, downlink.gateway);
    const up = heardAt(air.get(begins.frequencyHz), downlink.fromUs).filter(({ ends }) =>
      ends
        .flatMap(({ gateways }) => gateways)
        .some((at) => at.gateway === downlink.gateway && at.rssiCentiDbm >= LOUD_CENTI_DBM),
    );
    const down = heardAt(sent.get(begins.frequencyHz), downlink.fromUs).filter((other) => {
      const place = placeOf(plan, other.gateway);
      if (own === undefined || place === undefined || other.gateway === downlink.gateway) {
        return false;
      }
      const level = levelBetween(own, place, other.begins[0]!.eirpCentiDbm, plan);
      return level !== undefined && level + own.antennaGainCentiDb >= LOUD_CENTI_DBM;
    });
    const name = downlinkName(downlink);
    return [
      ...(isSteady ? up.map((flight) => `${name} begins into ${flightName(flight)}`) : []),
      ...down.map((other) => `${name} begins into ${downlinkName(other)}`),
    ];
  });
}
