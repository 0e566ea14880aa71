/** What a gateway may send in an hour: its sub-band's share, less what its beacons take of it. */
import { serverKeepsBudget } from '../gateway/station-budget.ts';
import type { ServerSide } from './server-side.ts';

/** Budget for everything but beacons, µs in any hour. */
const gatewayBudgetUs = (side: ServerSide, gateway: number, band: number): number =>
  Math.max(0, side.plan.bands[band]!.budgetUs - beaconsUs(side, gateway, band));

/** What the beacons of a gateway take of each hour in a sub-band, µs. */
function beaconsUs({ plan, gateways, beacons }: ServerSide, gateway: number, band: number): number {
  if (!gateways.stations[gateway]!.plan.gps) return 0;
  return plan.bands[band]!.hasBeacons ? beacons.hourlyUs : 0;
}

/**
 * What a gateway uses of the hour until a frame of it ends in a sub-band, with its beacons;
 * undefined: the server keeps no budget for it.
 */
export function budgetUsed(
  side: ServerSide,
  gateway: number,
  frequencyHz: number,
  endsAtUs: number,
) {
  const { gateways, plan, dutyCycle } = side;
  if (!serverKeepsBudget(gateways.stations[gateway]!)) return undefined;
  const band = plan.bandOf(frequencyHz);
  const number = gateway * plan.bands.length + band;
  const usedUs = dutyCycle.usedInHourUs(number, endsAtUs) + beaconsUs(side, gateway, band);
  return { number, usedUs };
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
