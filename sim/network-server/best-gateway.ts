/**
 * The gateway for a downlink without an uplink before it: the one that heard the device best, of
 * those in service which the server does not know to fail.
 */
import { NONE } from '../kernel/columns.ts';
import { HEARD_BY, heardGateway, heardLevel } from './heard-word.ts';
import type { ServerSide } from './server-side.ts';

interface Wanted {
  /** Only gateways that meet ping slots. */
  readonly withGps?: boolean;
  /** A gateway that comes after all others, though it heard the device best. */
  readonly last?: number;
}

/** Its row; NONE when none in service has heard the device, or all of those are known to fail. */
export function bestGateway(
  side: ServerSide,
  row: number,
  nowUs: number,
  { withGps = false, last = NONE }: Wanted = {},
): number {
  const { registrations, gateways } = side;
  const { heard } = registrations.column;
  let best: number = NONE;
  let bestLevel = Number.NEGATIVE_INFINITY;
  for (let at = row * HEARD_BY; at < (row + 1) * HEARD_BY; at++) {
    if (!isInService(side, heard[at])) continue;
    const gateway = heardGateway(heard[at]);
    const level = gateway === last ? Number.MIN_SAFE_INTEGER : heardLevel(heard[at]);
    if (level <= bestLevel) continue;
    const station = gateways.stations[gateway]!;
    if (withGps && !station.plan.gps) continue;
    if (gateways.faults.isKnownToFail(station, nowUs)) continue;
    best = gateway;
    bestLevel = level;
  }
  return best;
}

/** Whether a gateway in service has heard the device, however it is now. */
export function isHeardBySome(side: ServerSide, row: number, withGps = false): boolean {
  const { heard } = side.registrations.column;
  for (let at = row * HEARD_BY; at < (row + 1) * HEARD_BY; at++) {
    if (!isInService(side, heard[at])) continue;
    if (!withGps || side.gateways.stations[heardGateway(heard[at])]!.plan.gps) return true;
  }
  return false;
}

const isInService = ({ gateways }: ServerSide, word: number): boolean =>
  word !== 0 && gateways.isInService(heardGateway(word));
