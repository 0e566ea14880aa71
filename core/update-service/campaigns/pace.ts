/** The pace of fragments that somebody asks for: a time, or a number of air times. */
import { FSK, timeOnAirUs } from '../../../sim/lorawan/airtime.ts';

/** Overhead of the frames whose air time a server reckons roughly, bytes. */
const ROUGH_OVERHEAD_BYTES = 10;

/** Fields of a campaign that say it; times are µs. */
export interface AskedPace {
  readonly frag_send_delay: number | null;
  readonly frag_send_airtimes: number | null;
  readonly frag_send_per_gateway: boolean;
  readonly frag_airtime_rough: boolean;
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
