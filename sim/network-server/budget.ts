/** What a gateway may send in an hour: its sub-band's share, less what its beacons take of it. */
import { serverKeepsBudget } from '../gateway/station-budget.ts';
import type { ServerSide } from './server-side.ts';

/** Budget for everything but beacons, µs in any hour. */
function gatewayBudgetUs(
  { plan, gateways, beacons }: ServerSide,
  gateway: number,
  band: number,
): number {
  const { budgetUs } = plan.bands[band]!;
  if (!gateways.stations[gateway]!.plan.gps) return budgetUs;
  const { frequenciesHz } = plan.region.beacon;
  const isBeaconBand = frequenciesHz.some((hz) => plan.bandOf(hz) === band);
  return isBeaconBand ? Math.max(0, budgetUs - beacons.hourlyUs) : budgetUs;
}

/**
 * Earliest start ≥ `startsAtUs` at which a gateway's sub-band takes a frame; Infinity when it
 * never does. A gateway that keeps its budget itself is not planned for.
 */
export function earliestStartUs(
  side: ServerSide,
  gateway: number,
  frequencyHz: number,
  startsAtUs: number,
  airtimeUs: number,
  nowUs: number,
): number {
  const { gateways, plan, dutyCycle } = side;
  if (!serverKeepsBudget(gateways.stations[gateway]!)) return startsAtUs;
  const band = plan.bandOf(frequencyHz);
  const account = gateway * plan.bands.length + band;
  const budgetUs = gatewayBudgetUs(side, gateway, band);
  return dutyCycle.earliestUs(account, nowUs, startsAtUs, airtimeUs, budgetUs);
}
