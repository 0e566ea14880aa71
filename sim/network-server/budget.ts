/** What a gateway may send in an hour: its sub-band's share, less what its beacons take of it. */
import type { ServerRoom } from './server-room.ts';

/** Budget for everything but beacons, µs in any hour. */
export function gatewayBudgetUs(
  { plan, gateways, beacons }: ServerRoom,
  gateway: number,
  band: number,
): number {
  const { budgetUs } = plan.bands[band]!;
  if (!gateways.stations[gateway]!.plan.gps) return budgetUs;
  const { frequenciesHz } = plan.region.beacon;
  const isBeaconBand = frequenciesHz.some((hz) => plan.bandOf(hz) === band);
  return isBeaconBand ? Math.max(0, budgetUs - beacons.hourlyUs) : budgetUs;
}
