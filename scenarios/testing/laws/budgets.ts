/** What regulation allows: time on air, sub-bands, powers (EN 300 220-2, RP002-1.0.4). */
import type { RadioSignal } from '../../../sim/observation/observer.ts';
import { airtimeUs, beaconAirtimeUs } from './airtime.ts';
import { deviceOf, gatewayOf } from './planned.ts';
import { REGULATIONS, type SubBand } from './regions.ts';
import { downlinkName, flightName, law, leavesAirAtUs, type Span, type Story } from './story.ts';

const HOUR_US = 3_600_000_000;

const subBandOf = (
  { plan }: Story,
  { frequencyHz, bandwidthHz }: RadioSignal,
): SubBand | undefined =>
  REGULATIONS[plan.region].bands.find(
    ({ fromHz, toHz }) =>
      frequencyHz - bandwidthHz / 2 >= fromHz && frequencyHz + bandwidthHz / 2 <= toHz,
  );

interface Sent extends Span {
  readonly name: string;
  readonly transmitter: string;
  readonly signal: RadioSignal;
  /** Whether its transmitter keeps duty cycles. */
  readonly limited: boolean;
  /** Its transmitter closes bands after each transmission: those of a Station, or sub-bands. */
  readonly closes?: 'stationBands' | 'subBands' | undefined;
  /** Times on air that it takes off the time for which a band is closed. */
  readonly less?: number;
  readonly isBeacon?: boolean;
}

function allSent({ flights, downlinks, plan }: Story): Sent[] {
  const up = flights.map((flight): Sent => {
    const type = plan.deviceTypes[deviceOf(plan, flight.begins.device)?.type ?? -1];
    return {
      name: flightName(flight),
      transmitter: flight.device,
      signal: flight.begins,
      fromUs: flight.fromUs,
      untilUs: leavesAirAtUs(flight),
      limited: type?.dutyCycle ?? true,
      closes: type?.dutyCycleBy === 'frame' ? 'subBands' : undefined,
    };
  });
  const down = downlinks.flatMap((one) =>
    one.begins.map(
      (signal): Sent => ({
        name: downlinkName(one),
        transmitter: one.gateway,
        signal,
        fromUs: one.fromUs,
        untilUs: one.untilUs,
        limited: gatewayOf(plan, one.gateway)?.dutyCycle ?? true,
        closes:
          gatewayOf(plan, one.gateway)?.refusesOverBudget === true ? 'stationBands' : undefined,
        less: gatewayOf(plan, one.gateway)?.queueWords === 'none' ? 1 : 0,
        isBeacon: one.planned[0]?.purpose === 'beacon',
      }),
    ),
  );
  return [...up, ...down];
}

/** Nobody sends outside the sub-bands or above a sub-band's power. */
export const subBandsAndPowers = law((story) =>
  allSent(story).flatMap(({ name, signal }) => {
    const band = subBandOf(story, signal);
    if (band === undefined) return [`${name} is sent at ${signal.frequencyHz} Hz`];
    if (signal.eirpCentiDbm <= band.maxEirpCentiDbm) return [];
    return [`${name} is sent with ${signal.eirpCentiDbm}`];
  }),
);

/**
 * In no hour, wherever it begins, does a transmitter send longer than the sub-band's share; one
 * that closes its bands sends in none that is closed.
 */
export const subBandBudgets = law((story) => [...overHours(story), ...inClosedBands(story)]);

/** Times on air for which LoRa Basics Station closes a band of EU868, and the band's name. */
function stationBand(hz: number): readonly [closed: number, name: string] {
  if (hz >= 869_400_000 && hz <= 869_650_000) return [10, '10 %'];
  const isHundredth =
    (hz >= 868_000_000 && hz <= 868_600_000) || (hz >= 869_700_000 && hz <= 870_000_000);
  return isHundredth ? [100, '1 %'] : [1000, '0.1 %'];
}

/** Where a Station keeps no duty cycle, though the law may have one. */
const UNKNOWN_TO_STATION: readonly string[] = ['IN865', 'RU864', 'CN470'];

function inClosedBands(story: Story): string[] {
  const opensAtUs = new Map<string, number>();
  const complaints: string[] = [];
  const sent = allSent(story).filter(({ limited, closes }) => limited && closes !== undefined);
  for (const one of sent.sort((a, b) => a.fromUs - b.fromUs)) {
    const band = subBandOf(story, one.signal);
    if (band === undefined) continue;
    if (one.closes === 'stationBands' && UNKNOWN_TO_STATION.includes(story.plan.region)) continue;
    const [closed, name] =
      one.closes === 'stationBands' && story.plan.region === 'EU868'
        ? stationBand(one.signal.frequencyHz)
        : [1000 / band.permille, `${band.fromHz}`];
    const key = `${one.transmitter} ${name}`;
    const isClosed = one.fromUs < (opensAtUs.get(key) ?? 0);
    if (isClosed && closed > 1 && one.isBeacon !== true) {
      complaints.push(`${one.name} begins in a closed band`);
    }
    opensAtUs.set(key, one.fromUs + (closed - (one.less ?? 0)) * (one.untilUs - one.fromUs));
  }
  return complaints;
}

function overHours(story: Story): string[] {
  const accounts = new Map<string, { readonly band: SubBand; readonly sent: Sent[] }>();
  for (const sent of allSent(story)) {
    const band = subBandOf(story, sent.signal);
    if (band === undefined || !sent.limited || sent.closes !== undefined) continue;
    const key = `${sent.transmitter} ${band.fromHz}`;
    const account = accounts.get(key) ?? { band, sent: [] };
    account.sent.push(sent);
    accounts.set(key, account);
  }
  return [...accounts.values()].flatMap(({ band, sent }) => overspent(band, sent));
}

/** An hour is fullest when it ends with a transmission; shares of those it cuts count too. */
function overspent({ permille }: SubBand, sent: readonly Sent[]): string[] {
  const allowedUs = (HOUR_US / 1000) * permille;
  const sorted = [...sent].sort((a, b) => a.untilUs - b.untilUs);
  const complaints: string[] = [];
  let oldest = 0;
  let wholeUs = 0;
  for (const last of sorted) {
    const hour = { fromUs: last.untilUs - HOUR_US, untilUs: last.untilUs };
    wholeUs += last.untilUs - last.fromUs;
    for (; sorted[oldest]!.untilUs <= hour.fromUs; oldest++) {
      wholeUs -= sorted[oldest]!.untilUs - sorted[oldest]!.fromUs;
    }
    const beforeUs = Math.max(0, hour.fromUs - sorted[oldest]!.fromUs);
    const usedUs = wholeUs - beforeUs;
    if (usedUs > allowedUs) complaints.push(`${last.name} makes ${usedUs} of ${allowedUs} µs`);
  }
  return complaints;
}

/** Times on air are those of the formula: uplinks carry a payload CRC, downlinks none. */
export const timesOnAir = law(({ flights, downlinks }) => [
  ...flights
    .filter(({ begins }) => begins.airtimeUs !== airtimeUs(begins, 1))
    .map((flight) => `${flightName(flight)} lasts ${flight.begins.airtimeUs} µs`),
  ...downlinks
    .filter(({ begins, planned }) => {
      const isBeacon = planned[0]?.purpose === 'beacon';
      return begins.some(
        (row) => row.airtimeUs !== (isBeacon ? beaconAirtimeUs(row) : airtimeUs(row, 0)),
      );
    })
    .map((downlink) => `${downlinkName(downlink)} lasts ${downlink.begins[0]?.airtimeUs} µs`),
]);
