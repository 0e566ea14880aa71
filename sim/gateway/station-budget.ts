/**
 * Who keeps a gateway's duty cycle: the server when it plans, or the gateway when it is about to
 * send, as LoRa Basics Station does (docs/decisions/0109; docs/standard.md, Transmit queue of a
 * packet forwarder).
 *
 * After each transmission Station closes the band of its frequency until 10, 100 or 1 000 times the
 * time on air after its start. In EU868 it has three bands of its own; it knows no IN865, RU864 and
 * CN470, and keeps no duty cycle there. Elsewhere the bands are those of the region.
 */

import type { GatewayPlan } from '../plan/network-plan.ts';
import { MOST_BANDS } from './gateway.ts';

/** A band of Station and how long it stays closed, in times on air. */
export interface StationBand {
  readonly index: number;
  readonly closedAirtimes: number;
}

const TENTH: StationBand = { index: 0, closedAirtimes: 10 };
const HUNDREDTH: StationBand = { index: 1, closedAirtimes: 100 };
const THOUSANDTH: StationBand = { index: 2, closedAirtimes: 1000 };

/** Source: LoRa Basics Station, duty-cycle bands of EU868. */
const EU868_BANDS = [
  { fromHz: 869_400_000, toHz: 869_650_000, band: TENTH },
  { fromHz: 868_000_000, toHz: 868_600_000, band: HUNDREDTH },
  { fromHz: 869_700_000, toHz: 870_000_000, band: HUNDREDTH },
] as const;

/** Source: LoRa Basics Station 2.0.6, basicstation#173 and #200. */
const UNKNOWN_REGIONS: ReadonlySet<string> = new Set(['IN865', 'RU864', 'CN470']);

export const serverKeepsBudget = ({ plan }: { readonly plan: GatewayPlan }): boolean =>
  plan.dutyCycle && plan.refusesOverBudget !== true;

export const stationKeepsBands = ({ plan }: { readonly plan: GatewayPlan }): boolean =>
  plan.dutyCycle && plan.refusesOverBudget === true;

/** Band of a frequency; undefined where none is limited. `share`: the region's sub-band, ppm. */
export function stationBand(
  region: string,
  frequencyHz: number,
  share: { readonly band: number; readonly dutyCyclePpm: number },
): StationBand | undefined {
  if (region === 'EU868') {
    const isIn = ({ fromHz, toHz }: (typeof EU868_BANDS)[number]) =>
      frequencyHz >= fromHz && frequencyHz <= toHz;
    return EU868_BANDS.find(isIn)?.band ?? THOUSANDTH;
  }
  if (UNKNOWN_REGIONS.has(region) || share.dutyCyclePpm >= 1_000_000) return undefined;
  return { index: share.band, closedAirtimes: Math.round(1_000_000 / share.dutyCyclePpm) };
}

/** Times on air from a start for which a band is closed: ns-3's gateway takes one off. */
export const airtimesClosed = (
  { plan }: { readonly plan: GatewayPlan },
  { closedAirtimes }: StationBand,
): number => (plan.queueWords === 'none' ? closedAirtimes - 1 : closedAirtimes);

/** Where the instant stands from which a band of a gateway is open again. */
export const bandAt = (gateway: number, { index }: StationBand): number =>
  gateway * MOST_BANDS + index;
