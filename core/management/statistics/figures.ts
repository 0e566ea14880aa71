/**
 * Figures of a device's uplinks, from what is counted of them (device and gateway management,
 * Device, Statistics; docs/decisions/0054).
 */
import { DAY_US, HOUR_US } from '../../../sim/base/units.ts';
import { WEEK_HOURS, type WindowSums } from './hours.ts';

/** In the order of the services: the best first. */
export const HEALTH_STATES = ['good', 'fair', 'poor', 'offline'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

/** Uplink figures of a device. Without uplinks in the window, they are 0. */
export interface UplinkStatistics {
  readonly health: HealthState;
  /** Of the latest LoRa uplink, 5…12; 0 before the first. */
  readonly spreadingFactor: number;
  /** Means of the past day over each uplink's best reception; dBm and dB, in hundredths. */
  readonly averageRssi: number;
  readonly averageEsp: number;
  readonly averageSnr: number;
  /** Share of the past day's uplinks that are missing, 0…100 per cent, in hundredths. */
  readonly packetErrorRate: number;
  /** Uplinks of the past week by the days that were observed: packets a day, whole. */
  readonly averageWeeklyPackets: number;
  /** 0…100 per cent; null: not reported, not known, or external power. */
  readonly batteryLevel: number | null;
  /** End of the latest uplink, µs; −1: there was none. */
  readonly lastUplinkAtUs: number;
}

/** Periods without an uplink after which a device is offline. */
const PERIODS = 3;

/** In hundredths, and never −0. */
const hundredths = (value: number): number => Math.round(value) / 100 + 0;

/** A mean of the day in dB or dBm, of a sum in hundredths. */
export const meanOf = (sum: number, { received }: WindowSums): number =>
  received === 0 ? 0 : hundredths(sum / received);

export function packetErrorRateOf({ received, lost }: WindowSums): number {
  return received === 0 ? 0 : hundredths((10_000 * lost) / (received + lost));
}

/**
 * `knownUs`: since the device was registered; `runningUs`: of the hour of UTC that is running,
 * which the window has beside its full hours. Both in µs.
 */
export function packetsADay({ week }: WindowSums, knownUs: number, runningUs: number): number {
  const observedUs = Math.min(WEEK_HOURS * HOUR_US + runningUs, knownUs);
  return observedUs <= 0 ? 0 : Math.round((week * DAY_US) / observedUs);
}

/** Per cent of DevStatusAns' battery (LoRaWAN 1.0.4 §5.5): 1 is empty and 254 is full. */
export const batteryPerCent = (battery: number): number => Math.round(((battery - 1) * 100) / 253);

/**
 * Place in `HEALTH_STATES`. Offline is who has not spoken for a day, or for three of its mean
 * periods where those are longer; else less than 10 % of missing uplinks is good, less than 30 %
 * fair.
 */
export function healthOf(silentUs: number, meanPeriodUs: number, sums: WindowSums): number {
  if (silentUs >= Math.max(DAY_US, PERIODS * meanPeriodUs)) return 3;
  const { received, lost } = sums;
  const all = received + lost;
  return 10 * lost < all || all === 0 ? 0 : 10 * lost < 3 * all ? 1 : 2;
}
