/** The pace of fragments that somebody asks for: a time, or a number of air times. */
import { MILLISECOND_US } from '../../../sim/base/units.ts';
import { MULTICAST_LEAD_US } from '../../../sim/contract/requests.ts';
import { FSK, timeOnAirUs } from '../../../sim/lorawan/airtime.ts';

/** From the end of a fragment to its gateways' reports and the request of the next, µs. */
const REPORT_US = MULTICAST_LEAD_US + 100 * MILLISECOND_US;

/** Overhead of the frames whose air time a server reckons roughly, bytes. */
const ROUGH_OVERHEAD_BYTES = 10;

/** Fields of a campaign that say it; times are µs. */
export interface AskedPace {
  readonly frag_send_delay: number | null;
  readonly frag_send_airtimes: number | null;
  readonly frag_send_per_gateway: boolean;
  readonly frag_airtime_rough: boolean;
}

/** Fields of a campaign that no pace goes below. */
export interface LeastPace {
  readonly frag_send_least: number | null;
  readonly frag_send_after_report: boolean;
  /** Fragments begin at its multiples, each at one of its own. */
  readonly frag_send_grid: number | null;
}

/** The same pace, or the slowest that the campaign asks for at least, µs. */
export function notBelowUs(paceUs: number, least: LeastPace, airtimeUs: number): number {
  const reportedUs = least.frag_send_after_report ? airtimeUs + REPORT_US : 0;
  return Math.max(paceUs, least.frag_send_least ?? 0, reportedUs, least.frag_send_grid ?? 0);
}

/** A fragment on the air, and how many gateways take turns at it. */
export interface PacedFragment {
  readonly airtimeUs: number;
  readonly fragSize: number;
  readonly turns: number;
  readonly rate: { readonly spreadingFactor: number; readonly bandwidthHz: number } | undefined;
}

/** From one fragment of a gateway to the next, µs; null: the campaign chooses. */
export function askedPaceUs(asked: AskedPace, fragment: PacedFragment): number | null {
  const turns = asked.frag_send_per_gateway ? fragment.turns : 1;
  if (asked.frag_send_delay !== null) return asked.frag_send_delay * turns;
  if (asked.frag_send_airtimes === null) return null;
  const { rate, airtimeUs, fragSize } = fragment;
  const isRough = asked.frag_airtime_rough && rate !== undefined && rate.spreadingFactor !== FSK;
  const ofOneUs = isRough
    ? timeOnAirUs({
        spreadingFactor: rate.spreadingFactor,
        bandwidthHz: rate.bandwidthHz,
        phyPayloadBytes: ROUGH_OVERHEAD_BYTES + fragSize,
        lowDataRateOptimize: true,
      })
    : airtimeUs;
  return Math.ceil(asked.frag_send_airtimes * ofOneUs) * turns;
}
