/** The gateway for a downlink without an uplink before it: the one that heard the device best. */
import { NONE } from '../kernel/columns.ts';
import { HEARD_BY, heardGateway, heardLevel } from './heard.ts';
import type { ServerSide } from './server-side.ts';

/** Its row, NONE when no one in service is known; `withGps` asks for one that meets ping slots. */
export function bestGateway(side: ServerSide, row: number, withGps = false): number {
  const { registrations, gateways } = side;
  const { heard } = registrations.column;
  const { alive } = gateways.table.column;
  let best: number = NONE;
  let bestLevel = Number.NEGATIVE_INFINITY;
  for (let at = row * HEARD_BY; at < (row + 1) * HEARD_BY; at++) {
    const gateway = heardGateway(heard[at]);
    const level = heardLevel(heard[at]);
    if (heard[at] === 0 || alive[gateway] === 0 || level <= bestLevel) continue;
    if (withGps && !gateways.stations[gateway]!.plan.gps) continue;
    best = gateway;
    bestLevel = level;
  }
  return best;
}
